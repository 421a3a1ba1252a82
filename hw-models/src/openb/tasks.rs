//! The list of tasks as a trace, and what its jobs ask for.

use super::cores;
use crate::file;
use crate::machine::Cluster;
use crate::swf::{Record, write_record};
use crate::table::{self, BadTable, Fault, Row, Table};
use std::io::{self, Read, Write};
use std::path::Path;

const EXAMPLE: &str = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time";

/// What is wrong with a list of tasks.
pub type BadTasks = BadTable<BadTaskKind>;

/// What is wrong with what a list of tasks says.
#[derive(Debug, thiserror::Error)]
pub enum BadTaskKind {
    /// A share of a GPU is none, or more than a whole one.
    #[error("a share of one GPU is 1 to {most}, where num_gpu is 1; correct it", most = Cluster::PARTS)]
    Share,
    /// A list without times, such as those that only say what tasks ask for.
    #[error(
        "the list has no such times, which a trace needs; take one that has, such as openb_pod_list_default.csv"
    )]
    NoTimes,
    /// No task ran.
    #[error("none of its {0} tasks was scheduled and ended; check that it is a list with times")]
    NoneRan(u64),
}

/// What was kept of a list, and what was dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Jobs of the trace.
    pub jobs: u64,
    /// Of these, those with GPUs or a part of one.
    pub with_gpu: u64,
    /// Of these, those with a part of one.
    pub with_part: u64,
    /// Of the jobs, those that are bound to models of GPUs.
    pub bound: u64,
    /// Of the jobs, those whose CPUs were rounded up to whole cores.
    pub rounded: u64,
    /// Tasks that were never scheduled, which are dropped.
    pub never_ran: u64,
    /// Tasks that were deleted before they were scheduled, or scheduled before they came, which are dropped.
    pub bad_times: u64,
}

/// A task that ran. Times are seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Task {
    /// In the list.
    line: u64,
    created: i64,
    scheduled: i64,
    deleted: i64,
    cores: u32,
    memory: u32,
    gpus: u32,
    /// Of one GPU, in thousandths; 0 for none.
    part: u32,
    models: String,
}

/// The tasks that ran, in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskList {
    /// What was kept and what was dropped.
    pub report: Report,
    tasks: Vec<Task>,
}

impl TaskList {
    /// Reads a list: plain, gzip or xz, as its content says. Columns that are not needed are ignored.
    ///
    /// # Errors
    ///
    /// [`BadTasks`] says what is wrong, and where.
    pub fn open(path: &Path) -> Result<Self, BadTasks> {
        table::read(path, file::open(path), parse)
    }

    /// Reads a list from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`TaskList::open`].
    pub fn read(path: &Path, input: impl Read + Send + 'static) -> Result<Self, BadTasks> {
        table::read(path, Ok(input), parse)
    }

    /// Writes the jobs as a trace: times count from the first submission on, jobs from 1.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, source: &str, out: &mut dyn Write) -> io::Result<()> {
        let (jobs, source) = (self.tasks.len(), source.replace(char::is_control, "?"));
        writeln!(out, "; Version: 2.2\n; MaxJobs: {jobs}\n; MaxRecords: {jobs}")?;
        writeln!(out, "; Note: Imported by locox from the openb list {source}")?;
        let zero = self.tasks.first().map_or(0, |task| task.created);
        let mut all = (1..).zip(&self.tasks);
        all.try_for_each(|(number, task)| write_record(&record(number, task, zero), out))
    }

    /// The line in the list of a job of the trace.
    pub fn line(&self, job: u64) -> Option<u64> {
        let at = usize::try_from(job.checked_sub(1)?).ok()?;
        self.tasks.get(at).map(|task| task.line)
    }

    /// Writes what the jobs ask for, as a [`DemandFile`](crate::machine::DemandFile).
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_demands(&self, out: &mut dyn Write) -> io::Result<()> {
        // Where nobody asks for a part, GPUs need not be shareable.
        let has_parts = self.report.with_part > 0;
        let column = if has_parts { ",gpu_milli" } else { "" };
        writeln!(out, "job,cores,memory,gpu{column},features")?;
        (1..).zip(&self.tasks).try_for_each(|(number, task): (u64, _)| {
            let Task { cores, memory, gpus, part, models, .. } = task;
            let part = if has_parts { format!(",{part}") } else { String::new() };
            writeln!(out, "{number},{cores},{memory},{gpus}{part},{models}")
        })
    }
}

fn record(number: i64, task: &Task, zero: i64) -> Record {
    let kilobytes = u64::from(task.memory) * 1024;
    Record {
        line: 0,
        number,
        submit: task.created - zero,
        wait: task.scheduled - task.created,
        run: task.deleted - task.scheduled,
        processors: task.cores.into(),
        cpu_time: -1,
        memory: -1,
        requested_processors: task.cores.into(),
        requested_time: -1,
        requested_memory: kilobytes.div_ceil(task.cores.into()) as i64,
        status: -1,
        user: -1,
        group: -1,
        executable: -1,
        queue: -1,
        partition: -1,
        preceding: -1,
        think_time: -1,
    }
}

fn parse(text: &str) -> Result<TaskList, Fault<BadTaskKind>> {
    let table = Table::of(text, EXAMPLE)?;
    let columns = Columns::of(&table)?;
    let (mut report, mut tasks) = (Report::default(), vec![]);
    for row in table.rows() {
        let row = row?;
        if row.text(columns.scheduled).is_empty() || row.text(columns.deleted).is_empty() {
            report.never_ran += 1;
            continue;
        }
        let task = columns.task(&row)?;
        if task.scheduled < task.created || task.deleted < task.scheduled {
            report.bad_times += 1;
            continue;
        }
        report.jobs += 1;
        report.with_gpu += u64::from(task.gpus > 0 || task.part > 0);
        report.with_part += u64::from(task.part > 0);
        report.bound += u64::from(!task.models.is_empty());
        report.rounded += u64::from(row.number::<u32, BadTaskKind>(columns.cpu)? % 1000 > 0);
        tasks.push(task);
    }
    if tasks.is_empty() {
        let all = report.never_ran + report.bad_times;
        return Err((None, None, table::BadTableKind::Content(BadTaskKind::NoneRan(all))));
    }
    tasks.sort_by_key(|task| task.created);
    Ok(TaskList { report, tasks })
}

/// Where the columns are.
struct Columns {
    cpu: usize,
    memory: usize,
    gpus: usize,
    share: usize,
    models: Option<usize>,
    created: usize,
    scheduled: usize,
    deleted: usize,
}

impl Columns {
    fn of(table: &Table<'_>) -> Result<Self, Fault<BadTaskKind>> {
        let time = |name| {
            let missing = || table.wrong(Some(name), BadTaskKind::NoTimes);
            table.column(name).ok_or_else(missing)
        };
        Ok(Self {
            cpu: table.needed("cpu_milli")?,
            memory: table.needed("memory_mib")?,
            gpus: table.needed("num_gpu")?,
            share: table.needed("gpu_milli")?,
            models: table.column("gpu_spec"),
            created: time("creation_time")?,
            scheduled: time("scheduled_time")?,
            deleted: time("deletion_time")?,
        })
    }

    fn task(&self, row: &Row<'_, '_>) -> Result<Task, Fault<BadTaskKind>> {
        let (gpus, share): (u32, u32) = (row.number(self.gpus)?, row.number(self.share)?);
        if gpus == 1 && !(1..=Cluster::PARTS).contains(&share) {
            return Err(row.wrong(Some(self.share), BadTaskKind::Share));
        }
        let is_part = gpus == 1 && share < Cluster::PARTS;
        let time = |at| row.number::<u32, BadTaskKind>(at).map(i64::from);
        Ok(Task {
            line: row.line(),
            created: time(self.created)?,
            scheduled: time(self.scheduled)?,
            deleted: time(self.deleted)?,
            // Each job takes a core.
            cores: cores(row.number(self.cpu)?).max(1),
            memory: row.number(self.memory)?,
            gpus: if is_part { 0 } else { gpus },
            part: if is_part { share } else { 0 },
            models: self.models.map_or("", |at| row.text(at)).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::DemandFile;
    use crate::swf::{self, Strictness};
    use crate::workload::from_reader;

    const NAMES: &str = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time";

    fn read(lines: &str) -> Result<TaskList, String> {
        let input = io::Cursor::new(format!("{NAMES}\n{lines}"));
        TaskList::read(Path::new("pods.csv"), input).map_err(|bad| bad.to_string())
    }

    #[test]
    fn tasks_become_jobs_with_what_they_ask_for() {
        let list = read(
            "a,12000,16384,1,1000,,LS,Running,50,90,60\nb,500,4096,1,460,T4|P100,BE,Failed,40,41,40\n\
             c,8000,30517,0,0,,BE,Pending,45,99,\nd,3152,5600,8,1000,,BE,Running,70,60,80\n",
        )
        .unwrap();
        let report = Report {
            jobs: 2,
            with_gpu: 2,
            with_part: 1,
            bound: 1,
            rounded: 1,
            never_ran: 1,
            bad_times: 1,
        };
        assert_eq!(list.report, report);
        let (mut trace, mut demands) = (vec![], vec![]);
        list.write("pods.csv", &mut trace).unwrap();
        list.write_demands(&mut demands).unwrap();
        let reader = swf::read("pods.swf", io::Cursor::new(trace), Strictness::Strict).unwrap();
        let mut jobs = from_reader(reader, "pods".into(), None).unwrap().jobs;
        let short: Vec<_> = jobs
            .iter()
            .map(|job| (job.id, job.submit.ticks(), job.processors, job.run.ticks()))
            .collect();
        assert_eq!(short, [(1, 0, 1, 1), (2, 10, 12, 30)]);
        assert_eq!((jobs[0].memory, jobs[1].memory), (4096, 1366));
        let cluster = "count,cores,memory,gpu,features\n1,16,32768,2,T4\n1,16,32768,8,G2\n";
        let cluster = Cluster::read(Path::new("c.csv"), cluster.as_bytes()).unwrap();
        let demands = DemandFile::read(Path::new("d.csv"), io::Cursor::new(demands), cluster);
        assert_eq!(demands.unwrap().give(&mut jobs), 2);
        let [first, second] = [0, 1].map(|at| *jobs[at].demand.clone().unwrap());
        assert_eq!((first.part, first.classes, first.each.get(1)), (460, 0b1, 4096));
        assert_eq!((second.part, second.classes, second.each.get(2)), (0, u64::MAX, 1));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_column() {
        for (lines, told) in [
            (
                "a,1,1,1,0,,,,1,3,2\n",
                "pods.csv:2: column \"gpu_milli\": a share of one GPU is 1 to 1000, ",
            ),
            ("a,1,1,1,1001,,,,1,3,2\n", "pods.csv:2: column \"gpu_milli\": a share of one GPU "),
            (
                "a,x,1,1,10,,,,1,3,2\n",
                "pods.csv:2: column \"cpu_milli\": `x` is not a whole number",
            ),
            ("a,1,1,1,10,,,,1,3,\n", "pods.csv: none of its 1 tasks was scheduled and ended; "),
            ("a,1\n", "pods.csv:2: 2 values where 11 belong; "),
        ] {
            let told_of = read(lines).unwrap_err();
            assert!(told_of.starts_with(told) && told_of.lines().count() == 1, "{told_of}");
        }
        let short = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";
        let bad = TaskList::read(Path::new("pods.csv"), short.as_bytes()).unwrap_err().to_string();
        assert!(
            bad.starts_with("pods.csv:1: column \"creation_time\": the list has no such times"),
            "{bad}"
        );
    }
}
