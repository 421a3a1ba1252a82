//! A wide machine beside a narrow one: each PE of the narrow one is `WIDTH` PEs of the other, and
//! whatever is asked of both they answer alike.
//!
//! Rows of the wide one are handled stripe by stripe, those of the narrow one column by column; the
//! narrow one is compared with a naive model elsewhere.

use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{Fit, Interval, Limits, Lowest, Request, ReservationId, Timeline};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const PES: u32 = 60;
const WIDTH: u32 = 90;
const SPAN: u64 = 400;
/// Rounds on new machines, and calls of each.
const ROUNDS: u64 = 12;
const CALLS: u64 = 700;

type Boxed = Timeline<Box<[Word]>>;

fn timeline(pes: u32, reservations: u32) -> Boxed {
    let limits = Limits { pes, reservations };
    Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)].into()).unwrap()
}

/// The PEs from `start` on, each `width` of them.
fn block(pes: u32, start: u32, count: u32, width: u32) -> BitSet<Vec<Word>> {
    let mut set = BitSet::empty(vec![0; 96], pes * width).unwrap();
    set.insert_range(start * width, count * width).unwrap();
    set
}

struct Pair {
    narrow: Boxed,
    wide: Boxed,
    made: Vec<ReservationId>,
}

impl Pair {
    fn new(reservations: u32) -> Self {
        let narrow = timeline(PES, reservations);
        Self { narrow, wide: timeline(PES * WIDTH, reservations), made: vec![] }
    }

    /// What is asked of both, and whether it was done.
    fn ask(&mut self, rng: &mut ChaCha8Rng) -> bool {
        let now = self.narrow.now();
        let start = Instant::from_ticks(now.ticks() + rng.random_range(0..SPAN));
        let length = Duration::from_ticks(rng.random_range(1..120));
        let at = Interval { start, end: start.checked_add(length).unwrap() };
        let (first, count) = (rng.random_range(0..PES - 8), rng.random_range(1..8));
        let id = match self.made.len() {
            0 => None,
            len => Some(self.made[rng.random_range(0..len)]),
        };
        match (rng.random_range(0..20), id) {
            (0..9, _) => {
                let one = self.narrow.add(at, &block(PES, first, count, 1));
                let other = self.wide.add(at, &block(PES, first, count, WIDTH));
                assert_eq!(one.is_ok(), other.is_ok());
                self.made.extend(other.ok());
                one.map(|id| assert_eq!(Some(&id), self.made.last())).is_ok()
            }
            (9..12, _) => {
                let request = Request::new(start, length, count);
                let one = self.narrow.reserve(&request, &Fit::First, &Lowest);
                let request = Request::new(start, length, count * WIDTH);
                let other = self.wide.reserve(&request, &Fit::First, &Lowest);
                assert_eq!(one.is_ok(), other.is_ok());
                self.made.extend(other.ok().map(|(id, _)| id));
                one.map(|one| assert_eq!(Some(one), other.ok())).is_ok()
            }
            (12..17, Some(id)) => {
                let one = self.narrow.cancel(id);
                assert_eq!(one, self.wide.cancel(id));
                one.is_ok()
            }
            (17, Some(id)) => {
                let one = self.narrow.set_end(id, at.end);
                assert_eq!(one.is_ok(), self.wide.set_end(id, at.end).is_ok());
                one.is_ok()
            }
            (18, _) => {
                let fails = rng.random_bool(0.5);
                let change = |timeline: &mut Boxed, pe| match fails {
                    true => timeline.withdraw(pe),
                    false => timeline.repair(pe),
                };
                for pe in first * WIDTH..(first + 1) * WIDTH {
                    change(&mut self.wide, pe).unwrap();
                }
                change(&mut self.narrow, first).is_ok()
            }
            _ => {
                let later = now.checked_add(Duration::from_ticks(length.ticks() / 8)).unwrap();
                assert_eq!(self.narrow.advance(later), self.wide.advance(later));
                true
            }
        }
    }

    /// Both say the same of every slot.
    fn compare(&self) {
        self.narrow.check_invariants().unwrap();
        self.wide.check_invariants().unwrap();
        let widened = self.narrow.slots().map(|slot| (slot.time, slot.busy * WIDTH));
        assert!(widened.eq(self.wide.slots().map(|slot| (slot.time, slot.busy))));
        for slot in self.narrow.slots() {
            let (mut one, mut other) = (block(PES, 0, 0, 1), block(PES, 0, 0, WIDTH));
            self.narrow.busy_pes(slot.time, &mut one).unwrap();
            self.wide.busy_pes(slot.time, &mut other).unwrap();
            assert!((0..PES * WIDTH).all(|pe| other.contains(pe) == one.contains(pe / WIDTH)));
        }
    }
}

#[test]
fn a_wide_machine_answers_as_a_narrow_one_does() {
    let mut done = 0;
    for seed in 0..ROUNDS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Few reservations lie in one leaf.
        let mut pair = Pair::new(if seed % 4 == 0 { 15 } else { 150 });
        for call in 0..CALLS {
            done += u64::from(pair.ask(&mut rng));
            if call % 7 == 0 {
                pair.compare();
            }
        }
    }
    println!("{done} of {} calls changed something", ROUNDS * CALLS);
    assert!(done > ROUNDS * CALLS / 4, "most calls are refused: this shows little");
}
