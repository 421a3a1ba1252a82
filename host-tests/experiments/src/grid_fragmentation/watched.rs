//! A machine of boxes whose fragmentation is measured while it is used.

use locox::grid::{BoxRequest, GridPool, Sides};
use locox_models::machine::{GridMachine, Machine, Placement, Refusal};
use locox_models::workload::Job;

/// Takes a look after each job that ends.
pub(super) struct Watched<'a> {
    machine: GridMachine,
    mix: &'a [(Sides, f64)],
    stranded: f64,
    looks: u32,
}

impl<'a> Watched<'a> {
    pub(super) fn new(machine: GridMachine, mix: &'a [(Sides, f64)]) -> Self {
        Self { machine, mix, stranded: 0.0, looks: 0 }
    }

    /// The share of the free nodes that is stranded, over the mix and all looks, in per cent.
    pub(super) fn fragmentation(&self) -> f64 {
        100.0 * self.stranded / f64::from(self.looks.max(1))
    }
}

/// The share of the free nodes that lies in no free box of the shape asked for, averaged over the mix.
pub(super) fn fragmentation(pool: &GridPool<Vec<u64>>, mix: &[(Sides, f64)]) -> f64 {
    // A search needs room in the pool.
    let mut pool = pool.clone();
    let all: f64 = mix.iter().map(|(_, weight)| weight).sum();
    let mut stranded = 0.0;
    for &(sides, weight) in mix {
        stranded += weight * f64::from(pool.stranded(BoxRequest::Turned(sides)));
    }
    stranded / all / f64::from(pool.free().max(1))
}

impl Machine for Watched<'_> {
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
        self.machine.start(job)
    }

    fn can_ever(&self, job: &Job) -> bool {
        self.machine.can_ever(job)
    }

    fn finish(&mut self, placement: Placement) {
        self.machine.finish(placement);
        self.stranded += fragmentation(self.machine.pool(), self.mix);
        self.looks += 1;
    }

    fn allocated(&self, placement: Placement) -> String {
        self.machine.allocated(placement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::cube::Node;
    use locox::grid::{Anchors, Cuboid, Grid, Placement, words};
    use locox::handle::PoolId;

    /// Of six free nodes of a row two are of no use to a box of three, and none to one of one.
    #[test]
    fn free_nodes_in_no_box_of_the_mix_count_by_their_share() {
        const ROW: Grid = Grid::mesh(&[8]).unwrap();
        let storage = vec![0; words(ROW)];
        let mut pool =
            GridPool::new(PoolId(1), ROW, storage, Placement::First, Anchors::Any).unwrap();
        let two = Cuboid::new(ROW, Node(2), "2".parse().unwrap()).unwrap();
        pool.claim(two).unwrap();
        let mix = [("3", 3.0), ("1", 1.0)].map(|(sides, weight)| (sides.parse().unwrap(), weight));
        assert_eq!(fragmentation(&pool, &mix), 3.0 / 4.0 * 2.0 / 6.0);
    }
}
