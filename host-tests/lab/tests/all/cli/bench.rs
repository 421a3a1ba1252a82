//! Runs the program of the tests, `super::PROGRAM`, in a directory of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub(crate) const USAGE: i32 = 2;
pub(crate) const INPUT: i32 = 1;

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
        let mut command = Command::new(super::PROGRAM);
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

/// The command fails with `code` and one line that holds all of `parts`; it writes nothing.
#[track_caller]
pub(crate) fn refused(bench: &Bench, arguments: &[&str], code: i32, parts: &[&str]) {
    let output = bench.run(arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    assert!(told.starts_with("locox: "), "{told}");
    for part in parts {
        assert!(told.contains(part), "`{part}` is missing: {told}");
    }
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(!bench.path("locox-report").exists(), "{arguments:?} left a directory");
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

/// Between headings, a page shows this first: definitions come after it.
#[track_caller]
pub(crate) fn begins_with(page: &str, tag: &str) {
    let (_, main) = page.split_once("<main>").unwrap();
    let shown: Vec<&str> = ["<figure", "<p", "<dl", "<ul class=\"claims"]
        .into_iter()
        .filter(|tag| main.contains(tag))
        .collect();
    let first = shown.iter().min_by_key(|tag| main.find(**tag)).unwrap();
    assert_eq!(*first, tag);
    let figure = main.find("<figure class=\"table").unwrap();
    let text = main.find("<p class=\"note").or(main.find("<dl")).unwrap_or(usize::MAX);
    assert!(figure < text);
    for caption in main.split("<figure class=\"table\"><figcaption>").skip(1) {
        let title = caption.split("</figcaption>").next().unwrap();
        assert!(title.len() < 100, "{title}");
    }
}

/// Number, start, and processors or nodes of each job, from a file of a report.
pub(crate) fn allocated(bench: &Bench, file: &str) -> Vec<[String; 3]> {
    let written = bench.read(&format!("locox-report/{file}"));
    let fields = |line: &str| {
        let fields: Vec<_> = line.split(',').collect();
        [0, 8, 15].map(|at| fields[at].to_owned())
    };
    written.lines().skip(1).map(fields).collect()
}
