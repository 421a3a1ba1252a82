//! A host of a network of workstations: its guest, and what it has to say.

use crate::context::Context;
use crate::time::{MINUTE, Timer};
use locox::node::Lease;
use locox::time::Instant;
use locox_coordinators::station::{Command, Run, Sender};
use std::collections::{HashMap, VecDeque};

/// How long it waits for an answer before it says something again.
const AGAIN: u64 = 2 * MINUTE;
/// By how many parts in a million a clock may be wrong.
pub(crate) const DRIFT: u32 = 200;
/// So many messages are under way at one time.
const WINDOW: usize = 2;

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Gone,
    Finished,
}

/// A job on a host.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) run: Run,
    pub(crate) job: usize,
    pub(crate) leaves_at: Option<u64>,
    progress: u64,
    /// Since when it runs; `None` while it is suspended.
    since: Option<u64>,
}

impl Guest {
    pub(crate) const fn new(run: Run, job: usize, progress: u64, now: u64) -> Self {
        Self { run, job, leaves_at: None, progress, since: Some(now) }
    }

    pub(crate) fn progress(&self, now: u64) -> u64 {
        self.progress + self.since.map_or(0, |since| now - since)
    }

    pub(crate) fn suspend(&mut self, now: u64) {
        self.progress = self.progress(now);
        self.since = None;
    }

    pub(crate) const fn go_on(&mut self, now: u64) {
        self.since = Some(now);
        self.leaves_at = None;
    }

    pub(crate) const fn is_suspended(&self) -> bool {
        self.since.is_none()
    }
}

/// Something to be said until it is answered.
#[derive(Debug)]
struct Report {
    command: Command,
    /// What the host's clock showed when it was said first.
    first: Option<u64>,
    /// When it was said last.
    last: Option<u64>,
}

/// A host. Its boot number is all that it knows after a restart.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) up: bool,
    pub(crate) owner: bool,
    /// It gives up every run.
    pub(crate) is_black_hole: bool,
    pub(crate) timer: Timer,
    pub(crate) boot: u32,
    /// Nothing told up to this is done any more; nothing at all before the first answer.
    pub(crate) told: Option<u64>,
    pub(crate) guest: Option<Guest>,
    pub(crate) fates: HashMap<Run, Fate>,
    answered: u32,
    outbox: VecDeque<Report>,
    /// By its own clock.
    lease_ends: Option<u64>,
    last_said: u64,
}

impl Host {
    pub(crate) fn new(context: &mut Context) -> Self {
        let fast = context.numbers.below(2 * u64::from(DRIFT) + 1) as i64 - i64::from(DRIFT);
        Self {
            up: true,
            owner: false,
            is_black_hole: context.numbers.chance(30),
            timer: Timer { fast, set: context.numbers.below(MINUTE) as i64 },
            boot: 0,
            told: None,
            guest: None,
            fates: HashMap::new(),
            answered: 0,
            outbox: VecDeque::new(),
            lease_ends: None,
            last_said: 0,
        }
    }

    pub(crate) fn crash(&mut self) {
        self.up = false;
        self.guest = None;
        self.fates.clear();
        self.outbox.clear();
    }

    pub(crate) fn boot(&mut self) {
        self.crash();
        self.up = true;
        self.boot += 1;
        self.answered = 0;
        self.told = None;
        self.lease_ends = None;
    }

    pub(crate) fn say(&mut self, command: Command) {
        self.outbox.push_back(Report { command, first: None, last: None });
    }

    /// Says what became of a run.
    pub(crate) fn repeat(&mut self, run: Run) {
        let fate = *self.fates.entry(run).or_insert(Fate::Gone);
        self.say(match fate {
            Fate::Gone => Command::Vacated { run },
            Fate::Finished => Command::Finished { run },
        });
    }

    pub(crate) fn drop_guest(&mut self, fate: Fate) {
        let Some(guest) = self.guest.take() else { return };
        self.fates.insert(guest.run, fate);
        self.repeat(guest.run);
    }

    pub(crate) fn guest_of(&mut self, run: Run) -> Option<&mut Guest> {
        self.guest.as_mut().filter(|guest| guest.run == run)
    }

    pub(crate) fn lease_is_over(&self, now: u64) -> bool {
        self.lease_ends.is_some_and(|ends| self.timer.shows(now) >= ends)
    }

    pub(crate) const fn forget_lease(&mut self) {
        self.lease_ends = None;
    }

    pub(crate) fn is_silent_for(&self, quarter: Option<u64>, now: u64) -> bool {
        self.outbox.is_empty() && quarter.is_some_and(|quarter| now >= self.last_said + quarter)
    }

    /// What is to be said now, with its number.
    pub(crate) fn due(&mut self, now: u64) -> Vec<(u32, Command)> {
        let shown = self.timer.shows(now);
        let mut due = vec![];
        for (number, report) in (self.answered + 1..).zip(self.outbox.iter_mut().take(WINDOW)) {
            if report.last.is_none_or(|last| now >= last + AGAIN) {
                report.first.get_or_insert(shown);
                report.last = Some(now);
                self.last_said = now;
                due.push((number, report.command));
            }
        }
        due
    }

    /// Whether this answers what was said first of what was not answered. The lease goes on then.
    pub(crate) fn is_answered(&mut self, to: Sender, effects: u64, lease: Option<Lease>) -> bool {
        if !self.up || to.boot != self.boot || to.number != self.answered + 1 {
            return false;
        }
        let Some(said) = self.outbox.pop_front() else { return false };
        self.answered += 1;
        self.told.get_or_insert(effects);
        if let (Some(lease), Some(first)) = (lease, said.first) {
            let until = lease.until(Instant::from_ticks(first)).ticks();
            self.lease_ends = Some(self.lease_ends.unwrap_or(0).max(until));
        }
        true
    }

    /// When something is due if nothing happens before.
    pub(crate) fn next_look(
        &self,
        now: u64,
        work: Option<u64>,
        quarter: Option<u64>,
    ) -> Option<u64> {
        let lease = self.lease_ends.map(|ends| self.timer.when(now, ends));
        let guest = self.guest.as_ref();
        let leaves = guest.and_then(|guest| guest.leaves_at);
        let ends = guest.filter(|guest| !guest.is_suspended()).zip(work);
        let ends = ends.map(|(guest, work)| now + work.saturating_sub(guest.progress(now)));
        let again = self.outbox.iter().take(WINDOW).filter_map(|it| it.last).min();
        let again = again.map(|last| last + AGAIN);
        let silent = quarter.filter(|_| self.outbox.is_empty()).map(|it| self.last_said + it);
        [lease, leaves, ends, again, silent].into_iter().flatten().min()
    }
}
