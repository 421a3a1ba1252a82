//! Entries of `locox::dispatch`.

use core::fmt::Display;
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Discipline, Dispatcher, Easy, Entry, Fcfs, Lazy, NotWaiting, Offers,
    Patience, Planner, Queue, QueueFull, Rule, Scan, Slot, Window, WrongTicket, backfill_words,
};

type Slice<'a> = &'a mut [Slot];
type Words<'a> = &'a mut [Word];
type Entries<'a> = &'a mut [Entry];

pub(crate) fn entries() {
    discipline::<Fcfs>();
    discipline::<Window>();
    discipline::<Scan>();
    discipline::<Lazy>();
    planner::<Easy>();
    planner::<Conservative>();
    crate::keep![
        Window::of,
        Scan::up,
        Scan::down,
        Lazy::beyond,
        Patience::of,
        Offers::len,
        Offers::is_empty,
        Offers::number,
        Offers::offer,
        <QueueFull as Display>::fmt,
        <NotWaiting as Display>::fmt,
        Easy::new,
        Conservative::new,
        backfill_words,
        <WrongTicket as Display>::fmt,
    ];
}

/// A discipline by itself and the queue under it.
fn discipline<D: Discipline>() {
    crate::keep![
        D::name,
        D::line,
        D::choose,
        D::started,
        D::finished,
        Queue::<D, Slice>::new,
        Queue::<D, Slice>::name,
        Queue::<D, Slice>::len,
        Queue::<D, Slice>::is_empty,
        Queue::<D, Slice>::push,
        Queue::<D, Slice>::next,
        Queue::<D, Slice>::finished,
        Queue::<D, Slice>::cancel,
        Queue::<D, Slice>::check_invariants,
    ];
}

fn planner<R: Rule + Copy>() {
    type B<'a, R> = Backfill<R, Words<'a>, Entries<'a>>;
    crate::keep![
        Backfill::<R, [Word; 64], [Entry; 4]>::new_static,
        B::<R>::new,
        B::<R>::name,
        B::<R>::len,
        B::<R>::is_empty,
        B::<R>::push,
        B::<R>::reserve,
        B::<R>::next,
        B::<R>::finished,
        B::<R>::cancel,
        B::<R>::planned,
        B::<R>::wake,
        B::<R>::check_invariants,
    ];
}
