use crate::{read, tell};
use core::hint::black_box;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Outage, Pool, Strategy};

/// A pool of a 10-cube.
pub fn pool<S: Strategy>(storage: &'static mut [Word]) -> Option<()> {
    let mut pool = Pool::<S, _>::new(PoolId(1), const { Dim::new(10).unwrap() }, storage).ok()?;
    let pool = black_box(&mut pool);
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
            _ => tell(&pool.stats()),
        }
    }
}
