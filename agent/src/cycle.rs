//! One look at the manager: what is so, what is decided, and what is to be done.

use crate::acts::{Clock, authoritative};
use crate::advice::advisory;
use crate::agent::{Agent, Began};
use crate::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot};
use crate::config::Mode;
use crate::facts::{Facts, Room, facts};
use crate::gone;
use crate::mark::{Mark, Says};
use crate::memory::Said;
use crate::names::is_name;
use crate::planned::{Planned, count};
use crate::seen::{Contradiction, Seen, check};
use crate::shares;
use locox::manager::{Command, Effect, Key, Status};
use locox::time::Instant;
use locox_storage::{ApplyError, FileError, Folder, StoreError};
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
        let mut seen = Seen::new(snapshot, &self.names, self.config.nodes);
        cycle.notes.append(&mut seen.notes);
        self.tell(&seen, &mut cycle)?;
        self.hear(&seen, &mut cycle.notes);
        self.plan(&seen, mark, &mut cycle);
        self.remember(&seen, &mut cycle);
        if !cycle.planned.is_empty() {
            let acts: Vec<Act> = cycle.planned.iter().map(|planned| planned.act.clone()).collect();
            cycle.outcomes = backend.act(&acts)?;
        }
        Ok(cycle)
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
        backend.remember(&self.jobs_known(), self.gone.as_deref().unwrap_or_default());
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
            mark.at
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
            let why = match self.config.cube {
                Some(_) => "[addresses] does not name them; name them and restart".into(),
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
    fn tell(&mut self, seen: &Seen<'_>, cycle: &mut Cycle) -> Result<(), CycleError> {
        let (now, notes) = (cycle.now, &mut cycle.notes);
        let manager = self.durable.coordinator();
        let room = Room::of(&self.config);
        let is_aside = |key: Key| self.memory.is_aside(key, now);
        let Facts { commands, left_out } = facts(manager, seen, is_aside, room);
        let shares = shares::commands(manager, &self.config.shares);
        cycle.told = commands.len() + shares.len();
        let mut batch = self.durable.batch();
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
        Ok(())
    }

    /// What the decision says beside starts and stops, which the rows say as well.
    fn hear(&mut self, seen: &Seen<'_>, notes: &mut Vec<String>) {
        let name = |key: Key| seen.find(key).map_or("?", |job| job.job.name.as_str());
        while let Some(told) = self.durable.take_effect() {
            match told.effect {
                Effect::Promise { key, from, .. } => {
                    let after = from.ticks().saturating_sub(self.durable.now().ticks());
                    notes.push(format!(
                        "{} is next, and starts in {after} s at the latest",
                        name(key)
                    ));
                }
                // The rows say the rest as well.
                Effect::Start { .. }
                | Effect::Stop { .. }
                | Effect::Never { .. }
                | Effect::Late { .. } => {}
            }
        }
        self.warn(seen, notes);
    }

    /// Who waits for ever, and who will be late, if that is news.
    fn warn(&mut self, seen: &Seen<'_>, notes: &mut Vec<String>) {
        let name = |key: Key| seen.find(key).map_or("?", |job| job.job.name.as_str());
        for said in self.memory.news(self.to_say()) {
            notes.push(match said {
                Said::Never(key) => {
                    let most = match self.config.cube {
                        Some(_) => "the largest subcube has",
                        None => "there are at most",
                    };
                    format!("{} waits for ever: {most} {}", name(key), count(self.most))
                }
                Said::Late(key, by) => {
                    let finish = self.manager().job(key).and_then(|job| job.late).unwrap_or(by);
                    let late = finish.ticks().saturating_sub(by.ticks());
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
        let clock = Clock { now: cycle.now, poll: self.config.poll };
        cycle.planned.extend(match self.config.mode {
            Mode::Advisory => advisory(manager, seen, self.config.advised),
            Mode::Authoritative => authoritative(manager, seen, &self.names, &self.memory, clock),
        });
    }

    /// What is asked for now, and whom it has been asked for in vain.
    fn remember(&mut self, seen: &Seen<'_>, cycle: &mut Cycle) {
        let (now, poll) = (cycle.now, self.config.poll);
        let manager = self.durable.coordinator();
        for planned in &cycle.planned {
            if let Act::Start { nodes, .. } = &planned.act {
                self.memory.sent(planned.key, nodes.clone(), now);
            }
        }
        let status = |key: Key| manager.job(key).map(|job| job.status);
        let starts = |key: Key| status(key) == Some(Status::Starting);
        for key in self.memory.tidy(starts, now, poll) {
            let name = seen.find(key).map_or("?", |job| job.job.name.as_str());
            cycle.notes.push(format!("{name} is set aside: the manager does not start it"));
        }
        let waits = |key: Key| !matches!(status(key), None | Some(Status::Running));
        self.memory.forget(waits);
    }
}
