//! Sizes as numbers, for `locox_sizes.h`.
//!
//! They depend on the width of a word. Those of the host are values here; those of a target of
//! another width are found in its static library, behind a mark. Linkers leave them out.

use crate::{
    cluster, mapping, mesh, node, pool, profile, queue, ranking, site, station, timeline, timeshare,
};
use locox::bits::words_for;

/// What stands before the numbers in a library.
pub const MARK: [u8; 16] = *b"locox sizes 1 >>";

/// Strategies by their numbers.
pub const STRATEGIES: [&str; 5] =
    ["BUDDY", "GRAY_CODE", "FREE_LIST", "FREE_LIST_PLAIN", "COMPLETE"];
/// Dimensions of machines.
pub const DIMS: [u32; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/// PEs of machines.
pub const PES: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
/// Reservations of timelines.
pub const RESERVATIONS: [u32; 6] = [7, 15, 31, 63, 127, 255];
/// Jobs of queues that plan.
pub const JOBS: [usize; 6] = [8, 16, 32, 64, 128, 256];

/// Lengths of opaque structures and rows, in the words that they are made of.
pub const LENGTHS: [(&str, usize); 34] = [
    ("LOCOX_POOL_LENGTH", pool::LOCOX_POOL_LENGTH),
    ("LOCOX_MESH_POOL_LENGTH", mesh::LOCOX_MESH_POOL_LENGTH),
    ("LOCOX_TIMELINE_LENGTH", timeline::LOCOX_TIMELINE_LENGTH),
    ("LOCOX_STEP_LENGTH", timeline::LOCOX_STEP_LENGTH),
    ("LOCOX_PROFILE_LENGTH", profile::LOCOX_PROFILE_LENGTH),
    ("LOCOX_QUEUE_LENGTH", queue::LOCOX_QUEUE_LENGTH),
    ("LOCOX_QUEUE_ROW_LENGTH", queue::LOCOX_QUEUE_ROW_LENGTH),
    ("LOCOX_BACKFILL_ROW_LENGTH", queue::LOCOX_BACKFILL_ROW_LENGTH),
    ("LOCOX_RANKING_LENGTH", ranking::LOCOX_RANKING_LENGTH),
    ("LOCOX_STATION_LENGTH", station::LOCOX_STATION_LENGTH),
    ("LOCOX_HOME_ROW_LENGTH", station::LOCOX_HOME_ROW_LENGTH),
    ("LOCOX_NODE_ROW_LENGTH", station::LOCOX_NODE_ROW_LENGTH),
    ("LOCOX_JOB_ROW_LENGTH", station::LOCOX_JOB_ROW_LENGTH),
    ("LOCOX_CONTENDER_LENGTH", station::LOCOX_CONTENDER_LENGTH),
    ("LOCOX_TIMED_ROW_LENGTH", station::LOCOX_TIMED_ROW_LENGTH),
    ("LOCOX_TIMESHARE_LENGTH", timeshare::LOCOX_TIMESHARE_LENGTH),
    ("LOCOX_SHARED_ENTRY_LENGTH", timeshare::LOCOX_SHARED_ENTRY_LENGTH),
    ("LOCOX_SHARED_HOST_LENGTH", timeshare::LOCOX_SHARED_HOST_LENGTH),
    ("LOCOX_SHARED_JOB_LENGTH", timeshare::LOCOX_SHARED_JOB_LENGTH),
    ("LOCOX_CLUSTER_ROW_LENGTH", mapping::LOCOX_CLUSTER_ROW_LENGTH),
    ("LOCOX_UNPLACED_ROW_LENGTH", mapping::LOCOX_UNPLACED_ROW_LENGTH),
    ("LOCOX_MAPPED_ROW_LENGTH", mapping::LOCOX_MAPPED_ROW_LENGTH),
    ("LOCOX_EXPERIENCE_LENGTH", mapping::LOCOX_EXPERIENCE_LENGTH),
    ("LOCOX_CLUSTER_LENGTH", cluster::LOCOX_CLUSTER_LENGTH),
    ("LOCOX_CLUSTER_JOB_LENGTH", cluster::LOCOX_CLUSTER_JOB_LENGTH),
    ("LOCOX_HOST_LENGTH", cluster::LOCOX_HOST_LENGTH),
    ("LOCOX_SITE_LENGTH", site::LOCOX_SITE_LENGTH),
    ("LOCOX_SITE_JOB_LENGTH", site::LOCOX_SITE_JOB_LENGTH),
    ("LOCOX_SITE_MACHINE_LENGTH", site::LOCOX_SITE_MACHINE_LENGTH),
    ("LOCOX_SITE_USER_LENGTH", site::LOCOX_SITE_USER_LENGTH),
    ("LOCOX_SITE_QUEUE_LENGTH", site::LOCOX_SITE_QUEUE_LENGTH),
    ("LOCOX_RUNNING_ROW_LENGTH", site::LOCOX_RUNNING_ROW_LENGTH),
    ("LOCOX_OWNER_LENGTH", node::LOCOX_OWNER_LENGTH),
    ("LOCOX_GUEST_LENGTH", node::LOCOX_GUEST_LENGTH),
];

const COUNT: usize = LENGTHS.len()
    + 2 * STRATEGIES.len() * DIMS.len()
    + 2 * PES.len() * RESERVATIONS.len()
    + PES.len() * JOBS.len();

/// The numbers behind their mark: the lengths; the words of pools and of pools of meshes, by strategy
/// and dimensions; of timelines and of profiles, by PEs and reservations; of queues that plan, by PEs
/// and jobs.
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

/// Calls a function of two numbers for all pairs out of two tables.
macro_rules! pairs {
    ($filling:ident, $words:path, $rows:expr, $columns:expr) => {
        let mut row = 0;
        while row < $rows.len() {
            let mut column = 0;
            while column < $columns.len() {
                $filling.put($words($rows[row], $columns[column]));
                column += 1;
            }
            row += 1;
        }
    };
}

const fn numbers() -> [u32; COUNT] {
    let mut filling = Filling { numbers: [0; COUNT], at: 0 };
    let mut length = 0;
    while length < LENGTHS.len() {
        filling.put(LENGTHS[length].1);
        length += 1;
    }
    let strategies: [u32; STRATEGIES.len()] = [0, 1, 2, 3, 4];
    pairs!(filling, pool::words_of, strategies, DIMS);
    pairs!(filling, mesh::words_of, strategies, DIMS);
    pairs!(filling, timeline::words_of, PES, RESERVATIONS);
    pairs!(filling, profile::words_of, PES, RESERVATIONS);
    pairs!(filling, queue::words_of, PES, JOBS);
    assert!(filling.at == COUNT);
    filling.numbers
}

/// Words of a set of so many PEs: `LOCOX_SET_WORDS`.
#[unsafe(no_mangle)]
pub extern "C" fn locox_set_words(pes: u32) -> usize {
    words_for(pes as usize)
}
