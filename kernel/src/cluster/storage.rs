//! The coordinator's rows.

use crate::bits::{Word, words_for};
use crate::coordinate::{Half, stored};
use crate::handle::Generation;
use crate::list::{Links, Ref};
use crate::timeshare::{self, Entry, HostRow, Request, UserId};

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum State {
    /// In the queue, or its row is not in use.
    Waits,
    /// It has hosts, or had them until they were lost.
    Runs,
}

impl Half for State {
    const ALL: &'static [Self] = &[Self::Waits, Self::Runs];
}

/// What the coordinator keeps of a job beside the table. 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub(super) generation: Generation,
    /// In the queue, or in the list of the rows that are not in use.
    pub(super) links: Links,
    pub(super) user: u32,
    pub(super) hosts: u32,
    pub(super) synchronising: u16,
    pub(super) state: State,
}

impl JobRow {
    /// A row that is not in use.
    pub const EMPTY: Self = Self {
        generation: Generation::from_raw(0),
        links: Links { prev: Ref::NONE, next: Ref::NONE },
        user: 0,
        hosts: 0,
        synchronising: 0,
        state: State::Waits,
    };

    pub(super) const fn request(&self) -> Request {
        Request {
            user: UserId(self.user),
            hosts: self.hosts,
            synchronising: self.synchronising > 0,
        }
    }
}

crate::slab::rows! { JobRow }

stored!(JobRow { generation, links, user, hosts } synchronising + state);

/// Words for so many hosts and levels: those of the table, and which hosts are to be told.
pub const fn words(hosts: usize, levels: u8) -> usize {
    timeshare::words(hosts, levels).saturating_add(words_for(hosts))
}

/// What a coordinator lies in; all zeros are fine, and what they held does not matter.
#[derive(Debug)]
pub struct Columns<'a> {
    /// For each host one for each level.
    pub entries: &'a mut [Entry],
    /// One row a host.
    pub hosts: &'a mut [HostRow],
    /// One row a job that waits or runs.
    pub jobs: &'a mut [JobRow],
    /// As many.
    pub placed: &'a mut [timeshare::JobRow],
    /// As many as [`words`] says.
    pub words: &'a mut [Word],
}

/// Columns in arrays: entries (hosts times levels), hosts, jobs, [`words`]. Borrow them as
/// [`Columns`].
#[derive(Clone, Copy, Debug)]
pub struct Arrays<const E: usize, const H: usize, const J: usize, const W: usize> {
    entries: [Entry; E],
    hosts: [HostRow; H],
    jobs: [JobRow; J],
    placed: [timeshare::JobRow; J],
    words: [Word; W],
}

impl<const E: usize, const H: usize, const J: usize, const W: usize> Arrays<E, H, J, W> {
    /// Fresh columns: all zeros, so that a `static` of them lies in `.bss`.
    pub const EMPTY: Self = Self {
        entries: [Entry::EMPTY; E],
        hosts: [HostRow::EMPTY; H],
        jobs: [JobRow::EMPTY; J],
        placed: [timeshare::JobRow::EMPTY; J],
        words: [0; W],
    };

    /// The columns.
    pub const fn columns(&mut self) -> Columns<'_> {
        Columns {
            entries: &mut self.entries,
            hosts: &mut self.hosts,
            jobs: &mut self.jobs,
            placed: &mut self.placed,
            words: &mut self.words,
        }
    }
}
