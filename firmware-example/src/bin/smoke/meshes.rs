//! Meshes in a 6-cube: a tenant of a leftover outlives the mesh that left it.

use core::cell::RefCell;
use cortex_m_semihosting::hprintln;
use critical_section::Mutex;
use locox::bits::Word;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshAllocator, MeshLease, MeshPool, Shape};
use locox::subcube::{Buddy, Outage};

const DIMS: u8 = 6;

static POOL: Mutex<RefCell<MeshPool<Buddy, [Word; mesh::words::<Buddy>(DIMS)]>>> =
    Mutex::new(RefCell::new(MeshPool::new_static::<DIMS>(PoolId(3), Leftover::Reused)));

pub(crate) fn walk_through() -> Option<()> {
    hprintln!("meshes in a cube of {DIMS} dimensions, {} bytes", size_of_val(&POOL));
    let owner = allocate(5, 5)?;
    let tenant = allocate(3, 4)?;
    if allocate(5, 5).is_some() {
        return None;
    }
    hits(Node(tenant.cube().base().0));
    release(owner)?;
    release(tenant)?;
    allocate(8, 8).and_then(release)?;
    let sound = with_pool(|pool| pool.check_invariants());
    hprintln!("invariants: {:?}", sound);
    sound.ok()
}

fn with_pool<R>(use_it: impl FnOnce(&mut dyn MeshAllocator) -> R) -> R {
    critical_section::with(|cs| use_it(&mut *POOL.borrow_ref_mut(cs)))
}

fn allocate(rows: u32, columns: u32) -> Option<MeshLease> {
    let shape = Shape::rectangle(rows, columns).ok()?;
    let answer = with_pool(|pool| pool.allocate(shape));
    match &answer {
        Ok(lease) => hprintln!("mesh {shape}: in {}", lease.cube()),
        Err(refusal) => hprintln!("mesh {shape}: refused, {refusal}"),
    }
    answer.ok()
}

fn release(lease: MeshLease) -> Option<()> {
    hprintln!("release mesh {}", lease.shape());
    with_pool(|pool| pool.release(lease)).ok()
}

/// Takes a node out of service and brings it back.
fn hits(node: Node) {
    hprintln!("node {node} is drained");
    let mut hit = |lease: MeshLease| hprintln!("  hits mesh {}", lease.shape());
    let _ = with_pool(|pool| pool.withdraw(&[node], Outage::Drained, &mut hit));
    let _ = with_pool(|pool| pool.repair(&[node]));
}
