//! How much memory there is, and how much of it readers keep of a file. What grows with a file asks here before it
//! grows: to say so is better than to be ended half-way.

use std::fs;

/// Bytes that may still be kept of a file.
///
/// ```
/// use locox_models::memory::Room;
/// let mut room = Room::of(100);
/// assert!(room.take(60).is_ok());
/// assert!(room.take(60).is_err(), "40 are left");
/// assert!(room.take(40).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Room {
    most: u64,
    left: u64,
}

/// What is kept of a file takes more bytes than there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is kept of it takes over {}", megabytes(*.most))]
pub struct Full {
    /// For how many there is.
    pub most: u64,
}

impl Room {
    /// Room for so many bytes.
    pub const fn of(most: u64) -> Self {
        Self { most, left: most }
    }

    /// Room for so many, or for this part of what is free if that is less: of 4, a quarter.
    pub fn asked(most: u64, part: u64) -> Self {
        let free = available().and_then(|free| free.checked_div(part));
        Self::of(free.map_or(most, |free| free.min(most)))
    }

    /// Takes so many bytes.
    ///
    /// # Errors
    ///
    /// [`Full`]; then nothing is taken.
    pub const fn take(&mut self, bytes: u64) -> Result<(), Full> {
        let Some(left) = self.left.checked_sub(bytes) else {
            return Err(Full { most: self.most });
        };
        self.left = left;
        Ok(())
    }
}

/// So many bytes in words. Less than a megabyte is told in kilobytes.
pub fn megabytes(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} kB of memory", bytes >> 10),
        megabytes => format!("{megabytes} MB of memory"),
    }
}

/// How many things of so many bytes each there is memory for.
pub fn room_for(bytes: u64) -> usize {
    available().map_or(usize::MAX, |free| usize::try_from(free / bytes).unwrap_or(usize::MAX))
}

/// Bytes of a job as it was read, with the line of its number; a list that grows is there twice for a moment.
pub const JOB: u64 = 200;

/// Jobs of a trace for which there is memory, to be read and no more.
pub fn jobs() -> usize {
    room_for(JOB)
}

/// Bytes that this process may still get: the least of what the system has, what the control group
/// grants, and what the address space may grow by. `None` where nobody says.
pub fn available() -> Option<u64> {
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
