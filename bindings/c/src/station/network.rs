//! The coordinator under any ranking.

use crate::prelude::*;
use locox::fair::*;
use locox::image::Identity;
use locox_coordinators::coordinate::{Coordinate, Snapshot};
use locox_coordinators::station::{self, *};

pub(crate) type Rows = Columns<
    &'static mut [Demand],
    &'static mut [HomeRow],
    &'static mut [NodeRow],
    &'static mut [JobRow],
    &'static mut [Contender],
>;

pub(crate) type Timed = TimedUpDown<&'static mut [TimedRow]>;

pub(crate) type Printed = UpDown<&'static mut [ScheduleIndex], Condor>;

/// What it does all the time: these functions are linked with the start of a ranking.
pub(crate) trait Network {
    fn apply(&mut self, now: Instant, message: Message, draw: u32) -> Answer<Option<JobId>>;
    /// What of a draw is looked at.
    fn drawn(&self, draw: u32) -> u32;
    fn peek_effect(&self) -> Option<Effect>;
    fn take_effect(&mut self) -> Option<Effect>;
    fn wake_at(&self) -> Option<Instant>;
    fn identity(&self) -> Identity;
    fn status(&self, job: JobId) -> Result<Status, station::Misuse>;
    fn demand(&self) -> &[Demand];
    fn free(&self) -> u32;
}

impl<F: Fairness> Network for Coordinator<F, Rows> {
    fn apply(&mut self, now: Instant, message: Message, draw: u32) -> Answer<Option<JobId>> {
        Ok(self.apply_drawn(now, message, F::Draw::from_source(|| draw))?)
    }

    fn drawn(&self, draw: u32) -> u32 {
        F::Draw::from_source(|| draw).raw()
    }

    forward! {
        look |it| it =>
            fn peek_effect() -> Option<Effect>;
            fn wake_at() -> Option<Instant>;
            fn identity() -> Identity;
            fn status(job: JobId) -> Result<Status, station::Misuse>;
            fn demand() -> &[Demand];
            fn free() -> u32;
        act |it| it =>
            fn take_effect() -> Option<Effect>;
    }
}

pub(crate) enum AnyNetwork {
    Timed(Coordinator<Timed, Rows>),
    Printed(Coordinator<Printed, Rows>),
    RoundRobin(Coordinator<RoundRobin, Rows>),
    Random(Coordinator<Random, Rows>),
}

pub(crate) type Under = ErasedBody<AnyNetwork, dyn Network>;

/// What only a history needs: no start names it, so it is linked with the functions of C that call it,
/// then under all rankings.
macro_rules! whichever {
    ($any:expr, $it:ident => $act:expr) => {
        match $any {
            AnyNetwork::Timed($it) => $act,
            AnyNetwork::Printed($it) => $act,
            AnyNetwork::RoundRobin($it) => $act,
            AnyNetwork::Random($it) => $act,
        }
    };
}

impl Snapshot for Under {
    type Kept = Instant;

    forward! { look |it| it.look() =>
        fn identity() -> Identity;
    }

    fn kept(&self) -> Instant {
        whichever!(&self.any, it => it.now())
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        whichever!(&self.any, it => it.store(put));
    }

    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        whichever!(&mut self.any, it => it.load_contents(take))
    }

    fn reset(&mut self, now: Instant) {
        whichever!(&mut self.any, it => it.reset(now));
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        whichever!(&self.any, it => it.check_invariants())
    }
}

impl Coordinate for Under {
    type Command = Message;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Fault;
    type Draw = u32;

    fn apply_drawn(&mut self, now: Instant, message: Message, draw: u32) -> Answer<Option<JobId>> {
        self.get().apply(now, message, draw)
    }

    forward! {
        look |it| it.look() =>
            fn peek_effect() -> Option<Effect>;
            fn wake_at() -> Option<Instant>;
        act |it| it.get() =>
            fn take_effect() -> Option<Effect>;
    }

    fn resync(&mut self) {
        whichever!(&mut self.any, it => it.resync());
    }
}
