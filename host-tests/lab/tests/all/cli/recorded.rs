//! `locox record` and `locox replay-log`.

use super::bench::{Bench, INPUT, USAGE, names, refused};

const RECORD: [&str; 10] =
    ["record", "stations", "--jobs", "2x3", "--days", "1", "--commands", "50", "--out", "day.run"];

#[test]
fn what_is_recorded_is_replayed_to_the_same_digests() {
    let bench = Bench::new();
    let told = bench.succeed(&RECORD);
    let digest = told.strip_prefix("day.run:\n").unwrap();
    assert!(digest.starts_with("commands 50\neffects "), "{told}");
    assert_eq!(bench.succeed(&["replay-log", "day.run"]), digest);
    for policy in ["updown-table", "round-robin", "random"] {
        bench.succeed(&[&RECORD[..], &["--force", "--policy", policy]].concat());
        assert_ne!(bench.succeed(&["replay-log", "day.run"]), digest);
    }
}

#[test]
fn a_bad_file_is_told_in_one_line_and_nothing_is_written() {
    let bench = Bench::new();
    bench.succeed(&RECORD);
    let bytes = std::fs::read(bench.path("day.run")).unwrap();
    bench.file("cut.run", &bytes[..bytes.len() - 1]);
    let offset = bytes.len() - 64;
    let expected = format!("cut.run: record 50 at byte {offset}: it is cut or damaged; copy");
    refused(&bench, &["replay-log", "cut.run"], INPUT, &[&expected]);
    refused(&bench, &["replay-log", "none.run"], INPUT, &["none.run: cannot be read: "]);
    bench.file("text", "a b\n");
    refused(&bench, &["replay-log", "text"], INPUT, &["text: line 1: it is no recorded run; make"]);
    refused(&bench, &RECORD, INPUT, &["day.run: there is such a file already"]);
    let other = [&RECORD[..9], &["other.run", "--interval", "0.001"]].concat();
    refused(&bench, &other, USAGE, &["--interval", "write a number from 0.02 to"]);
    assert_eq!(names(&bench.path("")), ["cut.run", "day.run", "text"]);
}

#[test]
fn what_shared_hosts_are_told_is_replayed_to_the_same_digests() {
    let bench = Bench::new();
    let jobs = ["generate", "elmer-jobs", "--jobs", "20", "--out", "jobs.txt"];
    bench.succeed(&jobs);
    let record = [
        "record",
        "elmer",
        "jobs.txt",
        "--count",
        "6",
        "--lose",
        "2:100-300",
        "--commands",
        "80",
        "--out",
        "hosts.run",
    ];
    let told = bench.succeed(&record);
    let digest = told.strip_prefix("hosts.run:\n").unwrap();
    assert!(digest.starts_with("commands 80\neffects "), "{told}");
    assert_eq!(bench.succeed(&["replay-log", "hosts.run"]), digest);
    for placement in ["space", "first-level", "first-calm-level"] {
        bench.succeed(&[&record[..], &["--force", "--placement", placement]].concat());
        assert_ne!(bench.succeed(&["replay-log", "hosts.run"]), digest);
    }
}

#[test]
fn what_a_site_is_told_is_replayed_to_the_same_digests() {
    let bench = Bench::new();
    let record = ["record", "site", "--jobs", "60", "--commands", "220", "--out", "site.run"];
    let told = bench.succeed(&record);
    let digest = told.strip_prefix("site.run:\n").unwrap();
    assert!(digest.starts_with("commands 220\neffects "), "{told}");
    assert_eq!(bench.succeed(&["replay-log", "site.run"]), digest);
    for others in [["--seed", "2"], ["--rate", "4"], ["--deviation", "0"]] {
        bench.succeed(&[&record[..], &["--force"], &others].concat());
        assert_ne!(bench.succeed(&["replay-log", "site.run"]), digest);
    }
    refused(&bench, &["record", "site", "--rate", "0", "--out", "no.run"], USAGE, &["--rate"]);
    assert_eq!(names(&bench.path("")), ["site.run"]);
}
