//! What a command must do whatever it is told: end soon, in one line or with a result, in a gigabyte.

use super::bench::{Bench, names, record, trace};
use std::process::{Command, Output, Stdio};

/// Kilobytes of address space, and seconds. What is measured is two seconds; the rest is for builds without
/// optimisation on machines that are busy.
const LIMITED: &str = "ulimit -v 1048576 && exec timeout -s KILL 60 \"$0\" \"$@\"";

/// Bytes of a message.
const LONGEST: usize = 4_100;

/// A bench with a small file for each command.
pub(super) fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), record(2, 5, 60, 4)]));
    bench.file("r.txt", "0 5 10 90 3\n");
    bench.file("j.txt", "0 2 10 1 ep\n");
    bench.file("times.csv", "1 2\n3 4\n");
    bench.file("m.txt", "0 1 0\n");
    bench.file("sacct.txt", "JobID|State|Submit|Start|End|AllocCPUS\n1|COMPLETED|0|5|65|4\n");
    bench
}

/// The exit code of the command, or what it did and must not.
pub(super) fn ended(bench: &Bench, arguments: &[String]) -> Result<i32, String> {
    let before = names(&bench.path(""));
    let mut command = Command::new("sh");
    command.args(["-c", LIMITED, env!("CARGO_BIN_EXE_locox")]).args(arguments);
    let Output { status, stdout, stderr } =
        command.current_dir(bench.path("")).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&stderr);
    let is_told = told.starts_with("locox: ") && told.ends_with('\n') && told.lines().count() == 1;
    let wrong = match status.code() {
        Some(0) => return Ok(0),
        Some(1 | 2) if !is_told || told.len() > LONGEST => "not one line that can be read",
        Some(1 | 2) if !stdout.is_empty() => "a result beside an error",
        Some(1 | 2) if names(&bench.path("")) != before => "something is left behind",
        Some(code @ (1 | 2)) => return Ok(code),
        _ => "no end of its own",
    };
    let begin = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let arguments: Vec<String> = arguments.iter().map(|argument| begin(argument, 60)).collect();
    Err(format!("{wrong}: {}: {status}: {}", arguments.join(" "), begin(&told, LONGEST)))
}

/// All of them ended well.
#[track_caller]
pub(super) fn all_ended<'e>(ends: impl IntoIterator<Item = &'e Result<i32, String>>) {
    let faults: Vec<&str> =
        ends.into_iter().filter_map(|end| end.as_ref().err()).map(String::as_str).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
