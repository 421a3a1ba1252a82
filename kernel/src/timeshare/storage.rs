//! The rows of a table, and the columns that hold them.
//!
//! Empty rows are zeros without gaps, so that a `static` of them costs no flash.

use super::{Load, Request, Speed, UserId};
use crate::bits::Word;
use crate::coordinate::{Half, storage, stored};
use crate::list::Ref;
use crate::time::Instant;

/// One of the D x P entries: a job at a level of a host, or free. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) job: Ref,
    pub(super) user: u32,
}

impl Entry {
    /// A free one.
    pub const EMPTY: Self = Self { job: Ref::NONE, user: 0 };

    pub(super) const fn is_free(self) -> bool {
        self.job.get().is_none()
    }
}

stored!(Entry { job, user });

/// Whether a host is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Presence {
    /// Never heard of, or lost.
    Absent,
    There,
}

impl Half for Presence {
    const ALL: &'static [Self] = &[Self::Absent, Self::There];
}

/// What the table keeps of a host, besides its entries. 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRow {
    /// When its utilisation was read.
    pub(super) read_at: Instant,
    /// When a job came or went.
    pub(super) changed_at: Instant,
    pub(super) load: u16,
    pub(super) speed: u16,
    /// Jobs whose synchronising process is here.
    pub(super) leads: u16,
    pub(super) presence: Presence,
}

impl HostRow {
    /// A host that nobody has heard of.
    pub const EMPTY: Self = Self {
        read_at: Instant::ZERO,
        changed_at: Instant::ZERO,
        load: 0,
        speed: 0,
        leads: 0,
        presence: Presence::Absent,
    };

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

stored!(HostRow { read_at, changed_at } load + speed, leads + presence);

/// What the table keeps of a job that has hosts, or had them until they were lost. 28 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub(super) user: u32,
    /// Hosts that it was given; none in a row that is not in use.
    pub(super) given: u32,
    /// Those of them that are not lost.
    pub(super) held: u32,
    /// The host of its first process.
    pub(super) lead: Ref,
    /// Counts the jobs that were given hosts.
    pub(super) sequence: u32,
    /// Scratch of a placement; zero whenever none is deciding.
    pub(super) tally: u32,
    /// Whether its first process synchronises the others.
    pub(super) synchronising: u16,
    /// Whether it is to be killed: on request, or since a host of it was lost.
    pub(super) terminating: u16,
}

impl JobRow {
    /// A row that is not in use.
    pub const EMPTY: Self = Self {
        user: 0,
        given: 0,
        held: 0,
        lead: Ref::NONE,
        sequence: 0,
        tally: 0,
        synchronising: 0,
        terminating: 0,
    };

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

stored!(JobRow { user, given, held, lead, sequence, tally } synchronising + terminating);

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
