//! Entries of `locox::dispatch`.

use core::fmt::Display;
use locox::dispatch::{
    Discipline, Dispatcher, Fcfs, Lazy, NotWaiting, Offers, Patience, Queue, QueueFull, Scan, Slot,
    Window,
};

type Slice<'a> = &'a mut [Slot];

pub(crate) fn entries() {
    discipline::<Fcfs>();
    discipline::<Window>();
    discipline::<Scan>();
    discipline::<Lazy>();
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
