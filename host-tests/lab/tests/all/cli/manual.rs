//! `locox completions` and `locox man`.

use super::bench::{Bench, INPUT, USAGE, names, refused};
use clap::{Command, CommandFactory};
use locox_lab::cli::Cli;
use std::process;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "elvish", "powershell"];

fn built() -> Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

fn below(command: &Command) -> Vec<&Command> {
    let here = command.get_subcommands();
    here.flat_map(|one| [vec![one], below(one)].concat()).collect()
}

/// Whether a program says that a file is right; if it is not there, nobody does.
fn is_right(bench: &Bench, program: &[&str], file: &str) {
    let mut command = process::Command::new(program[0]);
    command.args(&program[1..]).arg(bench.path(file));
    let Ok(output) = command.output() else { return };
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.is_empty(), "{program:?} {file}: {told}");
}

#[test]
fn each_shell_completes_each_command_and_its_options() {
    let bench = Bench::new();
    let command = built();
    for shell in SHELLS {
        let script = bench.succeed(&["completions", shell]);
        for one in below(&command) {
            assert!(script.contains(one.get_name()), "{shell}: {}", one.get_name());
        }
        assert!(script.contains("share-by"), "{shell}");
        bench.file(shell, script);
    }
    is_right(&bench, &["bash", "-n"], "bash");
}

#[test]
fn a_shell_that_is_not_known_is_refused() {
    refused(&Bench::new(), &["completions", "cmd"], USAGE, &["bash", "powershell"]);
}

/// Bash itself says what it would complete.
#[test]
fn bash_completes_a_command_an_option_and_a_value() {
    let bench = Bench::new();
    bench.file("locox.bash", bench.succeed(&["completions", "bash"]));
    for (line, word, expected) in [
        ("locox repl", 1, "replay replay-log"),
        ("locox replay --sca", 2, "--scale-load"),
        ("locox replay --format c", 3, "csv"),
    ] {
        let typed = line.rsplit(' ').next().unwrap();
        let before = line.split(' ').nth(word - 1).unwrap();
        let script = format!(
            "source locox.bash; COMP_WORDS=({line}); COMP_CWORD={word}; _locox locox '{typed}' '{before}'; \
             echo \"${{COMPREPLY[*]}}\""
        );
        let mut bash = process::Command::new("bash");
        let output = bash.args(["-c", &script]).current_dir(bench.path("")).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{line}");
    }
}

#[test]
fn each_command_has_a_page_that_is_the_same_each_time() {
    let bench = Bench::new();
    for dir in ["a/man1", "b"] {
        assert_eq!(bench.succeed(&["man", dir]), "");
    }
    let command = built();
    let mut expected: Vec<String> = below(&command)
        .iter()
        .map(|one| format!("{}.1", one.get_display_name().unwrap()))
        .collect();
    expected.push("locox.1".into());
    expected.sort();
    assert_eq!(names(&bench.path("a/man1")), expected);
    for name in &expected {
        let page = bench.read(&format!("a/man1/{name}"));
        assert_eq!(page, bench.read(&format!("b/{name}")), "{name}");
        // The third word would be the date.
        let title = format!(".TH {} 1  ", name.strip_suffix(".1").unwrap());
        assert!(page.contains(&title), "{name} has no {title:?}");
        is_right(&bench, &["groff", "-man", "-Tutf8", "-ww", "-z"], &format!("b/{name}"));
    }
    assert!(bench.read("b/locox-replay.1").contains("\\-\\-scale\\-load"));
}

#[test]
fn the_page_of_the_command_alone_is_printed_and_older_pages_are_replaced() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("man1")).unwrap();
    bench.file("man1/locox.1", "of an older locox");
    bench.succeed(&["man", "man1"]);
    assert_eq!(bench.succeed(&["man"]), bench.read("man1/locox.1"));
}

#[test]
fn pages_need_a_directory() {
    let bench = Bench::new();
    bench.file("file", "mine");
    refused(&bench, &["man", "file"], INPUT, &["file: cannot be written"]);
    assert_eq!(bench.read("file"), "mine");
}
