//! How many jobs there is memory for. A replay holds all of its jobs, and what became of them in
//! each way in which they ran: better to say so before than to be ended half-way.

use std::fs;

/// Bytes of a job as it was read, with the line of its number; a list that grows is there twice
/// for a moment.
const READ: u64 = 200;
/// Bytes of what becomes of a job in one way: its record, the names of its nodes, its waits.
const RUN: u64 = 300;

/// Bytes that a job takes, read and replayed in so many ways.
pub fn bytes(ways: usize) -> u64 {
    READ + RUN * ways as u64
}

/// Jobs for which there is room, to be read and replayed in so many ways.
pub fn jobs(ways: usize) -> usize {
    room(bytes(ways))
}

/// Jobs that are in memory already for which there is room to be replayed.
pub fn more_jobs(ways: usize) -> usize {
    room(bytes(ways) - READ)
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
