//! What the first in line was promised, and what became of it. A promise holds if all run for as long as they may and nobody
//! with a better claim comes; when it does not hold, that is said with its cause, and counted.

use crate::facts::LONGEST;
use crate::lines::key;
use crate::planned::count;
use crate::seen::Seen;
use locox_coordinators::manager::{Command, Coordinator, Job, Key, Promise, Reason, Status};
use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

/// What was promised, and how often that came true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promises {
    given: Option<Given>,
    /// Promises that were given.
    pub given_in_all: u64,
    /// Jobs that started by the time of their promise, or a poll later.
    pub kept: u64,
    /// Times at which a promise became later or was taken back, whatever the cause.
    pub moved: u64,
}

/// A promise that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Given {
    key: Key,
    /// By when, in seconds since 1970.
    by: u64,
    /// Seconds by which it may become later unsaid: a poll, and twice as many after each time.
    grace: u64,
}

/// What there is at a look.
pub(crate) struct Look<'l, 'm> {
    pub(crate) manager: &'l Coordinator<'m>,
    pub(crate) seen: &'l Seen<'l>,
    /// What the kernel was told.
    pub(crate) told: &'l [Command],
    pub(crate) now: u64,
    pub(crate) poll: u64,
}

/// Why a promise became later.
enum Cause {
    Before { name: String, owner: String, by: Rank },
    Outage(u32),
    Planned,
    Foreign(u32),
    Overrun(String),
    Longer(String),
    Started(String),
    Terms,
    Held,
    Late,
    Plan,
}

/// Why a job stands before another one.
enum Rank {
    Priority,
    Claim,
    Order,
}

impl Promises {
    /// By when the first in line was promised to start.
    pub fn by(&self, key: Key) -> Option<u64> {
        self.given.filter(|given| given.key == key).map(|given| given.by)
    }

    /// What is news after a decision.
    pub(crate) fn follow(&mut self, look: &Look<'_, '_>) -> Vec<String> {
        let mut news = vec![];
        if let Some(given) = self.given.take() {
            self.given = self.check(given, look, &mut news);
        }
        let promise = look.manager.promise();
        if let (None, Some(Promise { key, from, .. })) = (self.given, promise) {
            let (name, by) = (look.name(key), from.ticks());
            if is_unknown(by, look.now) {
                return news;
            }
            news.push(format!("{name} is next, and is promised for {}", time(by)));
            self.given = Some(Given { key, by, grace: look.poll });
            self.given_in_all += 1;
        }
        news
    }

    /// What becomes of a promise; nothing if it is done with.
    fn check(
        &mut self,
        given: Given,
        look: &Look<'_, '_>,
        news: &mut Vec<String>,
    ) -> Option<Given> {
        let job = look.manager.job(given.key)?;
        let name = look.name(given.key);
        let since = job.since.map_or(look.now, |since| since.ticks());
        match job.status {
            Status::Starting => Some(given),
            // Its nodes are kept for it.
            Status::Waiting if look.manager.reason(given.key) == Ok(Some(Reason::Room)) => {
                Some(given)
            }
            Status::Running | Status::Stopping if since > given.by + given.grace => {
                self.moved += 1;
                let late = since - given.by;
                news.push(format!("{name} started {late} s after its promise: {}", Cause::Late));
                None
            }
            Status::Running | Status::Stopping => {
                self.kept += 1;
                None
            }
            Status::Waiting | Status::Held | Status::Never => {
                let next = look.manager.promise().filter(|next| next.key == given.key);
                let by = next.map(|next| next.from.ticks());
                let by = by.filter(|by| !is_unknown(*by, look.now));
                match by {
                    Some(by) if by + given.grace < given.by => Some(Given { by, ..given }),
                    Some(by) if by <= given.by + given.grace => Some(given),
                    Some(by) => {
                        self.moved += 1;
                        let (was, cause) = (time(given.by), look.cause(&job));
                        news.push(format!(
                            "{name} was promised for {was} and is put off to {}: {cause}",
                            time(by)
                        ));
                        Some(Given { by, grace: given.grace.saturating_mul(2), ..given })
                    }
                    None => {
                        self.moved += 1;
                        let (was, cause) = (time(given.by), look.cause(&job));
                        news.push(format!(
                            "{name} was promised for {was} and is not any more: {cause}"
                        ));
                        None
                    }
                }
            }
        }
    }

    /// Its lines in the file.
    pub(crate) fn lines(&self) -> Vec<String> {
        let given = self.given.map(|Given { key: Key { id, born }, by, grace }| {
            format!("promise {id} {born} {by} {grace}")
        });
        let Self { given_in_all, kept, moved, .. } = self;
        let counts = format!("promises {given_in_all} {kept} {moved}");
        let is_known = *given_in_all > 0;
        given.into_iter().chain(is_known.then_some(counts)).collect()
    }

    /// Takes a line of the file.
    pub(crate) fn take(&mut self, what: &str, rest: &str) -> Option<()> {
        match what {
            "promise" => {
                let (key, rest) = key(rest)?;
                let (by, grace) = rest.split_once(' ')?;
                self.given = Some(Given { key, by: by.parse().ok()?, grace: grace.parse().ok()? });
            }
            "promises" => {
                let [all, kept, moved] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
                self.given_in_all = all.parse().ok()?;
                self.kept = kept.parse().ok()?;
                self.moved = moved.parse().ok()?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether a time is one that jobs without a limit make of it.
const fn is_unknown(time: u64, now: u64) -> bool {
    time.saturating_sub(now) >= LONGEST / 2
}

/// A time in seconds since 1970, as people read it.
pub(crate) fn time(seconds: u64) -> String {
    // A thousand years hence, whatever it is.
    let since = Duration::from_secs(seconds.min(1 << 36));
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

impl Look<'_, '_> {
    fn name(&self, key: Key) -> String {
        self.seen.find(key).map_or_else(|| "?".into(), |job| job.job.name.clone())
    }

    /// Why this job, which waits, starts later than it was promised.
    fn cause(&self, job: &Job) -> Cause {
        if job.status == Status::Held {
            return Cause::Held;
        }
        if let Some(before) = self.manager.promise().filter(|next| next.key != job.key) {
            return self.before(before.key, job);
        }
        let changed = |command: &&Command| matches!(command, Command::Changed { .. });
        let changed = self.told.iter().filter(changed);
        let keys: Vec<Key> = changed.filter_map(key_of).collect();
        if keys.contains(&job.key) {
            return Cause::Terms;
        }
        let out = self.told.iter().map(|command| match command {
            Command::NodeOut { nodes, .. } => *nodes,
            _ => 0,
        });
        match (out.sum::<u32>(), self.seen.foreign) {
            (0, _) => {}
            (_, foreign @ 1..) => return Cause::Foreign(foreign),
            (out, _) => return Cause::Outage(out),
        }
        if self.told.iter().any(|told| matches!(told, Command::Outage { .. })) {
            return Cause::Planned;
        }
        let began = self.told.iter().filter(|told| matches!(told, Command::Runs { .. }));
        let began = began.filter_map(key_of).find(|key| !self.was_asked(*key));
        if let Some(key) = began {
            return Cause::Started(self.name(key));
        }
        let overruns = |job: &Job| {
            let end = job.since.map(|since| since.saturating_add(job.limit).ticks());
            job.status == Status::Running && end.is_some_and(|end| end <= self.now)
        };
        if let Some(late) = self.manager.jobs().find(overruns) {
            return Cause::Overrun(self.name(late.key));
        }
        keys.first().map_or(Cause::Plan, |key| Cause::Longer(self.name(*key)))
    }

    /// Whether a job that runs now was told before: then it is the one that was decided.
    fn was_asked(&self, key: Key) -> bool {
        let seen =
            |command: &Command| matches!(command, Command::Seen { key: seen, .. } if *seen == key);
        !self.told.iter().any(seen)
    }

    fn before(&self, key: Key, job: &Job) -> Cause {
        let name = self.name(key);
        let owner = self.seen.find(key).map_or_else(String::new, |job| job.job.owner.clone());
        let by = match self.manager.job(key) {
            Some(other) if other.priority > job.priority => Rank::Priority,
            Some(other) if other.user != job.user => Rank::Claim,
            _ => Rank::Order,
        };
        Cause::Before { name, owner, by }
    }
}

const fn key_of(command: &Command) -> Option<Key> {
    match command {
        Command::Changed { key, .. } | Command::Runs { key, .. } => Some(*key),
        _ => None,
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before { name, owner, by: Rank::Priority } => {
                write!(f, "{name} of {owner} was put in front of it")
            }
            Self::Before { name, owner, by: Rank::Claim } => {
                write!(f, "{name} stands before it, as {owner} has a better claim")
            }
            Self::Before { name, owner, by: Rank::Order } => {
                write!(f, "{name} of {owner} stands before it")
            }
            Self::Outage(nodes) => write!(f, "{} went out of service", count(*nodes)),
            Self::Planned => f.write_str("an outage is planned that was not before"),
            Self::Foreign(nodes) => {
                write!(f, "jobs that the agent does not place have {}", count(*nodes))
            }
            Self::Overrun(name) => write!(f, "{name} runs for longer than it may"),
            Self::Longer(name) => write!(f, "{name} has other terms"),
            Self::Started(name) => write!(f, "{name} was started by somebody else"),
            Self::Terms => f.write_str("it has other terms"),
            Self::Held => f.write_str("it is held"),
            Self::Late => f.write_str("the manager did not start it at once"),
            Self::Plan => f.write_str("those that run leave other nodes than was planned"),
        }
    }
}
