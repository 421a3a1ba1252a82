//! Nodes with quantities, such as cores, memory and GPUs, that jobs share.

use crate::image;
use crate::pool::{locox_node_state, node_list};
use crate::prelude::*;
use locox::nodes::*;

/// The most nodes.
pub const LOCOX_NODES_MOST: u32 = 4096;
/// Words of a set of them.
const W: usize = LOCOX_NODES_MOST.div_ceil(Word::BITS) as usize;

numbered! {
    Placement {
        /// Which of the nodes where a request fits it gets: the first.
        LOCOX_NODES_FIRST = First = 0,
        /// See `LOCOX_NODES_FIRST`: those where the least is left.
        LOCOX_NODES_BEST = Best = 1,
        /// See `LOCOX_NODES_FIRST`: those that lose the least of what they could still give to requests that were learnt.
        LOCOX_NODES_FEWEST = Fewest = 2,
    }
}

opaque! {
    /// A pool of nodes that jobs share. Opaque, and may be moved; its storage may not.
    locox_node_pool: [u64; LOCOX_NODE_POOL_LENGTH], locox_size_of_node_pool, as Body, b"NODE";
    /// Room for a lease. Its content does not matter.
    locox_node_lease_row: [usize; LOCOX_NODE_LEASE_ROW_LENGTH], locox_size_of_node_lease_row, for NodeRow<W>;
}

structures! {
    /// How much of each of up to eight quantities, in units of the caller's. The first one is processors.
    pub struct locox_amounts {
        /// Of each.
        pub of: [u32; 8],
    }

    /// Nodes, and by which rule they are granted. The arrays are not copied: they stay as they are while a pool is used.
    pub struct locox_nodes {
        /// What a node of each class has.
        pub classes: *const locox_amounts,
        /// How many classes there are, 1 to 64.
        pub class_count: usize,
        /// The class of each node.
        pub class_of: *const u8,
        /// How many nodes there are, 1 to `LOCOX_NODES_MOST`.
        pub count: usize,
        /// What the nodes have in common, such as licences.
        pub common: locox_amounts,
        /// `LOCOX_NODES_FIRST`, `LOCOX_NODES_BEST` or `LOCOX_NODES_FEWEST`.
        pub placement: u32,
        /// The quantity for which `LOCOX_NODES_FEWEST` keeps room.
        pub keep: u32,
        /// The quantity that is devices of which jobs can have parts, at most 16 a node, unless `parts` is zero.
        pub device: u32,
        /// Of how many parts each device is; zero if they are only granted as a whole.
        pub parts: u32,
    }

    /// What is asked for.
    pub struct locox_node_request {
        /// `LOCOX_NODES_EACH`, `LOCOX_NODES_TASKS` or `LOCOX_NODES_PART`.
        pub kind: u32,
        /// How many nodes at least, tasks, or parts of a device; zero nodes or tasks mean one.
        pub count: u32,
        /// For `LOCOX_NODES_EACH`: more nodes up to so many, if there are. Zero for none.
        pub most: u32,
        /// Not zero: nobody else may have anything on these nodes.
        pub exclusive: u32,
        /// How much on each node, for each task, or next to the part.
        pub amounts: locox_amounts,
        /// How much of what the nodes have in common.
        pub common: locox_amounts,
        /// Bit c: nodes of class c will do. Zero for all classes.
        pub classes: u64,
        /// The set of nodes that will do (`LOCOX_SET_WORDS`); others are out of it.
        pub allowed: *const usize,
        /// How many words it has; zero for all nodes.
        pub allowed_len: usize,
    }

    /// Nodes granted to somebody, or some of what they have.
    pub struct locox_node_lease {
        /// Its name.
        pub handle: locox_handle,
        /// Its first node; `locox_nodes_of` lists all of them.
        pub node: u32,
        /// How many nodes it has.
        pub nodes: u32,
        /// How many parts of a device it has; zero for none.
        pub parts: u32,
        /// Which device of its node that is.
        pub device: u32,
    }
}

callbacks! {
    /// Called for each lease that a call has to name.
    pub type locox_node_lease_fn(lease: *const locox_node_lease);
}

type Body = NodePool<'static, W, &'static mut [NodeRow<W>], &'static mut [u32]>;

commands! {
    asked(it: &locox_node_request) -> NodeRequest<'static>, by it.kind;
    { let amounts = Amounts::of(&it.amounts.of); }
    /// Kinds of `locox_node_request`: so many nodes, and so much on each.
    LOCOX_NODES_EACH = 0 => NodeRequest::of(it.count, amounts).up_to(it.most);
    /// See `LOCOX_NODES_EACH`: so many tasks on the fewest nodes that have equally many of them.
    LOCOX_NODES_TASKS = 1 => NodeRequest::tasks(it.count, amounts);
    /// See `LOCOX_NODES_EACH`: so many parts of one device, and so much on its node.
    LOCOX_NODES_PART = 2 => NodeRequest::part(it.count, amounts);
}

/// Words of 32 bits of storage for a pool of these nodes; zero if they make no machine. `LOCOX_NODES_WORDS` is enough, as a
/// constant.
///
/// # Safety
///
/// The contract of the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_nodes_words(nodes: *const locox_nodes) -> usize {
    // SAFETY: the caller keeps the contract of `memory`.
    let machine = unsafe { input(nodes).and_then(|it| machine_of(it)) };
    machine.map_or(0, |it| it.pool_words())
}

methods! { pool: locox_node_pool |it| it =>
    /// Starts a pool of nodes that are all free, over `len` words of storage with any content, and with room for a lease in
    /// each row. `LOCOX_WRONG_TABLE` if a node (detail) is of no class. Its leases carry `id`: to other pools they are foreign.
    start fn locox_nodes_start(
        id: u16, nodes: *const locox_nodes, words: *mut u32, len: usize, rows: *mut locox_node_lease_row, rows_len: usize
    ) -> (; detail) {
        let machine = machine_of(input(nodes)?)?;
        let needed = machine.pool_words();
        let words = storage::<u32, u32>(words, len, needed)?.first(needed);
        let rows = storage(rows, rows_len, 1)?;
        NodePool::new(PoolId(id), machine, rows.cleared(NodeRow::EMPTY), words.cleared(0))?
    }

    /// Grants nodes, now. Refused as `LOCOX_NO_PLACE`, `LOCOX_FAULTY`, `LOCOX_TOO_FEW_FREE` (so many processors are),
    /// `LOCOX_FRAGMENTED` or, if no row is left, as `LOCOX_FULL`.
    act fn locox_nodes_allocate(request: *const locox_node_request) -> (lease: locox_node_lease; detail) {
        it.allocate(&request_of(&request)?)?
    }

    /// Whether `locox_nodes_allocate` would grant a request; refused as there.
    look fn locox_nodes_would_fit(request: *const locox_node_request) -> (; detail) {
        it.would_fit(&request_of(&request)?).map(drop)?
    }

    /// `LOCOX_NODES_FEWEST` keeps room for requests like this one, too. No image has anything of it.
    act fn locox_nodes_learn(request: *const locox_node_request) { it.learn(&request_of(&request)?) }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    act fn locox_nodes_release(lease: *const locox_handle) { it.release(it.lease(lease.into())?)? }

    /// The live lease of this name.
    look fn locox_nodes_lease(name: *const locox_handle) -> (lease: locox_node_lease) { it.lease(name.into())? }

    /// Writes the nodes of a lease, by rising number, and how many they are to `count`. `LOCOX_TOO_SHORT` says how many there
    /// must be room for; what is in `nodes` is of no use then.
    look fn locox_nodes_of(lease: *const locox_handle, nodes: *mut u32, len: usize) -> (count: usize; detail) {
        let lease = it.lease(lease.into())?;
        image::write((nodes, len), |put| lease.place().nodes().for_each(|node| put(node.0)))?
    }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_nodes_withdraw(
        nodes: *const u32, count: usize, outage: u32, hit: locox_node_lease_fn, user: *mut c_void
    ) -> (; detail) { it.withdraw(node_list(nodes, count)?, FromC::from_c(outage)?, |one| tell(hit, one, user))? }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    act fn locox_nodes_repair(nodes: *const u32, count: usize) -> (; detail) { it.repair(node_list(nodes, count)?)? }

    /// Calls `visit` for each live lease.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_nodes_leases(visit: locox_node_lease_fn, user: *mut c_void) {
        it.leases().for_each(|lease| tell(visit, lease, user))
    }

    /// What a node is doing; it is leased if any lease has something of it.
    look fn locox_nodes_node(node: u32) -> (state: locox_node_state; detail) { it.state(Node(node))? }

    /// What a new lease may have of a node: nothing if it is out of service. Devices of which somebody has a part are not in it.
    look fn locox_nodes_free(node: u32) -> (free: locox_amounts; detail) { it.free(Node(node))? }

    /// The parts that a new lease may have of a device of a node.
    look fn locox_nodes_free_parts(node: u32, device: u32) -> (parts: u32; detail) { it.free_parts(Node(node), device)? }

    /// What is free of what the nodes have in common.
    look fn locox_nodes_free_common() -> (free: locox_amounts) { it.free_common() }
}

crate::image::restarts! {
    locox_node_pool: locox_nodes_begin, locox_nodes_export, locox_nodes_restore, locox_nodes_check, locox_nodes_load; |it| it
}

/// # Safety
///
/// The contract of `memory`, and the arrays stay.
unsafe fn machine_of(it: locox_nodes) -> Answer<Nodes<'static, W>> {
    const { assert!(size_of::<locox_amounts>() == size_of::<Amounts>()) };
    const { assert!(align_of::<locox_amounts>() == align_of::<Amounts>()) };
    // SAFETY: the caller keeps the contract. `Amounts` are eight numbers and, by their size, nothing else.
    let classes = unsafe { inputs(it.classes.cast::<Amounts>(), it.class_count) }?;
    // SAFETY: as above.
    let class_of = unsafe { inputs(it.class_of, it.count) }?;
    let nodes = Nodes::new(classes, class_of, FromC::from_c(it.placement)?)?;
    let nodes = nodes.with_common(Amounts::of(&it.common.of));
    let nodes =
        if it.parts == 0 { nodes } else { nodes.with_parts(it.device as usize, it.parts)? };
    if it.keep as usize >= Amounts::MOST {
        Err(LOCOX_BAD_ARGUMENT.into())
    } else {
        Ok(nodes.keeping(it.keep as usize))
    }
}

/// # Safety
///
/// The contract of `memory`.
unsafe fn request_of(it: &locox_node_request) -> Answer<NodeRequest<'_>> {
    // SAFETY: the caller keeps the contract.
    let allowed = unsafe { inputs(it.allowed, it.allowed_len) }?;
    let classes = if it.classes == 0 { u64::MAX } else { it.classes };
    let request =
        asked(it)?.with_common(Amounts::of(&it.common.of)).in_classes(classes).among(allowed);
    Ok(if it.exclusive == 0 { request } else { request.exclusive() })
}

values! {
    Amounts as locox_amounts: |it| locox_amounts { of: *it.all() };
    NodeLease<W> as locox_node_lease: |it| {
        let (place, (parts, device)) = (it.place(), it.place().part().unwrap_or((0, 0)));
        locox_node_lease {
            handle: it.handle().into_c(),
            node: place.nodes().next().map_or(0, |it| it.0),
            nodes: place.nodes().count() as u32,
            parts,
            device,
        }
    };
}

faults! {
    Refusal {
        NoPlace => LOCOX_NO_PLACE, Faulty => LOCOX_FAULTY, TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Fragmented => LOCOX_FRAGMENTED, Full => LOCOX_FULL,
    }
    BadNodes {
        Count { most } => LOCOX_BAD_ARGUMENT.with(most), Classes => LOCOX_BAD_ARGUMENT,
        NoSuchClass { node } => LOCOX_WRONG_TABLE.with(node), Devices => LOCOX_BAD_ARGUMENT,
    }
}
