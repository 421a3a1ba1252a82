//! Files that nobody should write, for each command that reads one.

use super::bench::{Bench, record, trace};
use super::hostile::{all_ended, bench, ended};
use locox_report::parallel;

/// The commands that read a file, each with `{}` in its place.
const READERS: [&str; 18] = [
    "replay {} --machine pool:8 --out -",
    "replay {} --machine pool:8 --lenient --out -",
    "replay t.swf --outages {} --out -",
    "replay t.swf --outages {} --lenient --out -",
    "compare {} --machine pool:8 --out -",
    "generate reservations --trace {} --out -",
    "reserve {} --pes 8 --out -",
    "reserve {} --pes 8 --lenient --out -",
    "map {} --out -",
    "map {} --size 2x2 --out -",
    "map times.csv --site {} --out -",
    "elmer {} --count 6 --out -",
    "elmer j.txt --hosts {} --out -",
    "record elmer {} --count 6 --out -",
    "stations {} --days 1 --replications 1 --out -",
    "network {}",
    "replay-log {}",
    "import sacct {} --out -",
];

/// How the commands end.
fn run(bench: &Bench, commands: &[String]) -> Vec<Result<i32, String>> {
    parallel::map(commands, |command| {
        let arguments: Vec<String> = command.split(' ').map(str::to_owned).collect();
        ended(bench, &arguments)
    })
}

/// The readers of these files end.
#[track_caller]
fn readers_end(bench: &Bench, files: &[&str]) {
    let commands: Vec<String> =
        files.iter().flat_map(|file| READERS.map(|reader| reader.replace("{}", file))).collect();
    all_ended(&run(bench, &commands));
}

/// Of each file, which the command reads in the place of `{}`, nothing can be made.
#[track_caller]
fn refused(command: &str, files: &[String]) {
    let bench = bench();
    let name = |at: usize| format!("hostile-{at}");
    files.iter().enumerate().for_each(|(at, content)| bench.file(&name(at), content));
    let commands: Vec<String> =
        (0..files.len()).map(|at| command.replace("{}", &name(at))).collect();
    let ends = run(&bench, &commands);
    all_ended(&ends);
    let taken: Vec<_> = ends.iter().zip(files).filter(|(end, _)| **end != Ok(1)).collect();
    assert!(taken.is_empty(), "{command}: {taken:?}");
}

#[test]
fn lines_without_end_end_their_readers() {
    let bench = bench();
    for (name, pattern, megabytes) in [("digits", "1", 17), ("words", "1 ", 8), ("commas", "1,", 8)]
    {
        bench.file(name, pattern.repeat((megabytes << 20) / pattern.len()));
    }
    readers_end(&bench, &["digits", "words", "commas", "/dev/zero", "/dev/urandom"]);
}

#[test]
fn what_is_no_text_ends_its_readers() {
    let bench = bench();
    bench.file("nul", [0; 1 << 16]);
    bench.file("bytes", (0..=255).cycle().take(1 << 16).collect::<Vec<u8>>());
    bench.file("empty", "");
    readers_end(&bench, &["nul", "bytes", "empty", "."]);
}

/// A small file that is a large one when it is unpacked.
#[test]
fn a_bomb_ends_its_readers() {
    let bench = bench();
    bench.file("bomb.gz", packed("", "1 2 3 4 5\n", 136));
    readers_end(&bench, &["bomb.gz"]);
}

/// So many megabytes of a line, behind others, in a small file.
fn packed(begin: &str, line: &str, megabytes: usize) -> Vec<u8> {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let mut gzip = GzEncoder::new(vec![], Compression::fast());
    gzip.write_all(begin.as_bytes()).unwrap();
    let lines = line.repeat((1 << 20) / line.len() + 1);
    (0..megabytes).for_each(|_| gzip.write_all(lines.as_bytes()).unwrap());
    gzip.finish().unwrap()
}

/// What is kept of a file grows with it: line by line, each of them sound.
#[test]
fn files_of_which_too_much_would_be_kept_are_refused() {
    let bench = bench();
    let job = record(1, 0, 60, 4);
    bench.file("comments.gz", packed("", "; a remark\n", 200));
    bench.file("behind.gz", packed(&trace(8, &[job]), "; a remark\n", 20));
    bench.file("outages.gz", packed("", "0 1 2 1 1 -1\n", 20));
    let falling: String = (0..30_000).rev().map(|number| record(number, 0, -1, 4)).collect();
    bench.file("incomplete", trace(8, &[falling]));
    let of_text = [("requests.gz", "0 0 1 - 1\n"), ("times.gz", "1\n"), ("messages.gz", "0 1 0\n")];
    for (name, line) in of_text {
        bench.file(name, packed("", line, 40));
    }
    // These are not unpacked.
    bench.file("jobs", "0 1 1 1 ep\n".repeat(3_000_000));
    bench.file("owners", "0,1,2\n".repeat(5_000_000));
    let of = |command: &str| {
        let arguments: Vec<String> = command.split(' ').map(str::to_owned).collect();
        ended(&bench, &arguments)
    };
    let refused = [
        "replay comments.gz --machine pool:8 --out -",
        "replay comments.gz --machine pool:8 --lenient --sort --out -",
        "compare comments.gz --machine pool:8 --out -",
        "generate reservations --trace comments.gz --out -",
        "replay t.swf --outages outages.gz --out -",
        "replay t.swf --outages outages.gz --lenient --out -",
        "reserve requests.gz --pes 8 --out -",
        "map times.gz --out -",
        "map times.gz --size 1x1 --out -",
        "network messages.gz",
        "elmer jobs --count 6 --out -",
        "elmer j.txt --hosts jobs --out -",
        "stations owners --days 1 --replications 1 --out -",
    ];
    let ends = parallel::map(&refused, |command| of(command));
    all_ended(&ends);
    let taken: Vec<_> = refused.iter().zip(&ends).filter(|(_, end)| **end != Ok(1)).collect();
    assert!(taken.is_empty(), "{taken:?}");
    assert_eq!(of("replay behind.gz --out -"), Ok(0));
    assert_eq!(of("replay incomplete --out -"), Ok(1), "no job");
}

const ACCOUNTS: &str = "JobID|User|State|Submit|Start|End|AllocCPUS\n";

fn account(number: usize, user: &str) -> String {
    format!(
        "{number}|{user}|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|4\n"
    )
}

#[test]
fn accounts_of_which_too_much_would_be_kept_are_refused() {
    let name = |at: usize| format!("{at}{}", "n".repeat(1 << 19));
    let names: String = (0..40).map(|at| account(at, &name(at))).collect();
    let long = account(2, &"n".repeat(1 << 20));
    refused(
        "import sacct {} --out -",
        &[
            format!("{ACCOUNTS}{names}"),
            format!("{ACCOUNTS}{}{long}", account(1, "ada")),
            "n".repeat(2 << 20),
        ],
    );
}

#[test]
fn sites_of_ten_thousand_levels_are_refused() {
    const DEEP: usize = 10_000;
    let (open, close) = ("[".repeat(DEEP), "]".repeat(DEEP));
    let keys = "a.".repeat(DEEP);
    refused(
        "map times.csv --site {} --out -",
        &[
            format!("machine = {open}{close}"),
            format!("machine = {open}"),
            format!("machine = {}1{}", "{a = ".repeat(DEEP), "}".repeat(DEEP)),
            format!("{keys}a = 1"),
            format!("[{keys}a]"),
        ],
    );
}

#[test]
fn sites_with_more_machines_than_there_may_be_are_refused() {
    let machines = (0..65_537).map(|at| format!("[[machine]]\nname='{at}'\n"));
    refused("map times.csv --site {} --out -", &[machines.collect()]);
}

#[test]
fn sites_with_numbers_out_of_range_are_refused() {
    let two =
        |free: &str| format!("[[machine]]\nname = 'a'\nfree = {free}\n[[machine]]\nname = 'b'\n");
    let frees = ["-1", "1e308", "1e400", "nan", "inf", "9223372036854775808"];
    let mut files = frees.map(two).to_vec();
    let cluster = "[[cluster]]\nname = 'c'\nmembers = ['a', 'b']\n";
    for least in ["-1", "0", "9223372036854775807", "1e3"] {
        files.push(format!("{}{cluster}least = {least}\n", two("0")));
    }
    refused("map times.csv --site {} --out -", &files);
}

/// A trace for eight processors with a second job that differs.
fn swf(number: &str, submit: &str, run: &str, processors: &str) -> String {
    let line = |number, submit, run, processors| {
        format!("{number} {submit} -1 {run} {processors} -1 -1 {processors}{}\n", " -1".repeat(10))
    };
    trace(8, &[line("1", "0", "60", "4"), line(number, submit, run, processors)])
}

#[test]
fn traces_with_numbers_out_of_range_are_refused() {
    let ten_30 = format!("1{}", "0".repeat(30));
    let most = i64::MAX.to_string();
    let mut files = vec![];
    for wrong in
        [&ten_30, "1e308", "NaN", "inf", "18446744073709551615", "-9223372036854775808", "-2"]
    {
        files.push(swf(wrong, "5", "60", "4"));
        files.push(swf("2", wrong, "60", "4"));
        files.push(swf("2", "5", wrong, "4"));
        files.push(swf("2", "5", "60", wrong));
    }
    files.push(swf("2", "5", "60", "4294967295"));
    files.push(swf("2", "5", "60", "0"));
    files.extend(
        ["4294967295", "16777217", &ten_30]
            .map(|size| swf("2", "5", "60", "4").replace(": 8", &format!(": {size}"))),
    );
    refused("replay {} --out -", &files);
    refused("compare {} --out -", &files);
    refused(
        "compare {} --out -",
        &[swf("2", &(most.parse::<i64>().unwrap() - 60).to_string(), "60", "4")],
    );
}

#[test]
fn other_files_with_numbers_out_of_range_are_refused() {
    let ten_30 = format!("1{}", "0".repeat(30));
    let hostile: [&str; 8] =
        ["-1", "1e308", "1e-320", "NaN", "inf", "18446744073709551616", "0x10", &ten_30];
    let in_each = |line: &str| -> Vec<String> {
        let words: Vec<&str> = line.split(' ').collect();
        let with = |at: usize, number: &str| {
            let mut words = words.clone();
            words[at] = number;
            words.join(" ")
        };
        (0..words.len()).flat_map(|at| hostile.map(|number| with(at, number))).collect()
    };
    let with_commas =
        |files: Vec<String>| files.iter().map(|file| file.replace(' ', ",")).collect::<Vec<_>>();
    refused("reserve {} --pes 8 --policy all --out -", &in_each("0 5 10 90 3"));
    refused("network {}", &in_each("0 1 0"));
    refused("elmer {} --count 6 --out -", &in_each("0 2 10 0.5"));
    refused("stations {} --days 1 --replications 1 --out -", &with_commas(in_each("0 0 3600")));
}
