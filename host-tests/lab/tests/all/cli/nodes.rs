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
    let files = ["index.html", "jobs-best.csv", "jobs-fewest.csv", "jobs-first.csv"];
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

/// Two nodes without GPUs, and one with two.
const WITH_GPUS: &str = "count,cores,memory,gpu,features\n2,4,8,,\n1,8,4,2,T4\n";

fn with_gpus(demands: &str) -> Bench {
    let bench = bench_with("site.csv", WITH_GPUS);
    bench.file("jobs.csv", demands);
    bench
}

const DEMANDED: [&str; 2] = ["--demands", "jobs.csv"];

#[test]
fn jobs_ask_for_nodes_gpus_parts_of_one_and_features() {
    let demands = "job,nodes,cores,gpu,gpu_milli,features\n1,,2,,500,\n2,,2,1,,T4\n3,2,1,,,\n";
    // The last job finds four cores on the last node, and three on each of the others.
    let expected = [["1", "0", "2"], ["2", "0", "2"], ["3", "0", "0-1"], ["4", "100", "2"]];
    for queue in ["fcfs", "promises:1"] {
        let bench = with_gpus(demands);
        bench.succeed(&[&ASKED[..], &DEMANDED, &["--queue", queue]].concat());
        assert_eq!(allocated(&bench, "jobs-first.csv"), expected, "{queue}");
        for file in ["jobs-best.csv", "jobs-fewest.csv"] {
            assert_eq!(allocated(&bench, file)[..2], expected[..2], "{queue}, {file}");
        }
    }
    let bench = with_gpus(demands);
    let options = ["--strategy", "first", "--fragmentation", "--format", "csv", "--out", "-"];
    let printed = bench.succeed(&[&ASKED[..], &DEMANDED, &options].concat());
    // For 100 s half of a GPU is free: the part of the first job has a place there, and the GPU of the second has none. For
    // 100 s more both GPUs are free, and the last job has all cores of their node.
    assert!(printed.contains(",fragmentation,") && printed.contains(",0.75,"), "{printed}");
    let asked = ["compare", "t.swf", "--machine", "nodes:site.csv", "--exclusive", "--lenient"];
    let printed = with_gpus(demands).succeed(&[&asked[..], &DEMANDED].concat());
    assert!(printed.contains("fewest+exclusive/fcfs"), "{printed}");
}

#[test]
fn fewest_keeps_room_for_jobs_like_those_that_came() {
    // Four cores fit best on the first node, whose GPUs nobody could have then.
    let site = "count,cores,gpu,features\n1,4,2,\n1,64,,\n1,64,16,large\n";
    for (queue, [gpus, cores], node) in [
        ("fcfs", [1, 2], "1"),
        ("promises:1", [1, 2], "1"),
        // One that comes later is not known.
        ("fcfs", [2, 1], "0"),
        ("promises:1", [2, 1], "0"),
    ] {
        let bench = bench_with("site.csv", site);
        bench.file("t.swf", trace(132, &[record(1, 1, [-1, -1]), record(2, 1, [-1, -1])]));
        bench.file("jobs.csv", format!("job,cores,gpu,features\n{gpus},1,1,large\n{cores},4,,\n"));
        let options = ["--queue", queue, "--strategy", "fewest,best"];
        bench.succeed(&[&ASKED[..], &DEMANDED, &options].concat());
        let placed = |file| allocated(&bench, file)[cores - 1][2].clone();
        assert_eq!(placed("jobs-fewest.csv"), node, "{queue}");
        assert_eq!(placed("jobs-best.csv"), "0", "{queue}");
    }
}

#[test]
fn demands_that_do_not_suit_are_refused() {
    let demands = |text: &str, code, parts: &[&str]| {
        refused(&with_gpus(text), &[&ASKED[..], &DEMANDED].concat(), code, parts);
    };
    demands("job,cores,tpu\n", INPUT, &["jobs.csv:1: column \"tpu\": the nodes of nodes:site.csv"]);
    demands("job,cores\n9,1\n", INPUT, &["jobs.csv: none of its jobs is in t; check that"]);
    let parts = [
        "jobs.csv:2: job 2 asks for 1 node of some classes with 1 core, 3 gpu, and nodes:site.csv",
        "no such nodes",
    ];
    demands("job,cores,gpu,features\n2,1,3,T4\n", INPUT, &parts);
    let asked = [&ASKED[..], &DEMANDED, &["--lenient"]].concat();
    let printed = with_gpus("job,cores,gpu\n2,1,3\n").succeed(&asked);
    assert!(printed.contains("1 job never run, larger than the machine"), "{printed}");
    let unnumbered = with_gpus("job,cores\n3,1\n");
    unnumbered.file("t.swf", trace(16, &[record(1, 1, [-1, -1]).replacen('1', "-1", 1)]));
    let parts = ["t.swf:3: column \"job number\": the job has no number", "number the jobs"];
    refused(&unnumbered, &[&ASKED[..], &DEMANDED].concat(), INPUT, &parts);
    let bench = with_gpus("job,cores\n1,1\n");
    let pool = ["replay", "t.swf", "--machine", "pool:16", "--demands", "jobs.csv"];
    refused(&bench, &pool, USAGE, &["--demands: a pool of 16 has no nodes that jobs could share"]);
    let both = ["replay", "-", "--machine", "nodes:site.csv", "--demands", "-"];
    refused(&bench, &both, USAGE, &["trace and --demands cannot both be standard input"]);
    for sources in [&["t.swf", "t.swf"][..], &["model:ipsc"], &["-"]] {
        let demands = if sources == ["-"] { "-" } else { "jobs.csv" };
        let more = ["--machine", "nodes:site.csv", "--demands", demands];
        refused(&bench, &[&["compare"], sources, &more].concat(), USAGE, &["--demands"]);
    }
}

#[test]
fn tasks_and_nodes_of_openb_are_replayed() {
    let bench = Bench::new();
    bench.file("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,8000,64,2,T4\nb,8000,64,0,\n");
    let names = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time";
    let tasks = "a,4000,8,1,400,,10,70,10\nb,500,8,1,1000,T4,20,50,25\nc,4000,8,0,0,,30,40,30\nd,1,1,0,0,,5,9,\n";
    bench.file("tasks.csv", format!("{names}\n{tasks}"));
    let wrong = ["import", "openb", "nodes.csv", "nodes.csv", "--out", "p"];
    refused(&bench, &wrong, INPUT, &["nodes.csv:1: column \"num_gpu\": no such column"]);
    let nowhere = ["import", "openb", "tasks.csv", "nodes.csv", "--out", "-"];
    refused(&bench, &nowhere, USAGE, &["--out: these are three files; name a directory"]);
    let printed = bench.succeed(&["import", "openb", "tasks.csv", "nodes.csv", "--out", "o"]);
    for part in [
        "o: 3 jobs; 2 nodes with 2 GPUs",
        "kept         2  with GPUs or a part of one",
        "kept         1  with CPUs rounded up to whole cores",
        "dropped      1  never scheduled",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let next = ["--demands", "o/jobs.demands.csv", "--machine", "nodes:o/cluster.csv"];
    bench.succeed(&[&["replay", "o/jobs.swf", "--strategy", "fewest"][..], &next].concat());
    // The last one leaves the GPUs alone.
    let expected = [["1", "0", "0"], ["2", "10", "0"], ["3", "20", "1"]];
    assert_eq!(allocated(&bench, "jobs-fewest.csv"), expected);
}

#[test]
fn lists_of_openb_that_no_replay_could_read_are_refused_and_leave_nothing() {
    let names = "cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time";
    let import = |tasks: &str, nodes: &str, parts: &[&str]| {
        let bench = Bench::new();
        bench.file("nodes.csv", format!("cpu_milli,memory_mib,gpu,model\n{nodes}"));
        bench.file("tasks.csv", tasks);
        let asked = ["import", "openb", "tasks.csv", "nodes.csv", "--out", "o"];
        refused(&bench, &asked, INPUT, parts);
        assert_eq!(self::names(&bench.path("")), ["nodes.csv", "tasks.csv"]);
    };
    let of = |task: &str| format!("{names}\n1,1,0,0,,2,9,2\n{task},1,9,1\n");
    let (plain, kinds) = (of("1,1,0,0,"), (1..66).map(|it| format!("{it}000,1,0,\n")));
    import(&plain, "", &["nodes.csv: it lists no node; check that it is the list of nodes"]);
    import(&plain, &kinds.collect::<String>(), &["nodes.csv: a cluster", "more than 64 classes"]);
    import(&plain, &"1000,1,0,\n".repeat(10_241), &["nodes.csv: a cluster", "than 10240 nodes"]);
    // The task of the last line comes first.
    let model =
        ["tasks.csv:3: demands of it", "no node of nodes:nodes.csv has a feature of `H100`"];
    import(&of("1,1,1,1000,H100"), "1000,1,2,T4\n", &model);
    let shared = ["tasks.csv: demands of it", "nodes:nodes.csv have no gpu that jobs could share"];
    import(&of("1,1,1,500,"), "1000,1,17,T4\n", &shared);
    let times = ["tasks.csv:1: column \"creation_time\": the list has no such times"];
    import("cpu_milli,memory_mib,num_gpu,gpu_milli\n1,1,0,0\n", "1000,1,0,\n", &times);
}

#[test]
fn gpus_that_cannot_be_shared_are_imported_where_no_task_asks_for_a_part() {
    let bench = Bench::new();
    bench.file("nodes.csv", "cpu_milli,memory_mib,gpu,model\n1000,1,17,T4\n");
    let names = "cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time,scheduled_time";
    bench.file("tasks.csv", format!("{names}\n1,1,17,1000,1,9,1\n"));
    bench.succeed(&["import", "openb", "tasks.csv", "nodes.csv", "--out", "o"]);
    let next = ["--demands", "o/jobs.demands.csv", "--machine", "nodes:o/cluster.csv"];
    bench.succeed(&[&["replay", "o/jobs.swf"][..], &next].concat());
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
    ] {
        refused(&bench(), &[&ASKED[..], options].concat(), USAGE, parts);
    }
    let pool = ["replay", "t.swf", "--machine", "pool:16", "--exclusive"];
    refused(&bench(), &pool, USAGE, &["a pool of 16 has no nodes that jobs could share"]);
    let best = ["replay", "t.swf", "--machine", "tree:2x8", "--strategy", "best"];
    refused(&bench(), &best, USAGE, &["--strategy best: a 2x8 tree has no nodes that jobs could"]);
}
