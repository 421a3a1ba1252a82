//! Pools of the nodes of a hypercube: subcubes.

use crate::interface::{Numbered, faults, interface, numbered, opaque, structures};
use crate::memory::*;
use crate::status::locox_status::*;
use core::ffi::c_void;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::{Epoch, Handle, Misuse, PoolId};
use locox::subcube::{
    Allocator, Buddy, ClaimError, Complete, FreeList, FreeListPlain, GrayCode, Lease, NoSuchNode,
    NodeState, NotFree, Outage, Pool, Refusal, Stats, StorageTooSmall, Strategy, words,
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

numbered! {
    Outage {
        /// Why a node is withdrawn: it broke.
        LOCOX_FAILED = Failed = 1,
        /// Why a node is withdrawn: it shall do no new work.
        LOCOX_DRAINED = Drained = 2,
    }
}

opaque! {
    /// A pool of the nodes of a hypercube. Opaque, small, and may be moved; its storage may not.
    locox_pool: [u64; LOCOX_POOL_LENGTH], locox_size_of_pool, as Body, b"POOL";
}

structures! {
    /// A subcube granted to somebody: the nodes whose address is `base` but for the bits of `mask`.
    pub struct locox_lease {
        /// Its name; the index is the base, its lowest address.
        pub handle: locox_handle,
        /// The bits of an address that are free: one for each dimension.
        pub mask: u32,
        /// Dimensions of the machine.
        pub dims: u32,
    }

    /// What a node is doing.
    pub struct locox_node_state {
        /// 1 if a lease holds it.
        pub leased: u32,
        /// Zero in service, else `LOCOX_FAILED` or `LOCOX_DRAINED`.
        pub outage: u32,
    }

    /// Figures of a pool.
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
}

/// Called for each lease that a call has to name.
pub type locox_lease_fn =
    Option<unsafe extern "C" fn(lease: *const locox_lease, user: *mut c_void)>;

pub(crate) type Words = &'static mut [Word];

/// A pool of any strategy, as the functions below see it.
pub(crate) trait Cubes: Allocator {
    fn claim_nodes(
        &mut self,
        nodes: &[Node],
        granted: &mut dyn FnMut(Lease),
    ) -> Result<(), ClaimError>;
    fn each_lease(&self, visit: &mut dyn FnMut(Lease));
    fn stranded(&self, dim: Dim, scratch: &mut [Word]) -> Result<u32, StorageTooSmall>;
    fn begin(&mut self, epoch: Epoch);
}

impl<T: Strategy> Cubes for Pool<T, Words> {
    fn claim_nodes(
        &mut self,
        nodes: &[Node],
        granted: &mut dyn FnMut(Lease),
    ) -> Result<(), ClaimError> {
        self.claim_nodes(nodes, granted)
    }

    fn each_lease(&self, visit: &mut dyn FnMut(Lease)) {
        self.leases().for_each(visit);
    }

    fn stranded(&self, dim: Dim, scratch: &mut [Word]) -> Result<u32, StorageTooSmall> {
        self.stranded(dim, scratch)
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

pub(crate) type Body = ErasedBody<AnyPool, dyn Cubes>;

/// # Safety
///
/// The contract of `memory`.
unsafe fn start_with<T: Strategy>(
    (pool, id, machine): (*mut locox_pool, u16, u32),
    (storage, len): (*mut usize, usize),
    body: impl FnOnce(Pool<T, Words>) -> Body,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (place, dims) = (place(pool)?, dims(machine)?);
        let words = crate::memory::words(storage, len, words::<T>(dims.get()))?.cleared(0);
        let needed = words.len();
        let pool = Pool::new(PoolId(id), dims, words);
        place.start(body(pool.map_err(|_| LOCOX_TOO_SHORT.with_len(needed))?))
    }
}

/// Words of storage for a pool of an n-cube under a strategy; zero for numbers that stand for none.
/// `LOCOX_POOL_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_pool_words(strategy: u32, dims: u32) -> usize {
    words_of(strategy, dims)
}

/// `words_of` a strategy by its number: those that `words` says where this stands.
macro_rules! words_by_strategy {
    () => {
        pub(crate) const fn words_of(strategy: u32, dims: u32) -> usize {
            if dims > locox::cube::Dim::MAX.get() as u32 {
                return 0;
            }
            let dims = dims as u8;
            match strategy {
                $crate::pool::LOCOX_BUDDY => words::<Buddy>(dims),
                $crate::pool::LOCOX_GRAY_CODE => words::<GrayCode>(dims),
                $crate::pool::LOCOX_FREE_LIST => words::<FreeList>(dims),
                $crate::pool::LOCOX_FREE_LIST_PLAIN => words::<FreeListPlain>(dims),
                $crate::pool::LOCOX_COMPLETE => words::<Complete>(dims),
                _ => 0,
            }
        }
    };
}
pub(crate) use words_by_strategy;

words_by_strategy!();

/// A start for each strategy, with what else it takes: a program links those that it calls.
macro_rules! starts {
    ($Pool:ty as $Trait:ident: $(
        $(#[$comment:meta])*
        $name:ident($($more:ident)?) = $Strategy:ident;
    )*) => {$crate::interface::interface! {$(
        $(#[$comment])*
        fn $name(
            pool: *mut $Pool, id: u16, dims: u32, $($more: u32,)? storage: *mut usize,
            len: usize; detail
        ) {
            let start = $crate::memory::erased!(AnyPool::$Strategy as $Trait);
            start_with::<$Strategy>((pool, id, dims $(, $more)?), (storage, len), start)
        }
    )*}};
}
pub(crate) use starts;

starts! {
    locox_pool as Cubes:
    /// Starts a pool of all nodes of an n-cube (`dims` up to 24) under the buddy strategy, over `len`
    /// words of storage with any content. Its leases carry `id`: to other pools they are foreign.
    locox_pool_start_buddy() = Buddy;

    /// As `locox_pool_start_buddy`, under the Gray code strategy.
    locox_pool_start_gray_code() = GrayCode;

    /// As `locox_pool_start_buddy`, under the free list with a search behind it: the strategy to start
    /// from.
    locox_pool_start_free_list() = FreeList;

    /// As `locox_pool_start_buddy`, under the free list of the literature.
    locox_pool_start_free_list_plain() = FreeListPlain;

    /// As `locox_pool_start_buddy`, under complete recognition.
    locox_pool_start_complete() = Complete;
}

interface! {
    /// Grants a subcube of dimension `dim`. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`,
    /// `LOCOX_TOO_FEW_FREE`, `LOCOX_UNDECIDED` or `LOCOX_FRAGMENTED`.
    fn locox_pool_allocate(pool: *mut locox_pool, dim: u32, lease: *mut locox_lease; detail) {
        obtain(pool, lease, |it| Ok(it.get().allocate(crate::memory::dim(dim)?)?))
    }

    /// Whether `locox_pool_allocate` would grant a subcube of dimension `dim`; refused as there.
    fn locox_pool_would_fit(pool: *const locox_pool, dim: u32; detail) {
        of(pool, |it| Ok(it.get().would_fit(crate::memory::dim(dim)?)?))
    }

    /// Grants the subcube of this base and mask, if all its nodes are free: `LOCOX_NOT_FREE` and
    /// `LOCOX_NO_SUCH_NODE` name one that is not.
    fn locox_pool_claim(
        pool: *mut locox_pool, base: u32, mask: u32, lease: *mut locox_lease; detail
    ) {
        obtain(pool, lease, |it| {
            let pool = it.get();
            let cube = Subcube::new(pool.dims(), Node(base), mask);
            let cube = cube.ok_or(LOCOX_NO_SUCH_NODE.with(base | mask))?;
            Ok(pool.claim(cube)?)
        })
    }

    /// Grants each of these nodes as a lease of its own, or none: `LOCOX_NOT_FREE` and
    /// `LOCOX_NO_SUCH_NODE` name one that is not free. `granted`, which may be null, is called for each.
    /// While `granted` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_pool_claim_nodes(
        pool: *mut locox_pool, nodes: *const u32, count: usize, granted: locox_lease_fn,
        user: *mut c_void; detail
    ) {
        let nodes = node_list(nodes, count)?;
        on(pool, |it| Ok(it.get().claim_nodes(nodes, &mut |one| tell(granted, one, user))?))
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    fn locox_pool_release(pool: *mut locox_pool, lease: *const locox_lease) {
        let lease = input(lease)?;
        on(pool, |it| Ok(it.get().release(lease_of(lease)?)?))
    }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_pool_withdraw(
        pool: *mut locox_pool, nodes: *const u32, count: usize, outage: u32, hit: locox_lease_fn,
        user: *mut c_void; detail
    ) {
        let (nodes, outage) = (node_list(nodes, count)?, Numbered::from_number(outage)?);
        on(pool, |it| Ok(it.get().withdraw(nodes, outage, &mut |one| tell(hit, one, user))?))
    }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    fn locox_pool_repair(pool: *mut locox_pool, nodes: *const u32, count: usize; detail) {
        let nodes = node_list(nodes, count)?;
        on(pool, |it| Ok(it.get().repair(nodes)?))
    }

    /// The lease that holds a node; `LOCOX_NONE` if there is none.
    fn locox_pool_lease_at(pool: *const locox_pool, node: u32, lease: *mut locox_lease) {
        get(pool, lease, |it| it.get().lease_at(Node(node)).ok_or(LOCOX_NONE.into()))
    }

    /// Calls `visit` for each live lease, by rising base.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_pool_leases(pool: *const locox_pool, visit: locox_lease_fn, user: *mut c_void) {
        of(pool, |it| {
            it.get().each_lease(&mut |lease| tell(visit, lease, user));
            Ok(())
        })
    }

    /// What a node is doing.
    fn locox_pool_node(pool: *const locox_pool, node: u32, state: *mut locox_node_state; detail) {
        get(pool, state, |it| Ok(it.get().state(Node(node))?))
    }

    /// How many nodes are free.
    fn locox_pool_free(pool: *const locox_pool, free: *mut u32) {
        get(pool, free, |it| Ok(it.get().free()))
    }

    /// How many free nodes lie in no free subcube of dimension `dim`, whatever the strategy recognises.
    /// `scratch` has the words of three bit vectors over the nodes, with any content; `LOCOX_TOO_SHORT` says how
    /// many that are. `LOCOX_TOO_LARGE` beyond 24 dimensions.
    fn locox_pool_stranded(
        pool: *const locox_pool, dim: u32, scratch: *mut usize, len: usize, stranded: *mut u32; detail
    ) {
        let (result, dim) = (out(stranded)?, crate::memory::dim(dim)?);
        let scratch = filled(outputs(scratch, len)?, 0);
        result.put(of(pool, |it| {
            it.get().stranded(dim, scratch).map_err(|it| LOCOX_TOO_SHORT.with_len(it.needed))
        })?)
    }

    /// Figures of the moment; passes over all nodes.
    fn locox_pool_figures(pool: *const locox_pool, stats: *mut locox_pool_stats) {
        get(pool, stats, |it| Ok(it.get().stats()))
    }
}

crate::image::restarts! {
    locox_pool: locox_pool_begin, locox_pool_export, locox_pool_restore, locox_pool_check;
    |it| it.get()
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn node_list<'a>(nodes: *const u32, count: usize) -> Answer<&'a [Node]> {
    // SAFETY: a `Node` is a number, and the caller keeps the contract.
    unsafe { inputs(nodes.cast(), count) }
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
        Self { leased: state.leased.into(), outage: state.outage.map_or(0, Numbered::number) }
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

faults! {
    Refusal {
        Refusal::TooLarge => LOCOX_TOO_LARGE,
        Refusal::Faulty => LOCOX_FAULTY,
        Refusal::TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Refusal::Undecided => LOCOX_UNDECIDED,
        Refusal::Fragmented { largest } => LOCOX_FRAGMENTED.with(largest.get()),
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

faults! {
    Misuse {
        Misuse::Foreign => LOCOX_FOREIGN,
        Misuse::Stale => LOCOX_STALE,
    }
}
