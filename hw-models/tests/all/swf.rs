//! Traces, good and bad, as a user would meet them.

use flate2::write::GzEncoder;
use locox_models::swf::{self, Compression, Reader, Record, Strictness, SwfError, SwfErrorKind};
use locox_models::workload::{Selection, Workload, from_reader, from_swf, select};
use lzma_rust2::{XzOptions, XzWriter};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

const HEADER: &str = "\
; Version: 2.2
; Computer: Test machine
; Installation: Nowhere
; Acknowledge: Nobody
; MaxProcs: 16
";

/// A record whose columns are -1 but for number, submit, run, processors.
fn job(number: i64, submit: i64, run: i64, processors: i64) -> String {
    format!("{number} {submit} -1 {run} {processors}{}\n", " -1".repeat(13))
}

fn three_jobs() -> String {
    format!("{HEADER}{}\n{}; a remark\n{}", job(1, 0, 60, 4), job(2, 5, 30, 8), job(3, 5, 0, 1))
}

fn reader(content: impl Into<Vec<u8>>, strictness: Strictness) -> Reader {
    let content = std::io::Cursor::new(content.into());
    swf::read("day.swf", content, strictness).unwrap()
}

fn workload(content: impl Into<Vec<u8>>, strictness: Strictness) -> Result<Workload, SwfError> {
    from_reader(reader(content, strictness), "day".into(), None)
}

fn strict(content: impl Into<Vec<u8>>) -> Result<Workload, SwfError> {
    workload(content, Strictness::Strict)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn xz(text: &str) -> Vec<u8> {
    let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(6)).unwrap();
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The jobs as (id, submit, processors, run).
fn jobs(workload: &Workload) -> Vec<(u64, u64, u32, u64)> {
    let tuple = |job: &locox_models::workload::Job| {
        (job.id, job.submit.ticks(), job.processors, job.run.ticks())
    };
    workload.jobs.iter().map(tuple).collect()
}

#[test]
fn a_trace_reads_the_same_plain_by_gzip_and_by_xz() {
    let plain = strict(three_jobs()).unwrap();
    assert_eq!(jobs(&plain), [(1, 0, 4, 60), (2, 5, 8, 30), (3, 5, 1, 0)]);
    assert_eq!(plain.processors, Some(16));
    assert_eq!(
        plain.notes,
        ["Computer: Test machine", "Installation: Nowhere", "Acknowledge: Nobody"]
    );
    assert_eq!(strict(gzip(&three_jobs())).unwrap(), plain);
    assert_eq!(strict(xz(&three_jobs())).unwrap(), plain);
    assert_eq!(strict(three_jobs().replace('\n', "\r\n")).unwrap(), plain);
}

#[test]
fn the_content_tells_the_compression_and_several_members_read_as_one() {
    for (compression, encode) in [(Compression::Gzip, gzip as fn(&str) -> _), (Compression::Xz, xz)]
    {
        let mut reader =
            reader([encode(HEADER), encode(&job(1, 0, 1, 1))].concat(), Strictness::Strict);
        assert_eq!(reader.compression(), compression);
        assert_eq!(reader.next().unwrap().unwrap().number, 1);
        assert_eq!(reader.header().processors(), Some(16));
        assert!(reader.next().is_none());
    }
}

#[test]
fn the_header_ends_at_the_first_record() {
    let mut reader = reader(three_jobs(), Strictness::Strict);
    let records: Vec<Record> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(reader.header().lines.len(), HEADER.lines().count());
    assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [6, 8, 10]);
    assert_eq!(reader.skipped(), 0);
}

#[test]
fn a_limit_stops_reading_before_what_follows() {
    let reader = reader(format!("{}nonsense", three_jobs()), Strictness::Strict);
    let workload = from_reader(reader, "day".into(), Some(2)).unwrap();
    assert_eq!(workload.jobs.len(), 2);
    assert_eq!(workload.processors, Some(16));
}

#[test]
fn requested_processors_go_before_allocated_ones() {
    let text = "1 0 -1 60 8 -1 -1 7 3600 -1 1 42 -1 -1 -1 -1 -1 -1";
    let workload = strict(text).unwrap();
    let job = &workload.jobs[0];
    assert_eq!((job.processors, job.line, job.user), (7, Some(1), Some(42)));
    assert_eq!(job.requested.map(|requested| requested.ticks()), Some(3600));
}

#[test]
fn sound_records_without_size_or_run_time_are_left_out_and_mentioned() {
    let text = format!("{}{}{}", job(1, 0, -1, 4), job(2, 5, 30, 8), job(3, 9, 3, -1));
    let workload = strict(text).unwrap();
    assert_eq!(jobs(&workload), [(2, 5, 8, 30)]);
    assert_eq!((workload.incomplete, workload.skipped), (2, 0));
    assert_eq!(workload.notes, ["Left out for lack of a size or a run time: 2"]);
}

/// What is wrong with the third line, and what is said about it.
#[test]
fn every_bad_line_is_told_by_its_place_and_a_remedy_and_can_be_skipped() {
    let with = |column: usize, value: &str| {
        let line = job(2, 5, 30, 8);
        let mut columns: Vec<_> = line.split_whitespace().collect();
        columns[column] = value;
        columns.join(" ") + "\n"
    };
    let cases = [
        (job(2, 5, 30, 8).replacen(" -1", "", 1), "17 columns where 18 belong"),
        (with(17, "-1 7"), "19 columns where 18 belong"),
        (with(8, "1h"), "column \"requested time\": `1h` is not a number"),
        (with(4, "2.5"), "column \"processors\": `2.5` is not a whole number"),
        (with(3, "-60"), "column \"run time\": -60 is negative, and -1 alone stands for unknown"),
        (with(1, "-5"), "column \"submit time\": -5 is negative, and -1 alone stands for unknown"),
        (
            with(1, "-1"),
            "column \"submit time\": a job needs a time of submission, but it is unknown (-1)",
        ),
        (with(1, "1"), "column \"submit time\": 1 is earlier than 2, the job before"),
        (with(4, "0"), "column \"processors\": a job needs at least one processor"),
        (with(7, "0"), "column \"requested processors\": a job needs at least one processor"),
        (
            with(4, "4294967296"),
            "column \"processors\": 4294967296 is more than 4294967295 processors",
        ),
    ];
    for (bad, said) in cases {
        let text = format!("; MaxProcs: 16\n{}{bad}{}", job(1, 2, 60, 4), job(3, 9, 60, 4));
        let error = strict(text.clone()).unwrap_err();
        assert_eq!(error.finding(), format!("day.swf:3: {said}"));
        let remedy = match error.kind {
            SwfErrorKind::OutOfOrder { .. } => "sort the jobs with --sort",
            _ => "correct the line",
        };
        let remedy = format!("; {remedy}, or skip such lines with --lenient");
        assert_eq!(error.to_string(), error.finding() + &remedy);
        let lenient = workload(text, Strictness::Lenient).unwrap();
        assert_eq!(jobs(&lenient), [(1, 2, 4, 60), (3, 9, 4, 60)]);
        assert_eq!(lenient.skipped, 1);
        assert_eq!(lenient.notes, [format!("Bad lines skipped: 1, the first: day.swf:3: {said}")]);
    }
}

#[test]
fn a_file_without_jobs_is_an_error_even_when_lenient() {
    for text in ["", "\n\n", HEADER, "hello\n"] {
        assert_eq!(
            workload(text, Strictness::Lenient).unwrap_err().to_string(),
            "day.swf: no job that could be run; check that it is a trace in the Standard Workload Format"
        );
    }
}

#[test]
fn a_line_without_end_is_not_read_into_memory() {
    let error = workload(vec![b'x'; 1 << 17], Strictness::Lenient).unwrap_err();
    assert_eq!(
        error.to_string(),
        "day.swf:1: the line has over 65536 bytes; check that it is a trace in the Standard Workload \
         Format"
    );
}

#[test]
fn a_missing_file_and_a_directory_are_told_by_name() {
    let missing = from_swf(Path::new("no/such.swf"), Strictness::Lenient, None).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "no/such.swf: cannot be opened (No such file or directory (os error 2)); check the name"
    );
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let error = from_swf(directory, Strictness::Strict, None).unwrap_err().to_string();
    assert!(error.contains("hw-models: reading failed ("), "{error}");
    assert!(error.ends_with("; check that it is a file and may be read"), "{error}");
}

#[test]
fn the_name_of_a_workload_is_that_of_the_file_without_its_endings() {
    let directory = std::env::temp_dir().join(format!("locox-swf-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (file, name) in [("a.b.swf.xz", "a.b"), ("c.swf", "c"), ("d.swf.gz", "d"), ("e", "e")] {
        let path: PathBuf = directory.join(file);
        // The ending does not say what is inside.
        std::fs::write(&path, gzip(&three_jobs())).unwrap();
        assert_eq!(from_swf(&path, Strictness::Strict, None).unwrap().name, name);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_compressed_file_cut_anywhere_is_truncated_even_if_every_job_was_read() {
    for (name, whole, magic) in [("gzip", gzip(&three_jobs()), 2), ("xz", xz(&three_jobs()), 6)] {
        for length in magic..whole.len() {
            let error = workload(&whole[..length], Strictness::Lenient).unwrap_err();
            assert!(
                error.to_string().contains(&format!(
                    "the {name} stream ends too early: the file is truncated; fetch the file again"
                )),
                "{length} of {}: {error}",
                whole.len()
            );
        }
    }
}

#[test]
fn no_bit_of_an_xz_file_can_flip_unnoticed() {
    let whole = xz(&three_jobs());
    for bit in 0..whole.len() * 8 {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(strict(damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn damage_is_told_from_truncation() {
    let mut damaged = xz(&three_jobs());
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let error = strict(damaged).unwrap_err().to_string();
    assert!(error.contains("the xz stream is damaged"), "{error}");
}

fn fixed_seed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(fixed_seed())]

    #[test]
    fn records_read_as_they_were_written(
        values in proptest::collection::vec(proptest::array::uniform18(-1i64..1 << 40), 1..20),
        compression in 0..3,
    ) {
        let line = |columns: &[i64; 18]| columns.map(|value| value.to_string()).join("  ") + "\n";
        let text: String = values.iter().map(line).collect();
        let content = match compression {
            0 => text.into_bytes(),
            1 => gzip(&text),
            _ => xz(&text),
        };
        let read: Vec<_> = reader(content, Strictness::Strict)
            .map(|record| columns(&record.unwrap()))
            .collect();
        prop_assert_eq!(read, values);
    }

    #[test]
    fn of_any_text_lenience_skips_exactly_the_lines_that_strictness_reports(text in "[-0-9. ;x\n]{0,400}") {
        let bad = reader(text.clone(), Strictness::Strict).filter(Result::is_err).count();
        let mut lenient = reader(text, Strictness::Lenient);
        prop_assert!(lenient.by_ref().all(|record| record.is_ok()));
        prop_assert_eq!(lenient.skipped(), bad as u64);
    }
}

fn columns(record: &Record) -> [i64; 18] {
    let &Record { number, submit, wait, run, processors, cpu_time, memory, .. } = record;
    let &Record { requested_processors, requested_time, requested_memory, status, .. } = record;
    let &Record { user, group, executable, queue, partition, preceding, think_time, .. } = record;
    [
        number,
        submit,
        wait,
        run,
        processors,
        cpu_time,
        memory,
        requested_processors,
        requested_time,
        requested_memory,
        status,
        user,
        group,
        executable,
        queue,
        partition,
        preceding,
        think_time,
    ]
}

#[test]
fn the_header_of_a_trace_is_written_again_and_nothing_twice() {
    let text = format!(
        "{HEADER}; Note: Made by hand\n;   in the evening\n; MaxJobs: 9\n{}",
        job(1, 0, 60, 4)
    );
    let mut reader = reader(text, Strictness::Strict);
    let mut workload =
        locox_models::workload::select(&mut reader, "day".into(), &Default::default()).unwrap();
    workload.notes.push("Half of it".into());
    let mut out = Vec::new();
    swf::write_under(&reader.header().lines, &workload, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let header: Vec<&str> = text.lines().filter(|line| line.starts_with(';')).collect();
    let expected = "; MaxJobs: 1\n; MaxRecords: 1\n; Preemption: No\n; Version: 2.2\n; Computer: Test machine\n\
                    ; Installation: Nowhere\n; Acknowledge: Nobody\n; MaxProcs: 16\n\
                    ; Note: Made by hand\n;   in the evening\n; Note: Half of it";
    assert_eq!(header.join("\n"), expected);
}

#[test]
fn a_name_with_a_line_break_is_not_written() {
    let mut broken = strict(three_jobs()).unwrap();
    broken.name = "day\n9 0 -1".into();
    let mut out = Vec::new();
    let error = swf::write(&broken, &mut out).unwrap_err();
    assert_eq!((error.kind(), out.len()), (std::io::ErrorKind::InvalidInput, 0));
}

#[test]
fn what_is_written_is_compressed_as_its_name_says() {
    let workload = strict(three_jobs()).unwrap();
    for (name, how) in [
        ("a.swf", Compression::Plain),
        ("a.swf.gz", Compression::Gzip),
        ("a.swf.xz", Compression::Xz),
    ] {
        let mut out = Vec::new();
        swf::encode(Path::new(name), &mut out, |out| swf::write(&workload, out)).unwrap();
        assert_eq!(reader(out.clone(), Strictness::Strict).compression(), how);
        assert_eq!(jobs(&strict(out).unwrap()), jobs(&workload));
    }
}

#[test]
fn a_user_that_there_is_no_room_for_is_an_error_and_not_unknown() {
    let line = |user: i64| format!("1 0 -1 60 4{} {user}{}\n", " -1".repeat(6), " -1".repeat(6));
    assert_eq!(strict(line(u32::MAX.into())).unwrap().jobs[0].user, Some(u32::MAX));
    let error = strict(line(1 << 32)).unwrap_err();
    assert_eq!(error.column, Some("user"));
    assert!(matches!(error.kind, SwfErrorKind::OwnerTooLarge(_)), "{error}");
}

#[test]
fn comments_before_the_first_record_have_a_bound_which_no_lenience_widens() {
    let long = format!("; Acknowledge: {}\n", "a".repeat(60_000));
    let few = format!("{HEADER}{}{}", long.repeat(500), job(1, 0, 60, 4));
    assert_eq!(strict(few).unwrap().jobs.len(), 1);
    for (lines, strictness) in [
        (long.repeat(600), Strictness::Strict),
        (long.repeat(600), Strictness::Lenient),
        (";\n".repeat(530_000), Strictness::Strict),
    ] {
        let told = workload(format!("{HEADER}{lines}"), strictness).unwrap_err().to_string();
        assert!(
            told.contains("takes over 32 MB of memory, and these are comments alone;"),
            "{told}"
        );
    }
    // Behind it they are not kept.
    let behind = format!("{HEADER}{}{}", job(1, 0, 60, 4), ";\n".repeat(530_000));
    assert_eq!(strict(behind).unwrap().jobs.len(), 1);
}

/// Their numbers are kept, as those of jobs are.
#[test]
fn records_that_cannot_be_run_take_room_as_jobs_do() {
    let falling = (1..=100).rev().map(|number| job(number, 0, -1, 4));
    let text = format!("{HEADER}{}{}", job(200, 0, 60, 4), falling.collect::<String>());
    let read = |room| {
        let selection = Selection { room, ..Selection::default() };
        let read = select(&mut reader(&text[..], Strictness::Strict), "day".into(), &selection);
        read.map(|workload| workload.incomplete).map_err(|error| error.to_string())
    };
    assert_eq!(read(101), Ok(100));
    assert!(read(100).unwrap_err().contains("there are more than 100 jobs"));
}

/// A text without end.
struct Again {
    text: Vec<u8>,
    at: usize,
}

impl Again {
    fn new(lines: &str) -> Self {
        Self { text: lines.repeat((1 << 16) / lines.len() + 1).into(), at: 0 }
    }
}

impl Read for Again {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let read = (&self.text[self.at..]).read(to)?;
        self.at = (self.at + read) % self.text.len();
        Ok(read)
    }
}

#[test]
fn a_million_bad_lines_in_a_row_end_a_pipe_that_does_not_end() {
    let again = job(1, 5, 60, 4);
    let early = (1..=3_000).map(|number| job(number, 4, 60, 4)).collect::<String>();
    for (bad, line, said) in [
        ("x\n", 1_000_001, " 1 columns where 18 belong"),
        // Comments are not bad lines, nor are they good ones.
        ("; x\nx\n\n", 3_000_000, " 1 columns where 18 belong"),
        (&again, 1_000_001, " column \"job number\": 1 stands in line 1 already"),
        (&early, 1_000_001, " column \"submit time\": 4 is earlier than 5, the job before"),
    ] {
        let input = Cursor::new(again.clone().into_bytes()).chain(Again::new(bad));
        let reader = swf::read("-", input, Strictness::Lenient).unwrap();
        let told = from_reader(reader, "day".into(), None).unwrap_err().to_string();
        let remedy = match bad == early {
            true => "sort the jobs with --sort",
            false => "check that it is a trace in the Standard Workload Format",
        };
        assert_eq!(
            told,
            format!("-:{line}:{said} (the last of 1000000 bad lines in a row); {remedy}")
        );
    }
}

#[test]
fn bad_lines_between_good_ones_are_skipped_however_many_there_are() {
    let bad = "x\n".repeat(999_999);
    let twice = job(1, 0, 60, 4);
    let text = format!("{bad}{twice}{bad}{}", job(2, 0, 60, 4));
    assert_eq!(workload(text, Strictness::Lenient).unwrap().skipped, 1_999_998);
    // A record that turns out to be bad is no good line.
    let text = format!("{twice}{bad}{twice}");
    assert!(workload(text, Strictness::Lenient).is_err());
}
