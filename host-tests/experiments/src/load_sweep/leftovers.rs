//! Who runs in leftovers, and what a release finds in its own.

use locox::cube::Subcube;
use locox::mesh::{Embedding, Shape};
use locox_models::machine::{Machine, MeshCube, Placement, Refusal, Token};
use locox_models::workload::Job;

/// A machine that notes, beside what it does, where its meshes lie.
pub(super) struct Watched {
    machine: MeshCube,
    /// Jobs with sides up to this are small.
    small: u32,
    live: Vec<Live>,
    starts: u64,
    starts_inside: u64,
    /// Subcubes left over by meshes that have ended, and those of them in which nobody started.
    left: u64,
    left_unused: u64,
    /// The same of small ones, which have not room for every small mesh.
    left_small: u64,
    left_small_unused: u64,
    ends: u64,
    /// Releases of meshes in whose leftovers somebody runs.
    ends_occupied: u64,
    /// Other releases, of meshes that lie in a leftover whose owner runs.
    ends_inside: u64,
}

struct Live {
    cube: Subcube,
    /// What it leaves over, and whether somebody has started there.
    leftovers: Vec<(Subcube, bool)>,
}

impl Watched {
    pub(super) fn new(machine: MeshCube, small: u32) -> Self {
        Self {
            machine,
            small,
            live: Vec::new(),
            starts: 0,
            starts_inside: 0,
            left: 0,
            left_unused: 0,
            left_small: 0,
            left_small_unused: 0,
            ends: 0,
            ends_occupied: 0,
            ends_inside: 0,
        }
    }

    /// Of the small jobs those that started in a leftover, in per cent.
    pub(super) fn in_leftovers(&self) -> f64 {
        share(self.starts_inside, self.starts)
    }

    /// Of the subcubes left over those in which nobody started, in per cent.
    pub(super) fn unused(&self) -> f64 {
        share(self.left_unused, self.left)
    }

    /// The same of the small subcubes, which have fewer nodes than the largest small mesh.
    pub(super) fn small_unused(&self) -> f64 {
        share(self.left_small_unused, self.left_small)
    }

    /// Of all releases those at which step 4 of figure 3.9 leaves out the free list's deallocation,
    /// since a leftover is occupied, in per cent.
    pub(super) fn spared_as_printed(&self) -> f64 {
        share(self.ends_occupied, self.ends)
    }

    /// The same if what lies in a leftover returns to it as long as the owner runs.
    pub(super) fn spared(&self) -> f64 {
        share(self.ends_occupied + self.ends_inside, self.ends)
    }

    fn note_start(&mut self, shape: Shape, cube: Subcube) {
        let mut inside = false;
        for (leftover, used) in self.live.iter_mut().flat_map(|live| &mut live.leftovers) {
            if leftover.contains_cube(&cube) {
                (inside, *used) = (true, true);
            }
        }
        if shape.sides().iter().all(|&side| side <= self.small) {
            self.starts += 1;
            self.starts_inside += u64::from(inside);
        }
        let mesh = Embedding::new(cube, shape).expect("a mesh lies in a subcube of its dimension");
        let leftovers = mesh.leftover().map(|cube| (cube, false)).collect();
        self.live.push(Live { cube, leftovers });
    }

    fn note_end(&mut self, cube: Subcube) {
        let at = self.live.iter().position(|live| live.cube == cube);
        let ended = self.live.swap_remove(at.expect("what ends has started"));
        self.left += ended.leftovers.len() as u64;
        self.left_unused += ended.leftovers.iter().filter(|(_, used)| !used).count() as u64;
        let largest = self.small.saturating_mul(self.small);
        let small = ended.leftovers.iter().filter(|(cube, _)| cube.dim().nodes() < largest);
        self.left_small += small.clone().count() as u64;
        self.left_small_unused += small.filter(|(_, used)| !used).count() as u64;
        let occupied = self.live.iter().any(|inner| cube.contains_cube(&inner.cube));
        let inside = self.live.iter().any(|around| around.cube.contains_cube(&cube));
        self.ends += 1;
        self.ends_occupied += u64::from(occupied);
        self.ends_inside += u64::from(inside && !occupied);
    }
}

fn share(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

fn cube_of(placement: &Placement) -> Subcube {
    match placement.token {
        Token::Mesh(lease) => lease.cube(),
        _ => panic!("{placement:?} is not a mesh"),
    }
}

impl Machine for Watched {
    fn name(&self) -> String {
        self.machine.name()
    }

    fn processors(&self) -> u32 {
        self.machine.processors()
    }

    fn in_use(&self) -> u32 {
        self.machine.in_use()
    }

    fn held(&self) -> u32 {
        self.machine.held()
    }

    fn size(&self, job: &Job) -> u32 {
        self.machine.size(job)
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let placement = self.machine.start(job)?;
        let shape = job.mesh().expect("only a job that asks for a mesh was started");
        self.note_start(shape, cube_of(&placement));
        Ok(placement)
    }

    fn can_ever(&self, job: &Job) -> bool {
        self.machine.can_ever(job)
    }

    fn finish(&mut self, placement: Placement) {
        self.note_end(cube_of(&placement));
        self.machine.finish(placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        self.machine.allocated(placement)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cube, Method};
    use super::*;
    use locox::cube::Dim;
    use locox_models::workload::meshes::{Meshes, Service, Sides};

    /// A 4 x 6 mesh in a 6-cube, and a 4 x 2 mesh in its leftover; the one of that number ends first.
    fn watched(first: usize) -> Watched {
        let sides = Sides::InTurn(vec![[4, 6], [4, 2]]);
        let recipe =
            Meshes { name: "two".into(), jobs: 2, load: 1.0, sides, service: Service::Constant };
        let jobs = recipe.generate(1, 0).jobs;
        let machine = Cube::new(Dim::new(6).unwrap()).machine(&Method::AFL);
        let mut watched = Watched::new(machine, u32::MAX);
        let placed = [0, 1].map(|at| watched.start(&jobs[at]).unwrap());
        watched.finish(placed[first]);
        watched.finish(placed[1 - first]);
        watched
    }

    /// Step 4 of figure 3.9: where a leftover is occupied the pieces go to the free list as they are,
    /// and where all are free the whole subcube is deallocated as by the free list alone.
    #[test]
    fn the_free_list_need_not_deallocate_where_a_leftover_is_occupied() {
        let owner_first = watched(0);
        assert_eq!((owner_first.spared_as_printed(), owner_first.spared()), (50.0, 50.0));
        let owner_last = watched(1);
        // The small one returns to the leftover, and the owner finds that free.
        assert_eq!((owner_last.spared_as_printed(), owner_last.spared()), (0.0, 50.0));
    }

    #[test]
    fn a_leftover_in_which_a_job_started_is_used() {
        let watched = watched(0);
        assert_eq!((watched.in_leftovers(), watched.unused()), (50.0, 0.0));
    }

    /// A 20 x 30 mesh leaves cubes of 8, 7, 5 and 3 dimensions: the last two are small beside 8 x 8.
    #[test]
    fn a_leftover_is_small_that_has_not_room_for_every_small_mesh() {
        let sides = Sides::InTurn(vec![[20, 30]]);
        let recipe =
            Meshes { name: "one".into(), jobs: 1, load: 1.0, sides, service: Service::Constant };
        let jobs = recipe.generate(1, 0).jobs;
        let mut watched = Watched::new(Cube::new(Dim::new(10).unwrap()).machine(&Method::AFL), 8);
        let placed = watched.start(&jobs[0]).unwrap();
        watched.finish(placed);
        assert_eq!((watched.left, watched.left_small, watched.small_unused()), (4, 2, 100.0));
    }
}
