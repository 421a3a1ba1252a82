//! What the agent remembers of its own acts, and its file. Where that is lost, jobs are tried once more.

use crate::backend::{JobSeen, Refused};
use crate::lines::{self, key};
use crate::promises::{Promises, time};
use crate::seen::SeenJob;
use locox::time::Instant;
use locox_coordinators::manager::Key;
use locox_storage::Folder;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::{fmt, io};

/// The file of the folder that has it.
pub(crate) const FILE: &str = "memory";
const THINGS: &str = "entries";

/// Polls after which a start that shows no effect is asked for again.
const AGAIN: u64 = 3;
/// As often a job is asked to start before it is set aside.
const TRIES: u32 = 3;
/// Polls for which a job is set aside the first time; each time it is twice as long.
const PAUSE: u64 = 12;
/// The longest time for which a job is set aside, and for which a limit is taken to be what it was, in polls.
const LONGEST: u64 = 720;
/// A job that was set aside so often is left to the manager the next time.
const ASIDE: u32 = 3;
/// An act that is refused so often comes again after growing pauses.
const REFUSED: u32 = 3;

/// A time as the manager tells it, and seconds from one to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// In seconds since 1970.
    pub(crate) now: u64,
    /// Between two snapshots.
    pub(crate) poll: u64,
}

/// What the agent remembers of its own acts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    starts: HashMap<Key, Sent>,
    aside: BTreeMap<Key, Aside>,
    left: BTreeMap<Key, String>,
    limits: BTreeMap<String, Limit>,
    refused: HashMap<String, Aside>,
    /// What has been said of jobs that wait for ever, or will be late or stopped.
    said: HashSet<Said>,
    /// What the first in line was told.
    pub(crate) promises: Promises,
}

/// What is said of a job once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Said {
    /// It waits for ever.
    Never(Key),
    /// It ends later than this.
    Late(Key, Instant),
    /// It will be stopped then.
    Stop(Key, Instant),
    /// It is left to the manager.
    Left(Key),
}

/// What is news of a job that does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is not asked for before this time.
    Aside(u64),
    /// A limit lets so many jobs run that have these words in their kind.
    Limited(usize, String),
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aside(until) => {
                write!(f, "is set aside until {}: the manager does not start it", time(*until))
            }
            Self::Limited(most, kind) => write!(
                f,
                "waits for a limit of the manager: {most} with {kind} run, and the next one is asked for when one of them has ended"
            ),
        }
    }
}

/// A start that was sent.
#[derive(Clone, Debug)]
struct Sent {
    nodes: Vec<String>,
    /// Since the job was set aside last.
    times: u32,
    /// The last time.
    last: u64,
}

impl Sent {
    const fn is_old(&self, Clock { now, poll }: Clock) -> bool {
        now >= self.last.saturating_add(AGAIN * poll)
    }
}

/// A job that did not start, or an act that was refused.
#[derive(Clone, Copy, Debug)]
struct Aside {
    until: u64,
    times: u32,
}

/// The most jobs of a kind that a limit of the manager was seen to let run.
#[derive(Clone, Copy, Debug)]
struct Limit {
    most: usize,
    /// After that it may be another one.
    until: u64,
}

impl Memory {
    /// After a restart: this has been said.
    pub(crate) fn of(mut self, said: HashSet<Said>) -> Self {
        self.said.extend(said);
        self
    }

    /// Whether a start is to be sent. One that the manager has taken, as the open gate shows, gets more time.
    pub(crate) fn is_due(&self, key: Key, nodes: &[String], is_gated: bool, clock: Clock) -> bool {
        let Some(sent) = self.starts.get(&key) else { return true };
        let is_new = is_gated || sent.nodes != nodes;
        sent.times < TRIES && (is_new || sent.is_old(clock))
    }

    /// A start was sent.
    pub(crate) fn sent(&mut self, key: Key, nodes: Vec<String>, now: u64) {
        let times = self.starts.get(&key).map_or(0, |sent| sent.times) + 1;
        self.starts.insert(key, Sent { nodes, times, last: now });
    }

    /// Sets aside jobs that were asked to start often enough: which ones, but for those that are left to the manager.
    pub(crate) fn tidy(&mut self, starts: impl Fn(Key) -> bool, clock: Clock) -> Vec<(Key, Fate)> {
        let is_late = |(key, sent): &(&Key, &Sent)| {
            sent.times >= TRIES && sent.is_old(clock) && starts(**key)
        };
        let mut late: Vec<Key> = self.starts.iter().filter(is_late).map(|(key, _)| *key).collect();
        late.sort_unstable();
        late.into_iter().filter_map(|key| Some((key, self.set_aside(key, clock)?))).collect()
    }

    fn set_aside(&mut self, key: Key, clock: Clock) -> Option<Fate> {
        self.starts.remove(&key);
        let times = self.aside.get(&key).map_or(0, |aside| aside.times);
        if times >= ASIDE {
            let tries = TRIES * (times + 1);
            self.leave(key, format!("it was asked to start {tries} times, and did not"));
            return None;
        }
        let until = pause(times, clock);
        self.aside.insert(key, Aside { until, times: times + 1 });
        Some(Fate::Aside(until))
    }

    fn leave(&mut self, key: Key, why: String) {
        self.starts.remove(&key);
        self.aside.remove(&key);
        self.left.insert(key, why);
    }

    /// The manager does not start a job whose gate is open: what of that is news. `running`: so many of those run that its
    /// limit counts.
    pub(crate) fn refuse(
        &mut self,
        job: &JobSeen,
        refused: &Refused,
        running: usize,
        clock: Clock,
    ) -> Option<Fate> {
        let key = job.key();
        let Refused::Limit(kind) = refused else {
            self.leave(key, format!("it refuses the request, {}", job.reason));
            return None;
        };
        if running == 0 {
            // No job of its kind will end and make room for it.
            self.leave(key, format!("a limit keeps it, {}", job.reason));
            return None;
        }
        self.starts.remove(&key);
        let until = clock.now.saturating_add(LONGEST * clock.poll);
        let was = self.limits.insert(kind.clone(), Limit { most: running, until });
        let is_news = was.is_none_or(|was| was.most != running);
        is_news.then(|| Fate::Limited(running, kind.clone()))
    }

    /// Why a job is left to the manager though the agent could place it.
    pub(crate) fn left(&self, key: Key) -> Option<&str> {
        self.left.get(&key).map(String::as_str)
    }

    /// Until when a job is set aside.
    pub(crate) fn aside(&self, key: Key, now: u64) -> Option<u64> {
        self.aside.get(&key).map(|aside| aside.until).filter(|until| now < *until)
    }

    /// Those that wait for which limits of the manager leave no room. The first ones by number get what room there is, and
    /// as many of those that fit on the `free` nodes; `most` is the most nodes that any job can have.
    pub(crate) fn limited(
        &self,
        jobs: &[SeenJob<'_>],
        starts: impl Fn(Key) -> bool,
        (free, most): (u32, u32),
        now: u64,
    ) -> HashSet<Key> {
        let mut limited = HashSet::new();
        for (kind, limit) in self.limits.iter().filter(|(_, limit)| now < limit.until) {
            let of_kind = jobs.iter().filter(|job| is_of(job.job, kind));
            let (decided, waiting): (Vec<_>, Vec<_>) =
                of_kind.partition(|job| !job.waits() || starts(job.key) && job.refused().is_none());
            let room = limit.most.saturating_sub(decided.len());
            let could = |job: &&&SeenJob<'_>| !job.is_held() && job.job.nodes <= most;
            let first = waiting.iter().filter(could).take(room);
            let fitting = waiting.iter().filter(could).filter(|job| job.job.nodes <= free);
            let asked: HashSet<Key> = first.chain(fitting.take(room)).map(|job| job.key).collect();
            let waiting = waiting.iter().filter(could).map(|job| job.key);
            limited.extend(waiting.filter(|key| !asked.contains(key)));
        }
        limited
    }

    /// Whether an act that was refused before is to wait.
    pub(crate) fn is_paused(&self, act: &str, now: u64) -> bool {
        self.refused.get(act).is_some_and(|aside| aside.times >= REFUSED && now < aside.until)
    }

    /// Whether an act was refused.
    pub(crate) fn answered(&mut self, act: &str, is_refused: bool, clock: Clock) {
        if !is_refused {
            self.refused.remove(act);
            return;
        }
        let times = self.refused.get(act).map_or(0, |aside| aside.times);
        let until = pause(times.saturating_sub(REFUSED), clock);
        self.refused.insert(act.into(), Aside { until, times: times + 1 });
    }

    /// What of this is news, by the numbers of jobs. What is not so any more is forgotten.
    pub(crate) fn news(&mut self, said: HashSet<Said>) -> Vec<Said> {
        let mut news: Vec<Said> = said.difference(&self.said).copied().collect();
        news.sort_unstable_by_key(|said| match said {
            Said::Never(key) | Said::Late(key, _) | Said::Stop(key, _) | Said::Left(key) => *key,
        });
        self.said = said;
        news
    }

    /// Forgets jobs that are not there any more, or run; and limits that may be others now.
    pub(crate) fn forget(&mut self, waits: impl Fn(Key) -> bool, now: u64) {
        self.starts.retain(|key, _| waits(*key));
        self.aside.retain(|key, _| waits(*key));
        self.left.retain(|key, _| waits(*key));
        self.limits.retain(|_, limit| now < limit.until);
    }

    /// Its lines. Refusals are not among them, nor the nodes of starts.
    fn lines(&self) -> Vec<String> {
        let text = |key: &Key| format!("{} {}", key.id, key.born);
        let aside = self
            .aside
            .iter()
            .map(|(job, Aside { until, times })| format!("aside {} {until} {times}", text(job)));
        let left = self.left.iter().map(|(job, why)| format!("left {} {why}", text(job)));
        let limits = self.limits.iter();
        let limits =
            limits.map(|(kind, Limit { most, until })| format!("limit {most} {until} {kind}"));
        let told = self.said.iter().filter_map(|said| match said {
            Said::Left(job) => Some(format!("told {} {}", job.id, job.born)),
            Said::Never(_) | Said::Late(..) | Said::Stop(..) => None,
        });
        let starts = self.starts.iter();
        let starts = starts
            .map(|(job, Sent { times, last, .. })| format!("start {} {times} {last}", text(job)));
        let mut told: Vec<String> = told.chain(starts).collect();
        told.sort_unstable();
        aside.chain(left).chain(limits).chain(told).chain(self.promises.lines()).collect()
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let (what, rest) = line.split_once(' ')?;
        match what {
            "aside" => {
                let (key, rest) = key(rest)?;
                let (until, times) = rest.split_once(' ')?;
                let (until, times) = (until.parse().ok()?, times.parse().ok()?);
                self.aside.insert(key, Aside { until, times });
            }
            "start" => {
                let (key, rest) = key(rest)?;
                let (times, last) = rest.split_once(' ')?;
                let (times, last) = (times.parse().ok()?, last.parse().ok()?);
                self.starts.insert(key, Sent { nodes: vec![], times, last });
            }
            "told" => {
                let (id, born) = rest.split_once(' ')?;
                let key = Key { id: id.parse().ok()?, born: born.parse().ok()? };
                self.said.insert(Said::Left(key));
            }
            "left" => {
                let (key, why) = key(rest)?;
                self.left.insert(key, why.into());
            }
            "limit" => {
                let [most, until, kind] =
                    rest.splitn(3, ' ').collect::<Vec<_>>().try_into().ok()?;
                let limit = Limit { most: most.parse().ok()?, until: until.parse().ok()? };
                self.limits.insert(kind.into(), limit);
            }
            _ => self.promises.take(what, rest)?,
        }
        Some(())
    }
}

/// When a pause ends, after so many.
fn pause(times: u32, Clock { now, poll }: Clock) -> u64 {
    now.saturating_add((PAUSE << times.min(16)).min(LONGEST) * poll)
}

/// Whether a limit of this kind counts a job.
pub(crate) fn is_of(job: &JobSeen, kind: &str) -> bool {
    kind.split(' ').all(|word| job.kind.split(' ').any(|own| own == word))
}

/// What a folder has; nothing if the file is missing or damaged.
///
/// # Errors
///
/// Those of the system.
pub(crate) fn load(folder: &mut impl Folder) -> io::Result<Memory> {
    let Some(bytes) = folder.read(FILE)? else { return Ok(Memory::default()) };
    let mut memory = Memory::default();
    let lines = lines::parse(&bytes, THINGS).unwrap_or_default();
    let taken = lines.into_iter().all(|line| memory.take(line).is_some());
    Ok(if taken { memory } else { Memory::default() })
}

/// Stores it in a folder, if it is not what `stored` has.
///
/// # Errors
///
/// Those of the system.
pub(crate) fn store(
    memory: &Memory,
    stored: &mut Vec<String>,
    folder: &mut impl Folder,
) -> io::Result<()> {
    let lines = memory.lines();
    if *stored != lines {
        lines::store(folder, FILE, &lines, THINGS)?;
        *stored = lines;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copied::Copied;

    const KEY: Key = Key { id: 1, born: 2 };

    const fn at(now: u64) -> Clock {
        Clock { now, poll: 5 }
    }

    #[test]
    fn a_start_is_sent_again_after_a_while_or_with_other_nodes() {
        let (mut memory, nodes) = (Memory::default(), vec!["a".to_string()]);
        assert!(memory.is_due(KEY, &nodes, false, at(100)));
        memory.sent(KEY, nodes.clone(), 100);
        assert!(!memory.is_due(KEY, &nodes, false, at(114)));
        assert!(memory.is_due(KEY, &nodes, false, at(115)));
        assert!(memory.is_due(KEY, &nodes, true, at(101)), "it was lost");
        assert!(memory.is_due(KEY, &["b".to_string()], false, at(101)));
        memory.sent(KEY, nodes.clone(), 101);
        memory.sent(KEY, nodes.clone(), 102);
        assert!(!memory.is_due(KEY, &[], true, at(999)), "three times without a pause");
    }

    #[test]
    fn a_job_that_does_not_start_is_set_aside_each_time_for_longer_and_then_left() {
        let mut memory = Memory::default();
        let mut now = 100;
        for polls in [12, 24, 48] {
            for at in [now, now + 15, now + 30] {
                memory.sent(KEY, vec![], at);
            }
            assert!(memory.tidy(|_| true, at(now + 44)).is_empty());
            assert!(memory.tidy(|_| false, at(now + 45)).is_empty());
            now += 45;
            let until = now + polls * 5;
            assert_eq!(memory.tidy(|_| true, at(now)), [(KEY, Fate::Aside(until))]);
            assert_eq!(memory.aside(KEY, until - 1), Some(until));
            assert_eq!(memory.aside(KEY, until), None);
            now = until;
        }
        (0..3).for_each(|_| memory.sent(KEY, vec![], now));
        assert_eq!(memory.tidy(|_| true, at(now + 45)), []);
        assert!(memory.left(KEY).is_some());
        memory.forget(|_| false, now);
        assert!(memory.left(KEY).is_none());
    }

    #[test]
    fn an_act_that_is_refused_waits_for_longer_and_longer() {
        let mut memory = Memory::default();
        let mut tries = vec![];
        for now in 0..2000 {
            if !memory.is_paused("release 1", now) {
                memory.answered("release 1", true, Clock { now, poll: 1 });
                tries.push(now);
            }
        }
        assert_eq!(tries, [0, 1, 2, 14, 26, 50, 98, 194, 386, 770, 1490]);
        memory.answered("release 1", false, at(2000));
        assert!(!memory.is_paused("release 1", 2001));
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let mut memory = Memory::default();
        memory.set_aside(KEY, at(100));
        memory.leave(Key { id: 9, born: 8 }, "it asks for nodes a b".into());
        memory.limits.insert("qos=a user=b".into(), Limit { most: 3, until: 700 });
        memory.said.insert(Said::Left(KEY));
        memory.sent(KEY, vec!["a".into()], 50);
        let (mut folder, mut stored) = (Copied::default(), vec![]);
        store(&memory, &mut stored, &mut folder).unwrap();
        assert_eq!(load(&mut folder).unwrap().lines(), memory.lines());
        assert_eq!(stored.len(), 5);
        for line in [
            "",
            "aside",
            "aside 1 2 3",
            "left 1",
            "limit 3 a",
            "told 7",
            "start 1 2 3",
            "promise 1 2 3",
            "what 1",
        ] {
            assert_eq!(Memory::default().take(line), None, "{line}");
        }
    }
}
