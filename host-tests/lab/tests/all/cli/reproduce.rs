//! `locox reproduce` hands over to `locox-reproduce`, which is beside it or in PATH.

use super::bench::{Bench, INPUT, USAGE, refused};
use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

const PATH: &str = "/usr/bin:/bin";

/// Has a shell write a program: while this process has it open for writing, a child that another test has just begun
/// may have it, too, and what is open for writing cannot be run.
fn make(bench: &Bench, write: &str, words: &[&str]) {
    let mut shell = Command::new("sh");
    let made = shell.args(["-c", write, "sh"]).args(words).current_dir(bench.path("")).status();
    assert!(made.unwrap().success(), "{write}");
}

/// A copy of the command, which has no other program beside it.
fn alone(bench: &Bench, arguments: &[&str], path: &str) -> Command {
    make(bench, "mkdir -p bin && cp -n \"$1\" bin/locox", &[super::PROGRAM]);
    let mut command = Command::new(bench.path("bin/locox"));
    command.args(arguments).current_dir(bench.path("")).env("PATH", path);
    command
}

fn script(bench: &Bench, name: &str, text: &str, mode: &str) {
    let write =
        "mkdir -p bin other && printf '#!/bin/sh\n%s\n' \"$2\" >\"$1\" && chmod \"$3\" \"$1\"";
    make(bench, write, &[name, text, mode]);
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn without_the_program_one_line_says_how_to_build_it() {
    let bench = Bench::new();
    for arguments in [&["reproduce", "--list"][..], &["reproduce", "--all", "--quiet"]] {
        let output = alone(&bench, arguments, "").output().unwrap();
        let (code, out, err) = told(&output);
        assert_eq!((code, &out[..], err.lines().count()), (Some(USAGE), "", 1), "{err}");
        for part in
            ["locox: reproduce: ", "locox-reproduce", "cargo build --release -p ", "cargo install "]
        {
            assert!(err.contains(part), "`{part}` is missing: {err}");
        }
    }
}

/// Its options are known all the same.
#[test]
fn without_the_program_help_and_wrong_options_are_answered() {
    let bench = Bench::new();
    let output = alone(&bench, &["reproduce", "--help"], "").output().unwrap();
    let (code, out, _) = told(&output);
    assert_eq!(code, Some(0));
    assert!(out.contains("--archive <FILE>") && out.contains("--quick"), "{out}");
    refused(&bench, &["reproduce"], USAGE, &["<NAME>", "--help"]);
    refused(&bench, &["reproduce", "x", "--all"], USAGE, &["--all", "cannot be used with"]);
}

#[test]
fn arguments_streams_and_the_exit_code_are_passed_through() {
    let bench = Bench::new();
    let text = "cat; printf '[%s]' \"$@\"; echo why >&2; exit 7";
    script(&bench, "bin/locox-reproduce", text, "755");
    let arguments =
        ["reproduce", "--threads", "2", "a reproduce", "--quick", "--out", "reproduce", "-q"];
    let mut command = alone(&bench, &arguments, PATH);
    bench.file("in", "typed ");
    let output = command.stdin(fs::File::open(bench.path("in")).unwrap()).output().unwrap();
    let passed = "typed [--threads][2][a reproduce][--quick][--out][reproduce][-q]";
    assert_eq!(told(&output), (Some(7), passed.into(), "why\n".into()));
}

#[test]
fn the_program_beside_goes_before_that_of_the_path() {
    let bench = Bench::new();
    script(&bench, "other/locox-reproduce", "echo path", "755");
    let path = format!("{}:{PATH}", bench.path("other").display());
    let run = || told(&alone(&bench, &["reproduce", "--list"], &path).output().unwrap());
    assert_eq!(run(), (Some(0), "path\n".into(), String::new()));
    script(&bench, "bin/locox-reproduce", "echo beside", "755");
    assert_eq!(run(), (Some(0), "beside\n".into(), String::new()));
}

/// A signal to the command is one to the program, and so is its end.
#[test]
fn signals_reach_the_program() {
    let bench = Bench::new();
    script(&bench, "bin/locox-reproduce", "echo ready; exec sleep 60", "755");
    let mut command = alone(&bench, &["reproduce", "--all"], PATH);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = [0; 6];
    let mut printed = child.stdout.take().unwrap();
    printed.read_exact(&mut line).unwrap();
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let mut rest = String::new();
    // Nobody is left who holds the pipe.
    printed.read_to_string(&mut rest).unwrap();
    script(&bench, "bin/locox-reproduce", "kill -TERM $$", "755");
    let status = alone(&bench, &["reproduce", "--all"], PATH).status().unwrap();
    assert_eq!(status.signal(), Some(15));
}

#[test]
fn a_program_that_may_not_be_run_is_named() {
    let bench = Bench::new();
    script(&bench, "bin/locox-reproduce", "echo", "644");
    let output = alone(&bench, &["reproduce", "--all"], PATH).output().unwrap();
    let (code, _, err) = told(&output);
    assert_eq!(code, Some(INPUT), "{err}");
    assert!(err.contains("bin/locox-reproduce: cannot be run: "), "{err}");
}
