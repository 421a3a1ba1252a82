//! Entries of `locox::reserve`.

use core::fmt::Display;
use locox::bits::Word;
use locox::reserve::{
    AlignedSubcube, Broken, Candidates, Choice, Contiguous, Counts, Fit, FreePes, Identity, Kind,
    Limits, Lowest, Policy, Profile, Rectangle, Refusal, Request, ReservationId, Timeline,
    Unusable,
};

type Slice<'a> = &'a mut [Word];
type Array = [Word; 64];

pub(crate) fn entries() {
    values();
    rules();
    shared::<Identity>();
    shared::<Counts>();
    identity();
    counts();
}

fn values() {
    crate::keep![
        Limits::slots,
        Limits::words_with_identity,
        Limits::words_of_counts,
        Request::new,
        Request::by,
        Rectangle::duration,
        Rectangle::area,
        ReservationId::index,
        <Broken as Display>::fmt,
        <Refusal as Display>::fmt,
        <Unusable as Display>::fmt,
    ];
}

fn rules() {
    crate::keep![
        Fit::name,
        <Fit as Policy>::prefers,
        <Fit as Policy>::takes_first,
        <Always as Policy>::takes_first,
        <Lowest as Choice>::choose,
        <Contiguous as Choice>::choose,
        <AlignedSubcube as Choice>::choose,
        FreePes::remove,
        FreePes::keep_range,
        FreePes::keep_lowest,
        <Candidates as Iterator>::next,
    ];
}

/// A policy that leaves out what it may.
struct Always;

impl Policy for Always {
    fn prefers(&self, _: &locox::reserve::Candidate, _: &locox::reserve::Candidate) -> bool {
        true
    }
}

fn shared<K: Kind>() {
    fn slots<K: Kind>(timeline: &Timeline<Slice, K>) -> u32 {
        timeline.slots().fold(0, |sum, slot| sum ^ slot.busy)
    }
    fn reservations<K: Kind>(timeline: &Timeline<Slice, K>) -> u32 {
        timeline.reservations().fold(0, |sum, reservation| sum ^ reservation.pes)
    }
    crate::keep![
        slots::<K>,
        reservations::<K>,
        Timeline::<Array, K>::new_static,
        Timeline::<Slice, K>::new,
        Timeline::<Slice, K>::limits,
        Timeline::<Slice, K>::now,
        Timeline::<Slice, K>::advance,
        Timeline::<Slice, K>::cancel,
        Timeline::<Slice, K>::set_end,
        Timeline::<Slice, K>::move_to,
        Timeline::<Slice, K>::reservation,
        Timeline::<Slice, K>::free_at,
        Timeline::<Slice, K>::fewest_free,
        Timeline::<Slice, K>::check_invariants,
    ];
}

fn identity() {
    type T<'a> = Timeline<Slice<'a>, Identity>;
    fn holders(timeline: &T, pe: u32) -> u32 {
        timeline.holders(pe).fold(0, |sum, id| sum ^ id.index())
    }
    crate::keep![
        holders,
        T::find::<Slice>,
        T::candidates::<Slice>,
        T::reserve,
        T::add::<Slice>,
        T::replace::<Slice>,
        T::find_instead::<Slice>,
        T::pes_of,
        T::free_pes::<Slice>,
        T::busy_pes::<Slice>,
        T::fail,
        T::repair,
    ];
}

fn counts() {
    type P<'a> = Profile<Slice<'a>>;
    crate::keep![
        P::find,
        P::candidates,
        P::reserve,
        P::add,
        P::replace,
        P::find_instead,
        P::bring_forward,
        P::set_out_of_service,
    ];
}
