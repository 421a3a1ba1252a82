//! `locox generate`.

use crate::bench::{Bench, names};
use crate::errors::{INPUT, USAGE, refused};

#[test]
fn a_generated_workload_can_be_replayed() {
    let bench = Bench::new();
    let printed = bench.succeed(&[
        "generate",
        "lublin",
        "--jobs",
        "500",
        "--machine-size",
        "128",
        "--estimates",
        "2",
        "--out",
        "l.swf",
    ]);
    assert!(
        printed.starts_with("l.swf: 500 jobs for 128 processors, offered load 0."),
        "{printed}"
    );
    assert_eq!(names(&bench.path("")), ["l.swf"]);
    let header = bench.read("l.swf");
    for line in ["; MaxProcs: 128", "; Note: Seed: 1, replication 0", "f-model, f = 2"] {
        assert!(header.contains(line), "{header}");
    }
    let replayed = bench.succeed(&["replay", "l.swf", "--strategy", "buddy"]);
    assert!(replayed.starts_with("l on a 7-cube\n500 jobs, fcfs.\n"), "{replayed}");
}

#[test]
fn the_seed_and_the_kind_decide_the_workload() {
    let bench = Bench::new();
    let generate = |seed, kind| {
        let options = ["--jobs", "50", "--seed", seed, "--kind", kind, "--out", "l.swf"];
        bench.succeed(&[&["generate", "lublin"], &options[..]].concat());
        bench.read("l.swf")
    };
    assert_eq!(generate("3", "all"), generate("3", "all"));
    assert_ne!(generate("3", "all"), generate("4", "all"));
    assert_ne!(generate("3", "batch"), generate("3", "interactive"));
}

#[test]
fn what_cannot_be_generated_or_written_is_refused_in_one_line() {
    let bench = Bench::new();
    let lublin = |rest: &[&'static str]| [&["generate", "lublin"], rest].concat();
    for (arguments, code, part) in [
        (lublin(&[]), USAGE, "--out"),
        (lublin(&["--out", "x", "--jobs", "0"]), USAGE, "--jobs"),
        (lublin(&["--out", "x", "--machine-size", "0"]), USAGE, "--machine-size"),
        (lublin(&["--out", "x", "--estimates", "-1"]), USAGE, "write a number from 0 on"),
        (lublin(&["--out", "x", "--kind", "serial"]), USAGE, "interactive"),
        (lublin(&["--out", "none/x"]), INPUT, "none/x: cannot be written"),
    ] {
        refused(&bench, &arguments, code, &[part]);
    }
    assert_eq!(names(&bench.path("")), [""; 0]);
}
