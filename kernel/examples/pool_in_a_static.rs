//! A pool of 1,024 nodes in statics, shared by main program and interrupts, as in firmware. On a host threads share it.

use core::cell::RefCell;
use critical_section::Mutex;
use locox::handle::PoolId;
use locox::subcube::{FreeList, Pool, words};
use static_cell::ConstStaticCell;

type Nodes = Pool<FreeList, &'static mut [usize]>;

const WORDS: usize = words::<FreeList>(10);

// All zeros, so in firmware it lies in `.bss` and takes no flash.
static STORAGE: ConstStaticCell<[usize; WORDS]> = ConstStaticCell::new([0; WORDS]);
// `None` until the pool is made.
static POOL: Mutex<RefCell<Option<Nodes>>> = Mutex::new(RefCell::new(None));

fn with_pool<R>(use_it: impl FnOnce(&mut Nodes) -> R) -> Option<R> {
    critical_section::with(|cs| POOL.borrow_ref_mut(cs).as_mut().map(use_it))
}

fn main() {
    let pool = Pool::new(PoolId(1), 10.try_into().unwrap(), &mut STORAGE.take()[..]).unwrap();
    critical_section::with(|cs| POOL.replace(cs, Some(pool)));

    let lease = with_pool(|pool| pool.allocate(3.try_into().unwrap()).unwrap()).unwrap();
    println!("{} {}", lease.cube(), with_pool(|pool| pool.stats()).unwrap());
    with_pool(|pool| pool.release(lease).unwrap()).unwrap();
}
