//! Entries of `locox::reserve`.

use core::fmt::Display;
use locox::bits::Word;
use locox::reserve::{
    AlignedSubcube, Attempt, Broken, Candidates, Choice, Contiguous, Denied, Fit, FreePes, Limits,
    Lowest, Mask, Masked, Misuse, Placement, Policy, Profile, Rectangle, Refusal, Request,
    Reservation, ReservationId, Timeline, Unusable,
};

type Slice<'a> = &'a mut [Word];
type Array = [Word; 64];

pub(crate) fn entries() {
    values();
    rules();
    shared();
    identity();
    counts();
    crate::keep![Attempt::reserve, Attempt::cancel, Attempt::move_to, Attempt::keep];
}

fn values() {
    crate::keep![
        Limits::slots,
        Request::new,
        Request::by,
        Rectangle::duration,
        Rectangle::area,
        ReservationId::from_handle,
        ReservationId::handle,
        ReservationId::index,
        <Broken as Display>::fmt,
        <Placement as Display>::fmt,
        <Reservation as Display>::fmt,
        <ReservationId as Display>::fmt,
        <Denied as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
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
        <Masked<Lowest> as Choice>::choose,
        <Masked<Lowest> as Choice>::mask,
        <Lowest as Choice>::mask,
        Mask::only::<Slice>,
        Mask::with::<Slice>,
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

/// The methods that timelines and profiles have alike.
macro_rules! alike {
    ($Type:ident) => {{
        fn slots(timeline: &$Type<Slice>) -> u32 {
            timeline.slots().fold(0, |sum, slot| sum ^ slot.busy)
        }
        fn reservations(timeline: &$Type<Slice>) -> u32 {
            timeline.reservations().fold(0, |sum, reservation| sum ^ reservation.pes)
        }
        crate::keep![
            slots,
            reservations,
            $Type::words,
            $Type::<Array>::new_static::<8, 3>,
            $Type::<Slice>::new,
            $Type::<Slice>::clear,
            $Type::<Slice>::limits,
            $Type::<Slice>::now,
            $Type::<Slice>::advance,
            $Type::<Slice>::cancel,
            $Type::<Slice>::set_end,
            $Type::<Slice>::move_to,
            $Type::<Slice>::attempt,
            $Type::<Slice>::reservation,
            $Type::<Slice>::free_at,
            $Type::<Slice>::fewest_free,
            $Type::<Slice>::check_invariants,
        ];
    }};
}

fn shared() {
    alike!(Timeline);
    alike!(Profile);
}

fn identity() {
    type T<'a> = Timeline<Slice<'a>>;
    fn holders(timeline: &T, pe: u32) -> u32 {
        timeline.holders(pe).fold(0, |sum, id| sum ^ id.index())
    }
    crate::keep![
        holders,
        T::find::<Slice>,
        T::candidates::<Slice>,
        T::reserve,
        T::reserve_one_of,
        T::reserve_series,
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
        P::reserve_one_of,
        P::reserve_series,
        P::add,
        P::replace,
        P::find_instead,
        P::bring_forward,
        P::set_out_of_service,
    ];
}
