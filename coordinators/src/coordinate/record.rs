//! A command or an effect in sixteen words.

use super::BadRecord;
use locox::draw::Draw;
use locox::ground::{Take, put, seal};
use locox::image::{BadImage, Identity, Stored};
use locox::time::Instant;

/// The version of the table of words.
const VERSION: u8 = 1;

/// Stands for the variant of a command where everybody was told again.
const RESTART: u32 = 255;

// What a record is, in the third byte of its head.
const COMMAND: u8 = b'C';
/// A command that is durable together with the one before it.
const JOINED: u8 = b'J';
const EFFECT: u8 = b'E';

/// A command or an effect with its number, sealed: 64 bytes. The table of its words stands in the
/// [module](crate::coordinate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record(pub [u32; Record::WORDS]);

/// What was said to a coordinator: a command that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandRecord<C, D> {
    /// Counts the commands, from 1 on.
    pub number: u64,
    /// When it was taken.
    pub now: Instant,
    /// How many effects were taken before it, the lower half of the number.
    pub effects: u32,
    /// What was drawn for it.
    pub draw: D,
    /// The command; `None` where, after a restart, everybody was told again.
    pub command: Option<C>,
}

/// What a coordinator told: an effect that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectRecord<E> {
    /// Counts the effects, from 1 on.
    pub number: u64,
    /// When it was taken.
    pub now: Instant,
    /// The effect.
    pub effect: E,
}

impl Record {
    /// How long it is.
    pub const WORDS: usize = 16;

    /// What is said to the coordinator of this identity.
    pub fn of_command<C: Stored, D: Draw>(identity: &Identity, said: &CommandRecord<C, D>) -> Self {
        Self::of_said(COMMAND, identity, said)
    }

    /// The same of a command that becomes durable together with the one before it: where a write was cut, either
    /// may be missing.
    pub fn of_joined<C: Stored, D: Draw>(identity: &Identity, said: &CommandRecord<C, D>) -> Self {
        Self::of_said(JOINED, identity, said)
    }

    fn of_said<C: Stored, D: Draw>(
        letter: u8,
        identity: &Identity,
        said: &CommandRecord<C, D>,
    ) -> Self {
        let mut writer = Writer::new(letter, said.number, said.now);
        writer.put(said.effects);
        writer.put(said.draw.raw());
        match &said.command {
            Some(command) => writer.variant(command),
            None => writer.variant(&RESTART),
        }
        writer.sealed(identity)
    }

    /// What the coordinator of this identity tells.
    pub fn of_effect<E: Stored>(identity: &Identity, told: &EffectRecord<E>) -> Self {
        let mut writer = Writer::new(EFFECT, told.number, told.now);
        writer.variant(&told.effect);
        writer.sealed(identity)
    }

    /// The command that it is.
    ///
    /// # Errors
    ///
    /// [`BadRecord`], but never [`BadRecord::OutOfTurn`].
    pub fn command<C: Stored, D: Draw>(
        &self,
        identity: &Identity,
    ) -> Result<CommandRecord<C, D>, BadRecord> {
        self.read(&[COMMAND, JOINED], identity, |variant, number, now, take| {
            let (effects, draw) = (take()?, take()?);
            let command = match variant {
                RESTART => None,
                _ => Some(C::load(&mut after(variant, take))?),
            };
            Ok(CommandRecord { number, now, effects, draw: D::from_source(|| draw), command })
        })
    }

    /// The effect that it is.
    ///
    /// # Errors
    ///
    /// As [`Record::command`].
    pub fn effect<E: Stored>(&self, identity: &Identity) -> Result<EffectRecord<E>, BadRecord> {
        self.read(&[EFFECT], identity, |variant, number, now, take| {
            Ok(EffectRecord { number, now, effect: E::load(&mut after(variant, take))? })
        })
    }

    /// Whether it becomes durable together with the one before it, see [`Record::of_joined`].
    pub const fn is_joined(&self) -> bool {
        let [head, ..] = self.0;
        let [_, _, letter, _] = head.to_le_bytes();
        letter == JOINED
    }

    /// The bytes of its words in little-endian order, as they are stored or sent.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().flat_map(|word| word.to_le_bytes())
    }

    /// What `then` makes of the variant, the number, the time and the words behind them, if the
    /// record is whole and of one of these kinds.
    fn read<T>(
        &self,
        kinds: &[u8],
        identity: &Identity,
        then: impl FnOnce(u32, u64, Instant, &mut Take<'_>) -> Result<T, BadImage>,
    ) -> Result<T, BadRecord> {
        let [head, middle @ .., seal] = &self.0;
        let [variant, version, letter, magic] = head.to_le_bytes();
        if magic != b'L' || !kinds.contains(&letter) {
            return Err(BadRecord::NoRecord);
        }
        if *seal != self.expected_seal(identity) {
            return Err(BadRecord::Damaged);
        }
        if version != VERSION {
            return Err(BadRecord::OtherVersion);
        }
        let mut words = middle.iter().copied();
        let mut take = || words.next().ok_or(BadImage::TooShort);
        let read = || {
            let (number, now) = (Stored::load(&mut take)?, Stored::load(&mut take)?);
            then(variant.into(), number, now, &mut take)
        };
        read().map_err(|bad| match bad {
            BadImage::Contradiction(what) => BadRecord::Contradiction(what),
            _ => BadRecord::Contradiction("it has too few words"),
        })
    }

    fn sealed(mut self, identity: &Identity) -> Self {
        let expected = self.expected_seal(identity);
        let [.., seal] = &mut self.0;
        *seal = expected;
        self
    }

    fn expected_seal(&self, identity: &Identity) -> u32 {
        let [words @ .., _] = &self.0;
        seal(identity, words)
    }
}

/// First the variant, then what follows.
fn after(
    variant: u32,
    mut take: impl FnMut() -> Result<u32, BadImage>,
) -> impl FnMut() -> Result<u32, BadImage> {
    let mut variant = Some(variant);
    move || variant.take().map_or_else(&mut take, Ok)
}

/// Fills a record from its first word on.
struct Writer {
    words: [u32; Record::WORDS],
    next: usize,
}

impl Writer {
    fn new(kind: u8, number: u64, now: Instant) -> Self {
        let head = u32::from_le_bytes([0, VERSION, kind, b'L']);
        let mut writer = Self { words: [0; Record::WORDS], next: 0 };
        writer.put(head);
        number.store(&mut |word| writer.put(word));
        now.store(&mut |word| writer.put(word));
        writer
    }

    fn put(&mut self, word: u32) {
        debug_assert!(self.next.wrapping_add(1) < Record::WORDS, "a record has room for it");
        put(&mut self.words, self.next, word);
        self.next = self.next.saturating_add(1);
    }

    /// The first word that is stored goes into the head.
    fn variant(&mut self, of: &impl Stored) {
        let mut is_first = true;
        of.store(&mut |word| {
            if core::mem::take(&mut is_first) {
                debug_assert!(word <= RESTART, "a variant has room in the head");
                let [head, ..] = &mut self.words;
                *head |= word & 0xFF;
            } else {
                self.put(word);
            }
        });
    }

    fn sealed(self, identity: &Identity) -> Record {
        Record(self.words).sealed(identity)
    }
}
