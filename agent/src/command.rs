//! A command of the manager's, run with a limit of time.

use std::ffi::OsString;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use process_control::{ChildExt, Control};

use crate::backend::BackendError;

/// Where commands are, in what surroundings they run, and for how long at most.
#[derive(Clone, Debug)]
pub(crate) struct Commands {
    folder: Option<PathBuf>,
    variables: Vec<(&'static str, OsString)>,
    /// Variables whose names start so change what commands print.
    without: &'static [&'static str],
    limit: Duration,
}

/// What a command says.
pub(crate) struct Answer {
    pub(crate) out: String,
    pub(crate) errors: String,
    pub(crate) succeeded: bool,
}

impl Commands {
    /// `folder` is where they are looked for, in place of `PATH`.
    pub(crate) fn new(
        folder: Option<&Path>,
        limit: Duration,
        without: &'static [&'static str],
    ) -> Self {
        Self {
            folder: folder.map(Path::to_path_buf),
            variables: vec![("LC_ALL", "C".into())],
            without,
            limit,
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Runs it, with nothing to read.
    pub(crate) fn run(&self, name: &str, arguments: &[&str]) -> Result<Answer, BackendError> {
        self.run_with(name, arguments, "", self.limit)
    }

    /// Runs it, and fails with its words if it does not succeed.
    pub(crate) fn ask(&self, name: &str, arguments: &[&str]) -> Result<String, BackendError> {
        let answer = self.run(name, arguments)?;
        if answer.succeeded {
            return Ok(answer.out);
        }
        Err(silent(name, answer.errors.lines().last().unwrap_or("it fails, and does not say why")))
    }

    /// Runs it for at most so long, with `input` to read.
    pub(crate) fn run_with(
        &self,
        name: &str,
        arguments: &[&str],
        input: &str,
        limit: Duration,
    ) -> Result<Answer, BackendError> {
        let failed = |error: std::io::Error| silent(name, &error.to_string());
        let mut command = Command::new(self.path(name));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (variable, _) in std::env::vars_os() {
            let text = variable.to_string_lossy();
            if self.without.iter().any(|start| text.starts_with(start)) {
                command.env_remove(&variable);
            }
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(stdin(input).map_err(failed)?);
        let child = command.spawn().map_err(failed)?;
        let done = child.controlled_with_output().time_limit(limit).terminate_for_timeout();
        let Some(output) = done.wait().map_err(failed)? else {
            return Err(silent(
                name,
                &format!("no answer in {} s, and it was ended", limit.as_secs_f32()),
            ));
        };
        let out = String::from_utf8(output.stdout)
            .map_err(|error| unreadable(name, &format!("what is not UTF-8: {error}")))?;
        Ok(Answer {
            out,
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
            succeeded: output.status.success(),
        })
    }

    /// What a command of the system prints, if it succeeds.
    pub(crate) fn system(&self, name: &str, arguments: &[&str]) -> Option<String> {
        let elsewhere = Self { folder: None, ..self.clone() };
        elsewhere.ask(name, arguments).ok()
    }

    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.as_ref().map_or_else(|| name.into(), |folder| folder.join(name))
    }
}

/// A file, and not a pipe: nobody has to write while the command's answers are read.
fn stdin(input: &str) -> std::io::Result<Stdio> {
    if input.is_empty() {
        return Ok(Stdio::null());
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(input.as_bytes())?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file.into())
}

pub(crate) fn silent(what: &str, why: &str) -> BackendError {
    BackendError::Silent { what: what.to_owned(), why: why.trim().to_owned() }
}

pub(crate) fn unreadable(what: &str, why: &str) -> BackendError {
    BackendError::Unreadable { what: what.to_owned(), why: why.to_owned() }
}
