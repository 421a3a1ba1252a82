//! Runs that are done, a line of JSON each, so that a comparison that was stopped goes on where it
//! was, and hosts can share one: every file `runs*.jsonl` in the directory counts.

use locox_models::file;
use locox_models::memory::Room;
use locox_report::failure::Failure;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first field of each line.
const SCHEMA: &str = "locox-run/1";

/// A replay that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    schema: String,
    /// What tells it from all other runs.
    pub key: String,
    pub source: String,
    pub method: String,
    /// Figures by the names of their metrics.
    pub figures: BTreeMap<String, f64>,
    /// The share of the weeks in which at some time nobody waited.
    pub weeks_without_queue: f64,
}

impl Run {
    pub fn new(key: String, source: &str, method: String, weeks_without_queue: f64) -> Self {
        let (schema, source) = (SCHEMA.into(), source.into());
        Self { schema, key, source, method, figures: BTreeMap::new(), weeks_without_queue }
    }
}

/// Those done before, and where new ones are noted.
pub struct Store {
    done: Mutex<HashMap<String, Run>>,
    /// It appears with the first run; `None`: nothing is noted.
    file: Option<PathBuf>,
}

impl Store {
    /// A store that forgets.
    pub fn nowhere() -> Self {
        Self { done: Mutex::default(), file: None }
    }

    /// Reads all runs in `dir`, if it is there, and notes new ones in its file `name`. Lines that
    /// are not whole are those of a run that was stopped: they are run again.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if a file cannot be read, or has other lines than runs.
    pub fn open(dir: &Path, name: &str) -> Result<Self, Failure> {
        let (mut done, mut room) = (HashMap::new(), Room::asked(u64::MAX, 1));
        for path in files(dir).map_err(|error| unreadable(dir, &error))? {
            let unread = |error: io::Error| unreadable(&path, &error);
            let mut source = BufReader::new(file::open(&path).map_err(unread)?);
            for at in 1.. {
                let Some((line, is_last)) = next_line(&mut source).map_err(unread)? else { break };
                match serde_json::from_str::<Run>(&line) {
                    Ok(run) if run.schema == SCHEMA => {
                        let taken = room.take(OF_RUN + OF_BYTE * line.len() as u64);
                        taken.map_err(|full| unread(io::Error::other(full)))?;
                        done.insert(run.key.clone(), run);
                    }
                    _ if line.is_empty() || is_last || torn(&line) => {}
                    _ => return Err(foreign(&path, at)),
                }
            }
        }
        Ok(Self { done: Mutex::new(done), file: Some(dir.join(name)) })
    }

    pub fn find(&self, key: &str) -> Option<Run> {
        self.done().get(key).cloned()
    }

    fn done(&self) -> MutexGuard<'_, HashMap<String, Run>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes runs that are done.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if they cannot be written.
    pub fn note(&self, runs: &[Run]) -> Result<(), Failure> {
        let mut done = self.done();
        if let Some(file) = &self.file {
            append(file, &lines(runs)).map_err(|error| Failure::unwritable(file, &error))?;
        }
        done.extend(runs.iter().map(|run| (run.key.clone(), run.clone())));
        Ok(())
    }
}

/// Bytes of the longest line; and of a run in memory, beside those for each byte of its line.
const LONGEST_LINE: u64 = 1 << 20;
const OF_RUN: u64 = 1 << 10;
const OF_BYTE: u64 = 4;

/// The next line, and whether it is one that has no end.
fn next_line(source: &mut impl BufRead) -> io::Result<Option<(String, bool)>> {
    let mut line = vec![];
    let read = source.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)?;
    if read as u64 > LONGEST_LINE {
        return Err(io::Error::other("a line is too long for a run"));
    }
    let is_last = line.pop_if(|last| *last == b'\n').is_none();
    let text = |line| String::from_utf8(line).map_err(io::Error::other).map(|line| (line, is_last));
    if read == 0 { Ok(None) } else { text(line).map(Some) }
}

/// They begin on a line of their own, whatever a run that was stopped has left behind.
fn lines(runs: &[Run]) -> String {
    let line = |run| serde_json::to_string(run).expect("a run has no keys but text") + "\n";
    format!("\n{}", runs.iter().map(line).collect::<String>())
}

/// The beginning of a run, and no more.
fn torn(line: &str) -> bool {
    let start = format!("{{\"schema\":\"{SCHEMA}\"");
    let begun = line.starts_with(&start) || start.starts_with(line);
    begun && serde_json::from_str::<serde_json::Value>(line).is_err()
}

/// In the order of their names.
fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        if name.starts_with("runs") && name.ends_with(".jsonl") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn append(path: &Path, lines: &str) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    let mut file: File = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(lines.as_bytes())
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::Input(format!("{path}: cannot be read: {error}; choose another place with --out"))
}

fn foreign(path: &Path, line: usize) -> Failure {
    Failure::Input(format!(
        "{}:{line}: this is not a run of locox; move the file away, or choose another place with \
         --out",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(key: &str) -> Run {
        let mut run = Run::new(key.into(), "trace", "buddy/fcfs".into(), 0.5);
        run.figures.insert("wait".into(), 1.25);
        run
    }

    #[test]
    fn runs_of_all_files_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("a/b");
        for name in ["runs.jsonl", "runs-2-of-3.jsonl"] {
            let store = Store::open(&dir, name).unwrap();
            store.note(&[run(name), run("both")]).unwrap();
        }
        let store = Store::open(&dir, "runs.jsonl").unwrap();
        for key in ["runs.jsonl", "runs-2-of-3.jsonl", "both"] {
            assert_eq!(store.find(key), Some(run(key)));
        }
        assert_eq!(store.find("other"), None);
    }

    /// Wherever a write is torn, the runs before it and after it count.
    #[test]
    fn a_run_that_was_stopped_while_it_was_noted_is_run_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("runs.jsonl");
        Store::open(dir.path(), "runs.jsonl").unwrap().note(&[run("first"), run("torn")]).unwrap();
        let whole = fs::read(&path).unwrap();
        let first = whole.iter().skip(1).position(|&byte| byte == b'\n').unwrap() + 2;
        for cut in first..whole.len() - 1 {
            fs::write(&path, &whole[..cut]).unwrap();
            let store = Store::open(dir.path(), "runs.jsonl").unwrap();
            assert_eq!((store.find("first"), store.find("torn")), (Some(run("first")), None));
            store.note(&[run("later")]).unwrap();
            let store = Store::open(dir.path(), "runs.jsonl").unwrap();
            assert_eq!((store.find("torn"), store.find("later")), (None, Some(run("later"))));
        }
    }

    #[test]
    fn what_others_wrote_is_not_taken_for_runs_and_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("runs.jsonl");
        fs::write(&path, "{\"mine\": 1}\n{\"mine\": 2}\n").unwrap();
        let told = Store::open(dir.path(), "runs.jsonl").err().unwrap().to_string();
        assert!(told.contains("runs.jsonl:1: this is not a run"), "{told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"mine\": 1}\n{\"mine\": 2}\n");
    }
}
