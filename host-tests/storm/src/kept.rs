//! A coordinator whose history is on a disk, which is killed and started again.

use crate::claims::Claim;
use crate::context::Context;
use crate::disk::Disk;
use crate::parts::{Part, Service};
use crate::planted::Planted;
use crate::time::{MINUTE, Timer};
use locox::time::Instant;
use locox_coordinators::coordinate::{Coordinate, Durable, EffectRecord};
use locox_storage::{ApplyError, DurableCoordinator, FileError, Files, StoreError, read_history};

const HISTORY: &str = "history";

/// What became of a command.
pub(crate) enum Applied<A, E> {
    Taken(A),
    Refused(E),
    /// It is down, or cannot store it.
    Nothing,
}

/// A coordinator, its disk and its clock.
pub(crate) struct Kept<C> {
    pub(crate) disk: Disk,
    pub(crate) timer: Timer,
    durable: Option<DurableCoordinator<C, Files<Disk>>>,
    service: Service,
    whose: &'static str,
    /// So many commands were answered.
    answered: u64,
    /// The history before a bit of it turned.
    sound: Option<Vec<u8>>,
    /// Something is lost that the disk said was durable, and nobody has started since.
    went_back: bool,
}

impl<C: Coordinate<Draw = ()>> Kept<C> {
    /// Begins with this coordinator.
    pub(crate) fn new(fresh: C, service: Service, whose: &'static str) -> Self {
        let disk = Disk::default();
        let durable = DurableCoordinator::format(fresh, Files::new(disk.clone())).ok();
        let timer = Timer::default();
        let (answered, sound, went_back) = (0, None, false);
        Self { disk, timer, durable, service, whose, answered, sound, went_back }
    }

    pub(crate) fn coordinator(&self) -> Option<&C> {
        self.durable.as_ref().map(DurableCoordinator::coordinator)
    }

    /// Effects that were told.
    pub(crate) fn told(&self) -> u64 {
        self.durable.as_ref().map_or(0, |durable| durable.place().effects)
    }

    pub(crate) fn take_effect(&mut self) -> Option<EffectRecord<C::Effect>> {
        self.durable.as_mut()?.take_effect()
    }

    pub(crate) fn apply(
        &mut self,
        context: &mut Context,
        command: C::Command,
    ) -> Applied<C::Answer, C::Error> {
        let Some(durable) = &mut self.durable else { return Applied::Nothing };
        let shown = Instant::from_ticks(self.timer.shows(context.now));
        let now = shown.max(durable.now());
        match durable.apply(now, command) {
            Ok(answer) => {
                context.figures.commands += 1;
                self.answered = durable.place().commands;
                let checked = durable.coordinator().check_invariants();
                context.claim(checked.is_ok(), Claim::Invariants, self.whose, || {
                    checked.map_or_else(|broken| broken.0, |()| "").into()
                });
                Applied::Taken(answer)
            }
            Err(ApplyError::Coordinator(error)) => Applied::Refused(error),
            Err(ApplyError::Store(_)) => {
                self.has_failed(context);
                Applied::Nothing
            }
        }
    }

    /// A write has failed: without power it is down.
    fn has_failed(&mut self, context: &mut Context) {
        context.figures.stores_failed += 1;
        if self.disk.is_off() {
            self.kill(context);
            context.wake(Part::Start(self.service), context.now + 10 * MINUTE);
        }
    }

    /// What is due: an image if a write has failed. Whether anybody is to let time pass.
    pub(crate) fn look(&mut self, context: &mut Context) -> bool {
        let Some(durable) = &mut self.durable else { return false };
        if durable.wants_image() && durable.catch_up().is_err() {
            self.has_failed(context);
            self.wake(context);
            return false;
        }
        let shown = Instant::from_ticks(self.timer.shows(context.now));
        self.durable.as_ref().and_then(DurableCoordinator::wake_at).is_some_and(|at| at <= shown)
    }

    /// Looks again when it is due, at the latest in an hour.
    pub(crate) fn wake(&self, context: &mut Context) {
        let Some(durable) = &self.durable else { return };
        let shown = durable.wake_at().map(Instant::ticks);
        let due = shown.map_or(u64::MAX, |shown| self.timer.when(context.now, shown));
        let at = if durable.wants_image() { context.now + 5 * MINUTE } else { due };
        let at = at.clamp(context.now + 1, context.now + 60 * MINUTE);
        context.wake(Part::Service(self.service), at);
    }

    /// The power is cut.
    pub(crate) fn kill(&mut self, context: &mut Context) {
        context.figures.kills += 1;
        self.durable = None;
        self.disk.cut(context.numbers.any());
    }

    pub(crate) const fn is_up(&self) -> bool {
        self.durable.is_some()
    }

    /// A bit of the history turns. It is found at the next start.
    pub(crate) fn turn_bit(&mut self, context: &mut Context, number: u64) {
        if self.sound.is_none() {
            self.sound = self.disk.file(HISTORY);
            context.figures.bits += u64::from(self.disk.turn_bit(HISTORY, number).is_some());
            self.kill(context);
            context.wake(Part::Start(self.service), context.now + 10 * MINUTE);
        }
    }

    /// Starts again, if it is down; whether it has gone back, because its disk lied.
    pub(crate) fn start(&mut self, context: &mut Context, fresh: impl Fn() -> C) -> Option<bool> {
        if self.is_up() {
            return None;
        }
        self.went_back |= self.disk.turn_on();
        if let Some(sound) = self.sound.take() {
            self.check_damage(context, &sound, &fresh);
        }
        match DurableCoordinator::recover(fresh(), Files::new(self.disk.clone())) {
            Ok((durable, _)) => {
                let commands = durable.place().commands - 1;
                let planted = context.is_planted(Planted::AnswersBeforeStored);
                let went_back = std::mem::take(&mut self.went_back);
                let is_excused = went_back && !planted;
                context.claim(
                    is_excused || commands >= self.answered,
                    Claim::AnswersLast,
                    self.whose,
                    || format!("{commands} commands are there, {} were answered", self.answered),
                );
                self.answered = durable.place().commands;
                if context.numbers.chance(500) {
                    self.timer.set_to(context.now, durable.now().ticks());
                }
                self.durable = Some(durable);
                context.figures.recoveries += 1;
                context.figures.went_back += u64::from(went_back);
                self.wake(context);
                Some(went_back)
            }
            Err(error) => {
                let is_medium = matches!(error, StoreError::Medium(_));
                context.claim(is_medium, Claim::AnswersLast, self.whose, || error.to_string());
                // The disk is full, or the power was cut again.
                self.disk.cut(context.numbers.any());
                context.wake(Part::Start(self.service), context.now + 30 * MINUTE);
                None
            }
        }
    }

    /// A history of which one bit turned is what it was, or refused; then somebody has a copy of it.
    fn check_damage(&self, context: &mut Context, sound: &[u8], fresh: &impl Fn() -> C) {
        let Some(damaged) = self.disk.file(HISTORY) else { return };
        let state = |bytes: &[u8]| {
            let mut durable = Durable::new(fresh());
            let read = read_history::<C, FileError>(bytes, &mut durable, |_| {});
            read.map(|_| {
                let mut words = vec![];
                durable.export(&mut |word| words.push(word));
                words
            })
        };
        match state(&damaged) {
            Ok(now) => context.claim(
                state(sound).is_ok_and(|then| then == now),
                Claim::DamageFound,
                self.whose,
                || "a history of which a bit turned is another one".into(),
            ),
            Err(_) => {
                context.figures.refused += 1;
                self.disk.put(HISTORY, sound);
            }
        }
    }
}
