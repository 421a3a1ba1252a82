//! Pools of the nodes of a hypercube: subcubes.

use crate::image::{Writer, reader};
use crate::memory::*;
use crate::status::locox_status::{self, *};
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::error::Error;
use locox::handle::{Epoch, Handle, Misuse, PoolId};
use locox::subcube::{
    Allocator, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Lease, NoSuchNode, NodeState,
    NotFree, Outage, Pool, Refusal, Stats, Strategy, words,
};

/// The strategies of a pool, for `locox_pool_words` and `locox_mesh_words`.
pub const LOCOX_BUDDY: u32 = 0;
/// See `LOCOX_BUDDY`: runs of the Gray code.
pub const LOCOX_GRAY_CODE: u32 = 1;
/// See `LOCOX_BUDDY`: lists of free subcubes with a search behind them. The one to start from.
pub const LOCOX_FREE_LIST: u32 = 2;
/// See `LOCOX_BUDDY`: the free list of the literature.
pub const LOCOX_FREE_LIST_PLAIN: u32 = 3;
/// See `LOCOX_BUDDY`: complete recognition.
pub const LOCOX_COMPLETE: u32 = 4;

/// Why a node is withdrawn: it broke.
pub const LOCOX_FAILED: u32 = 1;
/// Why a node is withdrawn: it shall do no new work.
pub const LOCOX_DRAINED: u32 = 2;

/// How many words of 64 bits a `locox_pool` has.
pub const LOCOX_POOL_LENGTH: usize = length_of::<Body>();

/// A pool of the nodes of a hypercube. Opaque, small, and may be moved; its storage may not.
#[repr(C)]
pub struct locox_pool {
    opaque: [u64; LOCOX_POOL_LENGTH],
}

opaque! { locox_pool: Body, b"POOL"; }

/// A subcube granted to somebody: the nodes whose address is `base` but for the bits of `mask`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_lease {
    /// Its name; the index is the base, its lowest address.
    pub handle: locox_handle,
    /// The bits of an address that are free: one for each dimension.
    pub mask: u32,
    /// Dimensions of the machine.
    pub dims: u32,
}

/// Called for each lease that a call has to name.
pub type locox_lease_fn =
    Option<unsafe extern "C" fn(lease: *const locox_lease, user: *mut core::ffi::c_void)>;

/// What a node is doing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_node_state {
    /// 1 if a lease holds it.
    pub leased: u32,
    /// Zero in service, else `LOCOX_FAILED` or `LOCOX_DRAINED`.
    pub outage: u32,
}

/// Figures of a pool.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_pool_stats {
    /// Nodes that a new lease may take.
    pub free: u32,
    /// Nodes held by leases.
    pub leased: u32,
    /// Nodes out of service, leased or not.
    pub out: u32,
    /// The largest dimension that would be granted now; -1 if no node is free.
    pub largest: i32,
    /// The share of the free nodes outside the largest free subcube, in thousandths.
    pub fragmentation_permille: u32,
}

pub(crate) type Words = &'static mut [Word];

/// A pool of any strategy, as the functions below see it.
pub(crate) trait Cubes: Allocator {
    fn claim_nodes(
        &mut self,
        nodes: &[Node],
        granted: &mut dyn FnMut(Lease),
    ) -> Result<(), Error<NotFree, NoSuchNode>>;
    fn each_lease(&self, visit: &mut dyn FnMut(Lease));
    fn begin(&mut self, epoch: Epoch);
}

impl<T: Strategy> Cubes for Pool<T, Words> {
    fn claim_nodes(
        &mut self,
        nodes: &[Node],
        granted: &mut dyn FnMut(Lease),
    ) -> Result<(), Error<NotFree, NoSuchNode>> {
        self.claim_nodes(nodes, granted)
    }

    fn each_lease(&self, visit: &mut dyn FnMut(Lease)) {
        self.leases().for_each(visit);
    }

    fn begin(&mut self, epoch: Epoch) {
        self.begin(epoch);
    }
}

type Of<T> = Pool<T, Words>;

pub(crate) enum AnyPool {
    Buddy(Of<Buddy>),
    GrayCode(Of<GrayCode>),
    FreeList(Of<FreeList>),
    FreeListPlain(Of<FreeListPlain>),
    Complete(Of<Complete>),
}

pub(crate) type Body = Seen<AnyPool, dyn Cubes>;

/// # Safety
///
/// The contract of `memory`.
unsafe fn start_with<T: Strategy>(
    (pool, id, machine): (*mut locox_pool, u16, u32),
    (storage, len): (*mut usize, usize),
    detail: *mut u64,
    body: impl FnOnce(Pool<T, Words>) -> Body,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        answer(detail, || {
            let (place, dims) = (place(pool)?, dims(machine)?);
            let words = crate::memory::words(storage, len, words::<T>(dims.get()))?.cleared(0);
            let needed = words.len();
            let pool = Pool::new(PoolId(id), dims, words);
            place.start(body(pool.map_err(|_| LOCOX_TOO_SHORT.with_len(needed))?));
            Ok(())
        })
    }
}

/// Words of storage for a pool of an n-cube under a strategy; zero for numbers that stand for none.
/// `LOCOX_POOL_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_pool_words(strategy: u32, dims: u32) -> usize {
    words_of(strategy, dims)
}

pub(crate) const fn words_of(strategy: u32, dims: u32) -> usize {
    if dims > Dim::MAX.get() as u32 {
        return 0;
    }
    let dims = dims as u8;
    match strategy {
        LOCOX_BUDDY => words::<Buddy>(dims),
        LOCOX_GRAY_CODE => words::<GrayCode>(dims),
        LOCOX_FREE_LIST => words::<FreeList>(dims),
        LOCOX_FREE_LIST_PLAIN => words::<FreeListPlain>(dims),
        LOCOX_COMPLETE => words::<Complete>(dims),
        _ => 0,
    }
}

/// Starts a pool of all nodes of an n-cube (`dims` up to 24) under the buddy strategy, over `len`
/// words of storage with any content. Its leases carry `id`: to other pools they are foreign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_start_buddy(
    pool: *mut locox_pool,
    id: u16,
    dims: u32,
    storage: *mut usize,
    len: usize,
    detail: *mut u64,
) -> locox_status {
    let start = seen_as!(AnyPool::Buddy as Cubes);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { start_with::<Buddy>((pool, id, dims), (storage, len), detail, start) }
}

/// As `locox_pool_start_buddy`, under the Gray code strategy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_start_gray_code(
    pool: *mut locox_pool,
    id: u16,
    dims: u32,
    storage: *mut usize,
    len: usize,
    detail: *mut u64,
) -> locox_status {
    let start = seen_as!(AnyPool::GrayCode as Cubes);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { start_with::<GrayCode>((pool, id, dims), (storage, len), detail, start) }
}

/// As `locox_pool_start_buddy`, under the free list with a search behind it: the strategy to start from.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_start_free_list(
    pool: *mut locox_pool,
    id: u16,
    dims: u32,
    storage: *mut usize,
    len: usize,
    detail: *mut u64,
) -> locox_status {
    let start = seen_as!(AnyPool::FreeList as Cubes);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { start_with::<FreeList>((pool, id, dims), (storage, len), detail, start) }
}

/// As `locox_pool_start_buddy`, under the free list of the literature.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_start_free_list_plain(
    pool: *mut locox_pool,
    id: u16,
    dims: u32,
    storage: *mut usize,
    len: usize,
    detail: *mut u64,
) -> locox_status {
    let start = seen_as!(AnyPool::FreeListPlain as Cubes);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { start_with::<FreeListPlain>((pool, id, dims), (storage, len), detail, start) }
}

/// As `locox_pool_start_buddy`, under complete recognition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_start_complete(
    pool: *mut locox_pool,
    id: u16,
    dims: u32,
    storage: *mut usize,
    len: usize,
    detail: *mut u64,
) -> locox_status {
    let start = seen_as!(AnyPool::Complete as Cubes);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { start_with::<Complete>((pool, id, dims), (storage, len), detail, start) }
}

/// Grants a subcube of dimension `dim`. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`,
/// `LOCOX_TOO_FEW_FREE`, `LOCOX_UNDECIDED` or `LOCOX_FRAGMENTED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_allocate(
    pool: *mut locox_pool,
    dim: u32,
    lease: *mut locox_lease,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let lease = out(lease)?;
            let granted = on(pool, |it| Ok(it.get().allocate(crate::memory::dim(dim)?)?))?;
            lease.put(granted.into());
            Ok(())
        })
    }
}

/// Whether `locox_pool_allocate` would grant a subcube of dimension `dim`; refused as there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_would_fit(
    pool: *const locox_pool,
    dim: u32,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(detail, || of(pool, |it| Ok(it.get().would_fit(crate::memory::dim(dim)?)?))) }
}

/// Grants the subcube of this base and mask, if all its nodes are free: `LOCOX_NOT_FREE` and
/// `LOCOX_NO_SUCH_NODE` name one that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_claim(
    pool: *mut locox_pool,
    base: u32,
    mask: u32,
    lease: *mut locox_lease,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let lease = out(lease)?;
            let granted = on(pool, |it| {
                let pool = it.get();
                let cube = Subcube::new(pool.dims(), Node(base), mask);
                let cube = cube.ok_or(LOCOX_NO_SUCH_NODE.with(base | mask))?;
                Ok(pool.claim(cube)?)
            })?;
            lease.put(granted.into());
            Ok(())
        })
    }
}

/// Grants each of these nodes as a lease of its own, or none: `LOCOX_NOT_FREE` and `LOCOX_NO_SUCH_NODE`
/// name one that is not free. `granted`, which may be null, is called for each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_claim_nodes(
    pool: *mut locox_pool,
    nodes: *const u32,
    count: usize,
    granted: locox_lease_fn,
    user: *mut core::ffi::c_void,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let nodes = node_list(nodes, count)?;
            on(pool, |it| Ok(it.get().claim_nodes(nodes, &mut |one| tell(granted, one, user))?))
        })
    }
}

/// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_release(
    pool: *mut locox_pool,
    lease: *const locox_lease,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let lease = input(lease)?;
            on(pool, |it| Ok(it.get().release(lease_of(lease)?)?))
        })
    }
}

/// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
/// null, is called once for each lease that has one of them.
/// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_withdraw(
    pool: *mut locox_pool,
    nodes: *const u32,
    count: usize,
    outage: u32,
    hit: locox_lease_fn,
    user: *mut core::ffi::c_void,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (nodes, outage) = (node_list(nodes, count)?, outage_of(outage)?);
            on(pool, |it| Ok(it.get().withdraw(nodes, outage, &mut |one| tell(hit, one, user))?))
        })
    }
}

/// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_repair(
    pool: *mut locox_pool,
    nodes: *const u32,
    count: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let nodes = node_list(nodes, count)?;
            on(pool, |it| Ok(it.get().repair(nodes)?))
        })
    }
}

/// The lease that holds a node; `LOCOX_NONE` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_lease_at(
    pool: *const locox_pool,
    node: u32,
    lease: *mut locox_lease,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let lease = out(lease)?;
            let found = of(pool, |it| it.get().lease_at(Node(node)).ok_or(LOCOX_NONE.into()))?;
            lease.put(found.into());
            Ok(())
        })
    }
}

/// Calls `visit` for each live lease, by rising base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_leases(
    pool: *const locox_pool,
    visit: locox_lease_fn,
    user: *mut core::ffi::c_void,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            of(pool, |it| {
                it.get().each_lease(&mut |lease| tell(visit, lease, user));
                Ok(())
            })
        })
    }
}

/// What a node is doing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_node(
    pool: *const locox_pool,
    node: u32,
    state: *mut locox_node_state,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let state = out(state)?;
            state.put(of(pool, |it| Ok(it.get().state(Node(node))?))?.into());
            Ok(())
        })
    }
}

/// How many nodes are free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_free(pool: *const locox_pool, free: *mut u32) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { get(pool, free, |it| Ok(it.get().free())) }
}

/// Figures of the moment; passes over all nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_figures(
    pool: *const locox_pool,
    stats: *mut locox_pool_stats,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let stats = out(stats)?;
            stats.put(of(pool, |it| Ok(it.get().stats()))?.into());
            Ok(())
        })
    }
}

/// Begins another epoch in a pool that is built anew after a restart: leases of the last one stay
/// good. `epoch` is never used twice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_begin(pool: *mut locox_pool, epoch: u16) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            on(pool, |it| {
                it.get().begin(Epoch(epoch));
                Ok(())
            })
        })
    }
}

/// Writes an image of the pool, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how
/// many there must be; what is in `image` is of no use then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_export(
    pool: *const locox_pool,
    image: *mut u32,
    len: usize,
    written: *mut usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (written, mut writer) = (out(written)?, Writer::new(outputs(image, len)?));
            of(pool, |it| {
                it.get().export(&mut |word| writer.put(word));
                Ok(())
            })?;
            written.put(writer.finish()?);
            Ok(())
        })
    }
}

/// Goes on from an image of a pool of the same id, dimensions and strategy, in an epoch that was
/// never used. After `LOCOX_BAD_IMAGE` the pool is as new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_restore(
    pool: *mut locox_pool,
    image: *const u32,
    len: usize,
    epoch: u16,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let image = inputs(image, len)?;
            on(pool, |it| Ok(it.get().restore(&mut reader(image), Epoch(epoch))?))
        })
    }
}

/// Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_pool_check(pool: *const locox_pool) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(core::ptr::null_mut(), || of(pool, |it| Ok(it.get().check_invariants()?))) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn node_list<'a>(nodes: *const u32, count: usize) -> Answer<&'a [Node]> {
    // SAFETY: a `Node` is a number, and the caller keeps the contract.
    unsafe { inputs(nodes.cast(), count) }
}

pub(crate) fn outage_of(number: u32) -> Answer<Outage> {
    match number {
        LOCOX_FAILED => Ok(Outage::Failed),
        LOCOX_DRAINED => Ok(Outage::Drained),
        _ => Err(LOCOX_BAD_ARGUMENT.into()),
    }
}

fn tell(visit: locox_lease_fn, lease: Lease, user: User) {
    if let Some(visit) = visit {
        // SAFETY: by the contract the callback takes a lease and what it was given, and returns.
        unsafe { visit(&lease.into(), user) };
    }
}

impl From<Lease> for locox_lease {
    fn from(lease: Lease) -> Self {
        let cube = lease.cube();
        let (mask, dims) = (cube.mask(), u32::from(cube.dims().get()));
        Self { handle: lease.handle().into(), mask, dims }
    }
}

pub(crate) fn cube_of(lease: locox_lease) -> Answer<Subcube> {
    let base = Node(lease.handle.index);
    let cube = dims(lease.dims).ok().and_then(|dims| Subcube::new(dims, base, lease.mask));
    cube.ok_or(LOCOX_FOREIGN.into())
}

/// Numbers that are no subcube are of no pool.
fn lease_of(lease: locox_lease) -> Answer<Lease> {
    let handle = Handle::from(lease.handle);
    Lease::from_parts(cube_of(lease)?, handle).ok_or(LOCOX_FOREIGN.into())
}

impl From<NodeState> for locox_node_state {
    fn from(state: NodeState) -> Self {
        let outage = match state.outage {
            None => 0,
            Some(Outage::Failed) => LOCOX_FAILED,
            Some(Outage::Drained) => LOCOX_DRAINED,
        };
        Self { leased: state.leased.into(), outage }
    }
}

impl From<Stats> for locox_pool_stats {
    fn from(stats: Stats) -> Self {
        Self {
            free: stats.free,
            leased: stats.leased,
            out: stats.out,
            largest: stats.largest.map_or(-1, |dim| dim.get().into()),
            fragmentation_permille: stats.fragmentation_permille().into(),
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLarge => LOCOX_TOO_LARGE.into(),
            Refusal::Faulty => LOCOX_FAULTY.into(),
            Refusal::TooFewFree { free } => LOCOX_TOO_FEW_FREE.with(free),
            Refusal::Undecided => LOCOX_UNDECIDED.into(),
            Refusal::Fragmented { largest } => LOCOX_FRAGMENTED.with(largest.get()),
        }
    }
}

impl From<NoSuchNode> for Fault {
    fn from(NoSuchNode(node): NoSuchNode) -> Self {
        LOCOX_NO_SUCH_NODE.with(node.0)
    }
}

impl From<NotFree> for Fault {
    fn from(NotFree(node): NotFree) -> Self {
        LOCOX_NOT_FREE.with(node.0)
    }
}

impl From<Misuse> for Fault {
    fn from(misuse: Misuse) -> Self {
        locox_status::from(misuse).into()
    }
}
