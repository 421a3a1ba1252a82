//! What a command must do whatever it is told: end soon, in one line or with a result, in a gigabyte.

use super::bench::{Bench, names, record, trace};
use std::process::{Command, Output, Stdio};

/// Kilobytes of address space, and seconds. What is measured is two seconds; the rest is for builds without
/// optimisation on machines that are busy.
const LIMITED: &str = "ulimit -v 1048576 && exec timeout -s KILL 20 \"$0\" \"$@\"";

/// A bench with a small file for each command.
pub(super) fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), record(2, 5, 60, 4)]));
    bench.file("o.txt", "0 10 20 1 1 -1\n");
    bench.file("r.txt", "0 5 10 90 3\n");
    bench.file("j.txt", "0 2 10 1 ep\n");
    bench.file("h.txt", "a 1\nb 2\n");
    bench.file("times.csv", "1 2\n3 4\n");
    bench.file("m.txt", "0 1 0\n");
    bench.file("av.csv", "0,0,3600\n");
    bench
}

/// Why the command did what it must not, if so.
pub(super) fn fault(bench: &Bench, arguments: &[String]) -> Option<String> {
    let before = names(&bench.path(""));
    let mut command = Command::new("sh");
    command.args(["-c", LIMITED, env!("CARGO_BIN_EXE_locox")]).args(arguments);
    let Output { status, stdout, stderr } =
        command.current_dir(bench.path("")).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&stderr);
    let told: String = told.chars().take(5_000).collect();
    let is_told = told.starts_with("locox: ") && told.ends_with('\n') && told.lines().count() == 1;
    let wrong = match status.code() {
        Some(0) => return None,
        Some(1 | 2) if !is_told => "not one line",
        Some(1 | 2) if !stdout.is_empty() => "a result beside an error",
        Some(1 | 2) if names(&bench.path("")) != before => "something is left behind",
        Some(1 | 2) => return None,
        _ => "no end of its own",
    };
    let arguments: Vec<String> =
        arguments.iter().map(|argument| argument.chars().take(60).collect()).collect();
    Some(format!("{wrong}: {}: {status}: {told}", arguments.join(" ")))
}

/// No command did.
#[track_caller]
pub(super) fn none(faults: Vec<Option<String>>) {
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
