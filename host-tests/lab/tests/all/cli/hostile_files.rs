//! Files that nobody should write, for each command that reads one.

use super::bench::{Bench, trace};
use super::hostile::{all_ended, bench, ended};
use locox_report::parallel;

/// The commands that read a file, each with `{}` in its place.
const READERS: [&str; 17] = [
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
    readers_end(&bench, &["digits", "words", "commas", "/dev/zero"]);
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
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let mut gzip = GzEncoder::new(vec![], Compression::fast());
    let line = b"1 2 3 4 5\n".repeat(100_000);
    (0..136).for_each(|_| gzip.write_all(&line).unwrap());
    let bench = bench();
    bench.file("bomb.gz", gzip.finish().unwrap());
    readers_end(&bench, &["bomb.gz"]);
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
