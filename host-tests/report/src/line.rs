//! A line of a terminal that shows how a simulation stands while it runs.

use crate::report::counted;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use locox_models::moment::Moment;
use std::time::{Duration, Instant};

/// The line, if somebody watches; it leaves the screen when the simulation is done. What a narrow screen has no room for is
/// not shown.
pub struct Line(Option<Shown>);

struct Shown {
    bar: ProgressBar,
    since: Option<Instant>,
}

/// No line changes more often.
const LEAST: Duration = Duration::from_millis(100);

impl Line {
    pub(crate) fn new(lines: Option<&MultiProgress>, label: &str) -> Self {
        let Some(lines) = lines else { return Self(None) };
        let style =
            ProgressStyle::with_template("{prefix} {wide_msg}").expect("the template is valid");
        let bar = lines.insert(0, ProgressBar::new_spinner().with_style(style));
        bar.set_prefix(label.to_owned());
        Self(Some(Shown { bar, since: None }))
    }

    /// Shows how it stands, unless it did so a moment ago.
    pub fn show(&mut self, moment: &dyn Fn() -> Moment) {
        let Some(Shown { bar, since }) = &mut self.0 else { return };
        if since.is_some_and(|since| since.elapsed() < LEAST) {
            return;
        }
        *since = Some(Instant::now());
        bar.set_message(text(&moment()));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.0.iter().for_each(|shown| shown.bar.finish_and_clear());
    }
}

fn text(moment: &Moment) -> String {
    const MARKS: usize = 20;
    let Moment { now, waiting, running, done, used, processors } = *moment;
    let minutes = now.ticks() / 60;
    let share = f64::from(used) / f64::from(processors.max(1));
    let full = ((share * MARKS as f64).round() as usize).min(MARKS);
    format!(
        "day {} {:02}:{:02}  {}{} {:3.0} %  {} wait, {} run, {} done",
        minutes / 1440,
        minutes / 60 % 24,
        minutes % 60,
        "█".repeat(full),
        "░".repeat(MARKS - full),
        share * 100.0,
        counted(waiting as u64),
        counted(running as u64),
        counted(done)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_the_utilisation_and_the_jobs() {
        let now = locox::time::Instant::from_ticks(3 * 86_400 + 4 * 3600 + 5 * 60 + 59);
        let moment = Moment { now, waiting: 1234, running: 7, done: 5, used: 32, processors: 128 };
        assert_eq!(
            text(&moment),
            "day 3 04:05  █████░░░░░░░░░░░░░░░  25 %  1,234 wait, 7 run, 5 done"
        );
        assert!(text(&Moment { processors: 0, used: 0, ..moment }).contains("░   0 %"));
    }
}
