//! `locox network`.

use super::bench::{Bench, INPUT, USAGE, refused};
use std::io::Write;
use std::process::Stdio;

/// Two messages for node 0, and one out of the way.
const LIST: &str = "# src dst at delivered\n1 0 0 55\n2 0 0 103\n5 7 100 155\n";

fn csv(bench: &Bench, options: &[&str]) -> String {
    bench.succeed(&[&["network", "list.txt", "--format", "csv"], options].concat())
}

fn delivered(bench: &Bench, options: &[&str]) -> Vec<u64> {
    let csv = csv(bench, options);
    let rows = csv.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap());
    rows.collect()
}

#[test]
fn each_message_is_printed_with_the_cycle_of_its_delivery() {
    let bench = Bench::new();
    bench.file("list.txt", LIST);
    let expected = "src,dst,at,delivered\n1,0,0,55\n2,0,0,103\n5,7,100,155\n";
    assert_eq!(csv(&bench, &[]), expected);
    // What it prints it reads.
    bench.file("list.txt", expected);
    assert_eq!(csv(&bench, &["--cube", "5"]), expected);
    assert!(!bench.path("locox-report").exists());
}

#[test]
fn lines_of_other_systems_comments_and_messages_to_oneself_are_read() {
    let bench = Bench::new();
    bench.file("list.txt", "\u{FEFF}src\tdst\tat\r\n; all\r\n3\t3\t0 # to oneself\r\n0,1,7,\r\n");
    assert_eq!(csv(&bench, &[]), "src,dst,at,delivered\n3,3,0,52\n0,1,7,62\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_or_list_that_cannot_be_written_is_told() {
    let bench = Bench::new();
    bench.file("list.txt", LIST);
    for format in ["table", "csv"] {
        let mut command = bench.command(&["network", "list.txt", "--format", format]);
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.lines().count()), (Some(1), 1), "{told}");
        assert!(told.contains("standard output: cannot be written"), "{told}");
    }
}

#[test]
fn options_change_the_routers() {
    let bench = Bench::new();
    bench.file("list.txt", LIST);
    assert_eq!(delivered(&bench, &["--hop", "1"]), [53, 101, 153]);
    assert_eq!(delivered(&bench, &["--length", "16"]), [23, 39, 123]);
    assert_eq!(delivered(&bench, &["--buffers", "4"]), [66, 126, 166]);
    // One lane each for the two: they share the way out.
    let shared = delivered(&bench, &["--virtual-channels", "2"]);
    assert!(shared[0] > 90 && shared[1] > 90, "{shared:?}");
}

#[test]
fn a_window_of_one_waits_for_the_arrival() {
    let bench = Bench::new();
    bench.file("list.txt", "0 7 0\n0 1 0\n");
    assert_eq!(delivered(&bench, &["--window", "stream"]), [61, 103]);
    assert_eq!(delivered(&bench, &["--window", "one"]), [61, 116]);
}

#[test]
fn the_table_tells_latency_and_throughput() {
    let bench = Bench::new();
    bench.file("list.txt", LIST);
    let printed = bench.succeed(&["network", "list.txt"]);
    for part in [
        "Messages of list.txt on a 3-cube",
        "messages of 48 flits, buffers of 5 flits, 3 cycles a hop",
        "71.00",
        "55.00",
        "155",
        // 3 messages of 48 flits from 8 nodes in 101 and in 155 cycles.
        "0.1782",
        "0.1161",
    ] {
        assert!(printed.contains(part), "`{part}` is missing: {printed}");
    }
}

#[test]
fn compressed_lists_and_the_standard_input_are_read() {
    let bench = Bench::new();
    let options = lzma_rust2::XzOptions::default();
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(LIST.as_bytes()).unwrap();
    bench.file("list.txt", xz.finish().unwrap());
    assert_eq!(delivered(&bench, &[]), [55, 103, 155]);
    let mut command = bench.command(&["network", "-", "--format", "csv"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"0 1 7\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "src,dst,at,delivered\n0,1,7,62\n");
}

#[test]
fn lists_that_will_not_do_are_told_with_line_and_column() {
    let bench = Bench::new();
    for (content, part) in [
        ("", "bad.txt: no message; write a line of src dst at for each"),
        ("0 1 0\n0 1x 0\n", "bad.txt:2:3: dst: `1x` is not a whole number from 0 to 65535"),
        ("0 1 -\n", "bad.txt:1:5: at: `-` is not a whole number"),
        ("0 1\n", "bad.txt:1:1: 2 of the values src, dst and at"),
        ("0 1 5\n# late\n0 1 4\n", "bad.txt:3:5: at: 4 comes after 5; put the lines in the order"),
        ("70000 1 0\n", "bad.txt:1:1: src: `70000` is not"),
        ("-1 1 0\n", "bad.txt:1:1: src: `-1` is not"),
        ("0 1 0.5\n", "bad.txt:1:5: at: `0.5` is not"),
        ("0 1 99999999999999999999\n", "bad.txt:1:5: at: `99999999999999999999` is not"),
        ("# nothing\n\r\n", "bad.txt: no message"),
    ] {
        bench.file("bad.txt", content);
        refused(&bench, &["network", "bad.txt"], INPUT, &[part]);
    }
    bench.file("bad.txt", "0 1 0\n0 9 0\n");
    let told = ["bad.txt:2:3: dst: node 9 is not in a 3-cube", "--cube"];
    refused(&bench, &["network", "bad.txt", "--cube", "3"], INPUT, &told);
    refused(&bench, &["network", "none.txt"], INPUT, &["none.txt: cannot be read", "check"]);
    refused(&bench, &["network", "-"], INPUT, &["standard input: no message"]);
    refused(&bench, &["network", "."], INPUT, &[".: cannot be read", "check"]);
    for (name, content) in [("cut.xz", &b"\xFD7zXZ\0\0"[..]), ("cut.gz", b"\x1F\x8B\x08\0\0\0\0")] {
        bench.file(name, content);
        refused(&bench, &["network", name], INPUT, &[name, "cannot be read", "whole"]);
    }
}

#[test]
fn options_that_will_not_do_are_refused_in_one_line() {
    let bench = Bench::new();
    bench.file("list.txt", LIST);
    for (option, value, part) in [
        ("--cube", "17", "from 0 to 16;"),
        ("--cube", "25", "from 0 to 16;"),
        ("--virtual-channels", "0", "from 1 to 8;"),
        ("--virtual-channels", "9", "from 1 to 8;"),
        ("--hop", "1001", "from 1 to 1000;"),
        ("--cube", "x", "--cube"),
        ("--buffers", "0", "from 1 to 65536;"),
        ("--length", "0", "--length"),
        ("--hop", "0", "--hop"),
        ("--window", "two", "stream"),
        ("--format", "json", "csv"),
    ] {
        refused(&bench, &["network", "list.txt", option, value], USAGE, &[part]);
    }
    refused(&bench, &["network"], USAGE, &["<LIST>"]);
}
