//! `locox elmer` and the generators of its lists.

use super::bench::{Bench, INPUT, USAGE, names, refused};

const JOBS: &str = "# submit hosts alone demand kind
0 4 100 0.5 ep
10 4 100 0.5 ep
20 1 50 1 barrier
";

#[test]
fn a_job_below_another_one_moves_up_when_that_has_ended() {
    let bench = Bench::new();
    bench.file("jobs.txt", JOBS);
    let printed = bench.succeed(&["elmer", "jobs.txt", "--count", "4"]);
    assert!(printed.contains("3 jobs wait in one queue"), "{printed}");
    let levels = bench.read("locox-report/elmer-non-interfering-levels.csv");
    for line in ["host0,0,0,0.000,100.0", "host0,1,1,10.000,100.0", "host0,0,1,100.0"] {
        assert!(levels.contains(line), "{line} in\n{levels}");
    }
    let page = bench.read("locox-report/index.html");
    assert!(
        page.contains("<title>job 1: 10.0 to 100.0 s; level 1 on hosts 0-3</title>"),
        "{levels}"
    );
    assert_eq!(
        names(&bench.path("locox-report")),
        ["elmer-non-interfering-jobs.csv", "elmer-non-interfering-levels.csv", "index.html"]
    );
}

#[test]
fn in_space_jobs_wait_and_all_placements_stand_side_by_side() {
    let bench = Bench::new();
    bench.file("jobs.txt", JOBS);
    let run = ["elmer", "jobs.txt", "--count", "4", "--placement", "all", "--format", "csv"];
    let printed = String::from_utf8(bench.run(&run).stdout).unwrap();
    let table = printed.split("\n\n").next().unwrap();
    for name in ["space,", "first-level,", "first-calm-level,", "non-interfering,"] {
        assert!(table.lines().any(|line| line.starts_with(name)), "{table}");
    }
    let jobs = bench.read("locox-report/elmer-space-jobs.csv");
    assert!(jobs.contains("\n1,10.000,4,100.000,100.0"), "{jobs}");
    let json = ["elmer", "jobs.txt", "--count", "4", "--out", "-", "--format", "json"];
    let first = bench.run(&json).stdout;
    assert_eq!(first, bench.run(&json).stdout);
    serde_json::from_slice::<serde_json::Value>(&first).unwrap();
}

#[test]
fn jobs_run_on_the_hosts_that_they_name_with_the_memory_that_they_need() {
    let bench = Bench::new();
    bench.file("hosts.txt", "a 1 16\nb 1 16\nc 1 64\nd 1 64\n");
    bench.file("right.txt", "c\nd # both are large\n");
    bench.file("jobs.txt", "0 1 100 0.5 ep memory=60\n1 2 100 0.5 ep set=1 memory=4\n");
    let run = ["elmer", "jobs.txt", "--hosts", "hosts.txt", "--hostfile", "right.txt"];
    bench.succeed(&run);
    let levels = bench.read("locox-report/elmer-non-interfering-levels.csv");
    let has = |line: &str| levels.lines().any(|it| it.starts_with(line));
    assert!(has("c,0,0,0.000,100.") && has("c,1,1,") && has("d,0,1,"), "{levels}");
    assert!(!has("a,") && !has("b,"), "{levels}");
    let page = bench.read("locox-report/index.html");
    assert!(page.contains("looked at") && !page.contains("not looked at"));
}

#[test]
fn another_queue_lets_a_small_job_pass_and_a_key_puts_one_first() {
    let bench = Bench::new();
    bench.file(
        "jobs.txt",
        "0 3 100 1 ep\n1 4 100 1 ep key=2\n2 1 10 1 ep key=2\n3 4 10 1 ep key=1\n",
    );
    let start = |rest: &[&str], job: usize| {
        let run = [&["elmer", "jobs.txt", "--count", "4", "--placement", "space"], rest].concat();
        bench.succeed(&run);
        let jobs = bench.read("locox-report/elmer-space-jobs.csv");
        jobs.lines().nth(job + 1).unwrap().split(',').nth(4).unwrap().parse::<f64>().unwrap()
    };
    assert!(start(&[], 2) > 100.0, "strictly in order");
    assert!(start(&["--queue", "window:2"], 2) < 3.0);
    assert!(start(&[], 3) < start(&[], 1), "the smaller key goes first");
}

#[test]
fn a_job_that_loses_a_host_begins_anew() {
    let bench = Bench::new();
    bench.file("jobs.txt", "0 2 100 0.5 ep\n");
    let lost = ["elmer", "jobs.txt", "--count", "4", "--lose", "0:40-1000", "--out", "-"];
    let printed = bench.succeed(&lost);
    let row = printed.lines().find(|line| line.contains("non-interfering ")).unwrap();
    assert!(row.contains("140."), "{printed}");
}

#[test]
fn lists_are_made_up_and_read_again() {
    let bench = Bench::new();
    let told = bench.succeed(&[
        "generate",
        "elmer-jobs",
        "--jobs",
        "30",
        "--hosts",
        "8",
        "--out",
        "jobs.txt",
    ]);
    assert!(told.starts_with("jobs.txt: 30 jobs for 8 hosts"), "{told}");
    bench.succeed(&["generate", "elmer-hosts", "--hosts", "8", "--unlike", "--out", "hosts.txt"]);
    bench.succeed(&["elmer", "jobs.txt", "--hosts", "hosts.txt", "--placement", "all"]);
    assert!(bench.read("locox-report/index.html").contains("of several speeds"));
    let again = ["generate", "elmer-jobs", "--jobs", "30", "--hosts", "8", "--out", "-"];
    assert_eq!(bench.run(&again).stdout, bench.read("jobs.txt").into_bytes());
}

#[test]
fn lists_and_options_that_will_not_do_are_refused_in_one_line() {
    let bench = Bench::new();
    bench.file("jobs.txt", JOBS);
    bench.file("bad.txt", "0 4 1oo 0.5 ep\n");
    bench.file("kind.txt", "0 4 100 0.5 bsp\n");
    bench.file("few.txt", "0 4 100 0.5\n");
    bench.file("empty.txt", "# nothing\n");
    bench.file("hosts.txt", "a 1\nb fast\n");
    bench.file("set.txt", "host0\nhost9\n");
    bench.file("two.txt", "host0\nhost1\n");
    bench.file("named.txt", "5 3 100 0.5 ep set=1\n");
    bench.file("large.txt", "5 1 100 0.5 ep memory=8\n");
    let elmer = |rest: &[&'static str]| [&["elmer"], rest].concat();
    for (arguments, code, part) in [
        (elmer(&["none.txt", "--count", "4"]), INPUT, "none.txt: cannot be read"),
        (elmer(&["bad.txt", "--count", "4"]), INPUT, "bad.txt:1:5: alone: `1oo` is not a number"),
        (elmer(&["kind.txt", "--count", "4"]), INPUT, "kind.txt:1:13: `bsp` is no kind of job"),
        (elmer(&["few.txt", "--count", "4"]), INPUT, "few.txt:1:1: 4 values where 5 belong"),
        (elmer(&["empty.txt", "--count", "4"]), INPUT, "empty.txt: the list is empty"),
        (elmer(&["jobs.txt", "--count", "3"]), INPUT, "jobs.txt:2:3: hosts: `4` is not a whole"),
        (elmer(&["jobs.txt", "--hosts", "hosts.txt"]), INPUT, "hosts.txt:2:3: speed: `fast`"),
        (
            elmer(&["jobs.txt", "--count", "4", "--hostfile", "set.txt"]),
            INPUT,
            "set.txt:2:1: there is no host `host9`",
        ),
        (
            elmer(&["named.txt", "--count", "4", "--hostfile", "two.txt"]),
            INPUT,
            "named.txt: the job submitted at 5 s needs 3 hosts, and by its set and its memory it can have 2;",
        ),
        (
            elmer(&["named.txt", "--count", "4"]),
            INPUT,
            "it can have 0; ask for less, or give --hostfile",
        ),
        (elmer(&["large.txt", "--count", "4"]), INPUT, "it can have 0; ask for less"),
        (elmer(&["jobs.txt", "--count", "4", "--queue", "easy"]), USAGE, "there is no such order"),
        (elmer(&["jobs.txt", "--count", "4", "--queue", "window:0"]), USAGE, "window:N, N from 1"),
        (elmer(&["jobs.txt"]), USAGE, "--hosts"),
        (elmer(&["jobs.txt", "--count", "0"]), USAGE, "--count"),
        (elmer(&["jobs.txt", "--count", "4", "--levels", "9"]), USAGE, "--levels"),
        (elmer(&["jobs.txt", "--count", "4", "--threshold", "1"]), USAGE, "--threshold"),
        (elmer(&["jobs.txt", "--count", "4", "--placement", "v4"]), USAGE, "non-interfering, all"),
        (elmer(&["jobs.txt", "--count", "4", "--lose", "4:1-2"]), USAGE, "there is no host 4"),
        (elmer(&["jobs.txt", "--count", "4", "--lose", "0:3-2"]), USAGE, "HOST:FROM-UNTIL"),
    ] {
        refused(&bench, &arguments, code, &[part]);
    }
}
