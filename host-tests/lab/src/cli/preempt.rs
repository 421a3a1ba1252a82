//! Stops of jobs for others, as options of several commands.

use super::numbers::{LONGEST, Numeric};
use crate::queue::{Queue, Stops};
use clap::Args;
use locox::time::Duration;
use locox_coordinators::manager::Preemption;
use std::str::FromStr;

#[derive(Debug, Args)]
pub struct Preempting {
    /// Also under a manager that stops jobs for those of users who have had less, called manager+stops; alone without
    /// --queue. A job waits for `patience` before others are stopped for it; one runs for `least-run` before it is stopped, and for
    /// `protection` before it is stopped again; between `notice` and stop it runs on. Times are seconds, or numbers with s, m, h or d
    /// [default: patience=30m,least-run=10m,protection=1d,notice=0].
    #[arg(long, value_name = "PARTS", num_args = 0..=1, require_equals = true, default_missing_value = "", ranges = "0 to 11574d")]
    pub preempt: Option<Preempt>,
    /// So often a job that runs saves its work, such as 1h: under --preempt it goes on from there, and not anew.
    #[arg(long, value_name = "TIME", requires = "preempt", ranges = "1m to 11574d")]
    pub checkpoint: Option<Checkpoint>,
}

impl Preempting {
    /// What is asked for: the queues, and behind them a manager that stops jobs.
    pub fn queues(&self, queues: &[Queue]) -> Vec<Queue> {
        let checkpoint = self.checkpoint.map(|it| it.0);
        let stops = self.preempt.map(|it| Stops { preempt: it.0, checkpoint });
        queues.iter().copied().chain(stops.map(|stops| Queue::Manager(Some(stops)))).collect()
    }
}

/// When jobs are stopped for others; a tick is a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preempt(pub Preemption);

/// A time of at least a minute: what is shorter makes events without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint(pub Duration);

/// `30m`, or seconds.
fn time(text: &str) -> Option<Duration> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let unit = units.into_iter().find(|(unit, _)| text.ends_with(*unit));
    let (number, each) = unit.map_or((text, 1), |(_, each)| (&text[..text.len() - 1], each));
    let is_plain = number.bytes().all(|it| it.is_ascii_digit());
    let seconds = number.parse::<u64>().ok().filter(|_| is_plain)?.checked_mul(each)?;
    (seconds <= LONGEST as u64).then_some(Duration::from_ticks(seconds))
}

impl FromStr for Preempt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut it = Preemption::standard(Duration::from_ticks(60));
        let mut names = vec![];
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (name, told) = part.split_once('=').unwrap_or((part, ""));
            if names.contains(&name) {
                return Err(format!("{name} is given twice; leave one out"));
            }
            names.push(name);
            let to = match name {
                "patience" => &mut it.patience,
                "least-run" => &mut it.least_run,
                "protection" => &mut it.protection,
                "notice" => &mut it.notice,
                _ => {
                    return Err(format!(
                        "no part is called `{name}`; write patience, least-run, protection or notice"
                    ));
                }
            };
            *to = time(told).ok_or_else(|| {
                format!("write {name}=TIME, such as {name}=30m, from 0 to 11574d")
            })?;
        }
        Ok(Self(it))
    }
}

impl FromStr for Checkpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let time = time(text).filter(|it| it.ticks() >= 60);
        time.map(Self).ok_or_else(|| "write a time such as 1h, from 1m to 11574d".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_read_as_written_and_others_are_as_usual() {
        let Preempt(it) = "patience=2h,notice=90".parse().unwrap();
        let ticks = [it.patience, it.least_run, it.protection, it.notice].map(Duration::ticks);
        assert_eq!(ticks, [7_200, 600, 86_400, 90]);
        assert_eq!("".parse::<Preempt>().unwrap().0.patience.ticks(), 1_800);
        for wrong in [
            "patience",
            "patience=",
            "patience=m",
            "patience=-1",
            "notice=30mm",
            "protection=11575d",
            "run=1m",
            ",",
            "notice=1m,notice=2m",
        ] {
            assert!(wrong.parse::<Preempt>().is_err(), "{wrong}");
        }
        assert_eq!("90m".parse(), Ok(Checkpoint(Duration::from_ticks(5_400))));
        for wrong in ["", "0", "59", "1x", "1.5h"] {
            assert!(wrong.parse::<Checkpoint>().is_err(), "{wrong}");
        }
    }
}
