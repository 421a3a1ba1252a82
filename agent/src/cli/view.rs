//! What an agent knows and would do now, seen from outside while it runs: a copy of its history, and a snapshot.

use super::answer::{Failure, failure, note};
use super::{host, times};
use crate::agent::{Agent, Began, FILES, Storage};
use crate::backend::{JobSeen, OutageSeen, Snapshot};
use crate::config::Config;
use crate::copied::Copied;
use crate::cycle::Cycle;
use crate::looking::Looking;
use crate::managers;
use crate::planned::{count, few};
use crate::stops::Stop;
use locox_coordinators::manager::{Coordinator, Job, Key, Reason, Status};

/// A copy of an agent after one cycle more, of which nothing is stored or done.
pub(super) struct View<'a> {
    pub(super) agent: Agent<'a, Copied>,
    pub(super) cycle: Cycle,
    pub(super) snapshot: Snapshot,
}

impl<'a> View<'a> {
    /// Reads the history without its lock, and takes a snapshot.
    pub(super) fn open(storage: &'a mut Storage, config: &Config) -> Result<Self, Failure> {
        Self::open_if(storage, config, |_| Ok(()))
    }

    /// As [`View::open`], if there is a job of this name.
    pub(super) fn of_job(
        storage: &'a mut Storage,
        config: &Config,
        name: &str,
    ) -> Result<Self, Failure> {
        Self::open_if(storage, config, |snapshot| named(snapshot, name).map(drop))
    }

    /// `check` says of a snapshot whether it is worth the rest.
    fn open_if(
        storage: &'a mut Storage,
        config: &Config,
        check: impl Fn(&Snapshot) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let files = Copied::of(&config.folder, &FILES)?;
        let (mut agent, began) = Agent::open(storage, config, host::agent_name(config), files)?;
        if !matches!(began, Began::Recovered(_)) {
            let folder = config.folder.display();
            note(format!(
                "no history can be read in {folder}: this is what an agent would find that begins now"
            ));
        }
        let mut backend = managers::open(config, true)?;
        let mut looking = Looking::at(backend.as_mut());
        let mut cycle = Cycle::default();
        let snapshot = agent.look(&mut looking, &mut cycle.notes)?;
        check(&snapshot)?;
        let cycle = agent.follow(&snapshot, &mut looking, times::host_clock(), cycle)?;
        Ok(Self { agent, cycle, snapshot })
    }

    pub(super) fn manager(&self) -> &Coordinator<'a> {
        self.agent.manager()
    }

    /// The jobs of this name: one, or the elements of an array.
    pub(super) fn jobs(&self, name: &str) -> Result<Vec<&JobSeen>, Failure> {
        named(&self.snapshot, name)
    }

    /// Why a job is left to the manager, if it is.
    pub(super) fn left(&self, name: &str) -> Option<&str> {
        let left = self.cycle.left.iter().find(|(job, _)| job == name);
        left.map(|(_, why)| why.as_str())
    }

    /// Why a job is not asked to start for a while, if it is not.
    pub(super) fn kept(&self, name: &str) -> Option<String> {
        if self.cycle.limited.iter().any(|job| job == name) {
            return Some("a limit of the manager leaves no room for it".into());
        }
        let (_, until) = self.cycle.aside.iter().find(|(job, _)| job == name)?;
        let until = times::at(*until, self.now());
        Some(format!("it is set aside until {until}, as the manager did not start it"))
    }

    /// When and for whom a job is to be stopped, if it is.
    pub(super) fn stop(&self, key: Key) -> Option<String> {
        let stop = self.cycle.stops.iter().find(|stop| stop.key == key)?;
        Some(self.told(stop))
    }

    /// The same in words.
    pub(super) fn told(&self, Stop { at, why, .. }: &Stop) -> String {
        match *at > self.now() {
            true => format!("will be stopped at {} {why}", times::at(*at, self.now())),
            false => format!("is to be stopped {why}"),
        }
    }

    /// A job as the manager prints it.
    pub(super) fn name(&self, key: Key) -> String {
        let at = self.snapshot.jobs.binary_search_by_key(&key.id, |job| job.id);
        let job = at.ok().and_then(|at| self.snapshot.jobs.get(at));
        job.map_or_else(|| key.id.to_string(), |job| job.name.clone())
    }

    /// The most nodes that a job can have of those that have been told of, in service or not. The kernel has room for
    /// more, as the configuration says.
    pub(super) fn most(&self) -> u32 {
        self.agent.most.min(self.agent.names().len() as u32)
    }

    /// What a job does. One that asks for more nodes than it could ever have never fits, as things are.
    pub(super) fn status(&self, job: &Job) -> Status {
        match job.status {
            Status::Waiting if job.needs > self.most() => Status::Never,
            status => status,
        }
    }

    /// Why a job never fits.
    pub(super) fn too_large(&self) -> String {
        let most = self.most();
        match self.agent.config().places.shape() {
            Some(shape) => format!("it asks for more than the largest {shape}, of {}", count(most)),
            None => Reason::TooLarge { nodes: most }.to_string(),
        }
    }

    /// Why a job waits, with jobs and outages as the manager prints them.
    pub(super) fn reason(&self, job: &Job, reason: Reason) -> String {
        match reason {
            Reason::TooLarge { .. }
            | Reason::Outage { .. }
            | Reason::TooFewFree { .. }
            | Reason::Divided { .. }
                if job.nodes > self.most() =>
            {
                self.too_large()
            }
            Reason::WouldDelay { first } => {
                format!("it would delay {}, the first in line", self.name(first))
            }
            Reason::Room => {
                let stops = self.cycle.stops.iter().filter(|stop| stop.of == job.key);
                let names: Vec<String> = stops.map(|stop| stop.job.clone()).collect();
                let have = if names.len() == 1 { "has" } else { "have" };
                format!("it starts when {} {have} stopped for it", few(&names))
            }
            Reason::Planned => format!("{reason}, {}", self.outages(job)),
            reason => self.of_places(reason),
        }
    }

    /// The planned outages that a job would meet if it began now.
    fn outages(&self, job: &Job) -> String {
        let end = self.now().saturating_add(job.limit.ticks());
        let meets = |outage: &&OutageSeen| outage.from < end && outage.to > self.now();
        let met = self.snapshot.outages.iter().filter(meets);
        few(&met.map(|outage| outage.name.clone()).collect::<Vec<_>>())
    }

    /// A reason in the words of the places.
    fn of_places(&self, reason: Reason) -> String {
        match (self.agent.config().places.shape(), reason) {
            (Some(shape), Reason::Divided { largest }) => {
                format!("the largest {shape} in service has {}", count(largest))
            }
            (Some(shape), Reason::Fragmented { largest }) => {
                format!("the largest free {shape} has {}", count(largest))
            }
            (_, reason) => reason.to_string(),
        }
    }

    pub(super) const fn now(&self) -> u64 {
        self.cycle.now
    }
}

/// What the kernel calls a job.
pub(super) fn key(job: &JobSeen) -> Key {
    Key { id: job.id, born: job.born }
}

/// The governed jobs of this name.
fn named<'s>(snapshot: &'s Snapshot, name: &str) -> Result<Vec<&'s JobSeen>, Failure> {
    let element = format!("{name}_");
    let governed = snapshot.jobs.iter().filter(|job| job.governed);
    let named = governed.filter(|job| job.name == name || job.name.starts_with(&element));
    let jobs: Vec<_> = named.collect();
    match jobs.is_empty() {
        true => Err(failure(format!(
            "no job {name} waits or runs in what is governed: it may have ended; if not, check its number, and `partitions`"
        ))),
        false => Ok(jobs),
    }
}
