//! Traces that are replayed while they are read: the same results, and nothing left of one that fails.

use super::bench::{Bench, INPUT, names, record, refused, trace};
use std::io::Write;
use std::process::Stdio;

/// More jobs than a machine of eight processors keeps up with, of which some are too large.
fn jobs() -> Vec<String> {
    let job = |at: u32| {
        let (at, size) = (i64::from(at), 1 + i64::from(at * 7 % 9));
        record(at as u32 + 1, at * 50 / 7, 20 + at * 13 % 400, size)
    };
    (0..3_000).map(job).collect()
}

/// The files and what is printed, but for the command line.
fn results(bench: &Bench, arguments: &str) -> (String, String) {
    let command = format!("replay {arguments} --lenient --format csv --out out");
    let arguments: Vec<&str> = command.split(' ').collect();
    let done = bench.run(&arguments);
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(names(&bench.path("out")), ["index.html", "jobs-pool.csv"]);
    let told = String::from_utf8(done.stdout).unwrap();
    let told = told.lines().filter(|line| !line.contains("command line")).collect();
    (told, bench.read("out/jobs-pool.csv"))
}

/// With `--sort` a trace is read as a whole; it changes nothing in one that is sorted.
#[test]
fn results_are_those_of_a_trace_that_is_read_as_a_whole() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &jobs()));
    bench.file("outages.txt", "-1 100 9000 1 5 -1\n-1 4000 20000 1 3 -1\n");
    for arguments in [
        "t.swf --queue easy",
        "t.swf --queue conservative --scale-load 0.8 --jobs 1500",
        "t.swf --queue fcfs --machine pool:12 --order fair-share --jobs 1600",
        "t.swf --queue easy --order sjf --outages outages.txt --jobs 2000",
    ] {
        let streamed = results(&bench, arguments);
        assert!(streamed.1.lines().count() > 1_500, "{arguments}");
        assert_eq!(streamed, results(&bench, &format!("{arguments} --sort")), "{arguments}");
    }
}

#[test]
fn nothing_is_left_of_a_replay_whose_trace_is_bad_behind_thousands_of_jobs() {
    let mut unsorted = jobs();
    unsorted[2_800] = record(2_801, 3, 10, 1);
    let mut long = jobs();
    long[2_800] = "1 ".repeat(40_000) + "\n";
    let mut late = jobs();
    late[2_800] = late[2_800].replacen("2801 20000", "2801 9007199254740991", 1);
    for (jobs, part) in [
        (unsorted, "bad.swf:2803: column \"submit time\": 3 is earlier than"),
        (long, "bad.swf:2803: the line has over 65536 bytes"),
        (late, "bad.swf:2804: column \"submit time\": 20007 is earlier than"),
    ] {
        let bench = Bench::new();
        bench.file("bad.swf", trace(9, &jobs));
        let command = ["replay", "bad.swf", "--queue", "easy", "--out", "new/out"];
        refused(&bench, &command, INPUT, &[part]);
        assert_eq!(names(&bench.path("")), ["bad.swf"]);
    }
}

/// A fault of the trace goes before a job that is too large, wherever they stand.
#[test]
fn the_first_fault_told_is_that_of_the_trace() {
    let mut lines = jobs();
    let bench = Bench::new();
    bench.file("large.swf", trace(8, &lines));
    let large = ["large.swf:8: job 6 asks for 9 processors, but pool of 8 has 8"];
    refused(&bench, &["replay", "large.swf", "--queue", "easy"], INPUT, &large);
    lines[2_900] = "1 2 3\n".into();
    bench.file("both.swf", trace(8, &lines));
    let bad = ["both.swf:2903: 3 columns where 18 belong"];
    refused(&bench, &["replay", "both.swf", "--queue", "easy"], INPUT, &bad);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_as_a_whole_whatever_it_is_called() {
    let bench = Bench::new();
    let text = trace(9, &jobs());
    bench.file("t.swf", &text);
    let table = |name: &str| {
        let command = ["replay", name, "--queue", "easy", "--out", "out"];
        let mut child =
            bench.command(&command).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // One that reads a file does not read this.
        _ = input.write_all(text.as_bytes());
        drop(input);
        assert!(child.wait().unwrap().success(), "{name}");
        let name = if name == "-" { "standard input" } else { name.rsplit('/').next().unwrap() };
        bench
            .read("out/jobs-pool.csv")
            .replace(&format!(",{},", name.trim_end_matches(".swf")), ",,")
    };
    let of_file = table("t.swf");
    assert_eq!(table("/dev/stdin"), of_file);
    assert_eq!(table("-"), of_file);
}

#[test]
fn a_pipe_of_bad_lines_without_end_is_refused() {
    let bench = Bench::new();
    let command = ["replay", "-", "--machine", "pool:8", "--lenient", "--out", "out"];
    let mut command = bench.command(&command);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines = "x\n".repeat(1 << 15);
    while input.write_all(lines.as_bytes()).is_ok() {}
    let done = child.wait_with_output().unwrap();
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!((done.status.code(), told.lines().count()), (Some(INPUT), 1), "{told}");
    assert!(
        told.contains(":1000000: 1 columns where 18 belong (the last of 1000000 bad"),
        "{told}"
    );
    assert_eq!(names(&bench.path("")), [""; 0]);
}

#[test]
fn two_replays_at_once_do_not_disturb_each_other() {
    let bench = Bench::new();
    bench.file("t.swf", trace(9, &jobs()));
    let start = |out: &str| {
        let command = ["replay", "t.swf", "--queue", "easy", "--out", out];
        bench.command(&command).stdout(Stdio::null()).spawn().unwrap()
    };
    let (mut one, mut other) = (start("one"), start("other"));
    assert!(one.wait().unwrap().success() && other.wait().unwrap().success());
    assert_eq!(bench.read("one/jobs-pool.csv"), bench.read("other/jobs-pool.csv"));
    assert_eq!(names(&bench.path("one")), ["index.html", "jobs-pool.csv"]);
}
