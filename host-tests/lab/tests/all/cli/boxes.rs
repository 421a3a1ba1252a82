//! Machines whose jobs get boxes: meshes, tori, blocks.

use super::bench::{Bench, USAGE, allocated, names, record, refused, trace};

/// A bench with a trace of three jobs at once on 16 processors.
fn bench() -> Bench {
    let bench = Bench::new();
    let jobs = [record(1, 0, 100, 4), record(2, 0, 100, 5), record(3, 0, 50, 7)];
    bench.file("t.swf", trace(16, &jobs));
    bench
}

#[test]
fn a_replay_on_a_torus_has_a_run_for_each_placement() {
    let bench = bench();
    let printed = bench.succeed(&["replay", "t.swf", "--machine", "torus:4x4"]);
    assert!(printed.contains("t on a 4x4 torus"), "{printed}");
    let files = ["index.html", "jobs-corner.csv", "jobs-fewest.csv", "jobs-first.csv"];
    assert_eq!(names(&bench.path("locox-report")), files);
    // Of 5 nodes there is no box, of 7 neither: 6 and 8 are held. A ring of 4 has no more neighbours than a square.
    let expected = [["1", "0", "0 4 8 12"], ["2", "0", "1-3 5-7"], ["3", "100", "8-15"]];
    assert_eq!(allocated(&bench, "jobs-corner.csv"), expected);
}

#[test]
fn in_blocks_large_jobs_get_whole_ones() {
    let bench = bench();
    let asked = ["replay", "t.swf", "--machine", "blocks:4x4", "--strategy", "first"];
    bench.succeed(&asked);
    let expected = [["1", "0", "0-3"], ["2", "0", "4-11"], ["3", "100", "0-7"]];
    assert_eq!(allocated(&bench, "jobs-first.csv"), expected);
}

/// Four blocks of four nodes have four corners, and of what a job of one node leaves over of its block four more
/// jobs get a part only if it is lent.
#[test]
fn boxes_at_steps_leave_over_what_may_be_lent() {
    let bench = Bench::new();
    let jobs: Vec<_> = (1..=5).map(|number| record(number, 0, 100, 1)).collect();
    bench.file("t.swf", trace(16, &jobs));
    let strategies = "first,first@2x2,first@2x2+lent";
    bench.succeed(&["replay", "t.swf", "--machine", "torus:4x4", "--strategy", strategies]);
    for (file, last) in [
        ("jobs-first.csv", ["5", "0", "4"]),
        ("jobs-first@2x2.csv", ["5", "100", "0"]),
        ("jobs-first@2x2-lent.csv", ["5", "0", "4"]),
    ] {
        assert_eq!(allocated(&bench, file)[4], last, "{file}");
    }
}

#[test]
fn outages_end_jobs_on_boxes() {
    let bench = bench();
    bench.file("down.txt", "-1 50 80 1 1 2\n");
    let asked = ["replay", "t.swf", "--machine", "mesh:4x4", "--strategy", "first"];
    bench.succeed(&[&asked[..], &["--outages", "down.txt"]].concat());
    assert_eq!(allocated(&bench, "jobs-first.csv")[0][1], "0");
    assert!(bench.read("locox-report/index.html").contains("What outages did"));
}

#[test]
fn comparisons_have_planning_queues_on_as_many_processors() {
    let bench = Bench::new();
    let asked = ["compare", "model:ipsc", "--machine", "torus:8x4x4", "--queue", "fcfs,easy"];
    let asked =
        [&asked[..], &["--jobs", "200", "--seeds", "3", "--baseline", "first/fcfs"]].concat();
    let printed = bench.succeed(&asked);
    for part in ["on a 8x4x4 torus, against first/fcfs", "corner/fcfs", "fewest/fcfs", "pool/easy"]
    {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn a_baseline_is_known_as_it_was_written() {
    let bench = Bench::new();
    let asked =
        ["compare", "model:ipsc", "--machine", "torus:8x4x4", "--jobs", "100", "--seeds", "1"];
    let strategies = ["--strategy", "first,first@2x2x1", "--baseline", "first@2x2x1/fcfs"];
    let printed = bench.succeed(&[&asked[..], &strategies].concat());
    assert!(printed.contains("against first@2x2/fcfs"), "{printed}");
}

#[test]
fn strategies_of_another_kind_of_machine_are_refused() {
    let bench = bench();
    let refused_on = |machine: &str, option: &[&str], parts: &[&str]| {
        let asked = [&["replay", "t.swf", "--machine", machine], option].concat();
        refused(&bench, &asked, USAGE, parts);
    };
    let parts = ["--strategy buddy: a 4x4 torus has no subcubes", "--machine cube:N"];
    refused_on("torus:4x4", &["--strategy", "buddy"], &parts);
    let parts = ["--strategy corner: a 4-cube has no boxes", "--machine torus:XxYxZ"];
    refused_on("cube:4", &["--strategy", "corner"], &parts);
    let parts = ["--strategy first@3x2 on a 4x4 torus: a step of 3 does not divide a ring of 4"];
    refused_on("torus:4x4", &["--strategy", "first@3x2"], &parts);
    let parts = ["first@2 on a row of 4 blocks of 4: nodes behind switches are in blocks already"];
    refused_on("blocks:4x4", &["--strategy", "first@2"], &parts);
    let parts = ["first@2x", "a box is written as 4x4x2"];
    refused_on("mesh:4x4", &["--strategy", "first,first@2x"], &parts);
    let parts = ["first+lent", "as first@4x4x2+lent"];
    refused_on("mesh:4x4", &["--strategy", "first+lent"], &parts);
    refused_on("mesh:4x4", &["--strategy", "best@2"], &["best@2", "write first, corner or fewest"]);
    let parts = ["--mesh: a row of 4 blocks of 4 has no subcubes", "leave it out"];
    refused_on("blocks:4x4", &["--mesh"], &parts);
    let parts =
        ["easy plans by numbers", "not by boxes", "--queue promises:1, or --machine pool:16"];
    refused_on("mesh:4x4", &["--queue", "easy"], &parts);
    let asked = ["compare", "model:ipsc", "--machine", "torus:8x8", "--strategy", "free-list"];
    refused(
        &bench,
        &asked,
        USAGE,
        &["--strategy free-list: ipsc is for a 8x8 torus, which has no"],
    );
}

#[test]
fn fragmentation_is_told_where_it_is_asked_for_and_there_is_any() {
    let bench = bench();
    let asked = ["replay", "t.swf", "--machine", "torus:4x4", "--fragmentation"];
    bench.succeed(&asked);
    let page = bench.read("locox-report/index.html");
    assert!(page.contains("stranded of what is free"), "{page}");
    let printed = bench.succeed(&[&asked[..], &["--format", "csv", "--out", "-"]].concat());
    assert!(printed.contains("fragmentation"), "{printed}");
    let plain = ["replay", "t.swf", "--machine", "torus:4x4", "--format", "csv", "--out", "-"];
    assert!(!bench.succeed(&plain).contains("fragmentation"));
    let pool = ["replay", "t.swf", "--machine", "pool:16", "--fragmentation"];
    refused(&self::bench(), &pool, USAGE, &["any free processors"]);
}
