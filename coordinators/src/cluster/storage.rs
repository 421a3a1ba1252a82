//! The coordinator's rows.

use super::{Terms, due};
use crate::coordinate::columns;
use locox::bits::Word;
use locox::ground::{Links, row};
use locox::handle::Generation;
use locox::timeshare::{self, Entry, HostRow, Request, UserId};

/// The line of a job that waits no more: it has hosts, or had them until they were lost.
pub(super) const RUNS: u16 = u16::MAX;

row! {
    /// What the coordinator keeps of a job beside the table. 32 bytes.
    pub struct JobRow {
        generation: Generation = Generation::from_raw(0),
        /// In the queue, or in the list of the rows that are not in use.
        links: Links = Links::NONE,
        user: u32 = 0,
        hosts: u32 = 0,
        memory: u32 = 0,
    } halves {
        synchronising: u16 = 0,
        /// The line of the queue in which it waits, or [`RUNS`].
        line: u16 = 0,
        set: u16 = 0,
        key: u16 = 0,
    }
}

impl JobRow {
    pub(super) const fn request(&self) -> Request {
        Request {
            user: UserId(self.user),
            hosts: self.hosts,
            synchronising: self.synchronising > 0,
        }
    }

    pub(super) const fn terms(&self) -> Terms {
        Terms { set: self.set, key: self.key, memory: self.memory }
    }
}

locox::ground::rows! { JobRow }

/// Words for so many hosts and levels: those of the table, and for each host two and a bit for what it is told. Where sets of
/// hosts or their memory are kept, as many as [`Config::words`](super::Config::words) says.
pub const fn words(hosts: usize, levels: u8) -> usize {
    timeshare::words(hosts, levels).saturating_add(due::words_of(hosts))
}

columns! {
    /// What a coordinator lies in; all zeros are fine, and what they held does not matter.
    pub struct Columns;

    /// Columns in arrays: entries (hosts times levels), hosts, jobs, [`words`]. Borrow them as
    /// [`Columns`].
    pub struct Arrays<E, H, J, W>;

    /// For each host one for each level.
    entries: [[Entry; 1]; E] = Entry::EMPTY,
    /// One row a host.
    hosts: [[HostRow; 1]; H] = HostRow::EMPTY,
    /// One row a job that waits or runs.
    jobs: [[JobRow; 1]; J] = JobRow::EMPTY,
    /// As many.
    placed: [[timeshare::JobRow; 1]; J] = timeshare::JobRow::EMPTY,
    /// As many as [`words`] or [`Config::words`](super::Config::words) says.
    words: [[Word; 1]; W] = 0,
}
