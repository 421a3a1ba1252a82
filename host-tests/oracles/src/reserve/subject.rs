//! Timelines and profiles under one interface: PEs as a set of 128 bits and as a number.

use super::naive::{Entry, Which};
use super::speeds::Paces;
use locox::bits::{BitSet, Word};
use locox::handle::{Epoch, PoolId};
use locox::image::BadImage;
use locox::invariant::InvariantViolation;
use locox::reserve::{
    self, AlignedSubcube, Attempt, Candidate, Choice, Contiguous, Error, Fit, FreePes, Interval,
    Limits, Lowest, Mask, Masked, Misuse, Request, ReservationId, SpeedClass, Speeds, Step,
    Timeline,
};
use locox::time::{Duration, Instant};

struct Even;

impl Choice for Even {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        (1..free.len()).step_by(2).for_each(|pe| free.remove(pe).unwrap());
        free.keep_lowest(count);
        free.count() == count
    }
}

pub(super) fn choice(which: Which) -> &'static dyn Choice {
    match which {
        Which::Lowest => &Lowest,
        Which::Contiguous => &Contiguous,
        Which::Aligned => &AlignedSubcube,
        Which::Even => &Even,
    }
}

pub(super) fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(super) fn interval(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

/// What was reserved.
type Reserved = Result<(ReservationId, Interval), Error>;

/// A timeline of either kind under one interface: PEs as a set of 128 bits and as a number.
pub trait Subject {
    /// When and where a request would go.
    fn find(&self, r: &Request, fit: Fit, which: Which) -> Result<(Interval, u128), Error>;
    /// All feasible starts with their rectangles.
    fn candidates(&self, r: &Request) -> Vec<Candidate>;
    /// Takes the place.
    fn reserve(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(ReservationId, Interval), Error>;
    /// Where that would be.
    fn would_reserve(&mut self, r: &Request, fit: Fit, which: Which) -> Result<Interval, Error>;
    /// Where a place on PEs of unlike speed would be, and takes it; `None` of a kind that does not know PEs.
    fn reserve_at_speeds(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
        paces: &Paces,
        required: u128,
    ) -> Option<(Result<Interval, Error>, Reserved)>;
    /// Takes the place among the PEs allowed, those required in any case; `None` of a kind that
    /// does not know PEs.
    fn reserve_among(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
        mask: (u128, u128),
    ) -> Option<Result<(ReservationId, Interval), Error>>;
    /// Takes the place of one alternative.
    fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
        which: Which,
    ) -> Result<(usize, ReservationId, Interval), Error>;
    /// Takes a place a period.
    fn reserve_series(
        &mut self,
        r: &Request,
        period: Duration,
        which: Which,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Interval, Error>;
    /// Takes an interval and PEs of the caller's choice.
    fn add(&mut self, e: Entry) -> Result<ReservationId, Error>;
    /// Takes others instead.
    fn replace(&mut self, id: ReservationId, e: Entry) -> Result<(), Error>;
    /// Where a request would go if the reservation were not there.
    fn find_instead(
        &mut self,
        id: ReservationId,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(Interval, u128), Error>;
    /// The PEs busy at a time.
    fn busy(&self, time: u64) -> u128;
    /// The PEs free all through an interval, and how many.
    fn free(&self, start: u64, end: u64) -> (u128, u32);
    /// The PEs of a reservation, and how many.
    fn pes_of(&self, id: ReservationId) -> Result<(u128, u32), Misuse>;
    /// Other PEs than before are out of service.
    fn set_out(&mut self, before: u128, after: u128);
    /// Lets a reservation start as early as can be; `None` of a kind that cannot.
    fn bring_forward(&mut self, id: ReservationId) -> Option<Result<Interval, Misuse>>;
}

/// A timeline in a box.
pub type Plain = Timeline<Box<[Word]>>;
/// A profile in a box.
pub type Profile = reserve::Profile<Box<[Word]>>;

fn set(pes: u32, members: u128) -> BitSet<[Word; 4]> {
    let mut set = BitSet::empty([0; 4], pes).unwrap();
    (0..pes).filter(|pe| members >> pe & 1 == 1).for_each(|pe| assert!(set.insert(pe).unwrap()));
    set
}

fn bits<S: AsRef<[Word]>>(set: &BitSet<S>) -> u128 {
    set.iter().fold(0, |bits, pe| bits | 1 << pe)
}

impl Subject for Plain {
    fn find(&self, r: &Request, fit: Fit, which: Which) -> Result<(Interval, u128), Error> {
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
    ) -> Result<(ReservationId, Interval), Error> {
        Plain::reserve(self, r, &fit, choice(which))
    }

    fn would_reserve(&mut self, r: &Request, fit: Fit, which: Which) -> Result<Interval, Error> {
        Plain::would_reserve(self, r, &fit, choice(which))
    }

    fn reserve_at_speeds(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
        paces: &Paces,
        required: u128,
    ) -> Option<(Result<Interval, Error>, Reserved)> {
        let pes = self.limits().pes;
        let class = |&(speed, members): &(u32, u128)| (speed, set(pes, members));
        let sets: Vec<_> = paces.classes.iter().map(class).collect();
        let classes: Vec<_> =
            sets.iter().map(|(speed, set)| SpeedClass::new(*speed, set)).collect();
        let speeds = match Speeds::new(paces.standard, &classes) {
            Ok(speeds) => speeds,
            Err(misuse) => return Some((Err(misuse.into()), Err(misuse.into()))),
        };
        let required = set(pes, required);
        let choice = Masked { mask: Mask::ANY.with(&required), choice: choice(which) };
        let would = self.would_reserve_at_speeds(r, speeds, &fit, &choice);
        Some((would, Plain::reserve_at_speeds(self, r, speeds, &fit, &choice)))
    }

    fn reserve_among(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
        (allowed, required): (u128, u128),
    ) -> Option<Result<(ReservationId, Interval), Error>> {
        let sets = [allowed, required].map(|members| set(self.limits().pes, members));
        let mask = Mask::only(&sets[0]).with(&sets[1]);
        let choice = Masked { mask, choice: choice(which) };
        Some(Plain::reserve(self, r, &fit, &choice))
    }

    fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
        which: Which,
    ) -> Result<(usize, ReservationId, Interval), Error> {
        Plain::reserve_one_of(self, alternatives, choice(which))
    }

    fn reserve_series(
        &mut self,
        r: &Request,
        period: Duration,
        which: Which,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Interval, Error> {
        Plain::reserve_series(self, r, period, choice(which), ids)
    }

    fn add(&mut self, e: Entry) -> Result<ReservationId, Error> {
        let pes = set(self.limits().pes, e.2);
        Plain::add(self, interval(e.0, e.1), &pes)
    }

    fn replace(&mut self, id: ReservationId, e: Entry) -> Result<(), Error> {
        let pes = set(self.limits().pes, e.2);
        Plain::replace(self, id, interval(e.0, e.1), &pes)
    }

    fn find_instead(
        &mut self,
        id: ReservationId,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(Interval, u128), Error> {
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

    fn pes_of(&self, id: ReservationId) -> Result<(u128, u32), Misuse> {
        let pes = Plain::pes_of(self, id)?;
        Ok((bits(&pes), pes.count()))
    }

    fn set_out(&mut self, before: u128, after: u128) {
        for pe in 0..self.limits().pes {
            match (before >> pe & 1, after >> pe & 1) {
                (0, 1) => self.withdraw(pe).unwrap(),
                (1, 0) => self.repair(pe).unwrap(),
                _ => {}
            }
        }
    }

    fn bring_forward(&mut self, _: ReservationId) -> Option<Result<Interval, Misuse>> {
        None
    }
}

impl Subject for Profile {
    fn find(&self, r: &Request, fit: Fit, _: Which) -> Result<(Interval, u128), Error> {
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
    ) -> Result<(ReservationId, Interval), Error> {
        Profile::reserve(self, r, &fit)
    }

    fn would_reserve(&mut self, r: &Request, fit: Fit, _: Which) -> Result<Interval, Error> {
        Profile::would_reserve(self, r, &fit)
    }

    fn reserve_at_speeds(
        &mut self,
        _: &Request,
        _: Fit,
        _: Which,
        _: &Paces,
        _: u128,
    ) -> Option<(Result<Interval, Error>, Reserved)> {
        None
    }

    fn reserve_among(
        &mut self,
        _: &Request,
        _: Fit,
        _: Which,
        _: (u128, u128),
    ) -> Option<Result<(ReservationId, Interval), Error>> {
        None
    }

    fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
        _: Which,
    ) -> Result<(usize, ReservationId, Interval), Error> {
        Profile::reserve_one_of(self, alternatives)
    }

    fn reserve_series(
        &mut self,
        r: &Request,
        period: Duration,
        _: Which,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Interval, Error> {
        Profile::reserve_series(self, r, period, ids)
    }

    fn add(&mut self, e: Entry) -> Result<ReservationId, Error> {
        Profile::add(self, interval(e.0, e.1), e.3)
    }

    fn replace(&mut self, id: ReservationId, e: Entry) -> Result<(), Error> {
        Profile::replace(self, id, interval(e.0, e.1), e.3)
    }

    fn find_instead(
        &mut self,
        id: ReservationId,
        r: &Request,
        fit: Fit,
        _: Which,
    ) -> Result<(Interval, u128), Error> {
        Profile::find_instead(self, id, r, &fit).map(|placement| (placement, 0))
    }

    fn busy(&self, _: u64) -> u128 {
        0
    }

    fn free(&self, start: u64, end: u64) -> (u128, u32) {
        (0, self.fewest_free(interval(start, end)).unwrap())
    }

    fn pes_of(&self, id: ReservationId) -> Result<(u128, u32), Misuse> {
        self.reservation(id).map(|reservation| (0, reservation.pes))
    }

    fn set_out(&mut self, _: u128, after: u128) {
        self.set_out_of_service(after.count_ones()).unwrap();
    }

    fn bring_forward(&mut self, id: ReservationId) -> Option<Result<Interval, Misuse>> {
        Some(Profile::bring_forward(self, id))
    }
}

/// Changes that are tried, of either kind.
pub trait Trying {
    /// Places a request.
    fn reserve(
        &mut self,
        request: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(ReservationId, Interval), Error>;
    /// Gives a reservation back.
    fn cancel(&mut self, id: ReservationId) -> Result<Interval, Error>;
    /// Starts it sooner or later, for as long.
    fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Error>;
    /// All that was done is to last.
    fn keep(self);
}

impl<const IDENTITY: bool> Trying for Attempt<'_, IDENTITY> {
    fn reserve(
        &mut self,
        request: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(ReservationId, Interval), Error> {
        self.reserve(request, &fit, choice(which))
    }

    fn cancel(&mut self, id: ReservationId) -> Result<Interval, Error> {
        self.cancel(id)
    }

    fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Error> {
        self.move_to(id, start)
    }

    fn keep(self) {
        self.keep();
    }
}

/// What both kinds share.
pub trait Common: Subject {
    /// A fresh one in storage that was dirty.
    fn create(limits: Limits) -> Self;
    /// Gives a reservation back.
    fn cancel(&mut self, id: ReservationId) -> Result<Interval, Misuse>;
    /// Ends it sooner or later.
    fn set_end(&mut self, id: ReservationId, end: Instant) -> Result<(), Error>;
    /// Starts it sooner or later, for as long.
    fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Error>;
    /// Changes that are tried.
    fn attempt<'a>(&'a mut self, steps: &'a mut [Step]) -> impl Trying;
    /// Time passes.
    fn advance(&mut self, now: Instant) -> Result<(), Misuse>;
    /// Each time from which on others are busy than before, and how many.
    fn slots(&self) -> Vec<(u64, u32)>;
    /// All that is reserved.
    fn reservations(&self) -> Vec<(ReservationId, Interval)>;
    /// How many PEs are free at a time.
    fn free_at(&self, time: Instant) -> Result<u32, Misuse>;
    /// The least number free in an interval.
    fn fewest_free(&self, at: Interval) -> Result<u32, Misuse>;
    /// Checks the invariants.
    fn check(&self) -> Result<(), InvariantViolation>;
    /// Its image.
    fn image(&self) -> Vec<u32>;
    /// Takes an image exactly.
    fn load(&mut self, image: &[u32]) -> Result<(), BadImage>;
    /// Goes on from an image in another epoch.
    fn restore(&mut self, image: &[u32], epoch: Epoch) -> Result<(), BadImage>;
    /// Another epoch begins.
    fn begin(&mut self, epoch: Epoch);
}

macro_rules! common {
    ($Type:ident, $words:path) => {
        impl Common for $Type {
            fn create(limits: Limits) -> Self {
                // Whatever was in the storage does not matter.
                $Type::new(PoolId(7), limits, vec![0xA5A5_A5A5; $words(limits)].into()).unwrap()
            }

            fn cancel(&mut self, id: ReservationId) -> Result<Interval, Misuse> {
                $Type::cancel(self, id)
            }

            fn set_end(&mut self, id: ReservationId, end: Instant) -> Result<(), Error> {
                $Type::set_end(self, id, end)
            }

            fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Error> {
                $Type::move_to(self, id, start)
            }

            fn attempt<'a>(&'a mut self, steps: &'a mut [Step]) -> impl Trying {
                $Type::attempt(self, steps)
            }

            fn advance(&mut self, now: Instant) -> Result<(), Misuse> {
                $Type::advance(self, now)
            }

            fn slots(&self) -> Vec<(u64, u32)> {
                $Type::slots(self).map(|slot| (slot.time.ticks(), slot.busy)).collect()
            }

            fn reservations(&self) -> Vec<(ReservationId, Interval)> {
                $Type::reservations(self).map(|r| (r.id, r.at)).collect()
            }

            fn free_at(&self, time: Instant) -> Result<u32, Misuse> {
                $Type::free_at(self, time)
            }

            fn fewest_free(&self, at: Interval) -> Result<u32, Misuse> {
                $Type::fewest_free(self, at)
            }

            fn check(&self) -> Result<(), InvariantViolation> {
                self.check_invariants()
            }

            fn image(&self) -> Vec<u32> {
                let mut image = vec![];
                self.export(|word| image.push(word));
                image
            }

            fn load(&mut self, image: &[u32]) -> Result<(), BadImage> {
                $Type::load(self, image.iter().copied())
            }

            fn restore(&mut self, image: &[u32], epoch: Epoch) -> Result<(), BadImage> {
                $Type::restore(self, image.iter().copied(), epoch)
            }

            fn begin(&mut self, epoch: Epoch) {
                $Type::begin(self, epoch);
            }
        }
    };
}

common!(Plain, Timeline::words);
common!(Profile, reserve::Profile::words);
