//! Rules of timelines that requests drawn at random seldom come to.

use core::cell::Cell;
use locox::bits::BitSet;
use locox::error::Error;
use locox::handle::{self, PoolId};
use locox::reserve::{
    Candidate, Choice, FirstFit, Fit, FreePes, Interval, Limits, Lowest, Mask, Masked, Misuse,
    PeWorst, Policy, Rectangle, Refusal, Request, SpeedClass, Speeds, Timeline,
};
use locox::time::{Duration, Instant};

const LIMITS: Limits = Limits { pes: 8, reservations: 10 };
const WORDS: usize = Timeline::words(LIMITS);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn empty() -> Timeline<[usize; WORDS]> {
    Timeline::new(PoolId(0), LIMITS, [0; WORDS]).unwrap()
}

fn set(pes: &[u32]) -> BitSet<[usize; 1]> {
    let mut set = BitSet::empty([0], LIMITS.pes).unwrap();
    pes.iter().for_each(|&pe| assert_eq!(set.insert(pe), Ok(true)));
    set
}

fn request(ready: u64, duration: u64, pes: u32) -> Request {
    Request::new(at(ready), Duration::from_ticks(duration), pes)
}

fn placement(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

fn candidates() -> Vec<Candidate> {
    let all = [(0, 9, 1), (0, 9, 3), (2, 5, 3), (2, 5, 9), (4, 40, 2)];
    let candidate = |(begin, end, pes)| Candidate {
        start: at(begin),
        rectangle: Rectangle { begin: at(begin), end: at(end), pes },
    };
    all.map(candidate).to_vec()
}

#[test]
fn the_policies_with_types_of_their_own_are_those_of_the_paper() {
    for new in &candidates() {
        for best in &candidates() {
            assert_eq!(PeWorst.prefers(new, best), Fit::PeWorst.prefers(new, best));
            assert_eq!(PeWorst.prefers(new, best), new.rectangle.pes > best.rectangle.pes);
            assert!(!FirstFit.prefers(new, best) && !Fit::First.prefers(new, best));
        }
    }
    let hints = |policy: &dyn Policy| (policy.takes_first(), policy.takes_most_pes());
    assert_eq!([hints(&FirstFit), hints(&PeWorst)], [(true, false), (false, true)]);
    for fit in Fit::ALL {
        assert_eq!(hints(&fit), (fit == Fit::First, fit == Fit::PeWorst), "{}", fit.name());
    }
    let names = ["FF", "PE_B", "PE_W", "Du_B", "Du_W", "PEDu_B", "PEDu_W"];
    assert_eq!(Fit::ALL.map(Fit::name), names);
}

#[test]
fn a_timeline_of_another_pool_takes_no_names_of_this_one() {
    let mut own = Timeline::<[usize; WORDS]>::new_static::<8, 10>(PoolId(5));
    let mut other = Timeline::<[usize; WORDS]>::new_static::<8, 10>(PoolId(6));
    let [id, foreign] =
        [&mut own, &mut other].map(|it| it.add(placement(0, 9), &set(&[1])).unwrap());
    assert_eq!(id.handle().pool(), PoolId(5));
    assert_eq!(own.cancel(foreign), Err(Misuse::Handle(handle::Misuse::Foreign)));
    assert_eq!(own.cancel(id), Ok(placement(0, 9)));
}

/// The lowest PEs, and how often it was asked; it must not be asked for none.
struct Counting<'c> {
    asked: &'c Cell<u32>,
    suits: fn(u32) -> bool,
}

impl Choice for Counting<'_> {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        assert!(count > 0, "it is asked for no PE");
        self.asked.set(self.asked.get() + 1);
        let suits = (self.suits)(free.count());
        free.keep_lowest(count);
        suits
    }
}

/// PE 0 is free from the beginning on, then one more every ten ticks.
fn stairs() -> Timeline<[usize; WORDS]> {
    let mut timeline = empty();
    for pe in 1..8 {
        timeline.add(placement(0, 10 * u64::from(pe)), &set(&[pe])).unwrap();
    }
    timeline
}

#[test]
fn a_choice_is_asked_about_the_best_start_alone_if_that_suits() {
    for (fit, start) in Fit::ALL.into_iter().zip([0, 0, 70, 70, 0, 0, 70]) {
        let asked = Cell::new(0);
        let choice = Counting { asked: &asked, suits: |_| true };
        let found = stairs().would_reserve(&request(0, 5, 1), &fit, &choice);
        assert_eq!(found, Ok(placement(start, start + 5)), "{}", fit.name());
        assert_eq!(asked.get(), 1, "{}", fit.name());
    }
}

/// The start with most PEs does not suit; of the others each with more than before is offered.
#[test]
fn a_choice_that_refuses_the_best_start_is_offered_those_on_the_way() {
    let asked = Cell::new(0);
    let choice = Counting { asked: &asked, suits: |free| free < 6 };
    let found = stairs().would_reserve(&request(0, 5, 1), &Fit::PeWorst, &choice);
    assert_eq!(found, Ok(placement(40, 45)));
    // The best, those with one PE to eight, and once more that which is taken.
    assert_eq!(asked.get(), 1 + 8 + 1);
}

#[test]
fn what_is_required_must_be_free_and_a_choice_is_not_asked_for_it() {
    let mut timeline = empty();
    timeline.add(placement(0, 20), &set(&[3])).unwrap();
    let (asked, three) = (Cell::new(0), set(&[3]));
    let choice = Counting { asked: &asked, suits: |_| true };
    let masked = Masked { mask: Mask::ANY.with(&three), choice };
    for fit in Fit::ALL {
        let found = timeline.would_reserve(&request(0, 5, 1), &fit, &masked);
        let start = found.unwrap().start;
        assert!(start >= at(20), "{}: {start}", fit.name());
    }
    assert_eq!(asked.get(), 0);
    // A reference to a choice is that choice.
    let by_reference: &dyn Choice = &&masked;
    let (id, place) = timeline.reserve(&request(0, 5, 1), &Fit::First, by_reference).unwrap();
    assert_eq!(place, placement(20, 25));
    assert!(timeline.pes_of(id).unwrap().iter().eq([3]));
    // For good it is never free.
    timeline.withdraw(3).unwrap();
    let refused = timeline.would_reserve(&request(0, 5, 1), &Fit::First, &masked);
    assert_eq!(refused, Err(Error::Refused(Refusal::Faulty { serving: 7 })));
}

#[test]
fn a_series_may_end_at_its_deadline_and_no_later() {
    let series = |deadline| {
        let mut timeline = empty();
        // The second one has no place before 17.
        timeline.add(placement(9, 17), &set(&[0, 1, 2, 3, 4, 5, 6, 7])).unwrap();
        let request = request(0, 4, 2).by(at(deadline));
        let period = Duration::from_ticks(10);
        timeline.reserve_series(&request, period, &Lowest, &mut [None; 2])
    };
    assert_eq!(
        series(11),
        Ok(placement(7, 11)).and(Err(Error::Refused(Refusal::Late { finish: at(21) })))
    );
    assert_eq!(series(21), Ok(placement(17, 21)));
    assert_eq!(series(20), Err(Error::Refused(Refusal::Late { finish: at(21) })));
}

/// Where the policy does not take the earliest start of the fast PEs, those that are slow and just in time
/// by themselves do not help it to.
#[test]
fn a_deadline_that_slow_pes_can_just_keep_is_kept_by_them_or_not_at_all() {
    let mut timeline = empty();
    // Of the fast ones, 0 and 1, one is free from 1 on and both from 2 on; all slow ones are busy.
    timeline.add(placement(0, 1), &set(&[0])).unwrap();
    timeline.add(placement(0, 2), &set(&[1])).unwrap();
    timeline.add(placement(0, 50), &set(&[2, 3, 4, 5, 6, 7])).unwrap();
    let (fast, all) = (set(&[0, 1]), set(&[0, 1, 2, 3, 4, 5, 6, 7]));
    let classes = [SpeedClass::new(2, &fast), SpeedClass::new(1, &all)];
    let speeds = Speeds::new(1, &classes).unwrap();
    let mut place = |deadline| {
        let request = request(0, 4, 1).by(at(deadline));
        timeline.would_reserve_at_speeds(&request, speeds, &Fit::PeWorst, &Lowest)
    };
    assert_eq!(place(4), Ok(placement(2, 4)));
}

#[test]
fn a_rectangle_is_not_that_of_the_candidate_before_if_it_ends_later() {
    let mut timeline = empty();
    timeline.add(placement(10, 99), &set(&[0])).unwrap();
    timeline.add(placement(0, 5), &set(&[1])).unwrap();
    timeline.add(placement(20, 99), &set(&[1])).unwrap();
    timeline.add(placement(0, 99), &set(&[2, 3, 4, 5, 6, 7])).unwrap();
    let mut pes = set(&[]);
    let found = timeline.candidates(&request(0, 6, 1).by(at(20)), &mut pes).unwrap();
    let found: Vec<_> = found
        .map(|it| (it.start.ticks(), it.rectangle.begin.ticks(), it.rectangle.end.ticks()))
        .collect();
    assert_eq!(found, [(0, 0, 10), (4, 0, 10), (5, 5, 20), (10, 5, 20), (14, 5, 20)]);
}
