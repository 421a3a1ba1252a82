//! Bad input: one line that names the place and the remedy, the exit code, and no report.

use super::bench::{Bench, INPUT, USAGE, names, record, refused, trace};

/// A bench with `bad.swf`, and the refusal of its replay.
#[track_caller]
fn refused_trace(content: impl AsRef<[u8]>, parts: &[&str]) {
    let bench = Bench::new();
    bench.file("bad.swf", content);
    refused(&bench, &["replay", "bad.swf"], INPUT, parts);
}

#[test]
fn an_unknown_trace_file() {
    refused(&Bench::new(), &["replay", "none.swf"], INPUT, &["none.swf: ", "check the name"]);
}

#[test]
fn a_directory_for_a_trace() {
    refused(&Bench::new(), &["replay", "."], INPUT, &[".: ", "check that it is a file"]);
}

#[test]
fn a_truncated_xz_file() {
    use std::io::Write;
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
    xz.write_all(trace(8, &[record(1, 0, 60, 4)]).as_bytes()).unwrap();
    let whole = xz.finish().unwrap();
    refused_trace(&whole[..whole.len() - 20], &["bad.swf:", "truncated", "fetch the file again"]);
}

#[test]
fn a_line_of_17_columns() {
    let short = "2 5 -1 60 4 -1 -1 4 900 -1 1 3 -1 -1 -1 -1 -1\n".to_owned();
    let content = trace(8, &[record(1, 0, 60, 4), short]);
    refused_trace(content, &["bad.swf:4: 17 columns where 18 belong", "--lenient"]);
}

#[test]
fn a_job_larger_than_the_machine() {
    let content = trace(8, &[record(1, 0, 60, 4), record(2, 5, 60, 9)]);
    refused_trace(content, &["bad.swf:4: job 2 asks for 9 processors", "has 8", "--lenient"]);
}

#[test]
fn negative_times() {
    let content = trace(8, &[record(1, 0, -60, 4)]);
    refused_trace(content, &["bad.swf:3: column \"run time\"", "-60", "correct the line"]);
    let content = trace(8, &[record(1, -7, 60, 4)]);
    refused_trace(content, &["bad.swf:3: column \"submit time\"", "-7", "correct the line"]);
}

#[test]
fn submissions_out_of_order() {
    let content = trace(8, &[record(1, 50, 60, 4), record(2, 40, 60, 4)]);
    refused_trace(content, &["bad.swf:4: column \"submit time\"", "40 is earlier than 50", "sort"]);
}

#[test]
fn backfilling_on_a_cube() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4)]));
    let asked = ["replay", "t.swf", "--queue", "easy", "--machine", "cube:3"];
    refused(&bench, &asked, USAGE, &["easy plans by numbers", "or --machine pool:8"]);
    for option in ["--mesh", "--strategy=free-list-plain", "--machine=cube:17"] {
        let mut asked = vec!["replay", "t.swf", "--queue", "promises:1", option];
        if !option.starts_with("--machine") {
            asked.push("--machine=cube:3");
        }
        refused(
            &bench,
            &asked,
            USAGE,
            &["promises:1 cannot promise places of", "use --strategy buddy"],
        );
    }
    let asked = ["replay", "t.swf", "--queue", "conservative", "--machine", "pool:4294967295"];
    refused(&bench, &asked, USAGE, &["P from 1 to 16777216"]);
}

#[test]
fn a_file_that_is_no_trace() {
    refused_trace("hello\n", &["bad.swf:1: 1 columns where 18 belong"]);
    refused_trace("", &["bad.swf: no job"]);
}

#[test]
fn a_trace_that_does_not_name_its_machine() {
    refused_trace(record(1, 0, 60, 4), &["bad.swf: ", "add --machine cube:N or pool:P"]);
}

#[test]
fn an_unknown_strategy_or_queue() {
    let bench = Bench::new();
    let strategy = ["replay", "any.swf", "--strategy", "grey-code"];
    refused(
        &bench,
        &strategy,
        USAGE,
        &[
            "grey-code",
            "--strategy",
            "gray-code",
            "complete, first, corner, fewest, preferred, required, best, all",
        ],
    );
    refused(&bench, &["replay", "any.swf", "--queue", "lifo"], USAGE, &["lifo", "--queue", "fcfs"]);
}

#[test]
fn a_strategy_for_a_pool() {
    let bench = Bench::new();
    bench.file("pool.swf", trace(6, &[record(1, 0, 60, 4)]));
    let arguments = ["replay", "pool.swf", "--strategy", "buddy"];
    refused(&bench, &arguments, USAGE, &["--strategy", "pool of 6", "--machine cube:N"]);
}

#[test]
fn an_option_that_is_missing() {
    let parts = ["arguments were not provided: --pes <P>; see locox --help"];
    refused(&Bench::new(), &["reserve", "requests.txt"], USAGE, &parts);
}

#[test]
fn options_out_of_their_range() {
    for (option, value, remedy) in [
        ("--machine", "cube:25", "write cube:N with N from 0 to 24"),
        (
            "--machine",
            "ring:4",
            "write cube:N, pool:P, torus:XxYxZ, mesh:XxY, blocks:BxM, tree:RxN or nodes:FILE",
        ),
        ("--machine", "torus:65", "one to four sides of 1 to 64"),
        ("--scale-load", "0", "write a number from 0.001 to 1000;"),
        ("--scale-load", "NaN", "write a number from 0.001 to 1000;"),
        ("--jobs", "0", "write a whole number from 1 to 4294967295;"),
        ("--format", "xml", "table, json, csv"),
        ("--threads", "0", "write a whole number from 1 to 65535;"),
    ] {
        let arguments = ["replay", "any.swf", option, value];
        refused(&Bench::new(), &arguments, USAGE, &[option, value, remedy]);
    }
}

#[test]
fn commands_that_there_are_not() {
    let bench = Bench::new();
    refused(&bench, &["replya"], USAGE, &["replya", "replay", "--help"]);
    refused(&bench, &["replay"], USAGE, &["<TRACE>", "--help"]);
}

#[test]
fn a_place_that_cannot_be_written() {
    let bench = Bench::new();
    bench.file("taken", "a file");
    refused(&bench, &["--out", "taken"], INPUT, &["taken: cannot be written", "--out"]);
    assert_eq!(bench.read("taken"), "a file");
}

#[test]
fn a_failure_leaves_an_earlier_report_as_it_was() {
    let bench = Bench::new();
    bench.file("good.swf", trace(8, &[record(1, 0, 60, 4)]));
    bench.file("bad.swf", trace(8, &[record(1, 0, 60, 4), record(2, 5, 60, 9)]));
    bench.succeed(&["replay", "good.swf"]);
    let before = (names(&bench.path("locox-report")), bench.read("locox-report/index.html"));
    assert_eq!(bench.run(&["replay", "bad.swf"]).status.code(), Some(INPUT));
    let after = (names(&bench.path("locox-report")), bench.read("locox-report/index.html"));
    assert_eq!(before, after);
}

#[test]
fn pools_that_cannot_be() {
    let bench = Bench::new();
    for (options, parts) in [
        (&["--interval", "0"][..], &["--interval", "write a number from 0.02 to"][..]),
        (&["--interval", "0.001"], &["--interval", "0.001", "write a number from 0.02 to"]),
        (&["--transfer", "-1"], &["--transfer", "-1", "write a number from 0 to"]),
        (&["--service", "-2"], &["--service", "-2", "write a number from 0.01 to"]),
        (&["--memory", "-2"], &["--memory", "-2", "write a number from 0 to"]),
        (&["--calls", "0"], &["--calls", "write a number from 0.000001 to"]),
        (&["--call-cost", "1"], &["--calls"]),
        (&["--available", "NaN"], &["--available", "NaN", "write a number from 1 to"]),
        (&["--stations", "0"], &["--stations", "write a whole number from 1 to 16384;"]),
        (&["--jobs", "1,a"], &["--jobs", "1,a", "NxJ"]),
        (&["--jobs", "5000"], &["--jobs", "J 0 to 4096"]),
        (&["--jobs", "2x4096"], &["--jobs", "8192 jobs are more than 4096", "ask for fewer"]),
        (
            &["--days", "36500", "--replications", "10000"],
            &["--days: 4745000000 days of stations", "more than 10000000", "ask for fewer"],
        ),
        (
            &["--every", "0.01", "--days", "36500", "--replications", "1"],
            &["--every: about", "jobs would come", "ask for longer times"],
        ),
        (&["--stations", "2", "--jobs", "3x1"], &["--jobs", "3 users", "2 stations"]),
        (
            &["--policy", "lifo"],
            &["--policy", "lifo", "updown-time, updown-table, round-robin, random, all"],
        ),
        (&["--functions", "cubic"], &["--functions", "cubic", "condor"]),
        (&["--replications", "0"], &["--replications", "write a whole number from 1 to 10000;"]),
        (&["av.csv", "--owners", "office"], &["--owners", "cannot be used with"]),
    ] {
        refused(&bench, &[&["stations"], options].concat(), USAGE, parts);
    }
}

#[test]
fn recordings_that_cannot_be_read() {
    let bench = Bench::new();
    bench.file("av.csv", "station,from,until\n0,0,3600\n0,1800,7200\n");
    bench.file("one.csv", "0,0,3600\n");
    refused(&bench, &["stations", "none.csv"], INPUT, &["none.csv: ", "check the name"]);
    let parts = ["av.csv:3: column \"from\": 1800 is before 3600", "sort or join"];
    refused(&bench, &["stations", "av.csv"], INPUT, &parts);
    let more = ["stations", "one.csv", "--stations", "2"];
    refused(&bench, &more, USAGE, &["--stations", "one.csv records 1, not 2", "fewer"]);
}
