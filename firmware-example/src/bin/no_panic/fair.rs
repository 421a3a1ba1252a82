//! Entries of `locox::fair`.

use core::fmt::Display;
use locox::fair::{
    Amount, Condor, Fairness, IndexFunctions, Line, Linear, Misuse, Pace, Random, Round,
    RoundRobin, Saturating, ScheduleIndex, Shuffled, StationId, Ties, TimedRow, TimedUpDown,
    UpDown,
};

/// A table whose length is not known here.
type Table<'a> = &'a mut [ScheduleIndex];
pub(crate) type Timed<'a> = TimedUpDown<&'a mut [TimedRow]>;

pub(crate) fn entries() {
    numbers();
    functions::<Condor>();
    functions::<Linear>();
    functions::<Saturating>();
    crate::keep![Condor::new, Condor::study, Condor::every, Line::at, Line::flat, Saturating::new];
    crate::keep![
        Random::new,
        RoundRobin::new,
        RoundRobin::starting_at,
        RoundRobin::next_turn,
        <Misuse as Display>::fmt,
    ];
    crate::keep![<Shuffled as Ties>::tie, <StationId as Display>::fmt];
    ranking::<Random>();
    ranking::<RoundRobin>();
    crate::keep![
        Pace::standard,
        Timed::new,
        Timed::set_weight,
        Timed::index_of,
        Timed::check_invariants,
    ];
    ranking::<Timed>();
}

fn numbers() {
    crate::keep![
        ScheduleIndex::from_bits,
        ScheduleIndex::bits,
        ScheduleIndex::from_int,
        ScheduleIndex::is_better_than,
        ScheduleIndex::is_positive,
        ScheduleIndex::is_negative,
        ScheduleIndex::magnitude,
        ScheduleIndex::raised,
        ScheduleIndex::lowered,
        ScheduleIndex::decayed,
        <ScheduleIndex as Display>::fmt,
        Amount::from_bits,
        Amount::bits,
        Amount::from_int,
        Amount::ratio,
        Amount::times,
        Amount::scaled,
        Amount::plus,
        Amount::minus,
        <Amount as Display>::fmt,
    ];
}

/// The four functions by themselves and the table that they move.
fn functions<P: IndexFunctions>() {
    crate::keep![
        P::f,
        P::g,
        P::h,
        P::l,
        UpDown::<Table, P>::new,
        UpDown::<Table, P>::shuffled,
        UpDown::<Table, P>::indices,
        UpDown::<Table, P>::index_of,
    ];
    ranking::<UpDown<Table, P>>();
    ranking::<UpDown<Table, P, Shuffled>>();
}

/// A ranking by itself and a round over it.
fn ranking<F: Fairness>() {
    crate::keep![
        F::check,
        F::update,
        F::begin,
        F::key,
        F::tie,
        F::preempts,
        F::served,
        F::yielded,
        F::advance,
        F::note,
        F::first_taker,
        F::exchange,
        F::reason,
        F::export,
        F::restore,
        F::forget,
        first_of::<F>,
        Round::new::<F>,
        Round::next::<F>,
    ];
}

fn first_of<F: Fairness>(fair: &F, candidates: &[StationId]) -> Option<StationId> {
    fair.first_of(candidates.iter().copied())
}
