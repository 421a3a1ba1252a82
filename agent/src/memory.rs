//! What the agent remembers of its own acts while it runs; nothing depends on it after a restart.

use locox::manager::Key;
use locox::time::Instant;
use std::collections::{HashMap, HashSet};

/// Polls after which an act that shows no effect is done again.
const AGAIN: u64 = 3;
/// Polls after which a job that does not start is set aside.
const PATIENCE: u64 = 12;
/// The longest time for which a job is set aside, in polls.
const LONGEST_ASIDE: u64 = 720;

/// What the agent remembers of its own acts.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    starts: HashMap<Key, Sent>,
    aside: HashMap<Key, Aside>,
    /// What has been said of jobs that wait for ever or will be late.
    said: HashSet<Said>,
}

/// What is said of a job once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Said {
    /// It waits for ever.
    Never(Key),
    /// It ends later than this.
    Late(Key, Instant),
}

/// A start that was sent.
#[derive(Debug)]
struct Sent {
    nodes: Vec<String>,
    /// The first time.
    first: u64,
    /// The last time.
    last: u64,
}

/// A job that did not start.
#[derive(Debug)]
struct Aside {
    until: u64,
    times: u32,
}

impl Memory {
    /// After a restart: this has been said.
    pub(crate) fn of(said: HashSet<Said>) -> Self {
        Self { said, ..Self::default() }
    }

    /// Whether a start is to be sent: it is new, or its last time is long ago.
    pub(crate) fn is_due(&self, key: Key, nodes: &[String], now: u64, poll: u64) -> bool {
        let sent = self.starts.get(&key).filter(|sent| sent.nodes == nodes);
        sent.is_none_or(|sent| now >= sent.last.saturating_add(AGAIN * poll))
    }

    /// A start was sent.
    pub(crate) fn sent(&mut self, key: Key, nodes: Vec<String>, now: u64) {
        let first = self.starts.get(&key).map_or(now, |sent| sent.first);
        self.starts.insert(key, Sent { nodes, first, last: now });
    }

    /// Forgets starts of jobs that do not wait to be started, and sets aside those that do for too long: which ones.
    pub(crate) fn tidy(&mut self, starts: impl Fn(Key) -> bool, now: u64, poll: u64) -> Vec<Key> {
        self.starts.retain(|key, _| starts(*key));
        let is_late = |sent: &Sent| now >= sent.first.saturating_add(PATIENCE * poll);
        let late = self.starts.iter().filter(|(_, sent)| is_late(sent));
        let mut late: Vec<Key> = late.map(|(key, _)| *key).collect();
        late.sort_unstable_by_key(|key| (key.id, key.born));
        for key in &late {
            self.starts.remove(key);
            let times = self.aside.get(key).map_or(0, |aside| aside.times);
            let polls = (PATIENCE << times.min(16)).min(LONGEST_ASIDE);
            let until = now.saturating_add(polls * poll);
            self.aside.insert(*key, Aside { until, times: times + 1 });
        }
        late
    }

    /// Whether a job is set aside.
    pub(crate) fn is_aside(&self, key: Key, now: u64) -> bool {
        self.aside.get(&key).is_some_and(|aside| now < aside.until)
    }

    /// What of this is news, by the numbers of jobs. What is not so any more is forgotten.
    pub(crate) fn news(&mut self, said: HashSet<Said>) -> Vec<Said> {
        let mut news: Vec<Said> = said.difference(&self.said).copied().collect();
        news.sort_unstable_by_key(|said| match said {
            Said::Never(key) | Said::Late(key, _) => (key.id, key.born),
        });
        self.said = said;
        news
    }

    /// Forgets jobs that are not there any more, or run.
    pub(crate) fn forget(&mut self, waits: impl Fn(Key) -> bool) {
        self.aside.retain(|key, _| waits(*key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key { id: 1, born: 2 };

    #[test]
    fn a_start_is_sent_again_after_a_while_or_with_other_nodes() {
        let (mut memory, nodes) = (Memory::default(), vec!["a".to_string()]);
        assert!(memory.is_due(KEY, &nodes, 100, 5));
        memory.sent(KEY, nodes.clone(), 100);
        assert!(!memory.is_due(KEY, &nodes, 114, 5));
        assert!(memory.is_due(KEY, &nodes, 115, 5));
        assert!(memory.is_due(KEY, &["b".to_string()], 101, 5));
    }

    #[test]
    fn a_job_that_does_not_start_is_set_aside_each_time_for_longer() {
        let mut memory = Memory::default();
        let mut now = 100;
        for polls in [12, 24, 48] {
            memory.sent(KEY, vec![], now);
            assert!(memory.tidy(|_| true, now + 59, 5).is_empty());
            assert_eq!(memory.tidy(|_| true, now + 60, 5), [KEY]);
            now += 60;
            assert!(memory.is_aside(KEY, now + polls * 5 - 1));
            assert!(!memory.is_aside(KEY, now + polls * 5));
            now += polls * 5;
        }
        memory.forget(|_| false);
        assert!(!memory.is_aside(KEY, now - 1));
    }
}
