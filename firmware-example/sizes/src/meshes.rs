use crate::{read, tell};
use core::hint::black_box;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshPool, Shape};
use locox::subcube::{Outage, Strategy};

/// Meshes in a 10-cube.
pub fn mesh<S: Strategy>(storage: &'static mut [Word]) -> Option<()> {
    let dims = const { Dim::new(10).unwrap() };
    let mut pool = MeshPool::<S, _>::new(PoolId(1), dims, storage, Leftover::Reused).ok()?;
    let pool = black_box(&mut pool);
    let mut last = None;
    loop {
        match read() {
            0 => {
                last = pool.allocate(Shape::cuboid(read(), read(), read()).ok()?).ok();
                tell(&last);
            }
            1 => tell(&pool.release((*black_box(&last))?)),
            2 => tell(&pool.withdraw(&[Node(read())], Outage::Failed, |lease| tell(&lease))),
            3 => tell(&pool.repair(&[Node(read())])),
            _ => tell(&pool.stats()),
        }
    }
}
