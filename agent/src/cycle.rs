//! One look at the manager: what is so, what is decided, and what is to be done.

use crate::acts::authoritative;
use crate::advice::advisory;
use crate::agent::{Agent, Began};
use crate::backend::{
    Abilities, Act, Backend, BackendError, JobSeen, Known, Outcome, Refused, Snapshot, State,
};
use crate::changed;
use crate::config::Mode;
use crate::facts::{Facts, facts, is_endless};
use crate::gone;
use crate::mark::{Mark, Says};
use crate::memory::{self, Clock, Said, is_of};
use crate::names::is_name;
use crate::outages::Outages;
use crate::planned::{Planned, count};
use crate::promises::{Look, time};
use crate::seen::{Contradiction, Seen, SeenJob, check};
use crate::shares;
use crate::stops::Stop;
use locox::time::Instant;
use locox_coordinators::manager::{Command, Key, Status};
use locox_storage::{ApplyError, FileError, Folder, StoreError};
use std::collections::HashSet;
use std::io;

/// Seconds by which the manager's clock may be ahead of the host's.
const AHEAD: u64 = 24 * 3600;

/// What came of a cycle.
#[derive(Debug, Default)]
pub struct Cycle {
    /// The manager's clock, never backwards.
    pub now: u64,
    /// Facts that were told.
    pub told: usize,
    /// What was to be done.
    pub planned: Vec<Planned>,
    /// What the manager answered to each.
    pub outcomes: Vec<Outcome>,
    /// That there was a history, as the manager's mark says, and is none any more.
    pub lost: Option<Began>,
    /// Whether the mark among them is this agent's own again, with a later time: no news.
    pub renews: bool,
    /// What is odd, and what is news.
    pub notes: Vec<String>,
    /// Jobs that are left to the manager, by name, and why.
    pub left: Vec<(String, String)>,
    /// Jobs that are not asked for before a time, by name.
    pub aside: Vec<(String, u64)>,
    /// Jobs that wait for a limit of the manager, by name.
    pub limited: Vec<String>,
    /// Jobs that are to be stopped.
    pub stops: Vec<Stop>,
}

impl Cycle {
    /// Notes of jobs and nodes that are not governed.
    pub(crate) fn not_governed(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(String::as_str).filter(|note| note.contains("not governed"))
    }
}

/// Why nothing was done, or not all.
#[derive(Debug, thiserror::Error)]
pub enum CycleError {
    /// The manager does not answer.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// Its answer contradicts itself.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// Its clock is far ahead: a time that was told is never taken back.
    #[error("the manager's clock is {0} s ahead of this host's; set one of them")]
    Ahead(u64),
    /// There is another agent.
    #[error(
        "agent {who} governs this manager, it said so {ago} s ago; stop it or, if it is gone, wait {more} s or run release-all --force"
    )]
    Other {
        /// Who.
        who: String,
        /// So many seconds ago.
        ago: u64,
        /// When it is taken to be gone.
        more: u64,
    },
    /// The history cannot be written: nothing was done.
    #[error("the history: {0}; nothing is done before it can be written")]
    Store(#[from] StoreError<FileError>),
    /// The names of nodes, or who has left, cannot be written: nothing was done.
    #[error(
        "the lists of nodes and of jobs that left: {0}; nothing is done before they can be written"
    )]
    Lists(#[from] io::Error),
}

impl CycleError {
    /// Whether it is of no use to try again.
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Other { .. })
    }
}

impl<F: Folder> Agent<'_, F> {
    /// Looks, tells, decides, stores, and then acts. `host` is the host's clock in seconds since 1970: one of the
    /// manager's that is a day ahead of it is not believed.
    ///
    /// Cost: some passes over all jobs and nodes; one sync.
    ///
    /// # Errors
    ///
    /// [`CycleError`]. Nothing was done then, but if the manager stopped answering while it acted.
    pub fn cycle(&mut self, backend: &mut dyn Backend, host: u64) -> Result<Cycle, CycleError> {
        let mut cycle = Cycle::default();
        let snapshot = self.look(backend, &mut cycle.notes)?;
        self.follow(&snapshot, backend, host, cycle)
    }

    /// What there is.
    pub(crate) fn look(
        &mut self,
        backend: &mut dyn Backend,
        notes: &mut Vec<String>,
    ) -> Result<Snapshot, CycleError> {
        self.remind(backend, notes);
        let snapshot = backend.snapshot()?;
        check(&snapshot)?;
        Ok(snapshot)
    }

    /// All that comes of it.
    pub(crate) fn follow(
        &mut self,
        snapshot: &Snapshot,
        backend: &mut dyn Backend,
        host: u64,
        mut cycle: Cycle,
    ) -> Result<Cycle, CycleError> {
        let now = self.time_of(snapshot, host, backend.abilities())?;
        let mark = self.mark(snapshot)?;
        cycle.lost = self.lost(snapshot);
        cycle.now = now;
        cycle.renews = Mark::parse(&snapshot.mark).is_some_and(|mark| mark.who == self.who);
        self.name_nodes(snapshot, &mut cycle.notes)?;
        self.note_gone(backend)?;
        let outages = Outages::of(snapshot, &self.names, self.manager(), now);
        self.note_lack(&outages, &mut cycle.notes);
        self.refused(snapshot, &outages, &mut cycle);
        let left = |job: &JobSeen| self.left(job, &outages);
        let planned = |node: &str| outages.covers(node);
        let mut seen = Seen::new(snapshot, &self.names, self.config.nodes, left, planned);
        cycle.notes.append(&mut seen.notes);
        let told = self.tell(&seen, &outages, &mut cycle)?;
        while self.durable.take_effect().is_some() {}
        cycle.stops = self.stops(&seen, now);
        self.warn(&seen, &mut cycle);
        let clock = self.clock(now);
        let (manager, poll) = (self.durable.coordinator(), clock.poll);
        let look = Look { manager, seen: &seen, told: &told, now, poll };
        cycle.notes.extend(self.memory.promises.follow(&look));
        self.plan(&seen, mark, &mut cycle);
        self.remember(&seen, &mut cycle);
        let stored = memory::store(&self.memory, &mut self.memory_stored, &mut self.folder);
        if let Err(error) = stored {
            // Without it jobs are tried once more, which is no reason to decide nothing.
            cycle.notes.push(format!("the file `{}`: {error}; check the disk", memory::FILE));
        }
        self.act(backend, &mut cycle)?;
        Ok(cycle)
    }

    /// What differs from what jobs' owners had asked for is durable before it does.
    fn act(&mut self, backend: &mut dyn Backend, cycle: &mut Cycle) -> Result<(), CycleError> {
        let acts: Vec<Act> = cycle.planned.iter().map(|planned| planned.act.clone()).collect();
        let changed = Some(backend.changed_by(&acts));
        if self.changed != changed {
            changed::store(changed.as_deref().unwrap_or_default(), &mut self.folder)?;
            self.changed = changed;
        }
        if acts.is_empty() {
            return Ok(());
        }
        cycle.outcomes = backend.act(&acts)?;
        let clock = self.clock(cycle.now);
        for (act, outcome) in acts.iter().zip(&cycle.outcomes) {
            if let Act::Release { job } = act {
                self.memory.answered(job, matches!(outcome, Outcome::Refused(_)), clock);
            }
        }
        Ok(())
    }

    const fn clock(&self, now: u64) -> Clock {
        Clock { now, poll: self.config.poll }
    }

    /// Why a job is left to the manager. One that the agent has started is not.
    fn left(&self, job: &JobSeen, outages: &Outages<'_>) -> Option<String> {
        let why = job.left.as_deref().or_else(|| self.memory.left(job.key()));
        let why = why.map(Into::into).or_else(|| outages.leave(job))?;
        let status = self.manager().job(job.key()).map(|known| known.status);
        let has_nodes =
            matches!(status, Some(Status::Starting | Status::Running | Status::Stopping));
        (job.waits() || !has_nodes).then_some(why)
    }

    /// Says once that the kernel is not told of all planned outages.
    fn note_lack(&mut self, outages: &Outages<'_>, notes: &mut Vec<String>) {
        let lacks = outages.lacks();
        let had = std::mem::replace(&mut self.has_lacked, lacks.is_some());
        notes.extend(lacks.filter(|_| !had));
    }

    /// Of which jobs the manager says that it does not start them. In advisory mode that is its own affair.
    fn refused(&mut self, snapshot: &Snapshot, outages: &Outages<'_>, cycle: &mut Cycle) {
        if self.config.mode == Mode::Advisory {
            return;
        }
        let clock = self.clock(cycle.now);
        for job in snapshot.jobs.iter().filter(|job| job.governed) {
            let State::Waits { gated: false, held: false } = job.state else { continue };
            let Some(refused) = &job.refused else { continue };
            if self.left(job, outages).is_some() {
                continue;
            }
            let running = match refused {
                Refused::Request => 0,
                Refused::Limit(kind) => {
                    let all = snapshot.jobs.iter().filter(|job| job.governed && !job.waits());
                    all.filter(|job| is_of(job, kind)).count()
                }
            };
            let fate = self.memory.refuse(job, refused, running, clock);
            cycle.notes.extend(fate.map(|fate| format!("{} {fate}", job.name)));
        }
    }

    /// Once, before the first snapshot.
    fn remind(&mut self, backend: &mut dyn Backend, notes: &mut Vec<String>) {
        if self.has_reminded {
            return;
        }
        if self.gone.is_none() {
            notes.push(
                "the file `gone` is damaged: a job that has ended may run again if the manager goes back in time now"
                    .into(),
            );
        }
        if self.changed.is_none() {
            notes.push(
                "the file `changed` is damaged: nobody knows of nodes that jobs ask for whether the agent named them; such jobs are left to the manager"
                    .into(),
            );
        }
        backend.remember(&Known {
            jobs: &self.jobs_known(),
            gone: self.gone.as_deref().unwrap_or_default(),
            changed: self.changed.as_deref().unwrap_or_default(),
        });
        self.has_reminded = true;
    }

    /// Who has left is durable before the kernel forgets him.
    fn note_gone(&mut self, backend: &dyn Backend) -> io::Result<()> {
        let gone = Some(backend.gone());
        if self.gone != gone {
            gone::store(gone.as_deref().unwrap_or_default(), &mut self.folder)?;
            self.gone = gone;
        }
        Ok(())
    }

    fn time_of(&self, snapshot: &Snapshot, host: u64, of: Abilities) -> Result<u64, CycleError> {
        match snapshot.now.checked_sub(host.saturating_add(AHEAD)) {
            Some(more) if !of.own_clock => Err(CycleError::Ahead(more + AHEAD)),
            _ => Ok(snapshot.now.max(self.durable.now().ticks())),
        }
    }

    /// The mark to be left, if one is.
    fn mark(&self, snapshot: &Snapshot) -> Result<Option<Mark>, CycleError> {
        match Mark::says(&snapshot.mark, &self.who, snapshot.now, self.config.poll) {
            Says::Nothing => Ok(None),
            Says::Renew => Ok(Some(Mark { who: self.who.clone(), at: snapshot.now })),
            Says::Other { who, ago, more } => Err(CycleError::Other { who, ago, more }),
        }
    }

    /// Whether an agent of this name governed before: whoever begins with nothing then has lost what he knew.
    fn lost(&mut self, snapshot: &Snapshot) -> Option<Began> {
        let is_new = std::mem::take(&mut self.is_new);
        let mark = Mark::parse(&snapshot.mark).filter(|mark| is_new && mark.who == self.who)?;
        let why = format!(
            "the manager's mark says that this agent governed it at {}, and its folder has no history",
            time(mark.at)
        );
        Some(Began::Lost { why, kept: None })
    }

    /// Numbers are durable before a fact names them.
    fn name_nodes(&mut self, snapshot: &Snapshot, notes: &mut Vec<String>) -> io::Result<()> {
        let most = self.config.nodes;
        let names = snapshot.nodes.iter().map(|node| node.name.as_str());
        if let Some(names) = self.names.with(names, most) {
            names.store(&mut self.folder)?;
            self.names = names;
        }
        let unknown = |name: &&str| self.names.number(name).is_none();
        let unknown = snapshot.nodes.iter().map(|node| node.name.as_str()).filter(unknown);
        let (good, bad): (Vec<&str>, Vec<&str>) = unknown.partition(|name| is_name(name));
        if let Some(first) = bad.first() {
            let count = bad.len();
            notes.push(format!(
                "{count} nodes are not governed: the name of a node is one line that does not begin with `#`, and theirs are not, as {first:?}"
            ));
        }
        let left_out = good.len();
        if left_out > 0 {
            let why = match self.config.places.section() {
                Some(section) => format!("{section} does not name them; name them and restart"),
                None => {
                    format!(
                        "the configuration has nodes = {most}; write a larger number and restart"
                    )
                }
            };
            notes.push(format!("{left_out} nodes are not governed: {why}"));
        }
        Ok(())
    }

    /// All facts and one decision, durable together.
    fn tell(
        &mut self,
        seen: &Seen<'_>,
        outages: &Outages<'_>,
        cycle: &mut Cycle,
    ) -> Result<Vec<Command>, CycleError> {
        let (now, notes) = (cycle.now, &mut cycle.notes);
        let manager = self.durable.coordinator();
        let room = self.room();
        let is_started =
            |key: Key| manager.job(key).is_some_and(|job| job.status == Status::Starting);
        let serving = seen.out.iter().filter(|out| !**out).count() as u32;
        let limited = self.memory.limited(&seen.jobs, is_started, (manager.free(), serving), now);
        let aside = |job: &SeenJob<'_>| {
            let until = self.memory.aside(job.key, now).filter(|_| job.waits())?;
            Some((job.job.name.clone(), until))
        };
        cycle.aside = seen.jobs.iter().filter_map(aside).collect();
        let is_limited = seen.jobs.iter().filter(|job| limited.contains(&job.key));
        cycle.limited = is_limited.map(|job| job.job.name.clone()).collect();
        let is_aside = |key: Key| self.memory.aside(key, now).is_some() || limited.contains(&key);
        let Facts { mut commands, left_out } = facts(manager, seen, is_aside, room);
        commands.extend(outages.commands(manager, seen));
        let shares = shares::commands(manager, &self.config.shares);
        cycle.told = commands.len() + shares.len();
        let mut batch = self.durable.batch();
        let told = commands.clone();
        for command in shares.into_iter().chain(commands).chain([Command::Decide]) {
            match batch.apply(Instant::from_ticks(now), command) {
                Ok(()) => {}
                Err(ApplyError::Store(error)) => return Err(error.into()),
                Err(ApplyError::Coordinator(error)) => {
                    notes.push(format!("not taken: {command:?}: {error}"));
                }
            }
        }
        batch.commit()?;
        if left_out > 0 {
            let lacks = room.lacks(self.durable.coordinator());
            notes.push(format!("{left_out} jobs are not governed: {lacks}"));
        }
        Ok(told)
    }

    /// Who is to be stopped.
    fn stops(&self, seen: &Seen<'_>, now: u64) -> Vec<Stop> {
        if self.config.preempt.is_none() {
            return vec![];
        }
        seen.jobs.iter().filter_map(|job| Stop::of(self.manager(), seen, job, now)).collect()
    }

    /// Who waits for ever, who will be late or stopped, and who is left to the manager, if that is news.
    fn warn(&mut self, seen: &Seen<'_>, cycle: &mut Cycle) {
        let Cycle { notes, stops, .. } = cycle;
        let name = |key: Key| seen.find(key).map_or("?", |job| job.job.name.as_str());
        let left = seen.left.iter().map(|left| Said::Left(left.job.key()));
        for said in self.memory.news(self.to_say().into_iter().chain(left).collect()) {
            notes.push(match said {
                Said::Left(key) => {
                    let Some(left) = seen.left.iter().find(|left| left.job.key() == key) else {
                        continue;
                    };
                    format!("{} is left to the manager: {}", left.job.name, left.why)
                }
                Said::Stop(key, _) => {
                    let Some(stop) = stops.iter().find(|stop| stop.key == key) else { continue };
                    let Stop { job, at, why, .. } = stop;
                    format!("{job} will be stopped at {} {why}", time(*at))
                }
                Said::Never(key) => {
                    let most = match self.config.places.shape() {
                        Some(shape) => format!("the largest {shape} has"),
                        None => "there are at most".into(),
                    };
                    format!("{} waits for ever: {most} {}", name(key), count(self.most))
                }
                Said::Late(key, by) => {
                    let finish = self.manager().job(key).and_then(|job| job.late).unwrap_or(by);
                    let late = finish.ticks().saturating_sub(by.ticks());
                    if is_endless(late) {
                        let name = name(key);
                        notes.push(format!(
                            "{name} may end after its deadline: a job runs without a limit"
                        ));
                        continue;
                    }
                    format!(
                        "{} ends {late} s after its deadline, if all run for as long as they may",
                        name(key)
                    )
                }
            });
        }
    }

    fn plan(&mut self, seen: &Seen<'_>, mark: Option<Mark>, cycle: &mut Cycle) {
        let manager = self.durable.coordinator();
        let why = || "this agent governs".to_string();
        let mark = mark.map(|mark| Planned {
            act: Act::Mark { text: mark.text() },
            key: Key::default(),
            why: why(),
        });
        cycle.planned.extend(mark);
        let clock = self.clock(cycle.now);
        cycle.planned.extend(match self.config.mode {
            Mode::Advisory => advisory(manager, seen, self.config.advised),
            Mode::Authoritative => authoritative(manager, seen, &self.names, &self.memory, clock),
        });
        cycle.planned.retain(|planned| match &planned.act {
            Act::Release { job } => !self.memory.is_paused(job, clock.now),
            _ => true,
        });
        let left = seen.left.iter().map(|left| (left.job.name.clone(), left.why.clone()));
        cycle.left = left.collect();
    }

    /// What is asked for now, and whom it has been asked for in vain.
    fn remember(&mut self, seen: &Seen<'_>, cycle: &mut Cycle) {
        let clock = self.clock(cycle.now);
        let manager = self.durable.coordinator();
        for planned in &cycle.planned {
            if let Act::Start { nodes, .. } = &planned.act {
                self.memory.sent(planned.key, nodes.clone(), clock.now);
            }
        }
        let status = |key: Key| manager.job(key).map(|job| job.status);
        let starts = |key: Key| status(key) == Some(Status::Starting);
        for (key, fate) in self.memory.tidy(starts, clock) {
            let name = seen.find(key).map_or("?", |job| job.job.name.as_str());
            cycle.notes.push(format!("{name} {fate}"));
        }
        let left: HashSet<Key> =
            seen.left.iter().filter(|left| left.job.waits()).map(|left| left.job.key()).collect();
        let waits = |key: Key| match status(key) {
            None => left.contains(&key),
            Some(status) => status != Status::Running,
        };
        self.memory.forget(waits, clock.now);
    }
}
