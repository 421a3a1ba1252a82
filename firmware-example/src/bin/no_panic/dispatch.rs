//! Entries of `locox::dispatch`.

use core::fmt::Display;
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Denied, Discipline, Easy, Entry, Fcfs, Job, Lazy, Misuse, Offers,
    Ordered, Patience, Queue, Refusal, Rule, Scan, SizeClass, Slot, Ticket, Window,
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
        Offers::place,
        Offers::offer,
        Job::new,
        Job::within,
        Job::keyed,
        <Job as Display>::fmt,
        Ticket::from_handle,
        Ticket::handle,
        SizeClass::of,
        SizeClass::get,
        SizeClass::up,
        SizeClass::down,
        SizeClass::all,
        <Denied as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
        Easy::new,
        Easy::of,
        Conservative::new,
        Conservative::of,
        Backfill::words,
    ];
}

/// A discipline by itself and the queue under it.
fn discipline<D: Discipline + Copy>() {
    type O<'a, D> = Ordered<D, Slice<'a>>;
    crate::keep![
        D::name,
        D::line,
        D::choose,
        D::started,
        D::finished,
        Ordered::<D, [Slot; 4]>::new_static,
        O::<D>::new,
        O::<D>::name,
        O::<D>::len,
        O::<D>::is_empty,
        O::<D>::push,
        O::<D>::next,
        O::<D>::finished,
        O::<D>::cancel,
        O::<D>::rekey,
        O::<D>::planned,
        O::<D>::wake_at,
        O::<D>::check_invariants,
    ];
    queue::<O<'_, D>>();
}

fn planner<R: Rule + Copy>() {
    type B<'a, R> = Backfill<R, Words<'a>, Entries<'a>>;
    crate::keep![
        Backfill::<R, [Word; 128], [Entry; 4]>::new_static::<8>,
        B::<R>::new,
        B::<R>::name,
        B::<R>::len,
        B::<R>::is_empty,
        B::<R>::push,
        B::<R>::reserve,
        B::<R>::next,
        B::<R>::finished,
        B::<R>::cancel,
        B::<R>::rekey,
        B::<R>::planned,
        B::<R>::wake_at,
        B::<R>::check_invariants,
    ];
    queue::<B<'_, R>>();
}

/// The same calls through the trait.
fn queue<Q: Queue>() {
    crate::keep![
        Q::name,
        Q::len,
        Q::is_empty,
        Q::push,
        Q::reserve,
        Q::next,
        Q::finished,
        Q::cancel,
        Q::rekey,
        Q::planned,
        Q::wake_at,
        Q::check_invariants,
    ];
}
