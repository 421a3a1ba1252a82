//! Disciplines of any kind: a coordinator is the same code for all of them.

use crate::memory::*;
use crate::status::locox_status::*;
use locox::dispatch::{Discipline, Fcfs, Lazy, Offers, Scan, SizeClass, Window};

/// In which order jobs that wait are offered: first come, first served.
pub const LOCOX_DISCIPLINE_FCFS: u32 = 0;
/// See `LOCOX_DISCIPLINE_FCFS`: the first ones, as many as the `bound` says; of zero the first alone.
pub const LOCOX_DISCIPLINE_WINDOW: u32 = 1;
/// See `LOCOX_DISCIPLINE_FCFS`: one size after the other, from the smallest on.
pub const LOCOX_DISCIPLINE_SCAN_UP: u32 = 2;
/// See `LOCOX_DISCIPLINE_FCFS`: one size after the other, from the largest on.
pub const LOCOX_DISCIPLINE_SCAN_DOWN: u32 = 3;
/// See `LOCOX_DISCIPLINE_FCFS`: the first of each size of which no job runs or more than the `bound` wait.
pub const LOCOX_DISCIPLINE_LAZY: u32 = 4;

/// An order of jobs that wait.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_discipline {
    /// `LOCOX_DISCIPLINE_...`.
    pub kind: u32,
    /// Of a window and of lazy; others do not look at it.
    pub bound: u32,
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

pub(super) fn queueing_of(it: &locox_discipline) -> Answer<Queueing> {
    let scan = erased!(AnyDiscipline::Scan as Discipline);
    Ok(match it.kind {
        LOCOX_DISCIPLINE_FCFS => fcfs(),
        LOCOX_DISCIPLINE_WINDOW => {
            erased!(AnyDiscipline::Window as Discipline)(Window::of(it.bound))
        }
        LOCOX_DISCIPLINE_SCAN_UP => scan(Scan::up()),
        LOCOX_DISCIPLINE_SCAN_DOWN => scan(Scan::down()),
        LOCOX_DISCIPLINE_LAZY => erased!(AnyDiscipline::Lazy as Discipline)(Lazy::beyond(it.bound)),
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

impl Discipline for Queueing {
    fn name(&self) -> &'static str {
        self.look().name()
    }

    fn line(&self, class: SizeClass) -> SizeClass {
        self.look().line(class)
    }

    fn choose(&mut self, offers: &mut Offers<'_>) {
        self.get().choose(offers);
    }

    fn started(&mut self, class: SizeClass) {
        self.get().started(class);
    }

    fn finished(&mut self, class: SizeClass) {
        self.get().finished(class);
    }

    fn state(&self) -> u32 {
        self.look().state()
    }

    fn resume(&mut self, state: u32) {
        self.get().resume(state);
    }
}
