//! The rows of a table, and the columns that hold them.
//!
//! Empty rows are zeros without gaps, so that a `static` of them costs no flash.

use super::sets::BLOCK;
use super::{Level, Load, Request, Speed, UserId};
use crate::bits::{Word, words_for};
use crate::coordinate::{BadImage, Half, Stored, stored};
use crate::list::{Links, Ref, linked};
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

/// What the table keeps of a job that has hosts, or had them until they were lost. 36 bytes.
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
    /// Open hosts that it is at the top of, see [`Watch`](super::watch::Watch).
    pub(super) open: u32,
    /// In the list of the jobs with such.
    pub(super) links: Links,
    /// Whether its first process synchronises the others.
    pub(super) synchronising: u16,
    /// Whether it is to be killed: on request, or since a host of it was lost; [`JobRow::HIT`]
    /// while that loss is told.
    pub(super) doomed: u16,
}

impl JobRow {
    /// A row that is not in use.
    pub const EMPTY: Self = Self {
        user: 0,
        given: 0,
        held: 0,
        lead: Ref::NONE,
        sequence: 0,
        open: 0,
        links: Links::NONE,
        synchronising: 0,
        doomed: 0,
    };

    pub(super) const HIT: u16 = 2;

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

linked! { JobRow }

/// What is open follows from the rest; a word that was scratch of placements stays zero.
impl Stored for JobRow {
    fn store(&self, put: &mut impl FnMut(u32)) {
        [self.user, self.given, self.held].iter().for_each(|word| word.store(put));
        self.lead.store(put);
        [self.sequence, 0].iter().for_each(|word| word.store(put));
        (self.synchronising, self.doomed).store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (user, given, held) = (take()?, take()?, take()?);
        let (lead, sequence) = (Ref::load(take)?, take()?);
        if take()? != 0 {
            return Err(BadImage::Contradiction("the scratch of a placement is not clear"));
        }
        let (synchronising, doomed) = Stored::load(take)?;
        Ok(Self { user, given, held, lead, sequence, synchronising, doomed, ..Self::EMPTY })
    }
}

/// Words of a table with so many hosts and levels: 14 bits a host, and one for each level.
pub const fn words(hosts: usize, levels: u8) -> usize {
    words_of_blocks(hosts).saturating_add((levels as usize).saturating_mul(words_for(hosts)))
}

/// Those of them that are blocks of sets.
pub(super) const fn words_of_blocks(hosts: usize) -> usize {
    words_for(hosts).saturating_mul(BLOCK)
}

/// Where a table keeps its rows. [`Columns`] is one for any kind of slices.
pub trait Storage {
    /// The columns; the same ones at each call.
    fn slices(&mut self) -> Slices<'_>;
    /// The same columns.
    fn view(&self) -> View<'_>;
}

impl<T: Storage + ?Sized> Storage for &mut T {
    fn slices(&mut self) -> Slices<'_> {
        (**self).slices()
    }

    fn view(&self) -> View<'_> {
        (**self).view()
    }
}

/// Columns in storage of the caller's choice: arrays in a `static`, boxed slices, borrowed ones.
#[derive(Clone, Copy, Debug)]
pub struct Columns<E, H, J, W> {
    /// For each host one for each level.
    pub entries: E,
    /// One row a host.
    pub hosts: H,
    /// One row for each job that may have hosts.
    pub jobs: J,
    /// As many as [`words`] says.
    pub words: W,
}

/// Columns borrowed to be changed.
pub type Slices<'a> = Columns<&'a mut [Entry], &'a mut [HostRow], &'a mut [JobRow], &'a mut [Word]>;

/// Columns borrowed to be read.
pub type View<'a> = Columns<&'a [Entry], &'a [HostRow], &'a [JobRow], &'a [Word]>;

/// Columns in arrays: entries (hosts times levels), hosts, jobs, [`words`].
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

impl<E, H, J, W> Storage for Columns<E, H, J, W>
where
    E: AsRef<[Entry]> + AsMut<[Entry]>,
    H: AsRef<[HostRow]> + AsMut<[HostRow]>,
    J: AsRef<[JobRow]> + AsMut<[JobRow]>,
    W: AsRef<[Word]> + AsMut<[Word]>,
{
    fn slices(&mut self) -> Slices<'_> {
        Columns {
            entries: self.entries.as_mut(),
            hosts: self.hosts.as_mut(),
            jobs: self.jobs.as_mut(),
            words: self.words.as_mut(),
        }
    }

    fn view(&self) -> View<'_> {
        Columns {
            entries: self.entries.as_ref(),
            hosts: self.hosts.as_ref(),
            jobs: self.jobs.as_ref(),
            words: self.words.as_ref(),
        }
    }
}

/// Whether a number of levels is one of a table's.
pub(super) const fn are_levels(levels: u8) -> bool {
    levels > 0 && levels <= Level::COUNT
}
