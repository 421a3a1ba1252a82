//! Entries of `locox::timeshare`.

use core::fmt::Display;
use locox::timeshare::{
    AtRandom, Board, HostId, InOrder, JobNumber, Level, Load, Misuse, Order, Placement, Refusal,
    Request, Slices, Speed, Storage, Table, Threshold, UserId, V1, V2, V3, words,
};

type Rows<'a> = Table<Slices<'a>>;

pub(crate) fn entries() {
    values();
    table();
    crate::keep![V1::new, V1::shuffled, V2::new, V2::shuffled];
    crate::keep![<InOrder as Order>::lots, <AtRandom as Order>::lots];
    placement::<V1>();
    placement::<V1<AtRandom>>();
    placement::<V2>();
    placement::<V2<AtRandom>>();
    placement::<V3>();
}

fn values() {
    crate::keep![
        Level::new,
        Level::number,
        Level::is_more_urgent_than,
        Load::from_thousandths,
        Load::thousandths,
        Threshold::from_thousandths,
        Threshold::load,
        Request::new,
        Request::with_barrier,
        <Level as Display>::fmt,
        <HostId as Display>::fmt,
        <UserId as Display>::fmt,
        <JobNumber as Display>::fmt,
        <Load as Display>::fmt,
        <Speed as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
    ];
}

fn table() {
    crate::keep![
        words,
        <Slices as Storage>::slices,
        <Slices as Storage>::view,
        <&mut Slices as Storage>::slices,
        <&mut Slices as Storage>::view,
        Rows::new,
        Rows::clear,
        Rows::hosts,
        Rows::there,
        Rows::levels,
        Rows::request,
        Rows::lead,
        Rows::is_doomed,
        Rows::read_at,
        Rows::report,
        Rows::remove,
        Rows::doom,
        Rows::lose,
        Rows::passed,
        Rows::check_invariants,
        column,
        places,
        Board::hosts,
        Board::levels,
        Board::is_free,
        Board::is_idle,
        Board::reading,
        Board::speed,
        Board::synchronising,
        Board::owner,
        Board::pick,
        Board::lead,
    ];
}

/// A rule by itself and a table under it.
fn placement<P: Placement>() {
    crate::keep![P::name, P::check, P::choose, Rows::place::<P>, Rows::would_place::<P>];
}

fn column(table: &Rows<'_>, host: HostId) -> usize {
    table.column(host).count()
}

fn places(table: &Rows<'_>, job: JobNumber) -> usize {
    table.places(job).count()
}
