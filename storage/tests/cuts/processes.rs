//! Two processes at a time on one folder, killed and started again: no answered command is lost.

use crate::run::{Numbers, Pool, pool};
use locox::time::Duration;
use locox_coordinators::station::Command as Said;
use locox_storage::{Directory, DurableCoordinator, Files};
use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

const FOLDER: &str = "LOCOX_WRITER_FOLDER";

/// Says how many commands it found, then the number of each that was answered; or that it was refused.
#[test]
#[ignore = "a process of the test below"]
fn writer() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let Some(mut durable) = start(Path::new(&folder)) else { return println!("refused") };
    println!("found {}", durable.place().commands);
    for _ in 0..2000 {
        let now = durable.now().saturating_add(Duration::from_ticks(1));
        durable.apply_drawn(now, Said::Tick.into(), 0).unwrap();
        while durable.take_effect().is_some() {}
        println!("answered {}", durable.place().commands);
    }
}

/// None if the folder is in use.
fn start(folder: &Path) -> Option<DurableCoordinator<Pool, Files>> {
    let files = Files::new(Directory::open(folder).ok()?);
    Some(DurableCoordinator::recover_or_format(pool, files).unwrap().0)
}

struct Writer {
    process: Child,
    lines: BufReader<ChildStdout>,
}

impl Writer {
    fn new(folder: &Path) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "processes::writer", "--ignored", "--nocapture"]);
        command.env(FOLDER, folder).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap());
        Self { process, lines }
    }

    /// The next line that it says itself, whole; none when it has ended.
    fn line(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).unwrap();
            let line = line.strip_suffix('\n')?;
            // What its test runner says stands in front of the first line.
            let said =
                ["found ", "answered ", "refused"].iter().filter_map(|it| line.find(it)).min();
            if let Some(at) = said {
                return Some(line[at..].to_owned());
            }
        }
    }

    /// Ends it, wherever it is, and returns the rest of what it said.
    fn kill(mut self) -> Vec<String> {
        self.process.kill().unwrap();
        let rest = std::iter::from_fn(|| self.line()).collect();
        self.process.wait().unwrap();
        rest
    }
}

/// The commands that were answered so far.
#[derive(Default)]
struct Answered(u64);

impl Answered {
    fn hear(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("answered", number)) => {
                assert_eq!(number.parse(), Ok(self.0 + 1), "one after the other");
                self.0 += 1;
            }
            Some(("found", number)) => {
                let found: u64 = number.parse().unwrap();
                // More may be durable: the last command before a kill, and the restart itself.
                assert!(found >= self.0, "{found} found of {} answered", self.0);
                self.0 = found;
            }
            _ => assert_eq!(line, "refused"),
        }
    }
}

/// `LOCOX_ROUNDS=10000` for more rounds.
#[test]
fn no_answered_command_is_lost_between_two_processes_that_are_killed() {
    let rounds = env::var("LOCOX_ROUNDS").map_or(40, |rounds| rounds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (mut numbers, mut answered, mut refused) = (Numbers(7), Answered::default(), 0);
    let mut old = Writer::new(folder.path());
    for _ in 0..rounds {
        // It starts while the old one runs, or after that was killed at once.
        let new = if numbers.below(4) > 0 { Some(Writer::new(folder.path())) } else { None };
        for _ in 0..numbers.below(30) {
            match old.line() {
                Some(line) => answered.hear(&line),
                None => break,
            }
        }
        old.kill().iter().for_each(|line| answered.hear(line));
        old = new.unwrap_or_else(|| Writer::new(folder.path()));
        while let Some(line) = old.line() {
            answered.hear(&line);
            if line != "refused" {
                break;
            }
            refused += 1;
            old.kill();
            old = Writer::new(folder.path());
        }
    }
    old.kill().iter().for_each(|line| answered.hear(line));
    assert!(answered.0 > 10 * rounds, "{} answers in {rounds} rounds", answered.0);
    assert!(refused > 0, "nobody met another");
}
