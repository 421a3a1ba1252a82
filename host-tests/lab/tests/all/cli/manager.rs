//! `--queue manager` and `--preempt`.

use super::bench::{Bench, INPUT, USAGE, record, refused, trace};
use serde_json::Value;

/// User 1 takes all eight nodes for a day, and an hour later user 2 wants three of them for two hours.
fn bench() -> Bench {
    let bench = Bench::new();
    let of = |number, submit, run, nodes, user| {
        format!(
            "{number} {submit} -1 {run} {nodes} -1 -1 {nodes} {run} -1 1 {user} 1 -1 -1 -1 -1 -1\n"
        )
    };
    let jobs = [of(1, 0, 86_400, 4, 1), of(2, 0, 86_400, 4, 1), of(3, 3_700, 7_200, 3, 2)];
    bench.file("t.swf", trace(8, &jobs));
    bench
}

/// The rows of a table of the report.
fn rows(bench: &Bench, title: &str, asked: &[&str]) -> Vec<Value> {
    let told =
        bench.succeed(&[&["replay", "t.swf", "--format", "json", "--out", "-"], asked].concat());
    let report: Value = serde_json::from_str(&told).unwrap();
    let blocks = report["sections"][0]["blocks"].as_array().expect("blocks");
    let table = blocks.iter().map(|it| &it["table"]).find(|it| it["title"] == title).expect(title);
    table["rows"].as_array().unwrap().clone()
}

#[test]
fn a_stop_serves_whoever_had_nothing_and_costs_what_was_not_saved() {
    let bench = bench();
    let title = "What stops cost and buy";
    let [without, with] =
        &rows(&bench, title, &["--machine", "pool:8", "--queue", "manager", "--preempt"])[..]
    else {
        panic!("two rows")
    };
    // Name, stops, work lost, means and longest of the lighter and the heavier, and by fate.
    assert_eq!((&without[0], &without[1]), (&"pool/manager".into(), &0.into()));
    assert_eq!(without[5], 86_400 - 3_700);
    assert_eq!((&with[0], &with[1]), (&"pool/manager+stops".into(), &1.into()));
    assert!(with[5].as_u64().unwrap() <= 120, "{with}");
    assert_eq!(with.as_array().unwrap()[7..], [1, 0, 0, 0, 0].map(Value::from));
    let lost = with[2].as_f64().unwrap();
    let saved = &rows(&bench, title, &["--preempt", "--checkpoint", "1h"])[0];
    assert_eq!(saved[0], "complete");
    assert!(
        0.0 < saved[2].as_f64().unwrap() && 10.0 * saved[2].as_f64().unwrap() < lost,
        "{saved}"
    );
    let patient = &rows(&bench, title, &["--preempt=patience=1d,notice=0"])[0];
    assert_eq!(patient[1], 0);
}

#[test]
fn each_machine_with_places_has_a_manager() {
    let bench = bench();
    for (machine, label) in [
        (&["--machine", "cube:3"][..], "complete"),
        (&["--machine", "cube:3", "--mesh"], "complete+afl"),
        (&["--machine", "torus:2x2x2"], "corner"),
        (&["--machine", "tree:2x4"], "preferred"),
    ] {
        let row = &rows(&bench, "What stops cost and buy", &[machine, &["--preempt"]].concat())[0];
        assert_eq!((&row[0], &row[1]), (&label.into(), &1.into()), "{machine:?}");
    }
}

#[test]
fn jobs_that_are_too_large_are_refused_or_counted() {
    let bench = bench();
    // The third one takes no time.
    let jobs =
        [record(1, 0, 60, 4), record(2, 5, 60, 9), record(3, 5, 0, 8).replace(" 900 ", " -1 ")];
    bench.file("t.swf", trace(8, &jobs));
    let asked = ["replay", "t.swf", "--queue", "manager"];
    refused(&bench, &asked, INPUT, &["t.swf:4: job 2 asks for 9", "--lenient"]);
    let lenient = rows(&bench, "The whole replay", &["--queue", "manager", "--lenient"]);
    assert_eq!(lenient[0].as_array().unwrap()[16..18], [2, 1].map(Value::from));
}

#[test]
fn what_a_manager_does_not_do_is_refused() {
    let bench = bench();
    for (more, told) in [
        (&["--order", "sjf"][..], "--order sjf: the manager orders jobs by their users"),
        (&["--outages", "t.swf"], "--outages: the replay of a manager"),
        (&["--fragmentation"], "--fragmentation: the replay of a manager"),
        (&["--decide", "each-second"], "--decide: the replay of a manager"),
        (
            &["--machine", "blocks:2x4"],
            "--queue manager has no row of 2 blocks of 4; use --machine tree",
        ),
        (&["--machine", "pool:65537"], "has more than 65536 nodes"),
        (&["--checkpoint", "1h"], "--preempt"),
        (&["--preempt=patience=1w"], "write patience=TIME, such as patience=30m"),
        (&["--preempt=patient=1h"], "no part is called `patient`; write patience, least-run"),
    ] {
        let output = bench.run(&[&["replay", "t.swf", "--queue", "manager"], more].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(USAGE), "{said}");
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn compare_shows_what_stops_cost_and_buy() {
    let bench = Bench::new();
    let csv = bench.succeed(&[
        "compare",
        "model:users",
        "--queue",
        "manager,easy",
        "--preempt",
        "--seeds",
        "2",
        "--jobs",
        "400",
        "--load",
        "1.2",
        "--metric",
        "stops,lost,light-wait,heavy-wait",
        "--format",
        "csv",
        "--out",
        "-",
    ]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let value = |method: &str, metric: &str| {
        let row = rows.iter().find(|row| &row[4] == method && &row[5] == metric);
        row.unwrap_or_else(|| panic!("{method} {metric}"))[8].parse::<f64>().unwrap()
    };
    let [without, with] = ["pool/manager", "pool/manager+stops"];
    assert_eq!((value(without, "stops"), value(without, "lost")), (0.0, 0.0));
    assert!(value(with, "stops") > 0.0 && value(with, "lost") > 0.0);
    assert!(value(with, "light-wait") < value(without, "light-wait"));
    assert_ne!(value("pool/easy", "light-wait"), value("pool/easy", "heavy-wait"));
}
