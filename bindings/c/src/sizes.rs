//! Sizes as numbers, for `locox_sizes.h`.
//!
//! They depend on the width of a word. Those of the host are values here; those of a target of
//! another width are found in its static library, behind a mark. Linkers leave them out.

use crate::{interface::plain, manager, mesh, pool};
use locox::bits::words_for;
use locox::cube::Dim;
use locox_coordinators::manager::Places;

/// What stands before the numbers in a library.
pub const MARK: [u8; 16] = *b"locox sizes 3 >>";

/// Strategies by their numbers.
pub const STRATEGIES: [&str; 5] =
    ["BUDDY", "GRAY_CODE", "FREE_LIST", "FREE_LIST_PLAIN", "COMPLETE"];
/// Dimensions of machines: 0, 1, and so on, so many.
pub const DIMS: usize = Dim::COUNT;

/// Constants of this crate by their names.
macro_rules! lengths {
    ($($length:ident,)*) => { [$((stringify!($length), crate::$length)),*] };
}

/// Lengths of opaque structures and rows, in the words that they are made of.
pub const LENGTHS: [(&str, usize); 49] = lengths! {
    LOCOX_POOL_LENGTH, LOCOX_MESH_POOL_LENGTH, LOCOX_GRID_POOL_LENGTH, LOCOX_SLICE_POOL_LENGTH,
    LOCOX_PROFILE_ROW_LENGTH, LOCOX_TIMELINE_LENGTH, LOCOX_STEP_LENGTH, LOCOX_PROFILE_LENGTH,
    LOCOX_QUEUE_LENGTH, LOCOX_QUEUE_ROW_LENGTH, LOCOX_BACKFILL_ROW_LENGTH, LOCOX_USER_ROW_LENGTH,
    LOCOX_BOX_QUEUE_LENGTH, LOCOX_BOX_ROW_LENGTH,
    LOCOX_RANKING_LENGTH, LOCOX_STATION_LENGTH, LOCOX_HOME_ROW_LENGTH, LOCOX_NODE_ROW_LENGTH,
    LOCOX_JOB_ROW_LENGTH, LOCOX_CONTENDER_LENGTH, LOCOX_TIMED_ROW_LENGTH, LOCOX_TIMESHARE_LENGTH,
    LOCOX_SHARED_ENTRY_LENGTH, LOCOX_SHARED_HOST_LENGTH, LOCOX_SHARED_JOB_LENGTH, LOCOX_CLUSTER_ROW_LENGTH,
    LOCOX_UNPLACED_ROW_LENGTH, LOCOX_MAPPED_ROW_LENGTH, LOCOX_EXPERIENCE_LENGTH, LOCOX_CLUSTER_LENGTH,
    LOCOX_CLUSTER_JOB_LENGTH, LOCOX_HOST_LENGTH, LOCOX_SITE_LENGTH, LOCOX_SITE_JOB_LENGTH,
    LOCOX_SITE_MACHINE_LENGTH, LOCOX_SITE_USER_LENGTH, LOCOX_SITE_QUEUE_LENGTH, LOCOX_RUNNING_ROW_LENGTH,
    LOCOX_WIDE_COUNTER_LENGTH, LOCOX_OWNER_LENGTH, LOCOX_GUEST_LENGTH, LOCOX_MANAGER_LENGTH,
    LOCOX_MANAGER_JOB_ROW_LENGTH, LOCOX_MANAGER_USER_ROW_LENGTH, LOCOX_MANAGER_NODE_ROW_LENGTH,
    LOCOX_MANAGER_PLAN_ROW_LENGTH, LOCOX_MANAGER_STAKE_ROW_LENGTH, LOCOX_NODE_POOL_LENGTH,
    LOCOX_NODE_LEASE_ROW_LENGTH,
};

const COUNT: usize = LENGTHS.len() + (2 * STRATEGIES.len() + 1) * DIMS;

/// The numbers behind their mark: the lengths; the words of pools and of pools of meshes, by strategy
/// and dimensions from 0 on; those of a manager's subcubes, by dimensions, zero where there are too many.
#[repr(C)]
pub struct Sizes {
    mark: [u8; 16],
    /// In this order.
    pub numbers: [u32; COUNT],
}

/// Those of this target.
#[unsafe(no_mangle)]
pub static LOCOX_SIZES: Sizes = Sizes { mark: MARK, numbers: numbers() };

/// Fills a table of numbers; run by the compiler only.
struct Filling {
    numbers: [u32; COUNT],
    at: usize,
}

impl Filling {
    const fn put(&mut self, number: usize) {
        assert!(number <= u32::MAX as usize);
        self.numbers[self.at] = number as u32;
        self.at += 1;
    }
}

const fn numbers() -> [u32; COUNT] {
    let mut filling = Filling { numbers: [0; COUNT], at: 0 };
    let mut length = 0;
    while length < LENGTHS.len() {
        filling.put(LENGTHS[length].1);
        length += 1;
    }
    let mut pool = 0;
    while pool < STRATEGIES.len() * DIMS {
        filling.put(pool::words_of((pool / DIMS) as u32, (pool % DIMS) as u32));
        pool += 1;
    }
    let mut mesh = 0;
    while mesh < STRATEGIES.len() * DIMS {
        filling.put(mesh::words_of((mesh / DIMS) as u32, (mesh % DIMS) as u32));
        mesh += 1;
    }
    let mut dims = 0;
    while dims < DIMS {
        filling.put(manager::words_of(1 << dims, Places::Subcubes, false));
        dims += 1;
    }
    assert!(filling.at == COUNT);
    filling.numbers
}

plain! {
    /// Words of a set of so many PEs: `LOCOX_SET_WORDS`.
    fn locox_set_words(pes: u32) -> usize { words_for(pes as usize) }
}
