use crate::{read, tell};
use core::hint::black_box;
use locox::accelerator::{ProfileId, SlicePool, SliceSet, Table};
use locox::cube::Node;
use locox::grid::{Anchors, BoxRequest, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;
use locox::subcube::Outage;

/// A torus of 8x8x8.
pub const TORUS: Grid = Grid::torus(&[8, 8, 8]).unwrap();
/// Words of a pool of it.
pub const TORUS_WORDS: usize = words(TORUS);

/// Boxes in a torus.
pub fn grid(storage: &'static mut [u64]) -> Option<()> {
    run(storage, |pool| {
        tell(&pool.stranded(BoxRequest::Fixed(sides()?)));
        Some(())
    })
}

/// Boxes in a torus, with plans of moves.
pub fn grid_with_plans(storage: &'static mut [u64]) -> Option<()> {
    run(storage, |pool| {
        let mut scratch = [0; TORUS.nodes() as usize];
        let request = BoxRequest::Fixed(sides()?);
        tell(&pool.defragment(request, read() as usize, read(), black_box(&mut scratch)));
        Some(())
    })
}

fn sides() -> Option<Sides> {
    Sides::new(&[read() as u8, read() as u8, read() as u8])
}

/// The header stays where it is built.
fn run(
    storage: &'static mut [u64],
    ask: fn(&mut GridPool<&'static mut [u64]>) -> Option<()>,
) -> Option<()> {
    let mut pool = GridPool::new(PoolId(1), TORUS, storage, Placement::Fewest, Anchors::Any);
    let pool = black_box(pool.as_mut().ok()?);
    let mut last = None;
    loop {
        match read() {
            0 => {
                last = pool.allocate(BoxRequest::Turned(sides()?)).ok();
                tell(&last);
            }
            1 => tell(&pool.release((*black_box(&last))?)),
            2 => tell(&pool.withdraw(&[Node(read())], Outage::Failed, |lease| tell(&lease))),
            3 => tell(&pool.repair(&[Node(read())])),
            4 => tell(&pool.would_fit(BoxRequest::Nodes(read()))),
            _ => ask(pool)?,
        }
    }
}

/// Slices of an accelerator.
pub fn slices(pool: &'static mut Option<SlicePool<'static>>) -> Option<()> {
    let pool = black_box(pool.insert(SlicePool::new(PoolId(1), Table::A100)));
    let mut last = None;
    loop {
        match read() {
            0 => {
                last = pool.allocate(ProfileId(read())).ok();
                tell(&last);
            }
            1 => tell(&pool.release((*black_box(&last))?)),
            2 => tell(&pool.withdraw(SliceSet(read()), Outage::Failed, |lease| tell(&lease))),
            3 => tell(&pool.repair(SliceSet(read()))),
            _ => tell(&pool.would_fit(ProfileId(read()))),
        }
    }
}
