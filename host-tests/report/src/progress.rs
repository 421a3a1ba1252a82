//! A progress bar on a terminal, nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr, stdout};
use std::time::Duration;

/// How much of the known work is done. Work becomes known as it is found.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar if a person is watching: standard output and error are both a terminal.
    pub fn watched(label: &str) -> Self {
        if !(stdout().is_terminal() && stderr().is_terminal()) {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {bar:32} {pos}/{len} {elapsed}");
        let bar =
            bar.with_style(style.expect("the template is valid")).with_prefix(label.to_owned());
        // It shows that time passes also while the first piece of work is not done.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    /// No bar at all.
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    pub fn expect(&self, more: usize) {
        self.0.inc_length(more as u64);
    }

    pub fn done(&self, one: usize) {
        self.0.inc(one as u64);
    }
}

/// The bar leaves the screen to the results.
impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
