//! Whether a schedule can be run, whoever made it.

use super::{Case, Place};

/// Why a schedule cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// This job has no place.
    NoPlace(usize),
    /// This job cannot run there, or not in this time.
    CannotRun(usize),
    /// This job starts before its machines are free, or before now.
    TooEarly(usize),
    /// Both jobs are on this machine at once, alone or through a cluster.
    Twice(usize, usize, usize),
}

/// Looks at each job and at each pair of jobs.
///
/// # Errors
///
/// The first fault.
pub fn check(case: &Case, places: &[Option<Place>]) -> Result<(), Fault> {
    let mut seen: Vec<(usize, Place, Vec<usize>)> = Vec::new();
    for (job, place) in places.iter().enumerate() {
        let place = place.ok_or(Fault::NoPlace(job))?;
        let machines = case.occupied_by(place.resource);
        let time = place.end.checked_sub(place.start);
        if !case.can_take(place.resource)
            || time.is_none()
            || time != case.times[job][place.resource]
        {
            return Err(Fault::CannotRun(job));
        }
        let free = machines.iter().map(|&machine| case.machines[machine].unwrap_or(u64::MAX));
        if place.start < free.fold(case.now, u64::max) {
            return Err(Fault::TooEarly(job));
        }
        for (other, before, theirs) in &seen {
            let at_once = place.start < before.end && before.start < place.end;
            let shared = machines.iter().find(|machine| theirs.contains(machine));
            if let Some(&machine) = shared.filter(|_| at_once) {
                return Err(Fault::Twice(*other, job, machine));
            }
        }
        seen.push((job, place, machines));
    }
    Ok(())
}
