//! A progress bar on a terminal, nothing in a pipe.

use crate::screen;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::time::Duration;

/// How much of the known work is done. Work becomes known as it is found.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar on standard error, if a person is watching.
    pub fn watched(label: &str) -> Self {
        Self::bar(label, "{pos}/{len}")
    }

    /// A bar of how much of a file has been read, and the file, which moves it on.
    pub fn of_file(label: &str, file: File) -> (Self, impl Read + Send + 'static) {
        let bar = Self::bar(label, "{percent} %");
        bar.0.set_length(file.metadata().map_or(0, |found| found.len()));
        let file = bar.0.wrap_read(file);
        (bar, file)
    }

    fn bar(label: &str, how_far: &str) -> Self {
        if !screen::is_watched() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(&format!(
            "{{prefix}} {{bar:32}} {how_far} {{elapsed}}{{left}}"
        ));
        let style = style.expect("the template is valid").with_key("left", left);
        let bar = bar.with_style(style).with_prefix(label.to_owned());
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

/// The time that is left, once there is something that it can be judged by.
fn left(state: &ProgressState, to: &mut dyn Write) {
    if state.pos() > 0 && Some(state.pos()) < state.len() {
        let _ = write!(to, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// The bar leaves the screen to the results.
impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
