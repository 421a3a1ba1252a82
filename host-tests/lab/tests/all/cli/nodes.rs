//! Machines of nodes that jobs share, from a file.

use super::bench::{Bench, INPUT, USAGE, allocated, names, refused, trace};

/// Two nodes of four cores and 8 MiB, and one of eight cores and 4 MiB.
const FILE: &str = "class,count,cores,memory\nthin,2,4,8 # as delivered\nfat,1,8,4\n";

/// A record of a job that comes at once and asks for so much memory for each processor, in KB, or uses it.
fn record(job: u32, processors: u32, [used, asked]: [i64; 2]) -> String {
    format!(
        "{job} 0 -1 100 {processors} -1 {used} {processors} 100 {asked} 1 3 -1 -1 -1 -1 -1 -1\n"
    )
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("site.csv", FILE);
    let jobs = [
        record(1, 2, [-1, 3 << 10]),
        record(2, 2, [(2 << 10) - 1, -1]),
        record(3, 4, [9 << 10, 1 << 10]),
        record(4, 8, [-1, -1]),
    ];
    bench.file("t.swf", trace(16, &jobs));
    bench
}

const ASKED: [&str; 4] = ["replay", "t.swf", "--machine", "nodes:site.csv"];

#[test]
fn jobs_share_nodes_by_cores_and_memory() {
    let bench = bench();
    let printed = bench.succeed(&ASKED);
    assert!(printed.contains("t on a cluster of 3 nodes"), "{printed}");
    let files = ["index.html", "jobs-best.csv", "jobs-first.csv"];
    assert_eq!(names(&bench.path("locox-report")), files);
    // The third finds four cores on the last node alone; the fourth waits for two nodes with as many.
    let first = [["1", "0", "0"], ["2", "0", "1"], ["3", "0", "2"], ["4", "100", "0 2"]];
    assert_eq!(allocated(&bench, "jobs-first.csv"), first);
}

#[test]
fn whole_nodes_stand_beside_shared_ones() {
    let bench = bench();
    let printed = bench.succeed(&[&ASKED[..], &["--strategy", "best", "--exclusive"]].concat());
    assert!(printed.contains("best+exclusive"), "{printed}");
    let whole = allocated(&bench, "jobs-best-exclusive.csv");
    // The first two to end leave two whole nodes to the last job.
    let expected = [["1", "0", "0"], ["2", "0", "1"], ["3", "0", "2"], ["4", "100", "0-1"]];
    assert_eq!(whole, expected);
}

#[test]
fn queues_promise_places_around_outages_of_whole_nodes() {
    let bench = bench();
    // Announced: the last node is out from 50 to 300.
    bench.file("down.txt", "0 50 300 1 1 2\n");
    let options = ["--strategy", "first", "--queue", "promises:1", "--outages", "down.txt"];
    bench.succeed(&[&ASKED[..], &options].concat());
    // The third would still run there, so it lies on the other two.
    let expected = [["1", "0", "0"], ["2", "0", "1"], ["3", "0", "0-1"], ["4", "100", "0-1"]];
    assert_eq!(allocated(&bench, "jobs-first.csv"), expected);
    bench.file("none.txt", "0 50 300 1 1 3\n");
    let asked = [&ASKED[..], &["--outages", "none.txt"]].concat();
    refused(&self::bench_with("none.txt", "0 50 300 1 1 3\n"), &asked, INPUT, &["none.txt:1: "]);
}

fn bench_with(name: &str, text: &str) -> Bench {
    let bench = bench();
    bench.file(name, text);
    bench
}

#[test]
fn a_job_that_no_nodes_could_hold_is_told_or_rejected() {
    let job = record(1, 2, [-1, 9 << 10]);
    let more = || bench_with("t.swf", &trace(16, &[job.clone(), record(2, 1, [-1, -1])]));
    let parts = ["t.swf:3: job 1 asks for 2 processors and 9 MiB for each", "--lenient"];
    refused(&more(), &ASKED, INPUT, &parts);
    let printed = more().succeed(&[&ASKED[..], &["--lenient"]].concat());
    assert!(printed.contains("1 job never run, larger than the machine"), "{printed}");
}

#[test]
fn comparisons_run_on_nodes_too() {
    let bench = bench_with("large.csv", "count,cores\n16,8\n");
    let asked = ["compare", "model:ipsc", "--machine", "nodes:large.csv", "--exclusive"];
    let more = ["--queue", "fcfs,promises:1,easy", "--jobs", "200", "--seeds", "3"];
    let printed = bench.succeed(&[&asked[..], &more].concat());
    for part in [
        "on a cluster of 16 nodes, against first/fcfs",
        "best+exclusive/fcfs",
        "best/promises:1",
        "pool/easy",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn what_does_not_suit_is_refused() {
    let file = |text| bench_with("site.csv", text);
    let parts = ["site.csv:2: column \"memory\": `8G` is not a whole number"];
    refused(&file("count,cores,memory\n2,4,8G\n"), &ASKED, INPUT, &parts);
    refused(&file("cores\n2\n"), &ASKED, INPUT, &["site.csv:1: column \"count\": no such column"]);
    let missing = ["replay", "t.swf", "--machine", "nodes:none.csv"];
    refused(&bench(), &missing, INPUT, &["none.csv: cannot be read", "check the name"]);
    let missing = ["compare", "model:ipsc", "--machine", "nodes:none.csv"];
    refused(&bench(), &missing, INPUT, &["none.csv: cannot be read", "check the name"]);
    for (options, parts) in [
        (&["--strategy", "corner"][..], &["--strategy corner: a cluster of 3 nodes has no boxes"]),
        (&["--strategy", "buddy"], &["--strategy buddy: a cluster of 3 nodes has no subcubes"]),
        (&["--queue", "easy"], &["not by nodes; use --queue promises:1, or --machine pool:16"]),
        (&["--queue", "manager"], &["a manager gives jobs whole nodes that are alike"]),
        (&["--fragmentation"], &["a cluster of 3 nodes has no subcubes and no boxes"]),
    ] {
        refused(&bench(), &[&ASKED[..], options].concat(), USAGE, parts);
    }
    let pool = ["replay", "t.swf", "--machine", "pool:16", "--exclusive"];
    refused(&bench(), &pool, USAGE, &["a pool of 16 has no nodes that jobs could share"]);
    let best = ["replay", "t.swf", "--machine", "tree:2x8", "--strategy", "best"];
    refused(&bench(), &best, USAGE, &["--strategy best: a 2x8 tree has no nodes that jobs could"]);
}
