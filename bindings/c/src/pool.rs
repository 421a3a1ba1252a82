//! Pools of the nodes of a hypercube: subcubes.

use crate::prelude::*;
use locox::cube::{Dim, Subcube};
use locox::handle::Misuse;
use locox::subcube::*;

numbers! {
    /// The strategies of a pool, for `locox_pool_words` and `locox_mesh_words`.
    LOCOX_BUDDY = 0;
    /// See `LOCOX_BUDDY`: runs of the Gray code.
    LOCOX_GRAY_CODE = 1;
    /// See `LOCOX_BUDDY`: lists of free subcubes with a search behind them. The one to start from.
    LOCOX_FREE_LIST = 2;
    /// See `LOCOX_BUDDY`: the free list of the literature.
    LOCOX_FREE_LIST_PLAIN = 3;
    /// See `LOCOX_BUDDY`: complete recognition.
    LOCOX_COMPLETE = 4;
}

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

callbacks! {
    /// Called for each lease that a call has to name.
    pub type locox_lease_fn(lease: *const locox_lease);
}

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
    fn each_lease(&self, visit: &mut dyn FnMut(Lease)) {
        self.leases().for_each(visit);
    }

    forward! {
        look |it| it =>
            fn stranded(dim: Dim, scratch: &mut [Word]) -> Result<u32, StorageTooSmall>;
        act |it| it =>
            fn claim_nodes(nodes: &[Node], granted: &mut dyn FnMut(Lease)) -> Result<(), ClaimError>;
            fn begin(epoch: Epoch);
    }
}

/// A pool of whichever strategy, and how many words it needs.
macro_rules! any_pool {
    ($Pool:ident as $Trait:ident) => {
        pub(crate) enum AnyPool {
            Buddy($Pool<Buddy, Words>),
            GrayCode($Pool<GrayCode, Words>),
            FreeList($Pool<FreeList, Words>),
            FreeListPlain($Pool<FreeListPlain, Words>),
            Complete($Pool<Complete, Words>),
        }

        pub(crate) type Body = ErasedBody<AnyPool, dyn $Trait>;

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
pub(crate) use any_pool;

any_pool!(Pool as Cubes);

plain! {
    /// Words of storage for a pool of an n-cube under a strategy; zero for numbers that stand for none.
    /// `LOCOX_POOL_WORDS` is the same as a constant.
    fn locox_pool_words(strategy: u32, dims: u32) -> usize { words_of(strategy, dims) }
}

/// A start for each strategy, with what else it takes: a program links those that it calls.
macro_rules! starts {
    ($structure:ident as $Trait:ident: $(
        $(#[$comment:meta])*
        $name:ident($($more:ident)?) = $Pool:ident<$Strategy:ident>;
    )*) => {$crate::interface::methods! { pool: $structure |it| it => $(
        $(#[$comment])*
        start fn $name(id: u16, dims: u32, $($more: u32,)? storage: *mut usize, len: usize) -> (; detail) {
            let dims = $crate::memory::dims(dims)?;
            $(let $more = FromC::from_c($more)?;)?
            let words = words_in(storage, len, words::<$Strategy>(dims.get()))?.cleared(0);
            let pool = $Pool::<$Strategy, Words>::new(PoolId(id), dims, words $(, $more)?)?;
            $crate::memory::erased!(AnyPool::$Strategy as $Trait)(pool)
        }
    )*}};
}
pub(crate) use starts;

starts! {
    locox_pool as Cubes:
    /// Starts a pool of all nodes of an n-cube (`dims` up to 24) under the buddy strategy, over `len`
    /// words of storage with any content. Its leases carry `id`: to other pools they are foreign.
    locox_pool_start_buddy() = Pool<Buddy>;
    /// As `locox_pool_start_buddy`, under the Gray code strategy.
    locox_pool_start_gray_code() = Pool<GrayCode>;
    /// As `locox_pool_start_buddy`, under the free list with a search behind it: the strategy to start
    /// from.
    locox_pool_start_free_list() = Pool<FreeList>;
    /// As `locox_pool_start_buddy`, under the free list of the literature.
    locox_pool_start_free_list_plain() = Pool<FreeListPlain>;
    /// As `locox_pool_start_buddy`, under complete recognition.
    locox_pool_start_complete() = Pool<Complete>;
}

methods! { pool: locox_pool |it| it.get() =>
    /// Grants a subcube of dimension `dim`. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`,
    /// `LOCOX_TOO_FEW_FREE`, `LOCOX_UNDECIDED` or `LOCOX_FRAGMENTED`.
    act fn locox_pool_allocate(dim: u32) -> (lease: locox_lease; detail) { it.allocate(crate::memory::dim(dim)?)? }

    /// Whether `locox_pool_allocate` would grant a subcube of dimension `dim`; refused as there.
    look fn locox_pool_would_fit(dim: u32) -> (; detail) { it.would_fit(crate::memory::dim(dim)?)? }

    /// Grants the subcube of this base and mask, if all its nodes are free: `LOCOX_NOT_FREE` and
    /// `LOCOX_NO_SUCH_NODE` name one that is not.
    act fn locox_pool_claim(base: u32, mask: u32) -> (lease: locox_lease; detail) {
        let cube = Subcube::new(it.dims(), Node(base), mask);
        it.claim(cube.ok_or(LOCOX_NO_SUCH_NODE.with(base | mask))?)?
    }

    /// Grants each of these nodes as a lease of its own, or none: `LOCOX_NOT_FREE` and
    /// `LOCOX_NO_SUCH_NODE` name one that is not free. `granted`, which may be null, is called for each.
    /// While `granted` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_pool_claim_nodes(
        nodes: *const u32, count: usize, granted: locox_lease_fn, user: *mut c_void
    ) -> (; detail) { it.claim_nodes(node_list(nodes, count)?, &mut |one| tell(granted, one, user))? }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    act fn locox_pool_release(lease: *const locox_lease) { it.release(lease_of(lease)?)? }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_pool_withdraw(
        nodes: *const u32, count: usize, outage: u32, hit: locox_lease_fn, user: *mut c_void
    ) -> (; detail) {
        it.withdraw(node_list(nodes, count)?, FromC::from_c(outage)?, &mut |one| tell(hit, one, user))?
    }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    act fn locox_pool_repair(nodes: *const u32, count: usize) -> (; detail) { it.repair(node_list(nodes, count)?)? }

    /// The lease that holds a node; `LOCOX_NONE` if there is none.
    look fn locox_pool_lease_at(node: u32) -> (lease: locox_lease) { it.lease_at(Node(node)).ok_or(LOCOX_NONE)? }

    /// Calls `visit` for each live lease, by rising base.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_pool_leases(visit: locox_lease_fn, user: *mut c_void) {
        it.each_lease(&mut |lease| tell(visit, lease, user))
    }

    /// What a node is doing.
    look fn locox_pool_node(node: u32) -> (state: locox_node_state; detail) { it.state(Node(node))? }

    /// How many nodes are free.
    look fn locox_pool_free() -> (free: u32) { it.free() }

    /// How many free nodes lie in no free subcube of dimension `dim`, whatever the strategy recognises.
    /// `scratch` has the words of three bit vectors over the nodes, with any content; `LOCOX_TOO_SHORT` says how
    /// many that are. `LOCOX_TOO_LARGE` beyond 24 dimensions.
    look fn locox_pool_stranded(dim: u32, scratch: *mut usize, len: usize) -> (stranded: u32; detail) {
        it.stranded(crate::memory::dim(dim)?, filled(outputs(scratch, len)?, 0))?
    }

    /// Figures of the moment; passes over all nodes.
    look fn locox_pool_figures() -> (stats: locox_pool_stats) { it.stats() }
}

crate::image::restarts! {
    locox_pool: locox_pool_begin, locox_pool_export, locox_pool_restore, locox_pool_check; |it| it.get()
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn node_list<'a>(nodes: *const u32, count: usize) -> Answer<&'a [Node]> {
    // SAFETY: a `Node` is a number, and the caller keeps the contract.
    unsafe { inputs(nodes.cast(), count) }
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

values! {
    Lease as locox_lease: |it| locox_lease {
        handle: it.handle().into_c(), mask: it.cube().mask(), dims: it.cube().dims().get().into()
    };
    Option<Outage> as u32: |it| it.map_or(0, Outage::into_c);
    Stats as locox_pool_stats: |it| locox_pool_stats {
        free: it.free,
        leased: it.leased,
        out: it.out,
        largest: it.largest.map_or(-1, |dim| dim.get().into()),
        fragmentation_permille: it.fragmentation_permille().into(),
    };
}
mirrors! { locox_node_state <- NodeState { leased, outage } }

faults! {
    NoSuchNode = NoSuchNode(node) => LOCOX_NO_SUCH_NODE.with(node.0);
    NotFree = NotFree(node) => LOCOX_NOT_FREE.with(node.0);
}

faults! {
    Refusal {
        TooLarge => LOCOX_TOO_LARGE, Faulty => LOCOX_FAULTY, TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Undecided => LOCOX_UNDECIDED, Fragmented { largest } => LOCOX_FRAGMENTED.with(largest.get()),
    }
    Misuse { Foreign => LOCOX_FOREIGN, Stale => LOCOX_STALE }
}
