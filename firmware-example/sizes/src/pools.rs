use crate::{read, tell};
use core::hint::black_box;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Outage, Pool, Strategy};

/// A pool of a 10-cube, which is asked what is free and what would fit.
pub fn pool<S: Strategy>(storage: &'static mut [Word]) -> Option<()> {
    run::<S>(storage, |pool| {
        tell(&pool.free());
        tell(&pool.would_fit(Dim::new(read() as u8)?));
        Some(())
    })
}

/// A pool of a 10-cube, which is asked for all its figures.
pub fn pool_with_stats<S: Strategy>(storage: &'static mut [Word]) -> Option<()> {
    run::<S>(storage, |pool| {
        tell(&pool.stats());
        Some(())
    })
}

/// The header stays where it is built.
fn run<S: Strategy>(
    storage: &'static mut [Word],
    ask: fn(&mut Pool<S, &'static mut [Word]>) -> Option<()>,
) -> Option<()> {
    let mut pool = Pool::new(PoolId(1), const { Dim::new(10).unwrap() }, storage);
    let pool = black_box(pool.as_mut().ok()?);
    let mut last = None;
    loop {
        match read() {
            0 => {
                last = pool.allocate(Dim::new(read() as u8)?).ok();
                tell(&last);
            }
            1 => tell(&pool.release((*black_box(&last))?)),
            2 => tell(&pool.withdraw(&[Node(read())], Outage::Failed, |lease| tell(&lease))),
            3 => tell(&pool.repair(&[Node(read())])),
            _ => ask(pool)?,
        }
    }
}
