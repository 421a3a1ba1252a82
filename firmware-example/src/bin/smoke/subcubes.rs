//! A pool of 1024 nodes over storage in a `static`, shared by the main program and an interrupt handler.

use board::println;
use core::cell::RefCell;
use critical_section::Mutex;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Allocator, Buddy, FreeList, Lease, Outage, Pool, words};
use static_cell::ConstStaticCell;

const CUBE: Dim = Dim::new(10).unwrap();

/// All zeros, so that it lies in `.bss` and costs no flash.
static STORAGE: ConstStaticCell<[Word; words::<FreeList>(10)]> =
    ConstStaticCell::new([0; words::<FreeList>(10)]);

type InPlace = Pool<FreeList, &'static mut [Word]>;

/// `None` until the pool is made, over the storage where it lies.
static POOL: Mutex<RefCell<Option<InPlace>>> = Mutex::new(RefCell::new(None));

/// The node whose fault the interrupt handler is going to report.
const FAULTY: Node = Node(300);

pub(crate) fn walk_through() -> Option<()> {
    let pool = Pool::new(PoolId(1), CUBE, &mut STORAGE.take()[..]).ok()?;
    critical_section::with(|cs| POOL.replace(cs, Some(pool)));
    println!("{} over a cube of {CUBE} dimensions", with_pool(|pool| pool.name())?);
    report()?;
    let quarters = [allocate(8)?, allocate(8)?, allocate(8)?, allocate(8)?];
    report()?;
    refused(0)?;
    release(quarters[0])?;
    release(quarters[3])?;
    refused(9)?;
    refused(11)?;

    board::on_raise(fault_detected);
    board::raise();
    show(FAULTY)?;
    release(quarters[1])?;
    show(FAULTY)?;
    withdraw(&[Node(0), Node(1023)], Outage::Drained)?;
    report()?;
    refused(9)?;

    misuse(quarters[2])?;
    repair(&[Node(0), FAULTY, Node(1023)])?;
    show(FAULTY)?;
    allocate(9).and_then(release)?;
    report()?;
    let sound = with_pool(|pool| pool.check_invariants())?;
    println!("invariants: {:?}", sound);
    (sound.is_ok() && with_pool(|pool| pool.free())? == CUBE.nodes()).then_some(())
}

/// A fault detector, say, raises this interrupt.
fn fault_detected() {
    println!("interrupt:");
    let _ = withdraw(&[FAULTY], Outage::Failed);
}

/// Uses the pool, if it has been made, while nothing can interrupt.
fn with_pool<R>(use_it: impl FnOnce(&mut dyn Allocator) -> R) -> Option<R> {
    critical_section::with(|cs| POOL.borrow_ref_mut(cs).as_mut().map(|pool| use_it(pool)))
}

fn allocate(dim: u8) -> Option<Lease> {
    let dim = Dim::new(dim)?;
    let answer = with_pool(|pool| pool.allocate(dim))?;
    match &answer {
        Ok(lease) => println!("allocate {dim}: {}", lease.cube()),
        Err(refusal) => println!("allocate {dim}: refused, {refusal}"),
    }
    answer.ok()
}

fn refused(dim: u8) -> Option<()> {
    allocate(dim).is_none().then_some(())
}

fn release(lease: Lease) -> Option<()> {
    let answer = with_pool(|pool| pool.release(lease))?;
    match &answer {
        Ok(()) => println!("release {}", lease.cube()),
        Err(misuse) => println!("release {}: refused, {misuse}", lease.cube()),
    }
    answer.ok()
}

/// Releases a lease twice, and one of a pool on the stack to the wrong pool.
fn misuse(lease: Lease) -> Option<()> {
    let storage = [0; words::<Buddy>(3)];
    let mut other = Pool::<Buddy, _>::new(PoolId(2), Dim::new(3)?, storage).ok()?;
    let foreign = other.allocate(Dim::ZERO).ok()?;
    release(lease)?;
    (release(lease).is_none() && release(foreign).is_none()).then_some(())
}

fn withdraw(nodes: &[Node], outage: Outage) -> Option<()> {
    println!("withdraw {:?}: {:?}", nodes, outage);
    let mut hit = |lease: Lease| println!("  hits the lease of {}", lease.cube());
    with_pool(|pool| pool.withdraw(nodes, outage, &mut hit))?.ok()
}

fn repair(nodes: &[Node]) -> Option<()> {
    println!("repair {:?}", nodes);
    with_pool(|pool| pool.repair(nodes))?.ok()
}

fn show(node: Node) -> Option<()> {
    let state = with_pool(|pool| pool.state(node))?.ok()?;
    let leased = if state.leased { "leased" } else { "not leased" };
    match state.outage {
        Some(outage) => println!("node {node}: {leased}, {:?}", outage),
        None => println!("node {node}: {leased}, serves"),
    }
    Some(())
}

fn report() -> Option<()> {
    let stats = with_pool(|pool| pool.stats())?;
    println!(
        "free {}, leased {}, out {}, largest {:?}, fragmentation {} permille",
        stats.free,
        stats.leased,
        stats.out,
        stats.largest.map(Dim::get),
        stats.fragmentation_permille()
    );
    Some(())
}
