//! What the benchmarks of meshes share.

use locox::cube::Dim;
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshAllocator, MeshLease, MeshPool, Shape};
use locox::subcube::{Buddy, FreeList, GrayCode, Strategy};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::fmt;

/// A strategy, a machine, and the longest side of a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    strategy: &'static str,
    dims: u8,
    side: u32,
    leftover: Leftover,
}

pub(crate) const CASES: [Case; 8] = [
    Case { strategy: "free-list", dims: 10, side: 32, leftover: Leftover::Reused },
    Case { strategy: "buddy", dims: 10, side: 32, leftover: Leftover::Reused },
    Case { strategy: "gray-code", dims: 10, side: 32, leftover: Leftover::Reused },
    Case { strategy: "free-list", dims: 10, side: 32, leftover: Leftover::Kept },
    Case { strategy: "free-list", dims: 16, side: 64, leftover: Leftover::Reused },
    Case { strategy: "free-list", dims: 16, side: 256, leftover: Leftover::Reused },
    Case { strategy: "buddy", dims: 16, side: 64, leftover: Leftover::Reused },
    Case { strategy: "buddy", dims: 16, side: 256, leftover: Leftover::Reused },
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, dims, side, leftover } = self;
        write!(f, "{strategy}, {dims} dimensions, sides to {side}, {leftover:?}")
    }
}

fn pool(case: &Case) -> Box<dyn MeshAllocator> {
    match case.strategy {
        "buddy" => under::<Buddy>(case),
        "gray-code" => under::<GrayCode>(case),
        _ => under::<FreeList>(case),
    }
}

fn under<T: Strategy>(case: &Case) -> Box<dyn MeshAllocator> {
    let storage = vec![0; mesh::words::<T>(case.dims)].into_boxed_slice();
    let dims = Dim::new(case.dims).unwrap();
    Box::new(MeshPool::<T, _>::new(PoolId(0), dims, storage, case.leftover).unwrap())
}

/// A pool with random meshes coming and going. Random numbers are drawn beforehand, so that they
/// are not measured.
pub(crate) struct Churn {
    pool: Box<dyn MeshAllocator>,
    live: Vec<MeshLease>,
    shapes: Vec<Shape>,
    draws: Vec<u32>,
    at: usize,
}

impl Churn {
    pub(crate) fn new(case: &Case) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(0x10C0);
        let mut side = || random.random_range(1..=case.side);
        let shapes = (0..1 << 16).map(|_| Shape::rectangle(side(), side()).unwrap()).collect();
        let draws = (0..1 << 16).map(|_| random.random()).collect();
        Self { pool: pool(case), live: vec![], shapes, draws, at: 0 }
    }

    fn draw(&mut self) -> u32 {
        self.at = (self.at + 1) & 0xFFFF;
        self.draws[self.at]
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.draw() & 1 == 0
    }

    /// Asks for a mesh; whether it was granted.
    pub(crate) fn allocate(&mut self) -> bool {
        self.at = (self.at + 1) & 0xFFFF;
        let lease = self.pool.allocate(self.shapes[self.at]);
        self.live.extend(lease.ok());
        lease.is_ok()
    }

    /// Releases some mesh; whether there was one.
    pub(crate) fn release(&mut self) -> bool {
        let draw = self.draw() as usize;
        let Some(pick) = draw.checked_rem(self.live.len()) else { return false };
        let lease = self.live.swap_remove(pick);
        self.pool.release(lease).is_ok()
    }
}
