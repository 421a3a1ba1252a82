//! A coordinator whose history is stored as it goes.

use super::{BadRecord, CommandRecord, Coordinate, EffectRecord, Record};
use locox::draw::Draw;
use locox::image::{BadImage, Place};
use locox::time::Instant;

/// A coordinator that numbers its commands and effects and makes a record of each.
///
/// 1. [`Durable::apply_drawn`] takes a command. Its record is stored before an effect is taken.
/// 2. [`Durable::take_effect`] gives the effects one by one.
/// 3. Now and then [`Durable::export`] gives an image, after which the records before it are of
///    no use.
/// 4. After a power cut: [`Durable::load`] of the latest image, [`Durable::replay`] of the records
///    behind it up to the first that is not whole, [`Durable::resync`].
///
/// The state is then that after the last command whose record is whole, bit for bit. A command
/// that is lost has told nobody anything; who said it has no answer and says it again.
///
/// Cost: that of the coordinator, and a CRC over 72 bytes for each command.
///
/// # Invariants
///
/// - The coordinator is that which the commands up to `place`, with effects taken between them as
///   often as they were, lead to.
#[derive(Clone, Debug)]
pub struct Durable<C> {
    coordinator: C,
    place: Place,
}

impl<C: Coordinate> Durable<C> {
    /// From a coordinator that was told nothing yet.
    pub const fn new(coordinator: C) -> Self {
        Self { coordinator, place: Place::START }
    }

    /// The coordinator.
    pub const fn coordinator(&self) -> &C {
        &self.coordinator
    }

    /// How far it is.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The latest time given: where a clock that started anew has to go on.
    pub fn now(&self) -> Instant {
        self.coordinator.now()
    }

    /// As [`Coordinate::apply_drawn`]; also the record of the command.
    ///
    /// # Errors
    ///
    /// Those of the coordinator. There is nothing to store then, as nothing has changed.
    pub fn apply_drawn(
        &mut self,
        now: Instant,
        command: C::Command,
        draw: C::Draw,
    ) -> Result<(C::Answer, Record), C::Error> {
        self.apply_in_batch(now, command, draw, false)
    }

    /// As [`Durable::apply_drawn`]; `joined`: the record becomes durable together with the one before it, and
    /// [says so](Record::is_joined).
    ///
    /// # Errors
    ///
    /// Those of the coordinator.
    pub fn apply_in_batch(
        &mut self,
        now: Instant,
        command: C::Command,
        draw: C::Draw,
        joined: bool,
    ) -> Result<(C::Answer, Record), C::Error> {
        let effects = self.place.effects as u32;
        let answer = self.coordinator.apply_drawn(now, command, draw)?;
        self.place.commands = self.place.commands.wrapping_add(1);
        let command = Some(command);
        let said = CommandRecord { number: self.place.commands, now, effects, draw, command };
        let of = if joined { Record::of_joined } else { Record::of_command };
        Ok((answer, of(&self.coordinator.identity(), &said)))
    }

    /// The effect that [`Durable::take_effect`] will take.
    pub fn peek_effect(&self) -> Option<EffectRecord<C::Effect>> {
        let effect = self.coordinator.peek_effect()?;
        let number = self.place.effects.wrapping_add(1);
        Some(EffectRecord { number, now: self.coordinator.now(), effect })
    }

    /// The next thing to be done, with its number. Those who do it can tell what is late or double
    /// by that: one with a number that is not above the last one is old.
    pub fn take_effect(&mut self) -> Option<EffectRecord<C::Effect>> {
        let told = self.peek_effect()?;
        self.coordinator.take_effect();
        self.place.effects = told.number;
        Some(told)
    }

    /// The record of an effect, as it is sent.
    pub fn record_of(&self, told: &EffectRecord<C::Effect>) -> Record {
        Record::of_effect(&self.coordinator.identity(), told)
    }

    /// As [`Snapshot::export_at`](super::Snapshot::export_at).
    pub fn export(&self, put: &mut dyn FnMut(u32)) {
        self.coordinator.export_at(self.place, put);
    }

    /// As [`Snapshot::load`](super::Snapshot::load).
    ///
    /// # Errors
    ///
    /// [`BadImage`]: one of another coordinator changes nothing. After any other that is bad
    /// numbers begin anew, and nothing is to be applied before another image is loaded.
    pub fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        let loaded = self.coordinator.load(words);
        self.place = match loaded {
            Ok(place) => place,
            Err(BadImage::TooShort | BadImage::Damaged | BadImage::Contradiction(_)) => {
                Place::START
            }
            // It is of another coordinator.
            Err(_) => self.place,
        };
        loaded.map(|_| ())
    }

    /// Takes a command from its record; `effect` gets the effects that were taken before it.
    /// False for a record from before the image, which changes nothing.
    ///
    /// # Errors
    ///
    /// [`BadRecord`]; nothing has changed then, but for effects that were taken before a command
    /// that the coordinator does not take: [`BadRecord::Contradiction`].
    pub fn replay(
        &mut self,
        record: &Record,
        mut effect: impl FnMut(EffectRecord<C::Effect>),
    ) -> Result<bool, BadRecord> {
        let said: CommandRecord<C::Command, C::Draw> =
            record.command(&self.coordinator.identity())?;
        let next = self.place.commands.wrapping_add(1);
        if said.number < next {
            return Ok(false);
        }
        if said.number > next {
            return Err(BadRecord::OutOfTurn { next });
        }
        while self.place.effects as u32 != said.effects {
            let few = BadRecord::Contradiction("there were more effects to take");
            effect(self.take_effect().ok_or(few)?);
        }
        match said.command {
            Some(command) => {
                let answer = self.coordinator.apply_drawn(said.now, command, said.draw);
                answer.map_err(|_| BadRecord::Contradiction("the command is not taken"))?;
                self.place.commands = next;
            }
            None => self.begin_again(),
        }
        Ok(true)
    }

    /// After a restart: has everybody told again what he should be doing, see
    /// [`Coordinate::resync`]. This is recorded, too, before an effect is taken.
    ///
    /// The upper half of the effects' numbers grows by one and the lower one begins anew, so that
    /// they are above all that were told and forgotten.
    pub fn resync(&mut self) -> Record {
        let effects = self.place.effects as u32;
        self.begin_again();
        let draw = C::Draw::from_source(|| 0);
        let (number, now) = (self.place.commands, self.now());
        let said: CommandRecord<C::Command, _> =
            CommandRecord { number, now, effects, draw, command: None };
        Record::of_command(&self.coordinator.identity(), &said)
    }

    fn begin_again(&mut self) {
        self.coordinator.resync();
        self.place.commands = self.place.commands.wrapping_add(1);
        self.place.effects = (self.place.effects >> 32).wrapping_add(1) << 32;
    }
}
