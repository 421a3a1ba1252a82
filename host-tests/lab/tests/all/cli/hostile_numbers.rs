//! Each option that takes a number, with numbers that nobody should write.

use super::hostile::{all_ended, bench, ended};
use clap::{Arg, Command, CommandFactory};
use locox_lab::cli::Cli;
use locox_report::parallel;

/// Beside these each option gets the ends of its range.
const HOSTILE: [&str; 16] = [
    "",
    " ",
    "-",
    "0",
    "-0",
    "-1",
    "0x10",
    "1e308",
    "1e-320",
    "NaN",
    "-inf",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "\u{ff11}",
];

/// Where a command does little, whatever one of its options is. `reproduce` only lists, or
/// says that its program is not there.
const CALM: [(&str, &str); 18] = [
    ("", "--out -"),
    ("replay", "t.swf --out -"),
    ("compare", "t.swf --out -"),
    ("sweep", "--slurm compare t.swf --out sweep"),
    ("stations", "--days 1 --replications 1 --policy random --out -"),
    ("reproduce", "--list"),
    ("reserve", "r.txt --pes 8 --out -"),
    ("map", "times.csv --out -"),
    ("elmer", "j.txt --count 6 --out -"),
    ("network", "m.txt"),
    ("generate lublin", "--jobs 10 --out -"),
    ("generate reservations", "--jobs 10 --out -"),
    ("generate elmer-jobs", "--jobs 10 --out -"),
    ("generate elmer-hosts", "--out -"),
    ("import sacct", "sacct.txt --out -"),
    ("record stations", "--days 1 --out -"),
    ("record elmer", "j.txt --count 6 --out -"),
    ("record site", "--jobs 10 --out -"),
];

/// Ends of ranges that are not tried, because what was asked for is long work.
const LONG: [(&str, &str, &str); 9] = [
    ("generate lublin", "--jobs", "makes five million jobs"),
    ("generate reservations", "--jobs", "makes five million requests"),
    ("generate elmer-jobs", "--jobs", "makes a million jobs"),
    ("stations", "--days", "runs for a hundred years"),
    ("stations", "--stations", "runs a pool of 16,384"),
    ("stations", "--replications", "runs ten thousand times"),
    ("record stations", "--days", "runs for a hundred years"),
    ("record stations", "--stations", "runs a pool of 16,384"),
    ("record site", "--jobs", "maps five thousand jobs again and again"),
];

/// How a number is written as a value of the option.
fn forms(command: &str, option: &str) -> &'static [&'static str] {
    match (command, option) {
        (_, "--machine") => &["cube:{}", "pool:{}"],
        (_, "--queue") => &["window:{}", "easy:{}", "conservative:{}"],
        (_, "--shard") => &["1/{}", "{}/1"],
        (_, "--size") => &["{}x2", "2x{}"],
        (_, "--lose") => &["{}:0-1", "0:{}-1", "0:0-{}"],
        ("stations" | "record stations", "--jobs") => &["{}", "{}x1", "1x{}"],
        _ => &["{}"],
    }
}

/// An option of a command, and numbers for it.
struct Case {
    command: &'static str,
    option: String,
    numbers: Vec<String>,
}

impl Case {
    /// `None` if it takes no number.
    fn of(command: &'static str, argument: &Arg) -> Option<Self> {
        let help = argument.get_help()?.to_string();
        let (_, range) = help.strip_suffix(']')?.split_once(" [range: ")?;
        let option = format!("--{}", argument.get_long()?);
        if argument.is_global_set() && !command.is_empty() {
            return None;
        }
        let mut numbers: Vec<String> = HOSTILE.map(str::to_owned).to_vec();
        numbers.push("9".repeat(10_000));
        if !LONG.iter().any(|(of, long, _)| (*of, *long) == (command, &option)) {
            let of_digits = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
            numbers.extend(range.split([' ', ',']).filter(of_digits).map(str::to_owned));
        }
        numbers.sort();
        numbers.dedup();
        Some(Self { command, option, numbers })
    }

    /// The command without the option, if it has it already.
    fn calm(&self) -> Vec<String> {
        let (_, calm) = CALM.iter().find(|(command, _)| *command == self.command).unwrap();
        let mut words = calm.split(' ');
        let mut kept: Vec<String> = self.command.split_whitespace().map(str::to_owned).collect();
        while let Some(word) = words.next() {
            if word == self.option {
                words.next();
            } else {
                kept.push(word.into());
            }
        }
        if self.option != "--threads" {
            kept.extend(["--threads", "2"].map(str::to_owned));
        }
        kept
    }

    fn arguments(&self) -> impl Iterator<Item = Vec<String>> {
        let forms = forms(self.command, &self.option).iter();
        forms.flat_map(|form| self.numbers.iter().map(|number| form.replace("{}", number))).map(
            |value| {
                // In one word, so that a value may begin with anything.
                [self.calm(), vec![format!("{}={value}", self.option)]].concat()
            },
        )
    }
}

fn cases() -> Vec<Case> {
    let mut root = Cli::command();
    root.build();
    let of = |(path, _): &(&'static str, &str)| {
        let command = path.split_whitespace().fold(&root, |command: &Command, name| {
            command.find_subcommand(name).unwrap_or_else(|| panic!("no {path}"))
        });
        command.get_arguments().filter_map(|argument| Case::of(path, argument)).collect::<Vec<_>>()
    };
    CALM.iter().flat_map(of).collect()
}

/// The commands that have no other below them, by what one types.
fn leaves(command: &Command, path: &str) -> Vec<String> {
    let below: Vec<&Command> = command.get_subcommands().collect();
    let mut leaves = if below.is_empty() { vec![path.trim().to_owned()] } else { vec![] };
    for one in below {
        leaves.extend(leaves_of(one, path));
    }
    leaves
}

fn leaves_of(command: &Command, path: &str) -> Vec<String> {
    leaves(command, &format!("{path} {}", command.get_name()))
}

/// They take no numbers.
const WITHOUT: [&str; 4] = ["import openb", "replay-log", "completions", "man"];

#[test]
fn each_command_with_numbers_is_among_those_tried() {
    for path in leaves(&Cli::command(), "") {
        let is_tried = CALM.iter().any(|(command, _)| *command == path);
        assert!(is_tried || WITHOUT.contains(&&path[..]), "{path} takes no hostile numbers");
    }
}

#[test]
fn hostile_numbers_end_soon_in_one_line_or_with_a_result() {
    let cases = cases();
    let count: usize = cases.iter().map(|case| case.arguments().count()).sum();
    assert!(count > 1_000, "{count}");
    let ends = parallel::map(&cases, |case| {
        let bench = bench();
        case.arguments().map(|arguments| ended(&bench, &arguments)).collect::<Vec<_>>()
    });
    all_ended(ends.iter().flatten());
}
