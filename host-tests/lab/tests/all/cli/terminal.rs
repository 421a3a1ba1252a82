//! What a person sees in a terminal, which is not what a pipe gets.

use super::bench::{Bench, USAGE, names, record, refused, trace};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

const ROWS: u16 = 200;

/// What came to a terminal, and what came to standard output if that was a pipe.
struct Seen {
    bytes: Vec<u8>,
    piped: String,
    columns: u16,
    is_good: bool,
}

/// Runs a command with standard error, and standard output unless that is piped, in a terminal.
fn seen(command: &mut Command, columns: u16, piped: bool) -> Seen {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let name = ptsname(&terminal, vec![]).unwrap();
    let inside = || open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let error = inside();
    tcsetwinsize(&error, size).unwrap();
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("COLUMNS");
    let out = if piped { Stdio::piped() } else { inside().into() };
    seen_by(command.stdout(out).stderr(error), terminal.into(), columns)
}

fn seen_by(command: &mut Command, mut terminal: File, columns: u16) -> Seen {
    let mut child = command.spawn().unwrap();
    // It has ends of the terminal, too, and they are to close with the child's.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut bytes = Vec::new();
    // The last end is closed: that is an error on Linux.
    let _ = terminal.read_to_end(&mut bytes);
    let mut piped = String::new();
    child.stdout.take().iter_mut().for_each(|out| _ = out.read_to_string(&mut piped).unwrap());
    Seen { bytes, piped, columns, is_good: child.wait().unwrap().success() }
}

/// The command with a variable that [`seen`] would take away.
fn with_variable(bench: &Bench, variable: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("env");
    command.current_dir(bench.path("")).arg(variable).arg(env!("CARGO_BIN_EXE_locox"));
    command.args(arguments).stdin(Stdio::null());
    command
}

impl Seen {
    fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    /// What stays on the screen.
    fn screen(&self) -> String {
        let mut screen = vt100::Parser::new(ROWS, self.columns, 0);
        screen.process(&self.bytes);
        screen.screen().contents()
    }

    /// Whether it has codes of colours or of bold letters.
    fn has_colours(&self) -> bool {
        let mut codes = self.bytes.split(|byte| *byte == 0x1B).skip(1);
        codes.any(|code| {
            let rest = code.iter().skip(1).find(|byte| !(byte.is_ascii_digit() || **byte == b';'));
            code.starts_with(b"[") && rest == Some(&b'm')
        })
    }
}

/// A bench with a trace that is read job by job, and one whose last line is bad.
fn with_traces() -> Bench {
    let bench = Bench::new();
    let jobs: Vec<String> = (1..=2000)
        .map(|job| record(job, i64::from(job) * 50, 60, i64::from(job % 8) + 1))
        .collect();
    bench.file("t.swf", trace(8, &jobs));
    bench.file("bad.swf", trace(8, &[&jobs[..], &["bad line\n".to_owned()]].concat()));
    bench
}

const REPLAY: [&str; 5] = ["replay", "t.swf", "--machine", "pool:8", "--queue"];

fn replay<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&REPLAY[..], more].concat()
}

#[test]
fn a_person_reads_what_to_do_next_and_a_pipe_does_not() {
    let bench = with_traces();
    let piped = bench.succeed(&replay(&["easy"]));
    assert!(piped.ends_with("Report: locox-report/index.html\n"), "{piped}");
    let seen = seen(&mut bench.command(&replay(&["easy"])), 400, false);
    let expected = format!(
        "{piped}Next: open locox-report/index.html; to tell differences from chance: locox compare t.swf"
    );
    // The bar is gone, and all else as in the pipe.
    let lines =
        |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&seen.screen()), lines(&expected));
    assert!(seen.is_good);
}

#[test]
fn progress_is_seen_while_data_go_into_a_pipe_and_leaves_nothing() {
    let bench = with_traces();
    let arguments = replay(&["easy", "--format", "csv"]);
    let seen = seen(&mut bench.command(&arguments), 80, true);
    assert!(seen.text().contains("replay ") && seen.text().contains(" %"), "{:?}", seen.text());
    assert_eq!(seen.screen().trim(), "Report: locox-report/index.html");
    assert_eq!(seen.piped, String::from_utf8(bench.run(&arguments).stdout).unwrap());
}

#[test]
fn an_error_stands_alone_on_the_screen() {
    let bench = with_traces();
    let arguments = ["replay", "bad.swf", "--machine", "pool:8"];
    for arguments in [arguments.to_vec(), [&arguments[..], &["--watch"]].concat()] {
        let seen = seen(&mut bench.command(&arguments), 200, false);
        assert!(seen.text().contains(" %"), "no bar was there: {:?}", seen.text());
        let screen = seen.screen();
        assert!(screen.starts_with("locox: bad.swf:2003: "), "{screen}");
        assert_eq!(screen.trim_end().lines().count(), 1, "{screen}");
        assert!(!seen.is_good);
    }
}

#[test]
fn tables_have_the_width_of_the_terminal_or_of_columns() {
    let bench = with_traces();
    let table = |text: &str| {
        let is_table = |line: &&str| line.starts_with(['│', '┌', '╞', '└', '├']);
        text.lines().filter(is_table).map(|line| line.chars().count()).max().unwrap()
    };
    let arguments = replay(&["easy,conservative"]);
    let whole = table(&bench.succeed(&arguments));
    let at = |columns| table(&seen(&mut bench.command(&arguments), columns, false).screen());
    assert!(whole > 90, "{whole}");
    assert!(at(60) <= 60 && at(80) <= 80);
    assert_eq!(at(300), whole);
    let mut narrower = with_variable(&bench, "COLUMNS=70", &arguments);
    assert!(table(&seen(&mut narrower, 300, false).screen()) <= 70);
    let mut piped = bench.command(&arguments);
    let output = piped.env("COLUMNS", "40").output().unwrap();
    assert_eq!(table(&String::from_utf8(output.stdout).unwrap()), whole);
}

#[test]
fn there_are_no_colours_where_they_are_not_wanted() {
    let bench = with_traces();
    let runs =
        [vec!["--help"], vec!["replay", "--help"], replay(&["easy"]), vec!["replay", "none"]];
    for arguments in runs {
        let mut plain = with_variable(&bench, "NO_COLOR=1", &arguments);
        let seen_plain = seen(&mut plain, 100, false);
        assert!(!seen_plain.has_colours(), "{arguments:?}: {:?}", seen_plain.text());
        assert!(!bench.run(&arguments).stdout.contains(&0x1B), "{arguments:?}");
    }
    let help = seen(&mut bench.command(&["--help"]), 100, false);
    assert!(help.has_colours(), "this test would see no colours: {:?}", help.text());
}

#[test]
fn quiet_leaves_results_and_errors() {
    let bench = with_traces();
    let quiet = |more: &[&'static str]| [&replay(&["easy", "--quiet"])[..], more].concat();
    assert_eq!(bench.succeed(&quiet(&[])), "");
    assert!(bench.path("locox-report/index.html").exists());
    let loud = bench.run(&replay(&["easy", "--format", "csv"]));
    assert_eq!(bench.succeed(&quiet(&["--format", "csv"])).as_bytes(), loud.stdout);
    assert_eq!(bench.succeed(&["generate", "lublin", "--jobs", "20", "-q", "--out", "l.swf"]), "");
    assert_eq!(bench.read("l.swf").lines().filter(|line| !line.starts_with(';')).count(), 20);
    let seen = seen(&mut bench.command(&quiet(&[])), 80, false);
    assert_eq!(seen.text(), "");
    let bench = Bench::new();
    refused(&bench, &["replay", "none.swf", "--quiet"], 1, &["none.swf: "]);
}

#[test]
fn quiet_without_any_result_is_refused() {
    let bench = with_traces();
    let parts = ["--quiet: nothing would be left", "--format csv"];
    refused(&bench, &replay(&["easy", "--quiet", "--out", "-"]), USAGE, &parts);
    bench.succeed(&replay(&["easy", "--quiet", "--out", "-", "--format", "json"]));
}

/// The files of a report, but for the command line in them.
fn files(bench: &Bench, out: &str) -> Vec<(String, String)> {
    let content = |name: String| {
        let text = bench.read(&format!("{out}/{name}")).replace(" --watch", "");
        let text = text.replace(&format!("--out {out}"), "--out OUT");
        (name, text)
    };
    names(&bench.path(out)).into_iter().map(content).collect()
}

#[test]
fn who_watches_sees_how_simulations_stand_and_the_results_are_the_same() {
    let stations = ["stations", "--jobs", "4x2", "--days", "30", "--replications", "2"];
    let bench = with_traces();
    bench.file("outages.txt", "-1 900 90000 1 7 -1\n-1 50000 51000 1 8 -1\n");
    for (arguments, label) in [
        (replay(&["easy"]), "easy day "),
        (replay(&["easy,fcfs"]), "fcfs day "),
        (replay(&["easy", "--outages", "outages.txt"]), "easy day "),
        (stations.to_vec(), "Up-Down by time day "),
    ] {
        let piped = bench.succeed(&[&arguments[..], &["--out", "plain", "--force"]].concat());
        let watched = [&arguments[..], &["--out", "watched", "--force", "--watch"]].concat();
        let seen = seen(&mut bench.command(&watched), 300, false);
        let text = seen.text();
        assert!(text.contains(label) && text.contains(" wait, "), "{arguments:?}: {text:?}");
        let (screen, title) = (seen.screen(), piped.lines().next().unwrap());
        assert!(screen.starts_with(title), "something is left: {screen}");
        assert_eq!(files(&bench, "plain"), files(&bench, "watched"), "{arguments:?}");
    }
}

#[test]
fn who_cannot_watch_is_told() {
    let bench = with_traces();
    let parts = ["--watch: it needs a terminal"];
    refused(&bench, &replay(&["easy", "--watch"]), USAGE, &parts);
    refused(&bench, &["stations", "--watch"], USAGE, &parts);
}
