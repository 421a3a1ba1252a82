//! Entries of `locox::reserve`.

use core::fmt::Display;
use locox::bits::Word;
use locox::reserve::{
    AlignedSubcube, Broken, Candidates, Choice, Contiguous, Counts, Fit, FreePes, Identity, Kind,
    Limits, Lowest, Policy, Profile, Rectangle, Refusal, Request, Reservation, ReservationId, Slot,
    Timeline, Unusable,
};

type Slice<'a> = &'a mut [Word];
type Array = [Word; 256];

pub(crate) fn entries() {
    both::<Identity>();
    both::<Counts>();
    identity();
    counts();
    choice::<Lowest>();
    choice::<Contiguous>();
    choice::<AlignedSubcube>();
    crate::keep![
        FreePes::remove,
        FreePes::keep_range,
        FreePes::keep_lowest,
        Fit::name,
        <Fit as Policy>::prefers,
        <Fit as Policy>::takes_first,
        Rectangle::duration,
        Rectangle::area,
        <Candidates as Iterator>::next,
        Limits::slots,
        Limits::words_with_identity,
        Limits::words_of_counts,
        Request::new,
        Request::by,
        ReservationId::index,
        <Broken as Display>::fmt,
        <Refusal as Display>::fmt,
        <Unusable as Display>::fmt,
    ];
}

fn both<K: Kind>() {
    crate::keep![
        Timeline::<Array, K>::in_array,
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
        reservations::<K>,
        slots::<K>,
    ];
}

fn identity() {
    type Own<'a> = Timeline<Slice<'a>, Identity>;
    crate::keep![
        Own::find::<Slice>,
        Own::candidates::<Slice>,
        Own::reserve,
        Own::add::<Slice>,
        Own::replace::<Slice>,
        Own::find_instead::<Slice>,
        Own::pes_of,
        Own::free_pes::<Slice>,
        Own::busy_pes::<Slice>,
        Own::fail,
        Own::repair,
        holders,
    ];
}

fn counts() {
    type Own<'a> = Profile<Slice<'a>>;
    crate::keep![
        Own::find,
        Own::candidates,
        Own::reserve,
        Own::add,
        Own::replace,
        Own::find_instead,
        Own::set_out_of_service,
    ];
}

fn choice<C: Choice>() {
    crate::keep![C::choose];
}

fn reservations<K: Kind>(timeline: &Timeline<Slice, K>, found: &mut dyn FnMut(Reservation)) {
    timeline.reservations().for_each(found);
}

fn slots<K: Kind>(timeline: &Timeline<Slice, K>, found: &mut dyn FnMut(Slot)) {
    timeline.slots().for_each(found);
}

fn holders(timeline: &Timeline<Slice>, pe: u32, found: &mut dyn FnMut(ReservationId)) {
    timeline.holders(pe).for_each(found);
}
