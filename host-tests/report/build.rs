//! Says which commit a build is of, and what compiled it: an archive of a reproduction names both. Builds for use alone are
//! told, unless they were told already; others would be built anew after each commit.

use std::env;
use std::path::Path;
use std::process::Command;

/// Whose changes make a commit another.
const SOURCES: [&str; 9] = [
    "kernel",
    "coordinators",
    "storage",
    "hw-models",
    "host-tests/report",
    "host-tests/experiments",
    "host-tests/lab",
    "host-tests/recorded",
    "Cargo.lock",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_for_use = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    for (name, value) in [("LOCOX_COMMIT", commit as fn() -> _), ("LOCOX_COMPILER", compiler)] {
        println!("cargo::rerun-if-env-changed={name}");
        let told = env::var_os(name).is_some();
        if let Some(value) = Some(value).filter(|_| is_for_use && !told).and_then(|value| value()) {
            println!("cargo::rustc-env={name}={value}");
        }
    }
}

/// The commit of the sources, if they lie in a repository of their own; and that they are not quite it.
fn commit() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    let git = |arguments: &[&str]| printed(Command::new("git").current_dir(&root).args(arguments));
    let of = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&of).canonicalize().ok()? != root {
        return None;
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let head = root.join(git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    let sources = SOURCES.iter().map(|source| root.join(source)).chain([head]);
    for source in sources.filter(|source| source.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { commit + " with changes" })
}

fn compiler() -> Option<String> {
    printed(Command::new(env::var_os("RUSTC")?).arg("--version"))
}

fn printed(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
