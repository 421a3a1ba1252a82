//! The rows of a table, and the columns that hold them.
//!
//! Empty rows are zeros without gaps, so that a `static` of them costs no flash.

use super::{Load, Request, Speed, UserId};
use crate::bits::Word;
use crate::list::Ref;
use crate::storage;
use crate::time::Instant;
use crate::{half, row};

row! {
    /// One of the D x P entries: a job at a level of a host, or free. 8 bytes.
    pub struct Entry {
        job: Ref = Ref::NONE,
        /// In which batch the host was told that it has the job, or is to kill it; [`UNTOLD`] if in none yet, 0
        /// once it has heard that.
        told: u32 = 0,
    }
}

/// In the place of a batch: the host was told in none yet.
pub const UNTOLD: u32 = u32::MAX;

impl Entry {
    pub(super) const fn is_free(self) -> bool {
        self.job.get().is_none()
    }
}

half! {
    /// Whether a host is there.
    #[repr(u16)]
    enum Presence {
        /// Never heard of, or lost.
        Absent,
        There,
    }
}

row! {
    /// What the table keeps of a host, besides its entries. 24 bytes.
    pub struct HostRow {
        /// When its utilisation was read.
        read_at: Instant = Instant::ZERO,
        /// When a job came or went.
        changed_at: Instant = Instant::ZERO,
    } halves {
        load: u16 = 0,
        speed: u16 = 0,
        /// Jobs whose synchronising process is here.
        leads: u16 = 0,
        presence: Presence = Presence::Absent,
    }
}

impl HostRow {
    pub(super) const fn is_there(&self) -> bool {
        matches!(self.presence, Presence::There)
    }

    pub(super) const fn utilisation(&self) -> Load {
        Load::from_thousandths(self.load)
    }

    pub(super) const fn speed(&self) -> Speed {
        Speed(self.speed as u8)
    }
}

row! {
    /// What the table keeps of a job that has hosts, or had them until they were lost. 28 bytes.
    pub struct JobRow {
        user: u32 = 0,
        /// Hosts that it was given; none in a row that is not in use.
        given: u32 = 0,
        /// Those of them that are not lost.
        held: u32 = 0,
        /// The host of its first process.
        lead: Ref = Ref::NONE,
        /// Counts the jobs that were given hosts.
        sequence: u32 = 0,
        /// Scratch of a placement; zero whenever none is deciding.
        tally: u32 = 0,
    } halves {
        /// Whether its first process synchronises the others.
        synchronising: u16 = 0,
        /// Whether it is to be killed: on request, or since a host of it was lost.
        terminating: u16 = 0,
    }
}

impl JobRow {
    pub(super) const fn is_placed(&self) -> bool {
        self.given > 0
    }

    pub(super) const fn request(&self) -> Request {
        Request {
            user: UserId(self.user),
            hosts: self.given,
            synchronising: self.synchronising > 0,
        }
    }
}

storage! {
    /// Columns in storage of the caller's choice: arrays in a `static`, boxed slices, borrowed ones.
    pub struct Columns;

    /// For each host one for each level.
    entries: E of Entry,
    /// One row a host.
    hosts: H of HostRow,
    /// One row for each job that may have hosts.
    jobs: J of JobRow,
    /// As many as [`words`](super::words) says.
    words: W of Word,
}

/// Columns in arrays: entries (hosts times levels), hosts, jobs, [`words`](super::words).
pub type Arrays<const E: usize, const H: usize, const J: usize, const W: usize> =
    Columns<[Entry; E], [HostRow; H], [JobRow; J], [Word; W]>;

impl<const E: usize, const H: usize, const J: usize, const W: usize> Arrays<E, H, J, W> {
    /// Fresh columns: all zeros, so that a `static` of them lies in `.bss`.
    pub const EMPTY: Self = Self {
        entries: [Entry::EMPTY; E],
        hosts: [HostRow::EMPTY; H],
        jobs: [JobRow::EMPTY; J],
        words: [0; W],
    };
}
