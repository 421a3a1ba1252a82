//! A progress bar on a terminal, nothing in a pipe.

use crate::line::Line;
use crate::screen;
use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::time::Duration;

/// Times a second at most that lines are drawn.
const REDRAWN: u8 = 10;

/// How much of the known work is done. Work becomes known as it is found.
///
/// - `bar` is the last of the `lines` that are drawn.
/// - `has_lines` says whether simulations have lines, too.
pub struct Progress {
    bar: ProgressBar,
    lines: MultiProgress,
    has_lines: bool,
}

impl Progress {
    /// A bar on standard error, if a person is watching.
    pub fn watched(label: &str) -> Self {
        Self::bar(label, "{pos}/{len}")
    }

    /// A bar of how much of a file has been read, and the file, which moves it on.
    pub fn of_file(label: &str, file: File) -> (Self, impl Read + Send + 'static) {
        let bar = Self::bar(label, "{percent} %");
        bar.bar.set_length(file.metadata().map_or(0, |found| found.len()));
        let file = bar.bar.wrap_read(file);
        (bar, file)
    }

    fn bar(label: &str, how_far: &str) -> Self {
        if !screen::is_watched() {
            return Self::hidden();
        }
        let target = ProgressDrawTarget::stderr_with_hz(REDRAWN);
        let lines = MultiProgress::with_draw_target(target);
        let bar = lines.add(ProgressBar::new(0));
        let style = ProgressStyle::with_template(&format!(
            "{{prefix}} {{bar:32}} {how_far} {{elapsed}}{{left}}"
        ));
        let style = style.expect("the template is valid").with_key("left", left);
        let bar = bar.with_style(style).with_prefix(label.to_owned());
        // It shows that time passes also while the first piece of work is not done.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self { bar, lines, has_lines: false }
    }

    /// No bar at all.
    pub fn hidden() -> Self {
        let lines = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        Self { bar: ProgressBar::hidden(), lines, has_lines: false }
    }

    /// The same; if that is asked for, each simulation that runs has a line of its own.
    pub fn with_lines(mut self, asked: bool) -> Self {
        self.has_lines = asked && !self.lines.is_hidden();
        self
    }

    /// Where a simulation that begins shows how it stands.
    pub fn line(&self, label: &str) -> Line {
        Line::new(self.has_lines.then_some(&self.lines), label)
    }

    pub fn expect(&self, more: usize) {
        self.bar.inc_length(more as u64);
    }

    pub fn done(&self, one: usize) {
        self.bar.inc(one as u64);
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
        self.bar.finish_and_clear();
    }
}
