//! Who runs in leftovers, and what a release finds in its own.

use locox::cube::Subcube;
use locox::mesh::Shape;
use locox::subcube::Refusal;
use locox_models::machine::{Machine, MeshCube, Placement, Token};
use locox_models::workload::Job;

/// A machine that notes, beside what it does, where its meshes lie.
pub(super) struct Watched {
    machine: MeshCube,
    /// Jobs with sides up to this are small.
    small: u32,
    live: Vec<Subcube>,
    starts: u64,
    starts_inside: u64,
    ends: u64,
    ends_undisturbed: u64,
}

impl Watched {
    pub(super) fn new(machine: MeshCube, small: u32) -> Self {
        Self {
            machine,
            small,
            live: Vec::new(),
            starts: 0,
            starts_inside: 0,
            ends: 0,
            ends_undisturbed: 0,
        }
    }

    /// Of the small jobs those that started in a leftover, in per cent.
    pub(super) fn in_leftovers(&self) -> f64 {
        share(self.starts_inside, self.starts)
    }

    /// Of all releases those that found nobody in the leftover of the mesh, in per cent.
    pub(super) fn undisturbed(&self) -> f64 {
        share(self.ends_undisturbed, self.ends)
    }
}

fn share(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

fn cube_of(placement: &Placement) -> Subcube {
    match placement.token {
        Token::Mesh(lease) => lease.cube(),
        Token::Lease(_) | Token::Slot(_) => panic!("{placement:?} is not a mesh"),
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
        let cube = cube_of(&placement);
        let is_small = |shape: Shape| shape.sides().iter().all(|&it| it <= self.small);
        if job.mesh().is_some_and(is_small) {
            self.starts += 1;
            let inside = self.live.iter().any(|around| around.contains_cube(&cube));
            self.starts_inside += u64::from(inside);
        }
        self.live.push(cube);
        Ok(placement)
    }

    fn can_ever(&self, job: &Job) -> bool {
        self.machine.can_ever(job)
    }

    fn finish(&mut self, placement: Placement) {
        let cube = cube_of(&placement);
        let at = self.live.iter().position(|&live| live == cube);
        self.live.swap_remove(at.expect("what ends has started"));
        self.ends += 1;
        let disturbed = self.live.iter().any(|inner| cube.contains_cube(inner));
        self.ends_undisturbed += u64::from(!disturbed);
        self.machine.finish(placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        self.machine.allocated(placement)
    }
}
