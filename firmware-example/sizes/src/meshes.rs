use crate::{read, tell};
use core::hint::black_box;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshPool, Shape};
use locox::subcube::{Outage, Strategy};

/// Meshes in a 10-cube, which is asked what is free and what would fit.
pub fn mesh<S: Strategy>(storage: &'static mut [Word]) -> Option<()> {
    run::<S>(storage, |pool| {
        tell(&pool.free());
        tell(&pool.would_fit(shape()?));
        Some(())
    })
}

/// Meshes in a 10-cube, which is asked for all its figures.
pub fn mesh_with_stats<S: Strategy>(storage: &'static mut [Word]) -> Option<()> {
    run::<S>(storage, |pool| {
        tell(&pool.stats());
        Some(())
    })
}

fn shape() -> Option<Shape> {
    Shape::cuboid(read(), read(), read()).ok()
}

/// The header stays where it is built.
fn run<S: Strategy>(
    storage: &'static mut [Word],
    ask: fn(&mut MeshPool<S, &'static mut [Word]>) -> Option<()>,
) -> Option<()> {
    let dims = const { Dim::new(10).unwrap() };
    let mut pool = MeshPool::new(PoolId(1), dims, storage, Leftover::Reused);
    let pool = black_box(pool.as_mut().ok()?);
    let mut last = None;
    loop {
        match read() {
            0 => {
                last = pool.allocate(shape()?).ok();
                tell(&last);
            }
            1 => tell(&pool.release((*black_box(&last))?)),
            2 => tell(&pool.withdraw(&[Node(read())], Outage::Failed, |lease| tell(&lease))),
            3 => tell(&pool.repair(&[Node(read())])),
            _ => ask(pool)?,
        }
    }
}
