//! `locox import`.

use super::bench::{Bench, INPUT, USAGE, allocated, names, refused};

const HEADER: &str = "JobID|User|Group|Partition|State|Submit|Start|End|Elapsed|Suspended|Timelimit|NNodes|\
                      ReqCPUS|AllocCPUS|AllocTRES";

/// An hour of a job on 8 CPUs of two nodes, from this minute of a day on.
fn line(id: &str, state: &str, minute: u32) -> String {
    let at = |minute: u32| format!("2026-03-01T{:02}:{:02}:00", minute / 60, minute % 60);
    let (submit, start, end) = (at(minute), at(minute + 1), at(minute + 61));
    format!(
        "{id}|ada|physics|batch|{state}|{submit}|{start}|{end}|01:00:00|00:00:00|02:00:00|2|8|8|cpu=8,node=2"
    )
}

/// A bench with `day.txt`: a job, its step, two tasks, two runs of a requeued job, a cancelled one.
fn with_day() -> Bench {
    let bench = Bench::new();
    let cancelled = "12|bob||batch|CANCELLED by 0|2026-03-01T00:09:00|None|2026-03-01T00:10:00|00:00:00|||0|4|0|";
    let lines = [
        HEADER.into(),
        line("7", "COMPLETED", 30),
        line("7.batch", "COMPLETED", 30),
        line("9_1", "FAILED", 0),
        line("9_2", "COMPLETED", 0),
        line("11", "REQUEUED", 10),
        line("11", "COMPLETED", 80),
        cancelled.into(),
    ];
    bench.file("day.txt", lines.join("\n"));
    bench
}

const IMPORT: [&str; 5] = ["import", "sacct", "day.txt", "--out", "day.swf"];

#[test]
fn what_was_kept_and_dropped_is_told_and_the_trace_replays() {
    let bench = with_day();
    assert_eq!(
        bench.succeed(&IMPORT),
        "day.swf: 5 jobs (users: 1, partitions: 1) from 7 lines; 32 processors in use at once\n  \
         kept         2  tasks of arrays\n  \
         kept         1  further runs of jobs that were requeued, or numbers used again\n  \
         dropped      1  steps, which are parts of jobs (the first in line 3)\n  \
         dropped      1  ended before they started (the first in line 8)\n"
    );
    assert_eq!(names(&bench.path("")), ["day.swf", "day.txt"]);
    let replayed = bench.succeed(&[
        "replay",
        "day.swf",
        "--queue",
        "fcfs,easy",
        "--machine",
        "pool:32",
        "--out",
        "-",
    ]);
    assert!(replayed.contains("5 jobs"), "{replayed}");
    // The header alone will do.
    bench.succeed(&["replay", "day.swf", "--strategy", "buddy", "--out", "-"]);
}

#[test]
fn nodes_may_count_the_machine_may_be_larger_and_names_may_stay_out() {
    let bench = with_day();
    let options = ["--unit", "nodes", "--machine-size", "4", "--anonymous"];
    let told = bench.succeed(&[&IMPORT[..], &options].concat());
    assert!(told.contains("8 processors in use at once, more than the machine's 4"), "{told}");
    let trace = bench.read("day.swf");
    assert!(trace.contains("; MaxProcs: 4\n") && !trace.contains("ada"), "{trace}");
    assert!(trace.ends_with("\n5 4800 60 3600 2 -1 -1 -1 7200 -1 1 1 1 -1 1 1 -1 -1\n"), "{trace}");
}

#[test]
fn what_jobs_ask_for_of_nodes_is_written_and_replayed() {
    let bench = Bench::new();
    let asked = |id, minute, list: &str| {
        line(id, "COMPLETED", minute).replace("cpu=8,node=2", "") + "|" + list
    };
    let lines = [
        format!("{HEADER}|ReqTRES"),
        asked("7", 0, "cpu=8,gres/gpu=4,gres/gpu:t4=4,mem=8G,node=2"),
        asked("8", 1, "cpu=8,mem=many,node=2"),
    ];
    bench.file("day.txt", lines.join("\n"));
    bench.file("site.csv", "count,cores,memory,gpu,features\n1,8,16384,4,a100\n2,8,16384,4,t4\n");
    let printed = bench.succeed(&[&IMPORT[..], &["--demands", "day.csv"]].concat());
    for part in ["kept         1  with what they ask for", "dropped      1  a ReqTRES that cannot"]
    {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert_eq!(bench.read("day.csv"), "job,nodes,cores,gpu,memory,features\n1,2,4,2,4096,t4\n");
    let options = ["--machine", "nodes:site.csv", "--demands", "day.csv", "--strategy", "first"];
    bench.succeed(&[&["replay", "day.swf"], &options[..]].concat());
    assert_eq!(allocated(&bench, "jobs-first.csv"), [["1", "0", "1-2"]]);
    let same = ["import", "sacct", "day.txt", "--out", "x", "--demands", "x"];
    let output = bench.run(&same);
    assert_eq!(output.status.code(), Some(USAGE));
}

#[test]
fn what_cannot_be_imported_is_refused_in_one_line_and_leaves_nothing() {
    let bench = with_day();
    bench.file("bad.txt", "JobID|State\n");
    bench.file("day.swf", "mine");
    refused(
        &bench,
        &["import", "sacct", "none.txt", "--out", "x"],
        INPUT,
        &["none.txt: cannot be read"],
    );
    let missing =
        ["bad.txt: the columns Submit, Start, End, AllocCPUS are missing; ask for sacct -a -D -P"];
    refused(&bench, &["import", "sacct", "bad.txt", "--out", "x"], INPUT, &missing);
    refused(&bench, &IMPORT, INPUT, &["day.swf: there is such a file already", "--force"]);
    refused(&bench, &["import", "sacct", "day.txt"], USAGE, &["--out"]);
    assert_eq!(names(&bench.path("")), ["bad.txt", "day.swf", "day.txt"]);
}

#[test]
fn the_trace_may_go_to_standard_output_and_what_is_told_beside_it() {
    let bench = with_day();
    let output = bench.run(&["import", "sacct", "day.txt", "--out", "-"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("; Version: 2.2\n") && text.lines().count() == 17, "{text}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("locox: -: 5 jobs"), "{told}");
}

#[test]
fn a_trace_and_its_demands_appear_together_and_errors_name_the_option() {
    let bench = with_day();
    bench.file("there.csv", "mine");
    for (demands, told) in [
        ("/dev/full", "/dev/full: cannot be written: "),
        ("none/d.csv", "none/d.csv: cannot be written: "),
        ("there.csv", "there.csv: there is such a file already; "),
    ] {
        let asked = [&IMPORT[..], &["--demands", demands]].concat();
        refused(&bench, &asked, INPUT, &[told, "choose another place with --demands"]);
    }
    let full = ["import", "sacct", "day.txt", "--out", "/dev/full", "--demands", "d.csv"];
    refused(&bench, &full, INPUT, &["/dev/full: cannot be written", "with --out"]);
    assert_eq!(names(&bench.path("")), ["day.txt", "there.csv"]);
}

#[test]
fn demands_are_refused_where_no_job_has_any_and_dropped_where_a_name_would_not_be_read_back() {
    let bench = Bench::new();
    let asked = [&IMPORT[..], &["--demands", "d.csv"]].concat();
    let without = line("7", "COMPLETED", 0).replace("cpu=8,node=2", "");
    bench.file("day.txt", format!("{HEADER}\n{without}"));
    let told = ["day.txt: no job has a list of", "AllocTRES and ReqTRES, or leave --demands out"];
    refused(&bench, &asked, INPUT, &told);
    assert_eq!(names(&bench.path("")), ["day.txt"]);
    let named = line("8", "COMPLETED", 1) + ",gres/job=2";
    bench.file("day.txt", format!("{HEADER}\n{}\n{named}", line("7", "COMPLETED", 0)));
    let printed = bench.succeed(&asked);
    assert!(printed.contains("dropped      1  names in AllocTRES that a file of"), "{printed}");
}
