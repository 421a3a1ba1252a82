//! A pool of 1,024 nodes in a `static`, shared by threads.

use locox::handle::PoolId;
use locox::subcube::{FreeList, Pool, words};
use std::sync::Mutex;

// Too short an array would fail here, when this is compiled, and not at run time.
static POOL: Mutex<Pool<FreeList, [usize; words::<FreeList>(10)]>> =
    Mutex::new(Pool::new_static::<10>(PoolId(1)));

fn main() {
    let mut pool = POOL.lock().unwrap();
    let lease = pool.allocate(3.try_into().unwrap()).unwrap();
    println!("{} {}", lease.cube(), pool.stats());
    pool.release(lease).unwrap();
}
