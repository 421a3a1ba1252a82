//! The machine and the jobs that wait, drawn as pictures of processors over time.
//!
//! Source of the idea: H. Mao, M. Alizadeh, I. Menache, S. Kandula, *Resource management with deep
//! reinforcement learning*, 2016. There the grid has a cell for each unit of a resource and each step of time;
//! here it has a fixed size, and a cell that is covered in part is as grey as that part.

use super::episode::Episode;
use super::sequence::requested;
use super::setup::Setup;

/// - `longest` is the longest requested time in the workload, in seconds: as far as pictures reach.
#[derive(Clone, Copy)]
pub(super) struct Image {
    pub(super) longest: u64,
}

impl Image {
    /// Steps of time, downwards, and parts of the machine, to the right.
    pub(super) const SIDE: usize = 16;
    const CELLS: usize = Self::SIDE * Self::SIDE;

    /// First what is free, then what each job in the window asks for.
    pub(super) fn write(self, setup: &Setup, episode: &Episode, out: &mut [f32]) {
        out.fill(0.0);
        if episode.done {
            return;
        }
        let columns = Self::SIDE as f32 / setup.processors as f32;
        let (machine, jobs) = out.split_at_mut(Self::CELLS);
        for (row, free) in machine.chunks_exact_mut(Self::SIDE).zip(self.free(setup, episode)) {
            bar(row, free * columns, 1.0);
        }
        for (job, picture) in episode.waiting.iter().zip(jobs.chunks_exact_mut(Self::CELLS)) {
            let steps = self.steps(job.requested);
            for (at, row) in picture.chunks_exact_mut(Self::SIDE).enumerate() {
                bar(row, job.processors as f32 * columns, covered(at, steps));
            }
        }
    }

    /// The mean number of free processors in each step from now on, if jobs end when they said and none starts.
    /// One that runs longer is taken to end at once.
    fn free(self, setup: &Setup, episode: &Episode) -> [f32; Self::SIDE] {
        let now = episode.now().ticks();
        let mut free = [setup.processors as f32; Self::SIDE];
        for &running in &episode.running {
            let job = &setup.workload.jobs[episode.first + running];
            let end = (episode.starts[running] as u64).saturating_add(requested(job));
            let steps = self.steps(end.saturating_sub(now));
            for (at, free) in free.iter_mut().enumerate() {
                *free -= job.processors as f32 * covered(at, steps);
            }
        }
        free
    }

    fn steps(self, time: u64) -> f32 {
        (time as f64 / self.longest as f64 * Self::SIDE as f64) as f32
    }
}

/// How much of the nth unit a length from zero on covers.
fn covered(nth: usize, length: f32) -> f32 {
    (length - nth as f32).clamp(0.0, 1.0)
}

/// Draws a bar of so many columns.
fn bar(row: &mut [f32], columns: f32, grey: f32) {
    for (at, cell) in row.iter_mut().enumerate() {
        *cell = grey * covered(at, columns);
    }
}
