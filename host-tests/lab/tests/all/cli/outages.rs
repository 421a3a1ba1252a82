//! `locox replay --outages`.

use super::bench::{Bench, INPUT, USAGE, names, record, refused, trace};
use std::process::Stdio;

/// A bench with a trace of three jobs on eight processors, and a file of outages.
fn bench(outages: &str) -> Bench {
    let bench = Bench::new();
    let jobs = [record(1, 0, 100, 4), record(2, 10, 100, 4), record(3, 20, 50, 2)];
    bench.file("t.swf", trace(8, &jobs));
    bench.file("down.txt", outages);
    bench
}

fn times(bench: &Bench, file: &str) -> Vec<(String, String, String)> {
    let written = bench.read(&format!("locox-report/{file}"));
    let times = |line: &str| {
        let fields: Vec<_> = line.split(',').map(str::to_owned).collect();
        (fields[8].clone(), fields[10].clone(), fields[15].clone())
    };
    written.lines().skip(1).map(times).collect()
}

fn told(rows: &[(u32, u32, &str)]) -> Vec<(String, String, String)> {
    let text = |&(start, finish, nodes): &(u32, u32, &str)| {
        (start.to_string(), finish.to_string(), nodes.to_string())
    };
    rows.iter().map(text).collect()
}

#[test]
fn jobs_that_are_hit_start_over_and_the_figures_are_told() {
    let bench = bench("; a node of eight\n-1 50 200 1 1 -1\n");
    let asked = ["replay", "t.swf", "--machine", "pool:8", "--outages", "down.txt"];
    let printed = bench.succeed(&asked);
    assert_eq!(
        times(&bench, "jobs-pool.csv"),
        told(&[(0, 100, "0-3"), (100, 200, "0-3"), (100, 150, "5-6")])
    );
    assert!(printed.contains("3 jobs; queue: fcfs; 1 outage."), "{printed}");
    assert_eq!(names(&bench.path("locox-report")), ["index.html", "jobs-pool.csv"]);
    let page = bench.read("locox-report/index.html");
    assert!(page.contains("What outages did") && page.contains("out of service"));
    let csv = String::from_utf8(bench.run(&[&asked[..], &["--format", "csv"]].concat()).stdout);
    let csv = csv.unwrap();
    let figures: Vec<_> = csv.lines().rev().take(2).collect();
    assert_eq!(
        figures,
        [
            "pool,1,1,160,150,0.6206896551724138",
            "strategy,failed_runs,jobs_restarted,lost_processor_s,out_of_service_processor_s,\
             utilisation_of_served"
        ]
    );
}

#[test]
fn without_outages_nothing_is_said_of_them() {
    let bench = bench("");
    let printed = bench.succeed(&["replay", "t.swf"]);
    let page = bench.read("locox-report/index.html");
    assert!(!printed.contains("outage") && !page.contains("outage"));
}

#[test]
fn a_plan_goes_round_what_is_out_of_service_and_a_cube_takes_the_nodes_that_are_listed() {
    let bench = bench("0 50 200 1 2 0 5\n");
    let asked = ["replay", "t.swf", "--machine", "pool:8", "--outages", "down.txt"];
    bench.succeed(&[&asked[..], &["--queue", "easy"]].concat());
    let expected = [(0, 100, "0-3"), (100, 200, "0-3"), (50, 100, "6-7")];
    assert_eq!(times(&bench, "jobs-pool.csv"), told(&expected));
    let bench = self::bench("0 50 200 1 2 0 5\n");
    bench.succeed(&["replay", "t.swf", "--strategy", "buddy", "--outages", "down.txt"]);
    // Both jobs that run are hit; until the nodes are back no subcube of four serves.
    let expected = [(200, 300, "0-3"), (200, 300, "4-7"), (300, 350, "0-1")];
    assert_eq!(times(&bench, "jobs-buddy.csv"), told(&expected));
}

#[test]
fn outages_come_from_standard_input_too_but_not_beside_the_trace() {
    let bench = bench("");
    let mut command = bench.command(&["replay", "t.swf", "--outages", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"0 50 60 1 8 -1\n").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    let parts = ["--outages cannot both be standard input"];
    refused(&self::bench(""), &["replay", "-", "--outages", "-"], USAGE, &parts);
}

#[test]
fn bad_outages_are_told_in_one_line_with_their_place() {
    let asked = ["replay", "t.swf", "--outages", "down.txt"];
    for (text, parts) in [
        ("0 9 5 1 1 -1\n", ["down.txt:1: column \"end time\": 5 is earlier", "--lenient"]),
        ("\n0 5 9 1 9 -1\n", ["down.txt:2: column \"nodes affected\": 9 nodes", "has 8"]),
        (
            "0 5 18446744073709551615 1 1 -1\n",
            ["column \"end time\": `1844674", "correct the line"],
        ),
    ] {
        refused(&bench(text), &asked, INPUT, &parts);
    }
    let asked = ["replay", "t.swf", "--outages", "none.txt"];
    refused(&bench(""), &asked, INPUT, &["none.txt: cannot be read", "check the name"]);
    let forever = bench("0 30 -1 1 5 -1\n");
    let asked = ["replay", "t.swf", "--outages", "down.txt", "--machine", "pool:8"];
    refused(&forever, &asked, INPUT, &["pool of 8: 3 jobs wait for ever"]);
}

#[test]
fn lenient_skips_bad_outages_and_counts_them() {
    let bench = bench("x\n0 50 60 1 1 -1\n");
    let asked = ["replay", "t.swf", "--outages", "down.txt", "--lenient", "--strategy", "buddy"];
    let printed = bench.succeed(&asked);
    assert!(printed.contains("1 outage; 1 line of outages skipped."), "{printed}");
}
