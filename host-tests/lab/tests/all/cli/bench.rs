//! Runs the binary in a directory of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub(crate) struct Bench {
    dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file for the command to read.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locox"));
        command.args(arguments).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the command, which must end well and say nothing on standard error.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.run(arguments);
        assert_eq!(String::from_utf8(stderr).unwrap(), "", "{arguments:?}");
        assert!(status.success(), "{arguments:?}");
        String::from_utf8(stdout).unwrap()
    }
}

/// The names in a directory, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A record of 18 columns.
pub(crate) fn record(job: u32, submit: i64, run: i64, processors: i64) -> String {
    format!(
        "{job} {submit} -1 {run} {processors} -1 -1 {processors} 900 -1 1 3 -1 -1 -1 -1 -1 -1\n"
    )
}

/// A trace of a machine of `processors` with the records given.
pub(crate) fn trace(processors: u32, records: &[String]) -> String {
    format!("; Computer: Test\n; MaxProcs: {processors}\n{}", records.concat())
}
