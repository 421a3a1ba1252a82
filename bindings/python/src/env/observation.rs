//! What an agent sees: rows of numbers from 0 to 1, one for each job in the window. `gym.py` says what they
//! are.

use super::episode::Episode;
use super::image::Image;
use super::sequence::requested;
use super::setup::Setup;
use super::waiting::Waiting;
use crate::error::value;
use locox_models::workload::{Job, Workload};
use pyo3::prelude::*;

/// A wait of so many seconds counts half.
const HALF_WAIT: f32 = 3600.0;
/// In RLScheduler: a wait of so many seconds is as long as any, and what is below one.
const LONGEST_WAIT: f64 = 43_200.0;
const BELOW_ONE: f64 = 1.0 - 1e-5;
const NO_JOB: [f32; 8] = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0];

/// Which one, with the largest numbers of the workload.
pub(super) enum Observation {
    Full { longest: f32 },
    Compact { longest: f32 },
    RlScheduler { longest: f64, last_user: f64 },
    Image(Image),
}

impl Observation {
    pub(super) fn named(name: &str, workload: &Workload) -> PyResult<Self> {
        let most =
            |number: fn(&Job) -> u64| workload.jobs.iter().map(number).max().unwrap_or(0).max(1);
        let longest = most(requested);
        Ok(match name {
            "full" => Self::Full { longest: longest as f32 },
            "compact" => Self::Compact { longest: longest as f32 },
            "rlscheduler" => {
                let longest = most(|job| job.run.ticks()) as f64;
                let last_user = most(|job| job.user.unwrap_or(0).into()) as f64;
                Self::RlScheduler { longest, last_user }
            }
            "image" => Self::Image(Image { longest }),
            _ => Err(value!(
                "observation is {name:?}; it can be full, compact, rlscheduler or image"
            ))?,
        })
    }

    /// Of one environment.
    pub(super) fn shape(&self, window: usize) -> Vec<usize> {
        match self {
            Self::Full { .. } | Self::RlScheduler { .. } => vec![window, 8],
            Self::Compact { .. } => vec![window, 4],
            Self::Image(_) => vec![1 + window, Image::SIDE, Image::SIDE],
        }
    }

    /// Writes all of it. Rows without a job are zeros, or what RLScheduler writes there.
    pub(super) fn write(&self, setup: &Setup, episode: &Episode, out: &mut [f32]) {
        let shown = episode.shown(setup);
        match *self {
            Self::Full { longest } => {
                let common = Common::new(setup, episode);
                let rest = each(episode, shown, out, |job, row| common.row(job, longest, row));
                rest.fill(0.0);
            }
            Self::Compact { longest } => {
                let common = Common::new(setup, episode);
                let rest = each(episode, shown, out, |job, row: &mut [f32; 4]| {
                    let mut full = [0.0; 8];
                    common.row(job, longest, &mut full);
                    row.copy_from_slice(&full[..4]);
                });
                rest.fill(0.0);
            }
            Self::RlScheduler { longest, last_user } => {
                let (now, free) = (episode.now().ticks(), episode.free());
                let all = f64::from(setup.processors);
                let rest = each(episode, shown, out, |job, row| {
                    let share = |part: f64, whole: f64| (part / whole).min(BELOW_ONE) as f32;
                    let fits = if job.processors <= free { BELOW_ONE } else { 1e-5 };
                    *row = [
                        share((now - job.submit) as f64, LONGEST_WAIT),
                        share(job.requested as f64, longest),
                        share(job.processors.into(), all),
                        1.0,
                        job.user.map_or(1.0, |user| share(user.into(), last_user)),
                        1.0,
                        1.0,
                        fits as f32,
                    ];
                });
                rest.as_chunks_mut().0.fill(NO_JOB);
            }
            Self::Image(image) => image.write(setup, episode, out),
        }
    }
}

/// Writes a row for each job that the window shows; the rows behind them.
fn each<'a, const N: usize>(
    episode: &Episode,
    shown: usize,
    out: &'a mut [f32],
    mut write: impl FnMut(&Waiting, &mut [f32; N]),
) -> &'a mut [f32] {
    let (rows, rest) = out.split_at_mut(shown * N);
    for (job, row) in episode.waiting.iter().zip(rows.as_chunks_mut().0) {
        write(job, row);
    }
    rest
}

/// As a signed number, which a processor converts in one instruction.
fn seconds(time: u64) -> f32 {
    time.min(i64::MAX as u64) as i64 as f32
}

/// What the rows of an instant have in common.
struct Common {
    now: u64,
    all: f32,
    free: u32,
    hidden: f32,
}

impl Common {
    fn new(setup: &Setup, episode: &Episode) -> Self {
        let hidden = episode.waiting.len().saturating_sub(setup.window) as f32;
        let hidden = hidden / (hidden + setup.window as f32);
        let (now, free) = (episode.now().ticks(), episode.free());
        Self { now, all: setup.processors as f32, free, hidden }
    }

    fn row(&self, job: &Waiting, longest: f32, row: &mut [f32; 8]) {
        let (wait, requested) = (seconds(self.now - job.submit), seconds(job.requested));
        *row = [
            wait / (wait + HALF_WAIT),
            (requested / longest).min(1.0),
            job.processors as f32 / self.all,
            f32::from(u8::from(job.processors <= self.free)),
            requested / (wait + requested).max(1.0),
            self.free as f32 / self.all,
            self.hidden,
            1.0,
        ];
    }
}
