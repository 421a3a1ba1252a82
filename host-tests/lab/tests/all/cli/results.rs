//! What the commands print and write.

use super::bench::{Bench, begins_with, names, record, trace};
use std::process::Stdio;

#[test]
fn without_a_command_a_month_is_run_with_and_without_backfilling_and_the_difference_comes_first() {
    let bench = Bench::new();
    let printed = bench.succeed(&[]).replace('\u{a0}', " ");
    let page = bench.read("locox-report/index.html");
    for method in ["buddy/fcfs", "complete/fcfs", "buddy/promises:1", "complete/promises:1"] {
        assert!(printed.contains(&format!("│ {method} ")), "{printed}");
        assert!(page.contains(method));
    }
    let first = printed.lines().nth(1).unwrap();
    assert!(first.starts_with("The mean wait is "), "{first}");
    assert!(first.contains(" minutes less (95 % interval "), "{first}");
    assert!(printed.ends_with("Report: locox-report/index.html\n"), "{printed}");
    assert_eq!(
        names(&bench.path("locox-report")),
        [
            "index.html",
            "jobs-buddy-fcfs.csv",
            "jobs-buddy-promises-1.csv",
            "jobs-complete-fcfs.csv",
            "jobs-complete-promises-1.csv"
        ]
    );
}

#[test]
fn the_page_says_how_it_was_made_and_needs_nothing_from_elsewhere() {
    let bench = Bench::new();
    bench.succeed(&["--seed", "7", "--out", "a b"]);
    let page = bench.read("a b/index.html");
    assert!(page.contains("locox --seed 7 --out 'a b'"));
    assert!(page.contains(concat!("locox ", env!("CARGO_PKG_VERSION"))));
    assert!(page.trim_end().ends_with("</html>"));
    for reach in ["http:", "https:", "src=", "<link", "@import", "url("] {
        assert!(!page.contains(reach), "{reach} in the page");
    }
}

/// Read job by job there is no chart: who ran when is known only at the end.
#[test]
fn a_page_lists_the_worst_jobs_and_shows_where_they_ran() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 600, 8), record(2, 0, 1, 8)]));
    for (queues, charts) in [("fcfs", 0), ("fcfs,easy", 2)] {
        let run = [
            "replay",
            "t.swf",
            "--machine",
            "pool:8",
            "--queue",
            queues,
            "--out",
            "out",
            "--force",
        ];
        let printed = bench.succeed(&run);
        assert!(!printed.contains("slowdowns"), "{printed}");
        let page = bench.read("out/index.html");
        let (_, worst) = page.split_once("The worst slowdowns").unwrap();
        let first = worst.split_once("<tr data-job=\"").unwrap().1;
        assert!(first.starts_with("2\""), "job 2 waited 600 s for one: {first}");
        assert_eq!(page.matches("<g data-job=\"2\"").count(), charts, "{queues}");
    }
}

#[test]
fn a_page_does_not_tell_where_its_files_lay() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4)]));
    bench.file("r.txt", "0 0 10 10 6\n");
    let [log, requests] = ["t.swf", "r.txt"].map(|name| bench.path(name).display().to_string());
    for command in [&["replay", &log[..]][..], &["reserve", &requests, "--pes", "8"]] {
        bench.succeed(&[command, &["--out", "out", "--force"]].concat());
        let page = bench.read("out/index.html");
        assert!(!page.contains(&bench.path("").display().to_string()), "{command:?}");
    }
}

#[test]
fn reports_begin_with_the_picture_and_the_table() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), record(2, 0, 30, 8)]));
    bench.file("r.txt", "0 0 10 10 6\n");
    for command in [
        &[][..],
        &["replay", "t.swf"],
        &["compare", "t.swf"],
        &["reserve", "r.txt", "--pes", "8"],
        &["stations", "--jobs", "2", "--days", "2", "--replications", "1"],
    ] {
        bench.run(&[command, &["--out", "out", "--force"]].concat());
        let page = bench.read("out/index.html");
        // A comparison begins with its answer.
        let begins = if command.first() == Some(&"compare") { "<p" } else { "<figure" };
        begins_with(&page, begins);
    }
}

#[test]
fn a_seed_decides_the_result() {
    let bench = Bench::new();
    let run = |seed| bench.succeed(&["--seed", seed, "--out", "out"]);
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
}

/// Three processors of four free, but no 2-cube: buddy waits, as does everybody; the third job
/// fits nowhere until the second has gone.
#[test]
fn jobs_are_written_in_batsims_columns() {
    let bench = Bench::new();
    let jobs = [record(1, 10, 100, 3), record(2, 20, 60, 4), record(3, 20, 50, 8)];
    bench.file("small.swf", trace(8, &jobs));
    bench.succeed(&["replay", "small.swf", "--strategy", "buddy", "--out", "out"]);
    assert_eq!(names(&bench.path("out")), ["index.html", "jobs-buddy.csv"]);
    assert_eq!(
        bench.read("out/jobs-buddy.csv"),
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,\
         success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,\
         stretch,consumed_energy,allocated_resources,metadata\n\
         1,small,delay,10,3,900,1,COMPLETED_SUCCESSFULLY,10,100,110,0,100,1.0,,0-3,\n\
         2,small,delay,20,4,900,1,COMPLETED_SUCCESSFULLY,20,60,80,0,60,1.0,,4-7,\n\
         3,small,delay,20,8,900,1,COMPLETED_SUCCESSFULLY,110,50,160,90,140,2.8,,0-7,\n"
    );
}

#[test]
fn the_header_decides_the_machine() {
    let bench = Bench::new();
    bench.file("cube.swf", trace(16, &[record(1, 0, 60, 4)]));
    bench.file("pool.swf", trace(100, &[record(1, 0, 60, 4)]));
    assert!(bench.succeed(&["replay", "cube.swf"]).starts_with("cube on a 4-cube\n"));
    let pool = bench.succeed(&["replay", "pool.swf"]);
    assert!(
        pool.starts_with("pool on a pool of 100 processors\n") && !pool.contains("buddy"),
        "{pool}"
    );
    let told = bench.succeed(&["replay", "cube.swf", "--machine", "cube:5"]);
    assert!(told.starts_with("cube on a 5-cube\n"));
}

#[test]
fn the_load_is_scaled_and_the_jobs_are_limited() {
    let bench = Bench::new();
    let jobs = [record(1, 0, 60, 8), record(2, 100, 60, 8), record(3, 300, 60, 8)];
    bench.file("t.swf", trace(8, &jobs));
    let options = ["--strategy", "buddy", "--scale-load", "4", "--jobs", "2", "--format", "csv"];
    bench.run(&[&["replay", "t.swf"], &options[..]].concat());
    let written = bench.read("locox-report/jobs-buddy.csv");
    let starts: Vec<_> = written.lines().skip(1).map(|line| line.split(',').nth(8)).collect();
    assert_eq!(starts, [Some("0"), Some("60")]); // submitted at 0 and 25
}

#[test]
fn backfilling_runs_on_a_pool_and_the_jobs_of_a_log_can_be_sorted() {
    let bench = Bench::new();
    // The last one passes the first of those that wait, and ends before it could start.
    let short = record(3, 20, 60, 4).replace(" 900 ", " 60 ");
    bench.file("t.swf", trace(8, &[record(2, 10, 60, 8), record(1, 0, 900, 4), short]));
    for queue in ["easy", "conservative"] {
        let printed = bench.succeed(&["replay", "t.swf", "--sort", "--queue", queue]);
        assert!(printed.starts_with("t on a pool of 8 processors\n"), "{printed}");
        let written = bench.read("locox-report/jobs-pool.csv");
        let starts: Vec<_> = written.lines().skip(1).map(|line| line.split(',').nth(8)).collect();
        assert_eq!(starts, [Some("0"), Some("900"), Some("20")], "{queue}");
    }
}

#[test]
fn lenient_skips_and_counts() {
    let bench = Bench::new();
    let bad = "2 x\n".to_owned();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), bad, record(3, 5, 60, 9)]));
    let printed = bench.succeed(&["replay", "t.swf", "--lenient", "--strategy", "complete"]);
    assert!(printed.contains("1 line skipped"), "{printed}");
    assert!(printed.contains("1 job never run"), "{printed}");
    assert!(bench.read("locox-report/jobs-complete.csv").contains(",REJECTED,"));
}

#[test]
fn data_goes_to_standard_output_alone() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), record(2, 0, 30, 8)]));
    let csv = bench.run(&["replay", "t.swf", "--format", "csv"]);
    let text = String::from_utf8(csv.stdout).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0][..3], ["strategy", "utilisation", "mean_wait_s"]);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    assert_eq!(lines[1][2], "30");
    assert_eq!(String::from_utf8(csv.stderr).unwrap(), "Report: locox-report/index.html\n");

    let json = bench.run(&["replay", "t.swf", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(value["title"], "t on a 3-cube");
    let blocks = value["sections"][0]["blocks"].as_array().unwrap();
    let table = blocks.iter().find(|block| block["table"].is_object()).unwrap();
    assert_eq!(table["table"]["rows"][0][2], 30.0);
}

/// What the home pays for a job's calls is part of its support, and the leverage falls.
#[test]
fn calls_of_stations_lower_the_leverage() {
    let bench = Bench::new();
    let leverage = |calls: &[&str]| {
        let plain = ["stations", "--days", "20", "--replications", "1", "--policy", "random"];
        let output = ["--format", "json", "--out", "-"];
        let printed = bench.succeed(&[&plain, calls, &output[..]].concat());
        let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let blocks = report["sections"][0]["blocks"].as_array().unwrap();
        let table = blocks.iter().find(|block| block["table"].is_object()).unwrap();
        table["table"]["rows"][0][9]["mean"].as_f64().unwrap()
    };
    let (without, with) = (leverage(&[]), leverage(&["--calls", "1", "--call-cost", "0.01"]));
    assert!(without > 300.0 && with < 100.0, "{without} and {with}");
}

const SMALL_POOL: [&str; 9] =
    ["stations", "--jobs", "3x1,2,4", "--bank", "2", "--days", "20", "--replications", "2"];

#[test]
fn a_pool_is_run_under_every_ranking_and_a_report_is_written() {
    let bench = Bench::new();
    let printed = bench.succeed(&SMALL_POOL);
    let page = bench.read("locox-report/index.html");
    // Of the two the shorter is followed by more than one space.
    for policy in ["Up-Down by time", "Up-Down ", "Round-Robin", "Random"] {
        assert!(printed.contains(&format!("│ {policy} ")), "{printed}");
        assert!(page.contains(policy));
    }
    assert!(printed.starts_with("5 workstations and a bank of 2\n"));
    // Two runs of 20 days do not tell the rankings apart, or do: in any case that comes first.
    let lead = printed.lines().nth(1).unwrap();
    assert!(lead.contains("remote cycle wait ratio of the user of station "), "{lead}");
    assert!(lead.contains(" 9 background jobs of 5 users"), "{lead}");
    assert_eq!(printed, bench.succeed(&SMALL_POOL));
    let other = bench.succeed(&[&SMALL_POOL[..], &["--seed", "2"]].concat());
    assert_ne!(printed, other);
}

#[test]
fn a_pool_follows_a_recording() {
    let bench = Bench::new();
    // Station 0 is never available; its job runs on station 1 for half of the time.
    bench.file("av.csv", "station,from,until\n1,0,43200\n2,86399,86400\n");
    let options = [
        "--policy",
        "updown-time",
        "--bank",
        "0",
        "--jobs",
        "1",
        "--days",
        "10",
        "--format",
        "csv",
    ];
    let output = bench.run(&[&["stations", "av.csv"], &options[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let column = |name| lines[0].iter().position(|&column| column == name).unwrap();
    let used: f64 = lines[1][column("utilisation")].parse().unwrap();
    assert!((95.0..100.0).contains(&used), "{text}");
    assert_eq!(lines[1][column("remote")], "100");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "Report: locox-report/index.html\n");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for format in ["table", "json", "csv"] {
        let bench = Bench::new();
        let mut command = bench.command(&["--format", format]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{format}: {told}");
        assert!(!told.contains("panic"), "{told}");
        assert!(bench.path("locox-report/index.html").exists());
    }
}

#[test]
fn help_and_version_are_answers() {
    let bench = Bench::new();
    assert!(bench.succeed(&["--help"]).contains("reproduce"));
    assert!(bench.succeed(&["--version"]).starts_with("locox "));
    assert_eq!(names(&bench.path("")), [""; 0]);
}
