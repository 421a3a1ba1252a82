//! `locox compare`.

use super::bench::{Bench, INPUT, USAGE, record, refused, trace};
use std::fs;

const MODEL: [&str; 11] = [
    "compare",
    "model:ipsc",
    "--strategy",
    "buddy,free-list",
    "--queue",
    "fcfs,easy",
    "--jobs",
    "300",
    "--seeds",
    "4",
    "--load=0.6",
];

fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Nine weeks of three jobs a day.
fn nine_weeks() -> String {
    nine_weeks_of(1)
}

/// The same, of jobs that run so many times as long.
fn nine_weeks_of(times: u32) -> String {
    let job = |day: u32, number: u32, (hour, size): (u32, i64)| {
        let submit = i64::from(day * 86_400 + hour * 3_600);
        let run = times * (3_000 + day * 997 % 4_000);
        record(day * 3 + number, submit, i64::from(run), size)
    };
    let day = |day| (1..).zip([(9, 3), (10, 5), (11, 4)]).map(move |(at, one)| job(day, at, one));
    trace(8, &(0..64).flat_map(day).collect::<Vec<_>>())
}

#[test]
fn each_method_under_each_load_has_a_row_for_each_figure() {
    let bench = Bench::new();
    let csv = bench.succeed(&[&MODEL[..], &["--format", "csv", "--out", "-"]].concat());
    let header = csv.lines().next().unwrap();
    assert_eq!(
        header,
        "schema,source,machine,load,method,metric,unit,more_is_better,value,value_low,value_high,\
         baseline,difference,difference_low,difference_high,answer,interval,draws,reason,better,worse,\
         least,greatest,jobs,weeks"
    );
    let rows = rows(&csv);
    assert_eq!(rows.len(), 3 * 3);
    let methods: Vec<_> = rows.iter().take(3).map(|row| &row[4][..]).collect();
    assert_eq!(methods, ["buddy/fcfs", "free-list/fcfs", "pool/easy"]);
    for row in &rows {
        assert_eq!(
            (&row[0][..], &row[3][..], &row[11][..]),
            ("locox-compare/3", "0.6", "buddy/fcfs")
        );
        let expected = if row[4] == "buddy/fcfs" { "baseline" } else { &row[15] };
        assert_eq!(row[15], expected);
        assert_eq!((&row[16][..], &row[17][..]), ("replications-t", "4"));
        assert_eq!((&row[23][..], &row[24][..]), ("300", ""));
    }
    assert!(!bench.path("locox-report").exists());
    assert_eq!(
        csv,
        bench.succeed(&[&MODEL[..], &["--format", "csv", "--out", "-", "--threads", "1"]].concat())
    );
}

#[test]
fn the_base_line_can_be_chosen() {
    let bench = Bench::new();
    let more = ["--format", "csv", "--out", "-", "--baseline", "pool/easy", "--metric", "wait"];
    let rows = rows(&bench.succeed(&[&MODEL[..], &more].concat()));
    let answers: Vec<_> = rows.iter().map(|row| (&row[4][..], &row[15][..])).collect();
    assert_eq!(
        answers,
        [("pool/easy", "baseline"), ("buddy/fcfs", "worse"), ("free-list/fcfs", "worse")]
    );
}

#[test]
fn a_trace_is_drawn_anew_by_its_weeks() {
    let bench = Bench::new();
    bench.file("log.swf", nine_weeks());
    let options = ["--strategy", "buddy,complete", "--format", "csv", "--out", "-"];
    let of = |more: &[&str]| {
        rows(&bench.succeed(&[&["compare", "log.swf"], &options[..], more].concat()))
    };
    let drawn = of(&["--load", "0.2,0.95"]);
    assert_eq!(drawn.len(), 2 * 2 * 3);
    let light = drawn.iter().find(|row| row[3] == "0.2").unwrap();
    assert_eq!((&light[16][..], &light[17][..]), ("week-bootstrap-percentile", "39"));
    let [value, low, high] = [8, 9, 10].map(|at| light[at].parse::<f64>().unwrap());
    assert!(low <= value && value <= high, "{light:?}");
    // A few draws have no percentiles, and what was recorded alone has none either.
    for (seeds, answer) in [("0", "too-few-draws"), ("38", "too-few-draws")] {
        let few = of(&["--load", "0.5", "--seeds", seeds, "--metric", "utilisation"]);
        assert!(few.iter().all(|row| row[16] == "none" && row[9].is_empty()), "{few:?}");
        let of_complete = few.iter().find(|row| row[4] == "complete/fcfs").unwrap();
        assert!([answer, "same"].contains(&&of_complete[15][..]), "{few:?}");
    }
}

/// Nine weeks of one user's jobs, each week longer ones than the week before.
fn rising_weeks() -> String {
    let job = |day: u32| record(day, i64::from(day * 86_400), i64::from(600 * (day / 7 + 1)), 8);
    trace(8, &(0..64).map(job).collect::<Vec<_>>())
}

#[test]
fn weeks_that_hang_together_have_no_interval_and_the_row_says_why() {
    let bench = Bench::new();
    bench.file("log.swf", rising_weeks());
    let of = ["compare", "log.swf", "--strategy", "buddy", "--queue", "fcfs,easy"];
    let printed = bench.succeed(&[&of[..], &["--out", "r"]].concat());
    assert!(printed.contains("The order of the weeks matters: "), "{printed}");
    assert!(!printed.contains("Too short: ") && !printed.contains("Saturated: "), "{printed}");
    assert!(printed.contains("9 whole weeks, with 63 of 64 jobs"), "{printed}");
    for row in rows(&bench.read("r/comparison.csv")) {
        let expected = if row[4] == "buddy/fcfs" { "baseline" } else { "same" };
        assert_eq!(
            [&row[15], &row[16], &row[17], &row[18]],
            [expected, "none", "39", "order-matters"]
        );
        assert_eq!((&row[23][..], &row[24][..]), ("63", "9"));
        assert!([9, 10, 13, 14].iter().all(|&at| row[at].is_empty()), "{row:?}");
    }
    let json: serde_json::Value = serde_json::from_str(&bench.read("r/comparison.json")).unwrap();
    assert_eq!(json[0]["reason"], "order-matters");
    assert!(json[0]["difference_low"].is_null());
    let page = bench.read("r/index.html");
    assert!(page.contains("<circle class=\"hollow\""), "no hollow point");
}

#[test]
fn the_page_of_a_comparison_draws_its_intervals() {
    let bench = Bench::new();
    bench.succeed(&[&MODEL[..], &["--load=0.8"]].concat());
    let page = bench.read("locox-report/index.html");
    // For each figure and each load a row for each method but the base line.
    assert_eq!(page.matches("<svg class=\"forest\"").count(), 3 * 2);
    assert_eq!(page.matches("<circle cx=").count(), 3 * 2 * 2 + marks(&page));
    assert!(page.contains("mean wait (s): difference to buddy/fcfs"), "no axis");
    assert!(page.contains("<title>Difference in mean wait. At a load of 60.0"), "no title");
    assert!(page.len() < 2_000_000);
}

/// Points of the plots over load.
fn marks(page: &str) -> usize {
    let plots = page.split("<svg role=\"img\" viewBox").skip(1);
    plots.map(|plot| plot.split("</svg>").next().unwrap().matches("<circle cx=").count()).sum()
}

/// What the first users found: a difference of -50,055 s with an interval from -41,528 to -17,707.
#[test]
fn no_estimate_of_the_log_of_los_alamos_lies_outside_of_its_interval() {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there is no LANL-CM5-1994-4.1-cln");
        return;
    };
    let log = std::path::Path::new(&data).join("traces/LANL-CM5-1994-4.1-cln.swf.xz");
    let bench = Bench::new();
    let of = ["compare", log.to_str().unwrap(), "--strategy", "buddy", "--queue", "fcfs,window:16"];
    let csv =
        bench.succeed(&[&of[..], &["--load", "0.6", "--format", "csv", "--out", "-"]].concat());
    let rows = rows(&csv);
    assert_eq!(rows.len(), 2 * 3);
    for row in &rows {
        assert_eq!([&row[16], &row[18]], ["none", "order-matters"], "{row:?}");
    }
    assert!((-50_100.0..-50_000.0).contains(&rows[1][12].parse::<f64>().unwrap()), "{rows:?}");
    assert_eq!(rows[1][15], "better", "{rows:?}");
}

#[test]
fn what_is_named_twice_is_told_apart_or_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("a")).unwrap();
    bench.file("a/log.swf", nine_weeks());
    bench.file("log.swf", nine_weeks());
    let more = ["--strategy", "buddy", "--metric", "wait,wait", "--load", "0.2,0.20"];
    let options = [&more[..], &["--seeds", "0", "--format", "csv", "--out", "-"]].concat();
    let csv = bench.succeed(&[&["compare", "log.swf", "a/log.swf"], &options[..]].concat());
    let sources: Vec<_> = rows(&csv).iter().map(|row| row[1].clone()).collect();
    assert_eq!(sources, ["log.swf", "a/log.swf"]);
    let refused = |sources: &[&str], part: &str| {
        refused(&bench, &[&["compare"], sources].concat(), USAGE, &[part]);
    };
    refused(&["log.swf", "log.swf"], "named twice");
    refused(&["log.swf", "--load", "60"], "0.6 is 60 %");
    refused(&["log.swf", "--load", "1e-300"], "0.6 is 60 %");
}

/// Of a trace the part week at its end is neither drawn nor compared.
#[test]
fn what_is_recorded_is_as_long_as_what_is_drawn() {
    let bench = Bench::new();
    let quiet = nine_weeks();
    let end = 64 * 86_400;
    let rush: String = (0..30).map(|at| record(900 + at, end + i64::from(at), 80_000, 8)).collect();
    bench.file("quiet.swf", quiet.clone());
    bench.file("rush.swf", quiet + &rush);
    let wait = |log| {
        let of = ["compare", log, "--strategy", "buddy", "--metric", "wait", "--format", "csv"];
        let row = rows(&bench.succeed(&[&of[..], &["--out", "-"]].concat())).remove(0);
        [8, 9, 10].map(|at| row[at].clone())
    };
    assert_eq!(wait("rush.swf"), wait("quiet.swf"));
}

/// A machine whose line never empties has an answer all the same, and no interval.
#[test]
fn what_saturates_the_machine_is_answered_without_an_interval() {
    let bench = Bench::new();
    bench.file("light.swf", nine_weeks());
    bench.file("heavy.swf", nine_weeks_of(12));
    let of = ["compare", "light.swf", "heavy.swf", "--machine", "pool:8", "--queue", "fcfs,easy"];
    let printed = bench.succeed(&[&of[..], &["--out", "whole"]].concat());
    let sentence = "At a load of 112.9\u{a0}%, mean wait: better than pool/fcfs: pool/easy (in 39 of 39 draws).";
    assert!(printed.contains(sentence), "{printed}");
    assert!(printed.contains("better; no interval: saturated"), "{printed}");
    assert!(printed.contains("in more than half of the weeks some job always waits"), "{printed}");
    let csv = bench.read("whole/comparison.csv");
    for row in rows(&csv) {
        let is_heavy = row[1].contains("heavy");
        assert_eq!(row[16] == "none", is_heavy, "{row:?}");
        assert_eq!((&row[17][..], row[18] == "saturated"), ("39", is_heavy), "{row:?}");
        if is_heavy && row[4] == "pool/easy" && row[5] == "wait" {
            assert_eq!([&row[15], &row[19], &row[20]], ["better", "39", "0"]);
            let [by, least, greatest] = [12, 21, 22].map(|at| row[at].parse::<f64>().unwrap());
            assert!(least <= by && by <= greatest && greatest < 0.0, "{row:?}");
        }
    }
    for shard in ["2/2", "1/2"] {
        let out = bench.run(&[&of[..], &["--out", "parts", "--shard", shard]].concat());
        assert!(out.status.success());
    }
    bench.succeed(&[&of[..], &["--out", "parts"]].concat());
    assert_eq!(bench.read("parts/comparison.csv"), csv);
}

/// What was asked in vain before: the shortest first against first come, first served.
#[test]
fn the_order_of_the_line_is_compared() {
    let bench = Bench::new();
    let of = ["compare", "model:lublin", "--machine", "pool:64", "--jobs", "300", "--load=0.9"];
    let more = ["--order", "fcfs,sjf", "--metric", "wait", "--format", "csv", "--out", "-"];
    let found = rows(&bench.succeed(&[&of[..], &more].concat()));
    let answers: Vec<_> = found.iter().map(|row| (&row[4][..], &row[15][..])).collect();
    assert_eq!(answers, [("pool/fcfs", "baseline"), ("pool/fcfs/sjf", "better")]);
    let base = ["--baseline", "pool/fcfs/sjf"];
    let found = rows(&bench.succeed(&[&of[..], &more, &base].concat()));
    assert_eq!((&found[1][4][..], &found[1][15][..]), ("pool/fcfs", "worse"));
}

/// Whether planning is worth it hangs on the requests.
#[test]
fn how_requests_are_made_is_said_and_can_be_asked_for() {
    let bench = Bench::new();
    let of = ["compare", "model:lublin", "--jobs", "100", "--seeds", "3", "--queue", "easy"];
    let source = |more: &[&str]| {
        let more = [&of[..], &["--format", "csv", "--out", "-"], more].concat();
        rows(&bench.succeed(&more))[0][1].clone()
    };
    assert_eq!(source(&[]), "lublin (estimates 3)");
    assert_eq!(source(&["--estimates", "0"]), "lublin (estimates 0)");
    let other = ["compare", "model:ipsc", "--estimates", "3"];
    refused(&bench, &other, USAGE, &["--estimates", "none of the sources"]);
}

/// Nobody is named best who is not told better.
#[test]
fn what_is_not_told_better_is_not_the_best() {
    let bench = Bench::new();
    let of = ["compare", "model:lublin", "--machine", "pool:64", "--jobs", "60", "--seeds", "3"];
    let more = ["--queue", "fcfs,easy,conservative", "--load=0.3", "--metric", "wait"];
    let printed = bench.succeed(&[&of[..], &more].concat());
    assert!(printed.contains("none is told better, and not all are worse"), "{printed}");
    assert!(
        printed.contains("neither told better nor worse than pool/fcfs: pool/easy"),
        "{printed}"
    );
}

#[test]
fn a_comparison_that_was_stopped_goes_on_where_it_was() {
    let bench = Bench::new();
    bench.succeed(&MODEL);
    let csv = bench.read("locox-report/comparison.csv");
    let path = bench.path("locox-report/runs.jsonl");
    let runs = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = runs.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 3 * 4);
    // Nothing is run again that is there.
    bench.succeed(&MODEL);
    assert_eq!(fs::read_to_string(&path).unwrap(), runs);
    // A run that was noted by halves is.
    fs::write(&path, &runs[..runs.len() - 9]).unwrap();
    bench.succeed(&MODEL);
    assert_eq!(bench.read("locox-report/comparison.csv"), csv);
}

#[test]
fn hosts_share_a_comparison() {
    let bench = Bench::new();
    bench.succeed(&[&MODEL[..], &["--out", "whole"]].concat());
    for shard in ["3/3", "1/3", "2/3"] {
        let out = bench.run(&[&MODEL[..], &["--out", "parts", "--shard", shard]].concat());
        assert!(out.status.success());
        let told = String::from_utf8(out.stderr).unwrap();
        assert_eq!(told.contains("is done"), shard != "2/3", "{told}");
    }
    bench.succeed(&[&MODEL[..], &["--out", "parts"]].concat());
    assert!(!bench.path("parts/runs.jsonl").exists());
    let csv = |dir| bench.read(&format!("{dir}/comparison.csv"));
    assert_eq!(csv("parts"), csv("whole"));
}

#[test]
fn powers_of_two_leave_nothing_over_and_the_page_says_so() {
    let bench = Bench::new();
    let of =
        ["compare", "model:ipsc", "--mesh", "--strategy", "buddy", "--jobs", "200", "--seeds", "3"];
    let printed = bench.succeed(&of);
    assert!(printed.contains("by construction"), "{printed}");
    assert!(printed.contains("the same"), "{printed}");
}

#[test]
fn what_cannot_be_compared_is_told_in_a_line() {
    let bench = Bench::new();
    bench.file("log.swf", trace(100, &[record(1, 0, 60, 3)]));
    let refused = |options: &[&str], code, part: &str| {
        refused(&bench, &[&["compare"], options].concat(), code, &[part]);
    };
    refused(&[], USAGE, "TRACE");
    refused(&["model:other"], USAGE, "the models are model:lublin, model:ipsc and model:users");
    refused(&["model:ipsc", "--baseline", "x"], USAGE, "which are buddy/fcfs");
    refused(&["model:ipsc", "--seeds", "0"], USAGE, "--seeds");
    refused(&["model:ipsc", "--shard", "5/4"], USAGE, "write I/N, such as 1/4");
    refused(&["model:ipsc", "--shard", "1/10001"], USAGE, "N 1 to 10000");
    let many = ["model:ipsc", "--seeds", "100000", "--load", "0.6,0.7"];
    refused(&many, USAGE, "are more than 500000; ask for fewer --seeds");
    refused(&["model:ipsc", "--shard", "1/4", "--out", "-"], USAGE, "name a directory");
    refused(&["model:ipsc", "--queue", "lifo"], USAGE, "unknown queue");
    refused(&["log.swf", "--strategy", "buddy"], USAGE, "no subcubes");
    refused(&["log.swf", "--mesh"], USAGE, "no subcubes");
    refused(&["log.swf", "--machine", "pool:2"], INPUT, "log.swf:3: job 1 asks for 3");
    refused(&["none.swf"], INPUT, "none.swf: ");
    fs::create_dir(bench.path("theirs")).unwrap();
    bench.file("theirs/runs.jsonl", "mine\n\n");
    refused(&["log.swf", "--out", "theirs"], INPUT, "runs.jsonl:1: this is not a run");
    assert_eq!(bench.read("theirs/runs.jsonl"), "mine\n\n");
}
