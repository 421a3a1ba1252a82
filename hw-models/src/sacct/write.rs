//! From runs to a trace.

use super::Accounting;
use super::names::Names;
use super::run::Run;
use crate::swf::{MOST_PROCESSORS, Record, write_record};
use std::io::{self, Write};

impl Accounting {
    /// The most processors that were in use at once: the machine had at least so many.
    pub fn peak(&self) -> u64 {
        // What ends is free for what starts; a job of no time needs its processors all the same.
        let starts = self.runs.iter().map(|run| (run.start, i64::from(run.processors)));
        let ends = self.runs.iter();
        let ends = ends.map(|run| (run.start + run.run.max(1), -i64::from(run.processors)));
        let mut changes: Vec<(i64, i64)> = starts.chain(ends).collect();
        changes.sort_unstable();
        let mut used = 0;
        let levels = changes.iter().map(|&(_, change)| {
            used += change;
            used
        });
        levels.max().unwrap_or(0) as u64
    }

    /// Users that have jobs or had lines.
    pub fn users(&self) -> usize {
        self.directory.users.len()
    }

    /// Partitions that have jobs or had lines.
    pub fn partitions(&self) -> usize {
        self.directory.partitions.len()
    }

    /// Writes the jobs as a trace: times count from the first submission on, jobs from 1. A machine of so
    /// many processors or, if nobody says, of [as many as were in use at once](Self::peak). With `names`,
    /// comments say which numbers are which users, groups and partitions.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(
        &self,
        source: &str,
        processors: Option<u32>,
        names: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let zero = self.runs.first().map_or(0, |run| run.submit);
        self.write_header(source, processors, zero, out)?;
        if names {
            let Self { directory, .. } = self;
            write_names("User", &directory.users, out)?;
            write_names("Group", &directory.groups, out)?;
            write_names("Partition", &directory.partitions, out)?;
        }
        (1..)
            .zip(&self.runs)
            .try_for_each(|(number, run)| write_record(&record(number, run, zero), out))
    }

    /// Writes what the jobs ask for of nodes, by their numbers in the trace, as a [`DemandFile`](crate::machine::DemandFile), if that was
    /// [read](super::Options::demands).
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_demands(&self, out: &mut dyn Write) -> io::Result<()> {
        self.directory.lists.write((1..).zip(self.runs.iter().map(|run| run.resources)), out)
    }

    /// Jobs of which it is known what they ask for of nodes.
    pub fn demands(&self) -> usize {
        self.runs.iter().filter(|run| run.resources > 0).count()
    }

    fn write_header(
        &self,
        source: &str,
        processors: Option<u32>,
        zero: i64,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let jobs = self.runs.len();
        let source = source.replace(char::is_control, "?");
        writeln!(out, "; Version: 2.2\n; MaxJobs: {jobs}\n; MaxRecords: {jobs}\n; Preemption: No")?;
        writeln!(out, "; UnixStartTime: {zero}")?;
        match (processors, self.peak()) {
            (Some(processors), _) => writeln!(out, "; MaxProcs: {processors}")?,
            (None, peak) if peak <= u64::from(MOST_PROCESSORS) => {
                writeln!(out, "; MaxProcs: {peak}")?;
                writeln!(
                    out,
                    "; Note: MaxProcs is the most in use at once; the machine may be larger"
                )?;
            }
            (None, _) => {}
        }
        writeln!(out, "; Note: Imported by locox from the sacct output {source}")?;
        writeln!(
            out,
            "; Note: Times of day were taken as UTC; queue and partition are Slurm's partition"
        )
    }
}

fn write_names(what: &str, names: &Names, out: &mut dyn Write) -> io::Result<()> {
    names
        .legend()
        .into_iter()
        .try_for_each(|(number, name)| writeln!(out, "; {what} {number}: {name}"))
}

/// 0 stands for unknown.
fn known(number: u32) -> i64 {
    if number == 0 { -1 } else { number.into() }
}

fn record(number: i64, run: &Run, zero: i64) -> Record {
    Record {
        line: 0,
        number,
        submit: run.submit - zero,
        wait: run.start - run.submit,
        run: run.run,
        processors: run.processors.into(),
        cpu_time: -1,
        memory: -1,
        requested_processors: known(run.requested),
        requested_time: run.limit.unwrap_or(-1),
        requested_memory: -1,
        status: run.status as i64,
        user: known(run.user),
        group: known(run.group),
        executable: -1,
        queue: known(run.partition),
        partition: known(run.partition),
        preceding: -1,
        think_time: -1,
    }
}

#[cfg(test)]
mod tests {
    use crate::sacct::{Drop, Options, SacctError, Unit, import};
    use crate::swf::{self, Strictness};

    const HEADER: &str = "JobID|User|Group|Partition|State|Submit|Start|End|Elapsed|Suspended|Timelimit|\
                          NNodes|ReqCPUS|AllocCPUS|AllocTRES|Comment";

    /// A line of an hour from the start of this hour of a day on, on 8 CPUs of 2 nodes.
    fn line(id: &str, state: &str, submit: u32, start: u32) -> String {
        format!(
            "{id}|ada|physics|batch|{state}|2026-03-01T{submit:02}:00:00|2026-03-01T{start:02}:00:00|\
             2026-03-01T{:02}:00:00|01:00:00|00:00:00|1-00:00:00|2|6|8|billing=8,cpu=8,node=2|",
            start + 1
        )
    }

    fn imported(lines: &[String], options: &Options) -> Result<super::Accounting, SacctError> {
        let text = format!("{HEADER}\n{}\n", lines.join("\n"));
        import("day.txt", std::io::Cursor::new(text), options)
    }

    fn accounting(lines: &[String]) -> super::Accounting {
        imported(lines, &Options::default()).unwrap()
    }

    /// The records without their comments, read back by the strict reader.
    fn records(accounting: &super::Accounting) -> Vec<swf::Record> {
        let mut out = vec![];
        accounting.write("day.txt", None, true, &mut out).unwrap();
        let reader = swf::read("day.swf", std::io::Cursor::new(out), Strictness::Strict).unwrap();
        reader.map(Result::unwrap).collect()
    }

    fn dropped(accounting: &super::Accounting) -> Vec<(Drop, u64, u64)> {
        let all = accounting.report.dropped.iter();
        all.map(|(&why, dropped)| (why, dropped.lines, dropped.first)).collect()
    }

    #[test]
    fn each_field_lands_in_its_own_column() {
        let records = records(&accounting(&[
            line("7", "COMPLETED", 2, 3),
            line("8", "CANCELLED by 1000", 1, 1).replace("ada|physics", "bob|"),
            line("9", "TIMEOUT", 3, 4)
                .replace("1-00:00:00", "UNLIMITED")
                .replace("|2|6|8|", "|2||8|"),
        ]));
        let first = |at: usize| {
            let it = &records[at];
            (it.number, it.submit, it.wait, it.run, it.processors, it.requested_processors)
        };
        assert_eq!(first(0), (1, 0, 0, 3600, 8, 6));
        assert_eq!(first(1), (2, 3600, 3600, 3600, 8, 6));
        assert_eq!(first(2), (3, 7200, 3600, 3600, 8, -1));
        let second = |at: usize| {
            let it = &records[at];
            (it.requested_time, it.status, it.user, it.group, it.queue, it.partition)
        };
        assert_eq!(second(0), (86_400, 5, 2, -1, 1, 1));
        assert_eq!(second(1), (86_400, 1, 1, 1, 1, 1));
        assert_eq!(second(2), (-1, 0, 1, 1, 1, 1));
    }

    #[test]
    fn what_jobs_ask_for_of_nodes_is_what_was_allocated_or_else_requested() {
        let header = "JobID|State|Submit|Start|End|AllocCPUS|AllocTRES|ReqTRES";
        let lines = [
            "7|COMPLETED|10|20|80|8|cpu=8,gres/gpu:t4=2,mem=4G,node=2|cpu=8,mem=2G,node=1",
            "8|COMPLETED|11|20|80|4||license/matlab=1,mem=8M,node=1",
            "9|COMPLETED|12|20|80|4||",
            "10|COMPLETED|13|20|80|4||cpu=4,mem=lots,node=1",
            "11+0|COMPLETED|14|20|80|4||cpu=4,node=1",
            "11+1|COMPLETED|14|20|80|4||cpu=4,node=1",
        ];
        let text = format!("{header}\n{}\n", lines.join("\n"));
        let options = Options { demands: true, ..Options::default() };
        let accounting = import("day.txt", std::io::Cursor::new(text), &options).unwrap();
        assert_eq!(dropped(&accounting), [(Drop::Value("ReqTRES"), 1, 5)]);
        let mut out = vec![];
        accounting.write_demands(&mut out).unwrap();
        let expected =
            "job,nodes,cores,gpu,matlab,memory,features\n1,2,4,1,0,2048,t4\n2,1,4,0,1,8,\n";
        assert_eq!((String::from_utf8(out).unwrap(), accounting.demands()), (expected.into(), 2));
    }

    #[test]
    fn the_header_says_who_is_who_and_how_large_the_machine_is_at_least() {
        let lines =
            [line("7", "COMPLETED", 2, 3), line("8", "FAILED", 2, 3), line("9", "FAILED", 2, 4)];
        let text = |processors, names| {
            let mut out = vec![];
            accounting(&lines).write("a\nb", processors, names, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let named = text(None, true);
        for part in [
            "; MaxJobs: 3\n",
            "; UnixStartTime: 1772330400\n",
            "; MaxProcs: 16\n",
            "; User 1: ada\n",
            "; Group 1: physics\n",
            "; Partition 1: batch\n",
            "sacct output a?b\n",
        ] {
            assert!(named.contains(part), "{part} is not in {named}");
        }
        let plain = text(Some(64), false);
        assert!(plain.contains("; MaxProcs: 64\n") && !plain.contains("ada"), "{plain}");
    }

    #[test]
    fn steps_waiting_running_and_cancelled_jobs_are_dropped_with_their_reasons() {
        let unknown = |id: &str, state: &str| {
            format!(
                "{id}|ada||batch|{state}|2026-03-01T01:00:00|Unknown|Unknown|00:00:00||1:00:00|0|1|0||"
            )
        };
        let accounting = accounting(&[
            line("7", "COMPLETED", 2, 3),
            line("7.batch", "COMPLETED", 2, 3),
            line("7.extern", "COMPLETED", 2, 3),
            unknown("8_[5-9%2]", "PENDING"),
            unknown("8_[5-9]", "CANCELLED by 0"),
            unknown("9", "PENDING"),
            unknown("10", "CANCELLED by 1000")
                .replace("Unknown|Unknown", "None|2026-03-01T02:00:00"),
            line("11", "RUNNING", 2, 3).replace("2026-03-01T04:00:00", "Unknown"),
            // Older versions give the end as the start.
            line("12", "CANCELLED by 1000", 2, 3)
                .replace("04:00:00", "03:00:00")
                .replace("|8|billing=8,cpu=8,node=2", "|0|"),
        ]);
        let expected = [
            (Drop::Step, 2, 3),
            (Drop::Waiting, 2, 5),
            (Drop::Running, 1, 9),
            (Drop::NeverStarted, 3, 6),
        ];
        assert_eq!(dropped(&accounting), expected);
        assert_eq!((accounting.report.lines, accounting.report.kept.jobs), (9, 1));
    }

    #[test]
    fn tasks_are_jobs_runs_of_requeued_jobs_too_and_a_line_twice_is_one() {
        let accounting = accounting(&[
            line("7_1", "COMPLETED", 2, 3),
            line("7_2", "COMPLETED", 2, 3),
            line("9", "REQUEUED", 1, 2),
            line("9", "NODE_FAIL", 4, 5),
            line("9", "COMPLETED", 6, 7),
            line("9", "COMPLETED", 6, 7),
            HEADER.into(),
            String::new(),
        ]);
        let kept = accounting.report.kept;
        assert_eq!((kept.jobs, kept.tasks, kept.requeued), (5, 2, 2));
        assert_eq!(dropped(&accounting), [(Drop::Twice, 1, 7)]);
        assert_eq!(records(&accounting).len(), 5);
    }

    #[test]
    fn components_of_a_heterogeneous_job_are_one_job_with_all_processors() {
        let accounting = accounting(&[
            line("7+1", "FAILED", 2, 3).replace("1-00:00:00", "2-00:00:00"),
            line("7+0", "COMPLETED", 2, 3),
            line("7+2", "COMPLETED", 2, 3).replace("T04:00:00|01:00:00", "T05:00:00|02:00:00"),
            line("8+0", "COMPLETED", 2, 3),
        ]);
        let kept = accounting.report.kept;
        assert_eq!((kept.jobs, kept.heterogeneous, kept.components), (2, 1, 4));
        let [job, _] = &records(&accounting)[..] else { panic!("two jobs") };
        assert_eq!((job.processors, job.requested_processors, job.run), (24, 18, 7200));
        assert_eq!((job.requested_time, job.status), (172_800, 0));
    }

    #[test]
    fn suspended_time_is_no_run_time() {
        let with = |elapsed: &str| {
            let line = line("7", "COMPLETED", 2, 3);
            let line = line.replace("01:00:00|00:00:00", &format!("{elapsed}|00:20:00"));
            let accounting = accounting(&[line]);
            assert_eq!(accounting.report.kept.suspended, 1);
            records(&accounting)[0].run
        };
        assert_eq!((with("00:40:00"), with("")), (2400, 2400));
    }

    #[test]
    fn what_contradicts_itself_or_cannot_be_read_is_dropped_by_its_reason() {
        let good = line("7", "COMPLETED", 2, 3);
        let accounting = accounting(&[
            good.clone(),
            line("8", "COMPLETED", 2, 3).replace("T04:", "T02:"),
            line("9", "COMPLETED", 4, 3),
            line("10", "COMPLETED", 2, 3) + "|",
            "11".into(),
            line("x", "COMPLETED", 2, 3),
            line("12", "COMPLETED", 2, 3).replace("T03:", "T99:"),
            line("13", "COMPLETED", 2, 3).replace("1-00:00:00", "soon"),
            line("14", "COMPLETED", 2, 3).replace("|8|billing=8,cpu=8,node=2", "|0|"),
            line("15", "COMPLETED", 2, 3).replace("|6|8|", "|6|-8|"),
            line("16", "COMPLETED", 2, 3).replace("2026-03-01T02:00:00", "Unknown"),
            line("18", "COMPLETED", 2, 3).replace("|8|billing", "||billing"),
        ]);
        let expected = [
            (Drop::NoSize, 1, 10),
            (Drop::Times, 2, 3),
            (Drop::Fields, 2, 5),
            (Drop::Value("AllocCPUS"), 1, 11),
            (Drop::Value("JobID"), 1, 7),
            (Drop::Value("Start"), 1, 8),
            (Drop::Value("Submit"), 1, 12),
            (Drop::Value("Timelimit"), 1, 9),
        ];
        assert_eq!(dropped(&accounting), expected);
        let kept = records(&accounting);
        assert_eq!(kept.iter().map(|job| job.processors).collect::<Vec<_>>(), [8, 8]);
    }

    /// The lines of a job of one CPU that was cancelled in the queue after a day, as versions of Slurm write them: with the columns
    /// that they have, and what each of them holds.
    fn never_ran() -> Vec<(&'static str, String)> {
        const COLUMNS: &str = "JobID|State|Submit|Start|End|Elapsed|AllocCPUS";
        let at = "2026-03-20T00:00:00";
        let line = |state: &str, start: &str, elapsed: &str, cpus: u32| {
            format!("2|{state}|2026-03-01T00:00:02|{start}|{at}|{elapsed}|{cpus}")
        };
        let mut all = vec![];
        for state in ["CANCELLED by 1", "CANCELLED", "CANCELLED+", "DEADLINE", "REVOKED"] {
            for start in ["None", "Unknown", "", "0"] {
                all.push((COLUMNS, line(state, start, "00:00:00", 12)));
                all.push((COLUMNS, line(state, start, "00:00:00", 0)));
            }
            for elapsed in ["00:00:00", "0", ""] {
                all.push((COLUMNS, line(state, at, elapsed, 12)));
                all.push((COLUMNS, line(state, at, elapsed, 0)));
            }
        }
        for state in ["CANCELLED by 1", "FAILED", "NODE_FAIL", "DEADLINE"] {
            let line = line(state, at, "00:00:00", 12) + "|";
            all.push(("JobID|State|Submit|Start|End|Elapsed|AllocCPUS|AllocTRES", line));
        }
        all
    }

    #[test]
    fn what_was_cancelled_in_the_queue_is_no_job_however_a_version_writes_it() {
        for (columns, never_ran) in never_ran() {
            let more = columns.matches('|').count() - 6;
            let ran = "1|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|01:00:00|8";
            let ran = format!("{ran}{}", "|cpu=8".repeat(more));
            let text = format!("{columns}\n{ran}\n{}", format!("{never_ran}\n").repeat(3));
            let input = std::io::Cursor::new(text);
            let found = import("f", input, &Options::default()).unwrap();
            assert_eq!((found.report.kept.jobs, found.peak()), (1, 8), "{never_ran}");
            assert_eq!(dropped(&found), [(Drop::NeverStarted, 3, 3)], "{never_ran}");
        }
    }

    #[test]
    fn a_job_that_ran_for_less_than_a_second_is_one() {
        let short = |state: &str, given: &str| {
            let line = line("7", state, 2, 3).replace("T04:", "T03:").replace("|01:", "|00:");
            line.replace("|billing=8,cpu=8,node=2|", &format!("|{given}|"))
        };
        for (state, given) in
            [("CANCELLED by 1", "cpu=8"), ("FAILED", "cpu=8,node=2"), ("COMPLETED", "")]
        {
            let found = accounting(&[short(state, given)]);
            assert_eq!((found.report.kept.jobs, found.peak()), (1, 8), "{state}");
        }
    }

    #[test]
    fn a_heterogeneous_job_of_which_a_part_has_not_ended_is_dropped_as_a_whole() {
        let ends = line("2+0", "COMPLETED", 2, 3);
        let open = |state| line("2+1", state, 2, 3);
        let unknown = |state| open(state).replace("2026-03-01T04:00:00", "Unknown");
        let waits = |state| unknown(state).replace("2026-03-01T03:00:00", "Unknown");
        let unreadable = open("COMPLETED").replace("|8|billing=8", "|x|billing=8");
        for (part, why) in [
            (unknown("RUNNING"), Drop::Running),
            (open("COMPLETING"), Drop::Running),
            (waits("PENDING"), Drop::Waiting),
            (unreadable, Drop::Value("AllocCPUS")),
        ] {
            let other = line("3", "COMPLETED", 2, 3);
            // A later run of the same job is another.
            let again = [line("2+0", "COMPLETED", 9, 10), line("2+1", "COMPLETED", 9, 10)];
            let lines = [part, ends.clone(), line("2+2", "COMPLETED", 2, 3), other];
            let orders = [lines.to_vec(), lines.iter().rev().cloned().collect()];
            for lines in orders {
                let found = accounting(&[&lines[..], &again].concat());
                let kept = found.report.kept;
                assert_eq!((kept.jobs, kept.components), (2, 2), "{why:?}");
                let told: Vec<_> = found.report.dropped.iter().collect();
                let count = |why| told.iter().find(|it| *it.0 == why).map(|it| it.1.lines);
                assert_eq!((count(Drop::Incomplete), count(why)), (Some(2), Some(1)));
            }
        }
        // A part that never ran is none.
        let never = open("CANCELLED by 1").replace("2026-03-01T03:00:00", "None");
        assert_eq!(accounting(&[ends, never]).report.kept.jobs, 1);
    }

    #[test]
    fn advice_fits_the_fault() {
        let told = |line: String| imported(&[line], &Options::default()).unwrap_err().to_string();
        let good = line("7", "COMPLETED", 2, 3);
        for (line, remedy) in [
            (good.replace('T', " "), "SLURM_TIME_FORMAT"),
            (good.replace("2026-03-01T03", "01/03/26 03"), "SLURM_TIME_FORMAT"),
            (good.replace("2026-03-01T04:00:00", "Unknown"), "-S and -E"),
            (good.replace("COMPLETED", "PENDING"), "-S and -E"),
            (good.replace('|', " "), "-P --format=JobID"),
            (good.replace("7|ada", "7.batch|ada"), "-P --format=JobID"),
            (good.replace("|8|billing", "|x|billing"), "-P --format=JobID"),
        ] {
            let told = told(line.clone());
            let advice = told.rsplit("; ").next().unwrap();
            assert!(advice.contains(remedy), "{line}: {told}");
        }
    }

    #[test]
    fn a_line_over_a_megabyte_is_an_error_with_its_number_also_without_an_end() {
        let long = || std::io::repeat(b'x');
        let header = std::io::Cursor::new(format!("{HEADER}\n"));
        let told = |input: Box<dyn std::io::Read + Send>| {
            import("f", input, &Options::default()).unwrap_err().to_string()
        };
        let expected = "f: line 1 has over 1048576 bytes; check that it is what sacct -P printed";
        assert_eq!(told(Box::new(long())), expected);
        use std::io::Read;
        assert!(told(Box::new(header.chain(long()))).starts_with("f: line 2 has over 1048576"));
    }

    #[test]
    fn names_beyond_their_room_are_an_error_and_the_largest_import_can_be_read() {
        let with_names = |count: usize, length: usize| {
            let name = |at: usize| format!("{}{at}", "n".repeat(length));
            let job =
                |at: usize| line(&at.to_string(), "COMPLETED", 2, 3).replace("ada", &name(at));
            let lines: Vec<String> = (0..count).map(job).collect();
            imported(&lines, &Options::default())
        };
        let told = with_names(40, 1 << 19).unwrap_err().to_string();
        let expected =
            "day.txt: of users, groups and partitions what is kept of it takes over 16 MB";
        assert!(told.starts_with(expected), "{told}");
        assert_eq!(records(&with_names(30, 1 << 19).unwrap()).len(), 30);
    }

    #[test]
    fn nodes_may_count_in_place_of_cpus() {
        let lines = [
            line("7", "COMPLETED", 2, 3),
            line("8", "COMPLETED", 2, 3).replace("|2|6|8|", "||6|8|").replace("node=2", "node=3"),
        ];
        let accounting = imported(&lines, &Options { unit: Unit::Nodes, ..Options::default() });
        let sizes: Vec<i64> =
            records(&accounting.unwrap()).iter().map(|job| job.processors).collect();
        assert_eq!(sizes, [2, 3]);
    }

    #[test]
    fn bytes_that_are_no_text_are_kept_out_of_the_comments_and_their_jobs_in() {
        let mut text = format!("{HEADER}\n{}\n", line("7", "COMPLETED", 2, 3)).into_bytes();
        let at = text.windows(3).position(|it| it == b"ada").unwrap();
        text[at..at + 3].copy_from_slice(b"\xFF\x1Ba");
        let accounting = import("f", std::io::Cursor::new(text), &Options::default()).unwrap();
        let mut out = vec![];
        accounting.write("f", None, true, &mut out).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("; User 1: \u{FFFD}?a\n"));
    }

    #[test]
    fn a_file_without_jobs_columns_or_room_is_one_error() {
        let told = |text: &'static str| {
            import("f", text.as_bytes(), &Options::default()).unwrap_err().to_string()
        };
        assert!(
            told("").starts_with("f: the file is empty; ask for sacct -a -D -P --format=JobID,")
        );
        assert!(
            told("JobID State\n1 COMPLETED\n").starts_with("f: the first line names no columns")
        );
        assert!(
            told("JobID|State\n")
                .starts_with("f: the columns Submit, Start, End, AllocCPUS are missing")
        );
        let none = imported(&[line("7.0", "COMPLETED", 2, 3)], &Options::default()).unwrap_err();
        assert_eq!(
            none.to_string(),
            "day.txt: none of its 1 lines is of a job that ran and ended; line 2: steps, which are parts of \
             jobs; ask for sacct -a -D -P --format=".to_owned() + crate::sacct::FORMAT
        );
        let two = [line("7", "COMPLETED", 2, 3), line("8", "COMPLETED", 2, 3)];
        let error = imported(&two, &Options { room: 1, ..Options::default() }).unwrap_err();
        assert!(error.to_string().starts_with("day.txt: there are more than 1 jobs"), "{error}");
    }
}
