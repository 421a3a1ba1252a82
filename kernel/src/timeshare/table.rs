//! The table of levels by hosts.

use super::error::Error;
use super::sets::{Set, Sets, members, words};
use super::storage::{Columns, Entry, HostRow, JobRow, Presence, Storage, UNTOLD, View};
use super::view::{PlacementView, column};
use super::{
    HostId, JobNumber, Level, Load, Misuse, Placement, Refusal, Request, Speed, UserId, Why,
};
use crate::bits::Word;
use crate::columns::check_columns;
use crate::list::Ref;
use crate::slices::{edit, put};
use crate::time::Instant;

/// What a table knows beside its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Core {
    pub(super) levels: u32,
    /// Hosts that are there.
    pub(super) there: u32,
    /// The number of the next job.
    pub(super) sequence: u32,
    /// Of which speed all hosts are that are there, if they are alike.
    pub(super) speed: u32,
    /// All hosts that are there are of that speed. Hosts that have become alike are not noticed.
    pub(super) alike: bool,
}

impl Core {
    const fn new(levels: u32) -> Self {
        Self { levels, there: 0, sequence: 0, speed: 0, alike: true }
    }
}

/// Which job is on which host, and at which level.
///
/// When a job ends, the later ones move up on its hosts: those below it close up from its level on.
/// So nobody takes a place that became vacant above others; but a level that was free above them
/// before stays so.
///
/// Memory: 8 bytes an entry, 24 a host, 28 a job, and for each host 2 bits and one for each level.
///
/// ```
/// use locox::timeshare::{
///     Arrays, HostId, JobNumber, Level, Load, Request, Speed, Table, UserId, FirstLevel, Why, words,
/// };
/// use locox::time::Instant;
/// let now = Instant::ZERO;
/// let columns = Arrays::<{ 6 * 2 }, 6, 8, { words(6, 2) }>::EMPTY; // six hosts, two levels
/// let mut table = Table::new(2, columns).unwrap();
/// for host in 0..6 {
///     table.report(now, HostId(host), Load::IDLE, Speed::NOMINAL).unwrap();
/// }
/// let mut place = |job, hosts| {
///     table.place(now, &FirstLevel::new(2), JobNumber(job), Request::new(UserId(1), hosts), ())
/// };
/// let level = |number| Ok(Why::Level(Level::new(number).unwrap()));
/// assert_eq!(place(0, 4), level(0));
/// assert_eq!(place(1, 3), level(1));
/// assert_eq!(place(2, 2), level(0)); // on hosts that job 1 does not have, as it happens
/// ```
///
/// It is moved, not copied; `clone` it where a second one is wanted.
///
/// ```compile_fail,E0382
/// use locox::timeshare::{Arrays, Table, words};
/// let mut table = Table::new(2, Arrays::<{ 6 * 2 }, 6, 8, { words(6, 2) }>::EMPTY).unwrap();
/// let other = table;
/// table.clear();
/// ```
///
/// # Invariants
///
/// - A job is at most once on a host. It is on as many as its row counts; its row also counts those
///   that it was given and that were lost since.
/// - A host that is not there has no jobs.
/// - The free hosts of a level are those that are there with a free entry; the idle ones those
///   that have no other.
/// - A host counts the jobs on it whose first process synchronises the others and is there.
#[derive(Clone, Debug)]
pub struct Table<S> {
    pub(super) core: Core,
    pub(super) storage: S,
}

/// What is told of each host whose jobs or levels changed.
type Changed<'a> = &'a mut dyn FnMut(HostId);

impl<S: Storage> Table<S> {
    /// A table with so many levels in which no host is there. There are as many hosts as rows for
    /// them. The columns are cleared.
    ///
    /// # Errors
    ///
    /// [`Misuse::Levels`], [`Misuse::StorageTooSmall`].
    pub fn new(levels: u8, storage: S) -> Result<Self, Misuse> {
        if levels == 0 || levels > Level::COUNT {
            return Err(Misuse::Levels { levels });
        }
        let View { entries, hosts, words: all, .. } = storage.view();
        let cells = hosts.len().saturating_mul(levels.into());
        let words = words(hosts.len(), levels);
        check_columns(&[], &[("entries", cells, entries.len()), ("words", words, all.len())])
            .map_err(|(column, needs, has)| Misuse::StorageTooSmall { column, needs, has })?;
        let mut table = Self { core: Core::new(levels.into()), storage };
        table.clear();
        Ok(table)
    }

    /// Forgets all jobs and hosts. One pass over the columns.
    pub fn clear(&mut self) {
        self.core = Core::new(self.core.levels);
        let rows = self.storage.slices();
        rows.entries.fill(Entry::EMPTY);
        rows.hosts.fill(HostRow::EMPTY);
        rows.jobs.fill(JobRow::EMPTY);
        rows.words.fill(0);
    }

    /// How many hosts there are, lost ones included.
    pub fn hosts(&self) -> u32 {
        self.storage.view().hosts.len() as u32
    }

    /// How many hosts are there.
    pub const fn there(&self) -> u32 {
        self.core.there
    }

    /// How many levels a host has.
    pub const fn levels(&self) -> u8 {
        self.core.levels as u8
    }

    /// The jobs of a host from the most urgent one on. None beyond the hosts.
    pub fn column(&self, host: HostId) -> impl Iterator<Item = (Level, JobNumber, UserId)> {
        let View { entries, jobs, .. } = self.storage.view();
        let entries = column(entries, self.levels(), host.0);
        (0..).map_while(Level::new).zip(entries).filter_map(|(level, entry)| {
            let job = entry.job.get()?;
            let user = jobs.get(job as usize).map_or(0, |row| row.user);
            Some((level, JobNumber(job), UserId(user)))
        })
    }

    /// The hosts of a job, and its level on each. Cost: the entries of all hosts that are not idle,
    /// up to its last one.
    pub fn places(&self, job: JobNumber) -> impl Iterator<Item = (HostId, Level)> {
        let held = self.job(job).map_or(0, |row| row.held);
        self.entries_of(job).take(held as usize)
    }

    /// As [`Table::places`], but looks through all entries, whatever the job's row counts.
    pub(super) fn entries_of(&self, job: JobNumber) -> impl Iterator<Item = (HostId, Level)> {
        let (view, levels) = (self.storage.view(), self.levels());
        let hosts = view.hosts.len();
        let sets = Sets::new(view.words, hosts, levels);
        let busy = (0..sets.width()).flat_map(move |at| busy(sets.idle(at), at, hosts));
        busy.filter_map(move |host| {
            let level = level_of(column(view.entries, levels, host), job)?;
            Some((HostId(host), Level::new(level as u8)?))
        })
    }

    /// The hosts of the job that was placed last, as long as nobody asks for another.
    pub fn placed_last(&self) -> impl Iterator<Item = HostId> {
        let view = self.storage.view();
        let sets = Sets::new(view.words, view.hosts.len(), self.levels());
        (0..sets.width()).flat_map(move |at| members(sets.word(Set::Picked, at), at)).map(HostId)
    }

    /// How many hosts of a job may not have heard that they have it or, if it is to be killed, that. Cost: that of
    /// [`Table::places`].
    pub fn unheard(&self, job: JobNumber) -> u32 {
        let is_open = |host| self.told(host).any(|(it, told)| it == job && told > 0);
        self.places(job).filter(|(host, _)| is_open(*host)).count() as u32
    }

    /// In which batch a host was told of each of its jobs; see [`UNTOLD`].
    pub fn told(&self, host: HostId) -> impl Iterator<Item = (JobNumber, u32)> {
        let entries = column(self.storage.view().entries, self.levels(), host.0);
        entries.iter().filter_map(|entry| Some((JobNumber(entry.job.get()?), entry.told)))
    }

    /// Changes in which batch a host was told of each of its jobs.
    pub fn mark(&mut self, host: HostId, told: impl Fn(u32) -> u32) {
        let levels = self.levels();
        let column = column_mut(self.storage.slices().entries, levels, host.0).iter_mut();
        column.filter(|it| !it.is_free()).for_each(|entry| entry.told = told(entry.told));
    }

    /// What a job asked for, which has hosts or had them until they were lost.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`], [`Misuse::NotPlaced`].
    pub fn request(&self, job: JobNumber) -> Result<Request, Misuse> {
        self.placed(job).map(|row| row.request())
    }

    /// The host of a job's first process, if that is not lost.
    ///
    /// # Errors
    ///
    /// As of [`Table::request`].
    pub fn lead(&self, job: JobNumber) -> Result<Option<HostId>, Misuse> {
        self.placed(job).map(|row| row.lead.get().map(HostId))
    }

    /// Whether a job is to be killed: on request, or as a host of it was lost.
    ///
    /// # Errors
    ///
    /// As of [`Table::request`].
    pub fn is_terminating(&self, job: JobNumber) -> Result<bool, Misuse> {
        self.placed(job).map(|row| row.terminating > 0)
    }

    fn placed(&self, job: JobNumber) -> Result<JobRow, Misuse> {
        let row = self.job(job)?;
        if row.is_placed() { Ok(row) } else { Err(Misuse::NotPlaced(job)) }
    }

    fn job(&self, job: JobNumber) -> Result<JobRow, Misuse> {
        let row = self.storage.view().jobs.get(job.0 as usize);
        row.copied().ok_or(Misuse::NoSuchJob(job))
    }

    fn known(&self, host: HostId) -> Result<HostRow, Misuse> {
        let row = self.storage.view().hosts.get(host.0 as usize);
        row.copied().ok_or(Misuse::NoSuchHost(host))
    }

    /// When the utilisation of a host was read last; `None` of one that is lost.
    pub fn read_at(&self, host: HostId) -> Option<Instant> {
        self.known(host).ok().filter(HostRow::is_there).map(|row| row.read_at)
    }

    /// A host is there, this fast, and its processor was used so much by jobs. Says whether it is
    /// new or was lost. Constant cost.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchHost`].
    pub fn report(
        &mut self,
        now: Instant,
        host: HostId,
        load: Load,
        speed: Speed,
    ) -> Result<bool, Misuse> {
        let before = self.known(host)?;
        let is_new = !before.is_there();
        if self.core.there == 0 {
            (self.core.speed, self.core.alike) = (speed.0.into(), true);
        }
        self.core.alike &= self.core.speed == u32::from(speed.0);
        let row = HostRow {
            read_at: now,
            load: load.thousandths(),
            speed: speed.0.into(),
            presence: Presence::There,
            ..before
        };
        put(self.storage.slices().hosts, host.0 as usize, row);
        if is_new {
            self.put_free(host.0);
        }
        self.core.there = self.core.there.wrapping_add(is_new.into());
        Ok(is_new)
    }

    /// Gives a job its hosts, and says why these. Cost: that of the placement, and a few steps for
    /// each host given.
    ///
    /// # Errors
    ///
    /// A [`Refusal`], or a [`Misuse`]: the job has no row or has hosts, it asks for none, the
    /// placement is none for this table. Nothing has changed then.
    pub fn place<P: Placement>(
        &mut self,
        now: Instant,
        placement: &P,
        job: JobNumber,
        request: Request,
        draw: P::Draw,
    ) -> Result<Why, Error> {
        self.place_among(now, placement, job, request, (None, draw))
    }

    /// As [`Table::place`], among these hosts if they are given.
    pub fn place_among<P: Placement>(
        &mut self,
        now: Instant,
        placement: &P,
        job: JobNumber,
        request: Request,
        (among, draw): (Option<&[Word]>, P::Draw),
    ) -> Result<Why, Error> {
        if self.job(job)?.is_placed() {
            return Err(Misuse::Placed(job).into());
        }
        let (level, why, lead) = self.choose(now, placement, &request, (among, draw))?;
        let sequence = self.core.sequence;
        self.core.sequence = sequence.wrapping_add(1);
        let row = JobRow {
            user: request.user.0,
            given: request.hosts,
            held: request.hosts,
            lead: Ref::to(lead),
            sequence,
            synchronising: request.synchronising.into(),
            ..JobRow::EMPTY
        };
        put(self.storage.slices().jobs, job.0 as usize, row);
        self.enter(now, job, &row, level);
        Ok(why)
    }

    /// Whether a job would get hosts, and why these. Nothing that can be seen changes.
    ///
    /// # Errors
    ///
    /// As of [`Table::place`].
    pub fn would_place<P: Placement>(
        &mut self,
        now: Instant,
        placement: &P,
        request: Request,
        draw: P::Draw,
    ) -> Result<Why, Error> {
        self.choose(now, placement, &request, (None, draw)).map(|(_, why, _)| why)
    }

    /// Lets the placement pick, and checks what it picked.
    fn choose<P: Placement>(
        &mut self,
        now: Instant,
        placement: &P,
        request: &Request,
        (among, draw): (Option<&[Word]>, P::Draw),
    ) -> Result<(Option<Level>, Why, u32), Error> {
        let (hosts, there, levels) = (self.hosts(), self.core.there, self.levels());
        placement.check(levels)?;
        match request.hosts {
            0 => return Err(Misuse::NoHosts.into()),
            wanted if wanted > hosts => return Err(Refusal::TooLarge { hosts }.into()),
            wanted if wanted > there => return Err(Refusal::Lost { there }.into()),
            _ => {}
        }
        let alike = self.core.alike;
        let Columns { entries, hosts, jobs, words } = self.storage.slices();
        let mut sets = Sets::new(words, hosts.len(), levels);
        (0..sets.width()).for_each(|at| sets.put(Set::Picked, at, 0));
        let mut view =
            PlacementView { now, levels, alike, entries, hosts, jobs, sets, lead: None, among };
        let choice = placement.choose(&mut view, request, draw)?;
        let PlacementView { sets, lead, .. } = view;
        // Free at the last level is free below all others.
        let level = choice.level.map_or(levels.wrapping_sub(1), Level::number);
        let is_free = |at| sets.word(Set::Picked, at) & !sets.word(Set::Free(level), at) == 0;
        let are_free = level < levels && (0..sets.width()).all(is_free);
        let fits = are_free && sets.count(Set::Picked) == request.hosts;
        let is_picked = lead.is_none_or(|lead| sets.contains(Set::Picked, lead));
        let lead = lead.or_else(|| sets.members(Set::Picked).next()).unwrap_or(0);
        if fits && is_picked {
            Ok((choice.level, choice.why, lead))
        } else {
            Err(Misuse::Placement.into())
        }
    }

    /// Writes a job into the hosts that were picked.
    fn enter(&mut self, now: Instant, job: JobNumber, row: &JobRow, level: Option<Level>) {
        let levels = self.levels();
        let Columns { entries, hosts, words, .. } = self.storage.slices();
        let mut sets = Sets::new(words, hosts.len(), levels);
        let entry = Entry { job: Ref::to(job.0), told: UNTOLD };
        for at in 0..sets.width() {
            let picked = sets.word(Set::Picked, at);
            for host in members(picked, at) {
                edit(hosts, host, |row| row.changed_at = now);
            }
            let mut left = picked;
            for at_level in (0..levels).rev() {
                // Without a common level a job goes below the last level that is in use.
                let above =
                    at_level.checked_sub(1).map_or(0, |above| sets.word(Set::Free(above), at));
                let here = match level {
                    Some(common) if common.number() == at_level => left,
                    Some(_) => 0,
                    None => left & !above,
                };
                left &= !here;
                sets.put(Set::Free(at_level), at, sets.word(Set::Free(at_level), at) & !here);
                for host in members(here, at) {
                    let column = column_mut(entries, levels, host);
                    put(column, usize::from(at_level), entry);
                }
            }
        }
        count_lead(hosts, row, 1);
    }

    /// A job has ended, or was killed: its hosts are free of it, and those below it on each move
    /// up. `changed` is told of each host. Cost: the entries of all hosts that are not idle, up to
    /// its last one, and a few steps for each of its own.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`], [`Misuse::NotPlaced`]; nothing has changed then.
    pub fn remove(
        &mut self,
        now: Instant,
        job: JobNumber,
        changed: Changed<'_>,
    ) -> Result<(), Misuse> {
        let row = self.placed(job)?;
        let levels = self.levels();
        let Columns { entries, hosts, jobs, words } = self.storage.slices();
        let mut sets = Sets::new(words, hosts.len(), levels);
        let mut left = row.held;
        for at in 0..sets.width() {
            if left == 0 {
                break;
            }
            for host in busy(sets.idle(at), at, hosts.len()) {
                let column = column_mut(entries, levels, host);
                let Some(level) = level_of(column, job) else { continue };
                close_up(column.get_mut(level..).unwrap_or(&mut []));
                sets.put_free(host, column.iter().map(|entry| entry.is_free()));
                left = left.wrapping_sub(1);
                edit(hosts, host, |row| row.changed_at = now);
                changed(HostId(host));
            }
        }
        debug_assert!(left == 0, "a job is on as many hosts as its row counts");
        count_lead(hosts, &row, u16::MAX);
        put(jobs, job.0 as usize, JobRow::EMPTY);
        Ok(())
    }

    /// A job is to be killed. It keeps its hosts until its end is reported. `changed` is told of
    /// each, unless the job was to be killed before. Cost: that of [`Table::places`].
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`], [`Misuse::NotPlaced`]; nothing has changed then.
    pub fn terminate(&mut self, job: JobNumber, changed: Changed<'_>) -> Result<(), Misuse> {
        self.placed(job)?;
        self.kill(&mut [Ref::to(job.0)], changed);
        Ok(())
    }

    /// Jobs are to be killed: of all hosts with one that was not before `changed` is told.
    fn kill(&mut self, killed: &mut [Ref], changed: Changed<'_>) {
        let levels = self.levels();
        let Columns { entries, hosts, jobs, words } = self.storage.slices();
        // Entries of these jobs.
        let mut left = 0u32;
        for killed in &mut *killed {
            let row = killed.get().and_then(|job| jobs.get_mut(job as usize));
            match row.filter(|row| row.terminating == 0) {
                Some(row) => {
                    row.terminating = 1;
                    left = left.wrapping_add(row.held);
                }
                None => *killed = Ref::NONE,
            }
        }
        let sets = Sets::new(words, hosts.len(), levels);
        let mut busy = (0..sets.width()).flat_map(|at| busy(sets.idle(at), at, hosts.len()));
        while left > 0
            && let Some(host) = busy.next()
        {
            let before = left;
            let column = column_mut(entries, levels, host).iter_mut();
            for entry in column.filter(|it| !it.is_free() && killed.contains(&it.job)) {
                entry.told = UNTOLD;
                left = left.saturating_sub(1);
            }
            if left < before {
                changed(HostId(host));
            }
        }
    }

    /// A host is gone, and with it the processes there. A job that had one there cannot go on: it
    /// is to be killed, and keeps its other hosts until its end is reported. `changed` is told of
    /// the lost one, then of all hosts with such a job that was not to be killed before. Cost: the entries of all
    /// hosts that are not idle, up to the last one that is told.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchHost`]; nothing has changed then.
    pub fn lose(&mut self, host: HostId, changed: Changed<'_>) -> Result<(), Misuse> {
        if !self.known(host)?.is_there() {
            return Ok(());
        }
        let levels = self.levels();
        let Columns { entries, hosts, jobs, .. } = self.storage.slices();
        let lost = column_mut(entries, levels, host.0);
        let mut hit = [Ref::NONE; Level::COUNT as usize];
        hit.iter_mut().zip(&*lost).for_each(|(hit, entry)| *hit = entry.job);
        lost.fill(Entry::EMPTY);
        for job in hit.into_iter().filter_map(Ref::get) {
            let Some(row) = jobs.get_mut(job as usize) else { continue };
            row.held = row.held.saturating_sub(1);
            if row.lead == Ref::to(host.0) {
                row.lead = Ref::NONE;
            }
        }
        put(hosts, host.0 as usize, HostRow::EMPTY);
        self.core.there = self.core.there.wrapping_sub(1);
        changed(host);
        self.put_free(host.0);
        self.kill(&mut hit, changed);
        Ok(())
    }

    /// Makes the sets say of a host what its row and entries say.
    pub(super) fn put_free(&mut self, host: u32) {
        let levels = self.levels();
        let Columns { entries, hosts, words, .. } = self.storage.slices();
        let is_there = hosts.get(host as usize).is_some_and(HostRow::is_there);
        let mut sets = Sets::new(words, hosts.len(), levels);
        let column = column(entries, levels, host);
        sets.put_free(host, column.iter().map(|entry| is_there && entry.is_free()));
    }
}

/// The hosts in word `at` that are not idle.
fn busy(idle: Word, at: usize, hosts: usize) -> impl Iterator<Item = u32> {
    members(!idle, at).take_while(move |&host| (host as usize) < hosts)
}

/// The level of a job in a column.
fn level_of(column: &[Entry], job: JobNumber) -> Option<usize> {
    column.iter().position(|entry| entry.job == Ref::to(job.0))
}

/// Counts a job whose first process synchronises the others in the row of that process's host.
fn count_lead(hosts: &mut [HostRow], job: &JobRow, by: u16) {
    let lead = job.lead.get().filter(|_| job.synchronising > 0);
    let Some(lead) = lead else { return };
    edit(hosts, lead, |row| row.leads = row.leads.wrapping_add(by));
}

/// The entries of a host by level, to be changed.
fn column_mut(entries: &mut [Entry], levels: u8, host: u32) -> &mut [Entry] {
    let levels = usize::from(levels);
    let start = (host as usize).wrapping_mul(levels);
    entries.get_mut(start..start.wrapping_add(levels)).unwrap_or(&mut [])
}

/// The first entry is vacant from now on: those behind it that are not free follow each other from
/// there on, in their order.
fn close_up(column: &mut [Entry]) {
    let Some((vacant, below)) = column.split_first_mut() else { return };
    *vacant = Entry::EMPTY;
    if below.iter().all(|entry| entry.is_free()) {
        return;
    }
    let mut to = 0usize;
    for from in 1..column.len() {
        let Some(place) = column.get_mut(from).filter(|entry| !entry.is_free()) else { continue };
        let entry = core::mem::replace(place, Entry::EMPTY);
        put(column, to, entry);
        to = to.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_eight_bytes_and_a_host_twenty_four_more() {
        assert_eq!((size_of::<Entry>(), size_of::<HostRow>(), size_of::<JobRow>()), (8, 24, 28));
    }

    #[test]
    fn those_below_a_vacant_level_close_up_and_those_above_stay() {
        let entry = |job| Entry { job: Ref::to(job), told: 0 };
        let mut column = [entry(0), Entry::EMPTY, entry(2), Entry::EMPTY, entry(4)];
        close_up(&mut column[2..]);
        assert_eq!(column, [entry(0), Entry::EMPTY, entry(4), Entry::EMPTY, Entry::EMPTY]);
        close_up(&mut column);
        assert_eq!(column, [entry(4), Entry::EMPTY, Entry::EMPTY, Entry::EMPTY, Entry::EMPTY]);
    }
}
