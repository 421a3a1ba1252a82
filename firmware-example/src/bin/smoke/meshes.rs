//! Meshes in a 6-cube: a tenant of a leftover outlives the mesh that left it.

use board::println;
use core::cell::RefCell;
use critical_section::Mutex;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshAllocator, MeshLease, MeshPool, Shape};
use locox::subcube::{Buddy, Outage};
use static_cell::ConstStaticCell;

const CUBE: Dim = Dim::new(6).unwrap();
const WORDS: usize = mesh::words::<Buddy>(CUBE.get());

/// All zeros, so that it lies in `.bss` and costs no flash.
static STORAGE: ConstStaticCell<[Word; WORDS]> = ConstStaticCell::new([0; WORDS]);

type InPlace = MeshPool<Buddy, &'static mut [Word]>;

/// `None` until the pool is made, over the storage where it lies.
static POOL: Mutex<RefCell<Option<InPlace>>> = Mutex::new(RefCell::new(None));

pub(crate) fn walk_through() -> Option<()> {
    println!("meshes in a cube of {CUBE} dimensions");
    let storage = &mut STORAGE.try_take()?[..];
    let pool = MeshPool::new(PoolId(3), CUBE, storage, Leftover::Reused).ok()?;
    critical_section::with(|cs| POOL.replace(cs, Some(pool)));
    let owner = allocate(5, 5)?;
    let tenant = allocate(3, 4)?;
    if allocate(5, 5).is_some() {
        return None;
    }
    hits(Node(tenant.cube().base().0));
    release(owner)?;
    release(tenant)?;
    allocate(8, 8).and_then(release)?;
    let sound = with_pool(|pool| pool.check_invariants())?;
    println!("invariants: {:?}", sound);
    sound.ok()
}

/// Uses the pool, if it has been made, while nothing can interrupt.
fn with_pool<R>(use_it: impl FnOnce(&mut dyn MeshAllocator) -> R) -> Option<R> {
    critical_section::with(|cs| POOL.borrow_ref_mut(cs).as_mut().map(|pool| use_it(pool)))
}

fn allocate(rows: u32, columns: u32) -> Option<MeshLease> {
    let shape = Shape::rectangle(rows, columns).ok()?;
    let answer = with_pool(|pool| pool.allocate(shape))?;
    match &answer {
        Ok(lease) => println!("mesh {shape}: in {}", lease.cube()),
        Err(refusal) => println!("mesh {shape}: refused, {refusal}"),
    }
    answer.ok()
}

fn release(lease: MeshLease) -> Option<()> {
    println!("release mesh {}", lease.shape());
    with_pool(|pool| pool.release(lease))?.ok()
}

/// Takes a node out of service and brings it back.
fn hits(node: Node) {
    println!("node {node} is drained");
    let mut hit = |lease: MeshLease| println!("  hits mesh {}", lease.shape());
    let _ = with_pool(|pool| pool.withdraw(&[node], Outage::Drained, &mut hit));
    let _ = with_pool(|pool| pool.repair(&[node]));
}
