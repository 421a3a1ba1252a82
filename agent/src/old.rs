//! A coordinator that reads the history of an older version.

use locox::image::{BadImage, Identity};
use locox::invariant::InvariantViolation;
use locox::time::Instant;
use locox_coordinators::coordinate::{Coordinate, Snapshot};
use locox_coordinators::manager::{Command, Coordinator, Effect, Error, Key, Refusal, Status};

/// What is told in place of effects that only the old decision had.
const LACKS: Effect = Effect::Never { key: Key { id: 0, born: 0 }, nodes: 0 };

/// A coordinator whose images and records are of an older version, so that
/// [`Durable`](locox_coordinators::coordinate::Durable) reads and writes such ones.
///
/// Records contain facts, and that something was decided, but not what. Today's rules decide it again, perhaps otherwise. How
/// many effects were taken shows that. Then all jobs that were to start wait again until a fact says that they run, so that
/// no user is charged for nodes that his jobs did not have. A fact that today's coordinator refuses is left out: the agent compares
/// the coordinator with its manager at each look, and tells it again.
pub struct Old<'c, 'a> {
    coordinator: &'c mut Coordinator<'a>,
    version: u16,
    has_decided: bool,
    /// Effects since the last command that were taken then and are not told today.
    lacking: usize,
    differing: u32,
    is_full: bool,
}

impl<'c, 'a> Old<'c, 'a> {
    /// A coordinator that was told nothing yet, of one of the versions [`Coordinator::OLDER`].
    pub const fn new(coordinator: &'c mut Coordinator<'a>, version: u16) -> Self {
        Self { coordinator, version, has_decided: false, lacking: 0, differing: 0, is_full: false }
    }

    /// How many decisions differ from the old ones, as far as that shows, and how many facts were left out.
    pub const fn differing(&self) -> u32 {
        self.differing
    }

    /// Whether there was no room for a job or a user.
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Compares the last decision with what is known of the old one.
    fn settle(&mut self) {
        let has_more = self.has_decided && self.coordinator.peek_effect().is_some();
        self.has_decided = false;
        if std::mem::take(&mut self.lacking) == 0 && !has_more {
            return;
        }
        self.differing = self.differing.saturating_add(1);
        let starts = self.coordinator.jobs().filter(|job| job.status == Status::Starting);
        let starts: Vec<Key> = starts.map(|job| job.key).collect();
        let now = self.coordinator.now();
        for key in starts {
            // It is known, and the time is the latest one.
            let _ = self.coordinator.apply(now, Command::Waits { key });
        }
        while self.coordinator.take_effect().is_some() {}
    }
}

impl Snapshot for Old<'_, '_> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        self.coordinator.identity_as(self.version)
    }

    fn kept(&self) -> Instant {
        self.coordinator.kept()
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        self.coordinator.store_as(self.version, put);
    }

    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        self.coordinator.load_as(self.version, take)
    }

    fn reset(&mut self, now: Instant) {
        self.coordinator.reset(now);
        (self.has_decided, self.lacking, self.differing) = (false, 0, 0);
        self.is_full = false;
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.coordinator.check_invariants()
    }
}

impl Coordinate for Old<'_, '_> {
    type Command = Command;
    type Effect = Effect;
    type Answer = ();
    type Error = Error;
    type Draw = ();

    fn apply_drawn(&mut self, now: Instant, command: Command, (): ()) -> Result<(), Error> {
        self.settle();
        self.has_decided = command == Command::Decide;
        if let Err(error) = self.coordinator.apply(now, command) {
            let is_room = matches!(error.refusal(), Some(Refusal::JobsFull | Refusal::UsersFull));
            self.is_full |= is_room;
            self.differing = self.differing.saturating_add(1);
        }
        Ok(())
    }

    fn peek_effect(&self) -> Option<Effect> {
        // A decision tells two things of a job at most, and one more.
        let most = 2 * self.coordinator.len() as usize;
        self.coordinator.peek_effect().or((self.lacking <= most).then_some(LACKS))
    }

    fn take_effect(&mut self) -> Option<Effect> {
        let effect = self.peek_effect()?;
        if self.coordinator.take_effect().is_none() {
            self.lacking = self.lacking.saturating_add(1);
        }
        Some(effect)
    }

    fn resync(&mut self) {
        self.settle();
        self.coordinator.resync();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Mode};
    use crate::rows::Rows;
    use crate::simulated::World;
    use locox::time::Duration;
    use locox_coordinators::coordinate::{BadRecord, CommandRecord, Durable, Record};
    use locox_coordinators::manager::{NodeId, UserId};

    const VERSION: u16 = Coordinator::OLDER[0];
    const FIRST: Key = Key { id: 1, born: 0 };

    fn config() -> Config {
        Config::of_simulated(&World { nodes: 4, ..World::default() }, Mode::Authoritative)
    }

    fn seen(id: u64) -> Command {
        let (key, user, limit) = (Key { id, born: 0 }, UserId(7), Duration::from_ticks(60));
        Command::Seen { key, user, nodes: 2, limit, priority: 0 }
    }

    /// Replays commands, each with its time and how many effects were taken before it.
    fn replay(
        pool: &mut Durable<Old<'_, '_>>,
        said: &[(u64, u32, Command)],
    ) -> Result<(), BadRecord> {
        for (&(now, effects, command), number) in said.iter().zip(pool.place().commands + 1..) {
            let (now, command) = (Instant::from_ticks(now), Some(command));
            let said = CommandRecord { number, now, effects, draw: (), command };
            let record = Record::of_command(&pool.coordinator().identity(), &said);
            pool.replay(&record, |_| {})?;
        }
        Ok(())
    }

    #[test]
    fn who_did_not_start_then_waits_and_is_not_charged() {
        let told = |effects| [(5, 0, seen(1)), (5, 0, Command::Decide), (600, effects, seen(2))];
        // Today's decision starts the first job, and says so once.
        for (effects, differing) in [(1, 0), (0, 1), (2, 1)] {
            let mut rows = Rows::default();
            let mut manager = rows.fresh(&config()).unwrap();
            let mut pool = Durable::new(Old::new(&mut manager, VERSION));
            replay(&mut pool, &told(effects)).unwrap();
            assert_eq!(pool.coordinator().differing(), differing);
            replay(&mut pool, &[(600, effects, Command::Decide)]).unwrap();
            let user = manager.users().next().unwrap();
            assert_eq!(user.index > 0, differing == 0, "{user:?}");
            let (since, first) = (Instant::from_ticks(5), NodeId(2));
            let runs = Command::Runs { key: FIRST, since, first, nodes: 2 };
            manager.apply(Instant::from_ticks(601), runs).unwrap();
            assert_eq!(manager.job(FIRST).unwrap().status, Status::Running);
            manager.check_invariants().unwrap();
        }
    }

    #[test]
    fn a_fact_that_is_not_taken_is_left_out() {
        let mut rows = Rows::default();
        let mut manager = rows.fresh(&config()).unwrap();
        let mut pool = Durable::new(Old::new(&mut manager, VERSION));
        let left = Command::Left { key: FIRST };
        replay(&mut pool, &[(5, 0, left), (6, 0, seen(2))]).unwrap();
        assert_eq!((pool.coordinator().differing(), pool.place().commands), (1, 2));
        assert_eq!(manager.len(), 1);
    }

    #[test]
    fn more_effects_than_a_decision_tells_are_refused() {
        let mut rows = Rows::default();
        let mut manager = rows.fresh(&config()).unwrap();
        let mut pool = Durable::new(Old::new(&mut manager, VERSION));
        let said = [(5, 0, seen(1)), (5, 0, Command::Decide), (6, u32::MAX, seen(2))];
        assert!(matches!(replay(&mut pool, &said), Err(BadRecord::Contradiction(_))));
    }

    #[test]
    fn an_image_of_then_is_read_and_written_as_it_was() {
        let [mut rows, mut others] = [Rows::default(), Rows::default()];
        let mut manager = rows.fresh(&config()).unwrap();
        let mut pool = Durable::new(Old::new(&mut manager, VERSION));
        let said = [(5, 0, seen(1)), (5, 0, Command::Decide), (6, 1, seen(2)), (6, 1, seen(3))];
        replay(&mut pool, &said).unwrap();
        let words_of = |pool: &Durable<Old<'_, '_>>| {
            let mut words = vec![];
            pool.export(&mut |word| words.push(word));
            words
        };
        let words = words_of(&pool);
        let mut today = others.fresh(&config()).unwrap();
        let refused = today.load(words.iter().copied());
        assert_eq!(refused.map(drop), Err(BadImage::OtherVersion));
        let mut other = Durable::new(Old::new(&mut today, VERSION));
        other.load(&mut words.iter().copied()).unwrap();
        assert_eq!(words_of(&other), words);
    }
}
