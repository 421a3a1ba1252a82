//! What the command says.

use std::process::{Command, Output};

fn storm(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_storm"));
    command.args(arguments).output().expect("the command is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it is text")
}

#[test]
fn what_is_wrong_is_said_in_one_line_with_exit_code_2() {
    let wrong: [&[&str]; 7] = [
        &["--worlds", "0"],
        &["--worlds", "99999999999999999999"],
        &["--minutes", "1000000"],
        &["--jobs", "70000"],
        &["--planted", "nothing"],
        &["--seed", "1", "--worlds", "2"],
        &["--storm"],
    ];
    for arguments in wrong {
        let output = storm(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(error.starts_with("ci/deep/storm: ") && error.lines().count() == 1, "{error}");
        assert!(output.stdout.is_empty() && !error.contains("locox --help"), "{error}");
    }
}

#[test]
fn a_number_out_of_its_range_is_told_with_the_range() {
    for (option, number, range) in [
        ("--minutes", "0", "from 1 to 527040"),
        ("--jobs", "1025", "from 1 to 1024"),
        ("--seed", "18446744073709551616", "from 0 to 18446744073709551615"),
    ] {
        let error = text(&storm(&[option, number]).stderr);
        assert!(error.contains(option) && error.contains(range), "{error}");
    }
}

#[test]
fn one_world_prints_its_counts_and_no_violation() {
    let output = storm(&["--seed", "3", "--days", "2"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in
        ["1 worlds", "commands taken", "faults", "effects told", "years an hour", "violations: 0"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn a_violation_is_told_with_the_command_that_finds_it_again() {
    let arguments = ["--seed", "2", "--days", "4", "--planted", "gateway-panics"];
    let output = storm(&arguments);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("violations: 1\nseed 2: something panics"), "{said}");
    assert!(said.ends_with(&format!("again: ci/deep/storm {}\n", arguments.join(" "))), "{said}");
}
