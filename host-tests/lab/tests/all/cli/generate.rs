//! `locox generate`.

use super::bench::{Bench, INPUT, USAGE, names, record, refused, trace};

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
    assert!(replayed.starts_with("l on a 7-cube\n500 jobs; queue: fcfs.\n"), "{replayed}");
}

#[test]
fn the_seed_and_the_kind_decide_the_workload() {
    let bench = Bench::new();
    let generate = |seed, kind| {
        let options = ["--jobs", "50", "--seed", seed, "--kind", kind, "--out", "l.swf", "--force"];
        bench.succeed(&[&["generate", "lublin"], &options[..]].concat());
        bench.read("l.swf")
    };
    assert_eq!(generate("3", "all"), generate("3", "all"));
    assert_ne!(generate("3", "all"), generate("4", "all"));
    assert_ne!(generate("3", "batch"), generate("3", "interactive"));
}

#[test]
fn generated_requests_can_be_reserved() {
    let bench = Bench::new();
    let generate = ["generate", "reservations", "--jobs", "300", "--deadline", "0", "--out", "r"];
    assert_eq!(bench.succeed(&generate), "r: 300 requests for 1,024 PEs\n");
    let text = bench.read("r");
    assert!(text.starts_with("# Requests from CM-5 model, seed 1\n"), "{text}");
    let printed = bench.succeed(&["reserve", "r", "--pes", "1024", "--policy", "pe-w"]);
    // Deadlines are immediate: nobody waits.
    assert!(printed.contains("300 requests, each answered as it arrives"), "{printed}");
    assert!(printed.contains("┆       0.0 ┆     1.00 ┆"), "{printed}");
}

#[test]
fn requests_can_be_made_of_a_trace() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), record(2, 100, 60, 8)]));
    let options = ["--artime", "0", "--deadline", "0", "--arrival-factor", "2", "--out", "r"];
    let arguments = [&["generate", "reservations", "--trace", "t.swf"], &options[..]].concat();
    assert_eq!(bench.succeed(&arguments), "r: 2 requests for 8 PEs\n");
    // Users asked for 900 seconds; the second arrival comes twice as early.
    assert!(bench.read("r").ends_with("\nt_a t_r t_du t_dl n\n0 0 900 900 4\n50 50 900 950 8\n"));
}

#[test]
fn what_cannot_be_generated_or_written_is_refused_in_one_line() {
    let bench = Bench::new();
    let lublin = |rest: &[&'static str]| [&["generate", "lublin"], rest].concat();
    let reservations = |rest: &[&'static str]| [&["generate", "reservations"], rest].concat();
    for (arguments, code, part) in [
        (reservations(&["--out", "x", "--med", "11"]), USAGE, "write a number from 4.5 to 10"),
        (reservations(&["--out", "x", "--trace", "none.swf"]), INPUT, "none.swf: "),
        (lublin(&[]), USAGE, "--out"),
        (lublin(&["--out", "x", "--jobs", "5000001"]), USAGE, "from 1 to 5000000;"),
        (lublin(&["--out", "x", "--machine-size", "0"]), USAGE, "--machine-size"),
        (lublin(&["--out", "x", "--estimates", "-1"]), USAGE, "write a number from 0 to 1000000;"),
        (lublin(&["--out", "x", "--kind", "serial"]), USAGE, "interactive"),
        (lublin(&["--out", "none/x"]), INPUT, "none/x: cannot be written"),
    ] {
        refused(&bench, &arguments, code, &[part]);
    }
    assert_eq!(names(&bench.path("")), [""; 0]);
}
