//! The timeline in step with a naive model: every return value of every call, after every call
//! all slots and sets, and the invariants.

use locox::bits::{BitSet, Word};
use locox::handle::{self, PoolId};
use locox::reserve::{
    self, AlignedSubcube, Candidate, Choice, Contiguous, Denied, Fit, FreePes, Limits, Lowest,
    Misuse, Placement, Refusal, Request, ReservationId, Timeline,
};
use locox::time::{Duration, Instant};
use locox_oracles::reserve::naive::{Entry, Naive, Which};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

struct Even;

impl Choice for Even {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        (1..free.len()).step_by(2).for_each(|pe| free.remove(pe).unwrap());
        free.keep_lowest(count);
        free.count() == count
    }
}

fn choice(which: Which) -> &'static dyn Choice {
    match which {
        Which::Lowest => &Lowest,
        Which::Contiguous => &Contiguous,
        Which::Aligned => &AlignedSubcube,
        Which::Even => &Even,
    }
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Placement {
    Placement { start: at(start), end: at(end) }
}

/// A timeline of either kind under one interface: PEs as a set of 128 bits and as a number.
trait Subject {
    fn find(&self, r: &Request, fit: Fit, which: Which) -> Result<(Placement, u128), Denied>;
    fn candidates(&self, r: &Request) -> Vec<Candidate>;
    fn reserve(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(ReservationId, Placement), Denied>;
    fn add(&mut self, e: Entry) -> Result<ReservationId, Denied>;
    fn replace(&mut self, id: ReservationId, e: Entry) -> Result<(), Denied>;
    fn find_instead(
        &mut self,
        id: ReservationId,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(Placement, u128), Denied>;
    fn busy(&self, time: u64) -> u128;
    fn free(&self, start: u64, end: u64) -> (u128, u32);
    fn pes_of(&self, id: ReservationId) -> Result<(u128, u32), handle::Misuse>;
    fn set_out(&mut self, before: u128, after: u128);
    /// `None` of a kind that cannot.
    fn bring_forward(&mut self, id: ReservationId) -> Option<Result<Placement, handle::Misuse>>;
}

type Plain = Timeline<Box<[Word]>>;
type Profile = reserve::Profile<Box<[Word]>>;

fn set(pes: u32, members: u128) -> BitSet<[Word; 4]> {
    let mut set = BitSet::empty([0; 4], pes).unwrap();
    (0..pes).filter(|pe| members >> pe & 1 == 1).for_each(|pe| assert!(set.insert(pe).unwrap()));
    set
}

fn bits<S: AsRef<[Word]>>(set: &BitSet<S>) -> u128 {
    set.iter().fold(0, |bits, pe| bits | 1 << pe)
}

impl Subject for Plain {
    fn find(&self, r: &Request, fit: Fit, which: Which) -> Result<(Placement, u128), Denied> {
        let mut pes = set(self.limits().pes, 0);
        let placement = Plain::find(self, r, &fit, choice(which), &mut pes)?;
        Ok((placement, bits(&pes)))
    }

    fn candidates(&self, r: &Request) -> Vec<Candidate> {
        let mut pes = set(self.limits().pes, 0);
        Plain::candidates(self, r, &mut pes).unwrap().collect()
    }

    fn reserve(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(ReservationId, Placement), Denied> {
        Plain::reserve(self, r, &fit, choice(which))
    }

    fn add(&mut self, e: Entry) -> Result<ReservationId, Denied> {
        let pes = set(self.limits().pes, e.2);
        Plain::add(self, interval(e.0, e.1), &pes)
    }

    fn replace(&mut self, id: ReservationId, e: Entry) -> Result<(), Denied> {
        let pes = set(self.limits().pes, e.2);
        Plain::replace(self, id, interval(e.0, e.1), &pes)
    }

    fn find_instead(
        &mut self,
        id: ReservationId,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(Placement, u128), Denied> {
        let mut pes = set(self.limits().pes, 0);
        let found = Plain::find_instead(self, id, r, &fit, choice(which), &mut pes)?;
        Ok((found, bits(&pes)))
    }

    fn busy(&self, time: u64) -> u128 {
        let mut pes = set(self.limits().pes, 0);
        self.busy_pes(at(time), &mut pes).unwrap();
        bits(&pes)
    }

    fn free(&self, start: u64, end: u64) -> (u128, u32) {
        let mut pes = set(self.limits().pes, 0);
        let count = self.free_pes(interval(start, end), &mut pes).unwrap();
        (bits(&pes), count)
    }

    fn pes_of(&self, id: ReservationId) -> Result<(u128, u32), handle::Misuse> {
        let pes = Plain::pes_of(self, id)?;
        Ok((bits(&pes), pes.count()))
    }

    fn set_out(&mut self, before: u128, after: u128) {
        for pe in 0..self.limits().pes {
            match (before >> pe & 1, after >> pe & 1) {
                (0, 1) => self.fail(pe).unwrap(),
                (1, 0) => self.repair(pe).unwrap(),
                _ => {}
            }
        }
    }

    fn bring_forward(&mut self, _: ReservationId) -> Option<Result<Placement, handle::Misuse>> {
        None
    }
}

impl Subject for Profile {
    fn find(&self, r: &Request, fit: Fit, _: Which) -> Result<(Placement, u128), Denied> {
        Profile::find(self, r, &fit).map(|placement| (placement, 0))
    }

    fn candidates(&self, r: &Request) -> Vec<Candidate> {
        Profile::candidates(self, r).unwrap().collect()
    }

    fn reserve(
        &mut self,
        r: &Request,
        fit: Fit,
        _: Which,
    ) -> Result<(ReservationId, Placement), Denied> {
        Profile::reserve(self, r, &fit)
    }

    fn add(&mut self, e: Entry) -> Result<ReservationId, Denied> {
        Profile::add(self, interval(e.0, e.1), e.3)
    }

    fn replace(&mut self, id: ReservationId, e: Entry) -> Result<(), Denied> {
        Profile::replace(self, id, interval(e.0, e.1), e.3)
    }

    fn find_instead(
        &mut self,
        id: ReservationId,
        r: &Request,
        fit: Fit,
        _: Which,
    ) -> Result<(Placement, u128), Denied> {
        Profile::find_instead(self, id, r, &fit).map(|placement| (placement, 0))
    }

    fn busy(&self, _: u64) -> u128 {
        0
    }

    fn free(&self, start: u64, end: u64) -> (u128, u32) {
        (0, self.fewest_free(interval(start, end)).unwrap())
    }

    fn pes_of(&self, id: ReservationId) -> Result<(u128, u32), handle::Misuse> {
        self.reservation(id).map(|reservation| (0, reservation.pes))
    }

    fn set_out(&mut self, _: u128, after: u128) {
        self.set_out_of_service(after.count_ones()).unwrap();
    }

    fn bring_forward(&mut self, id: ReservationId) -> Option<Result<Placement, handle::Misuse>> {
        Some(Profile::bring_forward(self, id))
    }
}

/// What both kinds share.
trait Common: Subject {
    fn create(limits: Limits) -> Self;
    fn cancel(&mut self, id: ReservationId) -> Result<Placement, handle::Misuse>;
    fn set_end(&mut self, id: ReservationId, end: Instant) -> Result<(), Denied>;
    fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Denied>;
    fn advance(&mut self, now: Instant) -> Result<(), Misuse>;
    fn slots(&self) -> Vec<(u64, u32)>;
    fn reservations(&self) -> Vec<(ReservationId, Placement)>;
    fn free_at(&self, time: Instant) -> Result<u32, Misuse>;
    fn fewest_free(&self, at: Placement) -> Result<u32, Misuse>;
    fn check(&self);
}

macro_rules! common {
    ($Type:ident, $words:path) => {
        impl Common for $Type {
            fn create(limits: Limits) -> Self {
                // Whatever was in the storage does not matter.
                $Type::new(PoolId(7), limits, vec![0xA5A5_A5A5; $words(limits)].into()).unwrap()
            }

            fn cancel(&mut self, id: ReservationId) -> Result<Placement, handle::Misuse> {
                $Type::cancel(self, id)
            }

            fn set_end(&mut self, id: ReservationId, end: Instant) -> Result<(), Denied> {
                $Type::set_end(self, id, end)
            }

            fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Denied> {
                $Type::move_to(self, id, start)
            }

            fn advance(&mut self, now: Instant) -> Result<(), Misuse> {
                $Type::advance(self, now)
            }

            fn slots(&self) -> Vec<(u64, u32)> {
                $Type::slots(self).map(|slot| (slot.time.ticks(), slot.busy)).collect()
            }

            fn reservations(&self) -> Vec<(ReservationId, Placement)> {
                $Type::reservations(self).map(|r| (r.id, r.at)).collect()
            }

            fn free_at(&self, time: Instant) -> Result<u32, Misuse> {
                $Type::free_at(self, time)
            }

            fn fewest_free(&self, at: Placement) -> Result<u32, Misuse> {
                $Type::fewest_free(self, at)
            }

            fn check(&self) {
                self.check_invariants().unwrap();
            }
        }
    };
}

common!(Plain, Timeline::words);
common!(Profile, reserve::Profile::words);

/// One call. Reservations are named by the order in which they were made, modulo their number.
#[derive(Clone, Debug)]
enum Call {
    Find(Request, Fit, Which),
    Candidates(Request),
    Reserve(Request, Fit, Which),
    Add(Entry),
    Cancel(usize),
    /// So many, one after the other.
    CancelMany(usize, usize),
    SetEnd(usize, u64),
    MoveTo(usize, u64),
    Replace(usize, Entry),
    FindInstead(usize, Request, Fit, Which),
    BringForward(usize),
    Advance(u64),
    Out(u128),
    Free(u64, u64),
}

/// A timeline and its model.
struct Pair<T> {
    real: T,
    naive: Naive,
    /// All ids ever given out; those of the model are the indices.
    ids: Vec<ReservationId>,
    room: usize,
}

impl<T: Common> Pair<T> {
    fn new(limits: Limits, identity: bool) -> Self {
        let naive = Naive::new(limits.pes, identity, 1500);
        Self { real: T::create(limits), naive, ids: vec![], room: limits.reservations as usize }
    }

    fn all(&self) -> u128 {
        (1 << self.naive.pes) - 1
    }

    fn live(&self) -> usize {
        self.naive.entries.iter().flatten().count()
    }

    /// Entries as far as they make sense for the machine.
    fn fit(&self, e: Entry) -> Entry {
        let set = e.2 & self.all();
        (e.0, e.1, if self.naive.identity { set } else { 0 }, set.count_ones())
    }

    fn note(&mut self, id: ReservationId, e: Entry) {
        self.ids.push(id);
        self.naive.entries.push(Some(e));
    }

    /// What the model says of an interval and PEs that the caller names.
    fn verdict(&self, e: Entry, except: Option<usize>) -> Result<(), Denied> {
        let running = except.and_then(|index| self.naive.entries[index]).map(|e| e.0);
        match e {
            _ if e.0 < self.naive.now && running != Some(e.0) => Err(Misuse::Past.into()),
            _ if e.1 <= e.0.max(self.naive.now) => Err(Misuse::NoTime.into()),
            _ if e.3 == 0 => Err(Misuse::NoPes.into()),
            _ => match self.naive.conflict((e.0.max(self.naive.now), e.1, e.2, e.3), except) {
                Some(from) => Err(Refusal::Busy { from: at(from) }.into()),
                None => Ok(()),
            },
        }
    }

    /// The same if it keeps its PEs: what it has already is not in its way.
    fn verdict_of_shift(&self, index: usize, start: u64, end: u64) -> Result<(), Denied> {
        let old = self.naive.entries[index].ok_or(Denied::from(handle::Misuse::Stale))?;
        let new = (start, end, old.2, old.3);
        let outside = [(start, end.min(old.0)), (start.max(old.1), end)];
        match self.verdict(new, Some(index)) {
            Err(Denied::No(Refusal::Busy { .. })) => {}
            other => return other,
        }
        let conflicts = outside.map(|(from, to)| {
            self.naive.conflict((from.max(self.naive.now), to, old.2, old.3), Some(index))
        });
        match conflicts.into_iter().flatten().next() {
            Some(from) => Err(Refusal::Busy { from: at(from) }.into()),
            None => Ok(()),
        }
    }

    fn step(&mut self, call: &Call) {
        match *call {
            Call::Find(ref r, fit, which) => {
                let expected = self.naive.find(r, fit, which);
                assert_eq!(self.real.find(r, fit, which), expected.map(found));
            }
            Call::Candidates(ref r) => {
                if self.naive.find(r, Fit::First, Which::Lowest).is_ok() {
                    assert_eq!(self.real.candidates(r), self.naive.candidates(r));
                }
            }
            Call::Reserve(ref r, fit, which) => self.reserve(r, fit, which),
            Call::Add(e) => {
                let e = self.fit(e);
                let verdict = self.verdict(e, None).and_then(|()| self.has_room());
                let real = self.real.add(e);
                assert_eq!(real.map(|_| ()), verdict);
                if let Ok(id) = real {
                    self.note(id, e);
                }
            }
            Call::Advance(by) => self.advance(by),
            Call::Out(set) => {
                let set = set & self.all();
                self.real.set_out(self.naive.out, set);
                self.naive.out = set;
            }
            Call::Free(start, length) => {
                let (start, end) = (start.max(self.naive.now), start.max(self.naive.now) + length);
                assert_eq!(self.real.free(start, end), self.naive.free(start, end));
                assert_eq!(self.real.free_at(at(start)), Ok(self.free_count(start)));
                let fewest = (start..end).map(|time| self.free_count(time)).min().unwrap();
                assert_eq!(self.real.fewest_free(interval(start, end)), Ok(fewest));
            }
            _ if self.ids.is_empty() => {}
            Call::Cancel(n) => {
                let index = n % self.ids.len();
                let expected = self.naive.entries[index].take().ok_or(handle::Misuse::Stale);
                let given_back = expected.map(|e| interval(e.0.max(self.naive.now), e.1));
                assert_eq!(self.real.cancel(self.ids[index]), given_back);
            }
            Call::CancelMany(n, count) => {
                (n % self.ids.len()..).take(count).for_each(|n| self.step(&Call::Cancel(n)));
            }
            Call::SetEnd(n, end) => {
                let index = n % self.ids.len();
                let start = self.naive.entries[index].map_or(0, |e| e.0);
                let verdict = self.verdict_of_shift(index, start, end);
                assert_eq!(self.real.set_end(self.ids[index], at(end)), verdict);
                self.shift(index, start, end, verdict);
            }
            Call::MoveTo(n, start) => {
                let index = n % self.ids.len();
                let end = self.naive.entries[index].map_or(0, |e| start + e.1 - e.0);
                let verdict = self.verdict_of_shift(index, start, end);
                assert_eq!(self.real.move_to(self.ids[index], at(start)), verdict);
                self.shift(index, start, end, verdict);
            }
            Call::Replace(n, e) => {
                let (index, e) = (n % self.ids.len(), self.fit(e));
                let live = self.naive.entries[index].ok_or(Denied::from(handle::Misuse::Stale));
                let verdict = live.and_then(|_| self.verdict(e, Some(index)));
                assert_eq!(self.real.replace(self.ids[index], e), verdict);
                if verdict.is_ok() {
                    self.naive.entries[index] = Some(e);
                }
            }
            Call::BringForward(n) => {
                let index = n % self.ids.len();
                let Some(real) = self.real.bring_forward(self.ids[index]) else { return };
                let earliest = |e: Entry| {
                    // What it has already is free for it, even if more is promised than there is.
                    let fits = |start: &u64| {
                        let own = (*start, (start + e.1 - e.0).min(e.0), 0, e.3);
                        self.naive.conflict(own, Some(index)).is_none()
                    };
                    let start = (self.naive.now..e.0).find(fits).unwrap_or(e.0);
                    interval(start, start + e.1 - e.0)
                };
                let expected = self.naive.entries[index].map(earliest).ok_or(handle::Misuse::Stale);
                assert_eq!(real, expected);
                if let (Some(e), Ok(to)) = (&mut self.naive.entries[index], real) {
                    (e.0, e.1) = (to.start.ticks(), to.end.ticks());
                }
            }
            Call::FindInstead(n, ref r, fit, which) => {
                let index = n % self.ids.len();
                let mut without = self.naive.clone();
                let live = without.entries[index].take();
                without.refresh();
                let live = live.ok_or(Denied::from(handle::Misuse::Stale));
                let expected = live.and_then(|_| without.find(r, fit, which));
                let real = self.real.find_instead(self.ids[index], r, fit, which);
                assert_eq!(real, expected.map(found));
            }
        }
        self.naive.refresh();
        self.compare();
    }

    fn free_count(&self, time: u64) -> u32 {
        self.naive.pes.saturating_sub(self.naive.busy(time).1)
    }

    fn has_room(&self) -> Result<(), Denied> {
        if self.live() < self.room { Ok(()) } else { Err(Refusal::Full.into()) }
    }

    fn reserve(&mut self, r: &Request, fit: Fit, which: Which) {
        let expected = match self.naive.find(r, fit, which) {
            Err(Denied::No(Refusal::Late { .. } | Refusal::Faulty)) | Ok(_)
                if self.live() >= self.room =>
            {
                Err(Refusal::Full.into())
            }
            other => other,
        };
        let real = self.real.reserve(r, fit, which);
        assert_eq!(real.map(|(_, placement)| placement), expected.map(|e| found(e).0));
        if let (Ok((id, _)), Ok((start, end, set))) = (real, expected) {
            let (held, count) = self.real.pes_of(id).unwrap();
            assert_eq!((held, count), (set, r.pes));
            self.note(id, (start, end, set, count));
        }
    }

    fn advance(&mut self, by: u64) {
        if self.naive.now > 0 {
            assert_eq!(self.real.advance(at(self.naive.now - 1)), Err(Misuse::Past));
        }
        self.naive.now += by;
        assert_eq!(self.real.advance(at(self.naive.now)), Ok(()));
        let now = self.naive.now;
        self.naive.entries.iter_mut().for_each(|e| *e = e.filter(|e| e.1 > now));
    }

    fn shift(&mut self, index: usize, start: u64, end: u64, verdict: Result<(), Denied>) {
        if let (Some(e), Ok(())) = (&mut self.naive.entries[index], verdict) {
            (e.0, e.1) = (start, end);
        }
    }

    fn compare(&self) {
        self.real.check();
        let slots = self.naive.slots();
        assert_eq!(self.real.slots(), slots);
        for (time, _) in slots {
            if self.naive.identity {
                assert_eq!(self.real.busy(time), self.naive.busy(time).0, "at {time}");
            }
        }
        let mut listed = self.real.reservations();
        listed.sort_by_key(|(id, _)| self.ids.iter().position(|known| known == id));
        let live = self.ids.iter().zip(&self.naive.entries);
        let live = live.filter_map(|(&id, e)| e.map(|e| (id, interval(e.0, e.1))));
        assert_eq!(listed, live.collect::<Vec<_>>());
    }
}

fn found((start, end, set): (u64, u64, u128)) -> (Placement, u128) {
    (interval(start, end), set)
}

fn fits() -> impl Strategy<Value = Fit> {
    proptest::sample::select(&Fit::ALL[..])
}

fn which() -> impl Strategy<Value = Which> {
    proptest::sample::select(&[Which::Lowest, Which::Contiguous, Which::Aligned, Which::Even][..])
}

/// How large the tests draw.
#[derive(Clone, Copy)]
struct Scale {
    pes: u32,
    /// Ready times and starts are below.
    span: u64,
    /// How many calls, and how many of them add a reservation, of ten others.
    calls: usize,
    adds: u32,
}

const SMALL: Scale = Scale { pes: 9, span: 120, calls: 80, adds: 4 };
const LARGE: Scale = Scale { pes: 100, span: 600, calls: 500, adds: 15 };

/// Requests of which most make sense.
fn requests(scale: Scale) -> impl Strategy<Value = Request> {
    let pes = scale.pes;
    let sizes = prop_oneof![8 => 1..=pes.div_ceil(3), 2 => 0..=pes + 1];
    (0..scale.span, 0..25u64, proptest::option::of(0..40u64), 0..20u8, sizes).prop_map(
        |(ready, length, slack, early, pes)| {
            let request = Request::new(at(ready), Duration::from_ticks(length), pes);
            match slack {
                Some(_) if early == 0 => request.by(at((ready + length).saturating_sub(1))),
                Some(slack) => request.by(at(ready + length + slack)),
                None => request,
            }
        },
    )
}

/// A long entry passes over whole leaves.
fn entries(scale: Scale) -> impl Strategy<Value = Entry> {
    let sets = prop_oneof![
        any::<[u128; 4]>().prop_map(|[a, b, c, d]| a & b & c & d),
        (0..100u32, 0..12u32).prop_map(|(start, len)| ((1u128 << len) - 1) << start),
    ];
    let lengths = prop_oneof![8 => 0..30u64, 1 => 0..scale.span / 2];
    (0..scale.span, lengths, sets).prop_map(|(start, len, set)| (start, start + len, set, 0))
}

fn calls(scale: Scale) -> impl Strategy<Value = Vec<Call>> {
    let asked = || (requests(scale), fits(), which());
    let span = scale.span;
    let call = prop_oneof![
        2 => asked().prop_map(|(r, f, w)| Call::Find(r, f, w)),
        1 => requests(scale).prop_map(Call::Candidates),
        scale.adds => asked().prop_map(|(r, f, w)| Call::Reserve(r, f, w)),
        scale.adds => entries(scale).prop_map(Call::Add),
        2 => any::<usize>().prop_map(Call::Cancel),
        1 => (any::<usize>(), 0..scale.calls / 5).prop_map(|(n, m)| Call::CancelMany(n, m)),
        2 => (any::<usize>(), 0..span).prop_map(|(n, end)| Call::SetEnd(n, end)),
        2 => (any::<usize>(), 0..span).prop_map(|(n, start)| Call::MoveTo(n, start)),
        1 => (any::<usize>(), entries(scale)).prop_map(|(n, e)| Call::Replace(n, e)),
        1 => (any::<usize>(), asked()).prop_map(|(n, (r, f, w))| Call::FindInstead(n, r, f, w)),
        2 => any::<usize>().prop_map(Call::BringForward),
        1 => (0..8u64).prop_map(Call::Advance),
        1 => any::<[u128; 5]>().prop_map(|[a, b, c, d, e]| Call::Out(a & b & c & d & e)),
        2 => (0..span, 1..40u64).prop_map(|(start, length)| Call::Free(start, length)),
    ];
    proptest::collection::vec(call, 1..scale.calls)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

const FLAT: Limits = Limits { pes: SMALL.pes, reservations: 15 };
const LEAVES: Limits = Limits { pes: LARGE.pes, reservations: 150 };

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_flat_timeline_answers_as_the_naive_one(calls in calls(SMALL)) {
        let mut pair = Pair::<Plain>::new(FLAT, true);
        calls.iter().for_each(|call| pair.step(call));
    }

    #[test]
    fn a_flat_profile_answers_as_the_naive_one(calls in calls(SMALL)) {
        let mut pair = Pair::<Profile>::new(FLAT, false);
        calls.iter().for_each(|call| pair.step(call));
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn a_timeline_of_many_leaves_answers_as_the_naive_one(calls in calls(LARGE)) {
        let mut pair = Pair::<Plain>::new(LEAVES, true);
        calls.iter().for_each(|call| pair.step(call));
    }

    #[test]
    fn a_profile_of_many_leaves_answers_as_the_naive_one(calls in calls(LARGE)) {
        let mut pair = Pair::<Profile>::new(LEAVES, false);
        calls.iter().for_each(|call| pair.step(call));
    }
}

/// Leaves split while the timeline fills, and are joined and used again when it empties.
fn fill_and_empty<T: Common>(identity: bool) {
    let mut pair = Pair::<T>::new(LEAVES, identity);
    for round in 0..4u64 {
        for n in 0..150u64 {
            // A walk over the span that hits no instant twice; each third reservation is long.
            let start = (n * (37 + 4 * round)) % 600;
            let length = if n % 3 == 0 { 90 } else { 3 };
            let set = 0b111 << ((n * 7 + round) % 97);
            pair.step(&Call::Add((start, start + length, set, 0)));
        }
        for n in 0..pair.ids.len() {
            pair.step(&Call::Cancel(n * 61));
        }
        (0..pair.ids.len()).for_each(|n| pair.step(&Call::Cancel(n)));
        assert_eq!(pair.naive.slots(), [(0, 0)]);
    }
}

#[test]
fn a_timeline_that_is_emptied_can_be_filled_again() {
    fill_and_empty::<Plain>(true);
}

#[test]
fn a_profile_that_is_emptied_can_be_filled_again() {
    fill_and_empty::<Profile>(false);
}
