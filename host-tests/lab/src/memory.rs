//! How many jobs there is memory for. A replay in several ways holds all of its jobs, and what became of
//! them in each way in which they ran; one that reads job by job holds at worst what became of all, if the
//! first one starts last. Better to say so before than to be ended half-way.

use crate::input;
use locox_models::memory::{JOB, available, megabytes, room_for};
use locox_report::failure::Failure;
use locox_report::report::counted;
use std::path::Path;

/// Bytes of what becomes of a job in one way: its record, the names of its nodes, its waits.
const RUN: u64 = 300;

/// Bytes that a job takes, read and replayed in so many ways.
fn bytes(ways: usize) -> u64 {
    JOB + RUN * ways as u64
}

/// Jobs for which there is room, to be read and replayed in so many ways.
pub fn jobs(ways: usize) -> usize {
    room_for(bytes(ways))
}

/// Bytes that a job takes at worst that is read when it comes.
const STREAMED: u64 = 250;

/// Jobs for which there is room, to be read one by one.
pub fn streamed() -> usize {
    room_for(STREAMED)
}

/// That the trace at `path`, which is read job by job, has more jobs than there is room for.
pub fn refused_streamed(path: &Path, jobs: usize) -> Failure {
    Failure::Input(format!(
        "{}: memory is free for about {} jobs, at up to {STREAMED} bytes each, and there are more; take the \
         first ones with --jobs, or use a host with more memory",
        input::shown(path).display(),
        counted(jobs as u64)
    ))
}

/// So many jobs of the trace at `path` are in memory; whether what becomes of them in each way will be.
///
/// # Errors
///
/// [`refused`].
pub fn has_room(path: &Path, jobs: usize, ways: usize) -> Result<(), Failure> {
    let most = room_for(bytes(ways) - JOB);
    if jobs <= most { Ok(()) } else { Err(refused(path, most, ways)) }
}

/// That the trace at `path` has more jobs than there is room for.
pub fn refused(path: &Path, jobs: usize, ways: usize) -> Failure {
    let fewer_ways = if ways > 1 { ", name one --strategy" } else { "" };
    Failure::Input(format!(
        "{}: memory is free for about {} jobs in {ways} ways at once, at {} bytes each, and there \
         are more; take the first ones with --jobs{fewer_ways}, or use a host with more memory",
        input::shown(path).display(),
        counted(jobs as u64),
        bytes(ways)
    ))
}

/// Bytes of a job of Slurm's accounting: as it was read, sorted, and joined.
const ACCOUNTED: u64 = 400;

/// Jobs of Slurm's accounting for which there is room, of so many at most.
pub fn accounted(most: usize) -> usize {
    room_for(ACCOUNTED).min(most)
}

/// Bytes of the words that are asked for, and of what is free, if these are fewer.
pub fn lacking(words: usize) -> Option<(u64, u64)> {
    let (needed, free) = ((words as u64).saturating_mul(8), available()?);
    (needed > free).then_some((needed, free))
}

/// Whether the words are free that so many jobs of the trace at `path` take which plan ahead.
///
/// # Errors
///
/// [`Failure::Input`] with their number.
pub fn can_plan(path: &Path, jobs: usize, words: usize) -> Result<(), Failure> {
    let Some((needed, free)) = lacking(words) else { return Ok(()) };
    Err(Failure::Input(format!(
        "{}: to plan for {} jobs takes {}, and {} is free; take the first ones with --jobs, or --queue easy",
        input::shown(path).display(),
        counted(jobs as u64),
        megabytes(needed),
        megabytes(free)
    )))
}
