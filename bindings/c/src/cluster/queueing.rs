//! Disciplines of any kind: a coordinator is the same code for all of them.

use crate::prelude::*;
use locox::dispatch::{Discipline, Fcfs, Lazy, Offers, Scan, SizeClass, Window};

commands! {
    queueing_of(it: &locox_discipline) -> Queueing, by it.kind;
    { let scan = erased!(AnyDiscipline::Scan as Discipline); }
    /// In which order jobs that wait are offered: first come, first served.
    LOCOX_DISCIPLINE_FCFS = 0 => fcfs();
    /// See `LOCOX_DISCIPLINE_FCFS`: the first ones, as many as the `bound` says; of zero the first alone.
    LOCOX_DISCIPLINE_WINDOW = 1 => erased!(AnyDiscipline::Window as Discipline)(Window::of(it.bound));
    /// See `LOCOX_DISCIPLINE_FCFS`: one size after the other, from the smallest on.
    LOCOX_DISCIPLINE_SCAN_UP = 2 => scan(Scan::up());
    /// See `LOCOX_DISCIPLINE_FCFS`: one size after the other, from the largest on.
    LOCOX_DISCIPLINE_SCAN_DOWN = 3 => scan(Scan::down());
    /// See `LOCOX_DISCIPLINE_FCFS`: the first of each size of which no job runs or more than the `bound` wait.
    LOCOX_DISCIPLINE_LAZY = 4 => erased!(AnyDiscipline::Lazy as Discipline)(Lazy::beyond(it.bound));
}

structures! {
    /// An order of jobs that wait.
    pub struct locox_discipline {
        /// `LOCOX_DISCIPLINE_...`.
        pub kind: u32,
        /// Of a window and of lazy; others do not look at it.
        pub bound: u32,
    }
}

pub(crate) enum AnyDiscipline {
    Fcfs(Fcfs),
    Window(Window),
    Scan(Scan),
    Lazy(Lazy),
}

pub(crate) type Queueing = ErasedBody<AnyDiscipline, dyn Discipline>;

pub(super) fn fcfs() -> Queueing {
    erased!(AnyDiscipline::Fcfs as Discipline)(Fcfs)
}

impl Discipline for Queueing {
    forward! {
        look |it| it.look() =>
            fn name() -> &'static str;
            fn line(class: SizeClass) -> SizeClass;
            fn state() -> u32;
        act |it| it.get() =>
            fn choose(offers: &mut Offers<'_>);
            fn started(class: SizeClass);
            fn finished(class: SizeClass);
            fn resume(state: u32);
    }
}
