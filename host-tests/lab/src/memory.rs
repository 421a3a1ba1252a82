//! How many jobs there is memory for. A replay in several ways holds all of its jobs, and what became of
//! them in each way in which they ran; one that reads job by job holds at worst what became of all, if the
//! first one starts last. Better to say so before than to be ended half-way.

use crate::input;
use locox_report::failure::Failure;
use locox_report::report::counted;
use std::fs;
use std::path::Path;

/// Bytes of a job as it was read, with the line of its number; a list that grows is there twice
/// for a moment.
const READ: u64 = 200;
/// Bytes of what becomes of a job in one way: its record, the names of its nodes, its waits.
const RUN: u64 = 300;

/// Bytes that a job takes, read and replayed in so many ways.
fn bytes(ways: usize) -> u64 {
    READ + RUN * ways as u64
}

/// Jobs for which there is room, to be read and replayed in so many ways.
pub fn jobs(ways: usize) -> usize {
    room(bytes(ways))
}

/// Bytes that a job takes at worst that is read when it comes.
const STREAMED: u64 = 250;

/// Jobs for which there is room, to be read one by one.
pub fn streamed() -> usize {
    room(STREAMED)
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
    let most = room(bytes(ways) - READ);
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

/// Bytes that a number takes for each byte of the text that it is written in, at most.
const OF_TEXT: u64 = 12;

/// Whether the file at `path`, which is read whole, will be in memory. Nobody knows of standard
/// input, nor of how well a file is compressed.
///
/// # Errors
///
/// [`Failure::Input`] with an estimate.
pub fn can_be_read(path: &Path) -> Result<(), Failure> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    let (needed, free) = (found.len().saturating_mul(OF_TEXT), available().unwrap_or(u64::MAX));
    if needed <= free {
        return Ok(());
    }
    const MEGABYTE: u64 = 1 << 20;
    Err(Failure::Input(format!(
        "{}: its lines take up to {} MB of memory, and {} MB are free; split the file, or use a host \
         with more memory",
        path.display(),
        counted(needed / MEGABYTE),
        counted(free / MEGABYTE)
    )))
}

/// Bytes of the words that are asked for, and of what is free, if these are fewer.
pub fn lacking(words: usize) -> Option<(u64, u64)> {
    let (needed, free) = ((words as u64).saturating_mul(8), available()?);
    (needed > free).then_some((needed, free))
}

fn room(bytes: u64) -> usize {
    available().map_or(usize::MAX, |free| usize::try_from(free / bytes).unwrap_or(usize::MAX))
}

/// Bytes that this process may still get: the least of what the system has, what the control group
/// grants, and what the address space may grow by. `None` where nobody says.
fn available() -> Option<u64> {
    [of_system(), of_group(), of_process()].into_iter().flatten().min()
}

fn of_system() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

fn of_group() -> Option<u64> {
    let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let most = number("/sys/fs/cgroup/memory.max")?;
    Some(most.saturating_sub(number("/sys/fs/cgroup/memory.current")?))
}

fn of_process() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let most = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = most.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(kilobytes("/proc/self/status", "VmSize:")?))
}

/// The value of a line `key  n kB`, in bytes.
fn kilobytes(path: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    let value: u64 = value.split_whitespace().next()?.parse().ok()?;
    value.checked_mul(1024)
}
