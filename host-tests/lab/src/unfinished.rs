//! Files and directories that are not finished: if a signal ends the command, they go before it does.
//!
//! What is unfinished is noted while it is made, so that at no time there is one that is not. A signal that was ignored when the
//! command began, as by `nohup`, stays ignored.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What to remove, the oldest first.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something unfinished; when this is dropped, it is no longer.
pub(crate) struct Noted(PathBuf);

impl Noted {
    /// Makes something, and notes it by its path.
    ///
    /// # Errors
    ///
    /// Those of `make`.
    pub(crate) fn made<T, E>(
        make: impl FnOnce() -> Result<T, E>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> Result<(T, Self), E> {
        let mut all = unfinished();
        let made = make()?;
        let path = path(&made);
        all.push(path.clone());
        Ok((made, Self(path)))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        let mut all = unfinished();
        if let Some(at) = all.iter().rposition(|path| *path == self.0) {
            all.remove(at);
        }
    }
}

/// From now on a signal that ends the command first removes what is unfinished.
#[cfg(unix)]
pub fn go_with_the_command() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    const ENDING: [i32; 7] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU];
    // Where it is not known what is ignored, all stays as it is.
    let Some(ignored) = ignored() else { return };
    let ending = ENDING.into_iter().filter(|signal| ignored & 1 << (signal - 1) == 0);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(ending) else { return };
    std::thread::spawn(move || {
        let Some(signal) = signals.forever().next() else { return };
        // Held to the end: nothing new is made.
        let all = unfinished();
        for path in all.iter().rev() {
            if std::fs::remove_file(path).is_err() {
                _ = std::fs::remove_dir(path);
            }
        }
        _ = signal_hook::low_level::emulate_default_handler(signal);
    });
}

/// There are no such signals.
#[cfg(not(unix))]
pub fn go_with_the_command() {}

/// The signals that are ignored, a bit each.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(ignored.trim(), 16).ok()
}
