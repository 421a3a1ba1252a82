//! Records in their slots of 64 bytes, read until they end.

use crate::StoreError;
use locox::coordinate::{BadImage, Coordinate, Durable, EffectRecord, Identity, Record};

/// The bytes of a slot.
pub(crate) const SLOT: usize = 4 * Record::WORDS;

/// What was found when a history was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryReport {
    /// Commands that were taken from records.
    pub replayed: u64,
    /// Records of which one bit had turned.
    pub mended: u32,
    /// Whether the last write had been cut, so that its command is lost: it told nobody anything.
    pub cut: bool,
}

/// Reads slot by slot.
///
/// - Nothing but blanks follows a record that was cut, or a blank; in a history with batches also what else
///   was to become durable with it.
pub(crate) struct Reader<'a, C, W> {
    pool: &'a mut Durable<C>,
    watch: W,
    identity: Identity,
    /// Whether a record of which one bit turned is taken.
    mends: bool,
    /// Whether several records may have become durable together, in any order.
    has_batches: bool,
    ended: bool,
    found: RecoveryReport,
}

impl<'a, C: Coordinate, W: FnMut(EffectRecord<C::Effect>)> Reader<'a, C, W> {
    /// `watch` gets the effects that were taken between the commands.
    pub(crate) fn new(pool: &'a mut Durable<C>, watch: W) -> Self {
        let identity = pool.coordinator().identity();
        let found = RecoveryReport::default();
        Self { pool, watch, identity, mends: true, has_batches: false, ended: false, found }
    }

    /// A reader that refuses a record of which one bit turned, or takes it.
    pub(crate) fn mending(self, mends: bool) -> Self {
        Self { mends, ..self }
    }

    /// A reader of a history in which several records may have become durable together, in any order.
    #[cfg(feature = "std")]
    pub(crate) fn with_batches(self) -> Self {
        Self { has_batches: true, ..self }
    }

    /// Takes what the next slot says; `is_blank` if nobody wrote there.
    pub(crate) fn take<E>(
        &mut self,
        slot: &[u8; SLOT],
        is_blank: bool,
    ) -> Result<(), StoreError<E>> {
        if is_blank {
            self.ended = true;
            return Ok(());
        }
        if self.ended {
            self.found.cut = true;
            return if self.is_of_last_batch(&record_of(slot)) {
                Ok(())
            } else {
                Err(StoreError::Damaged)
            };
        }
        let mended = self.found.mended;
        let Some(record) = self.whole(record_of(slot)) else {
            self.ended = true;
            self.found.cut = true;
            return Ok(());
        };
        if self.found.mended > mended && !self.mends {
            return Err(StoreError::Damaged);
        }
        let is_new = self.pool.replay(&record, &mut self.watch).map_err(StoreError::Record)?;
        self.found.replayed += u64::from(is_new);
        Ok(())
    }

    pub(crate) fn found(&self) -> RecoveryReport {
        self.found
    }

    /// The record, if need be with one bit turned back.
    fn whole(&mut self, record: Record) -> Option<Record> {
        if self.is_whole(&record) {
            return Some(record);
        }
        let turned = |bit: u32| {
            let mut one = record;
            if let Some(word) = one.0.get_mut((bit >> 5) as usize) {
                *word ^= 1 << (bit & 31);
            }
            one
        };
        let mended = (0..32 * Record::WORDS as u32).map(turned).find(|it| self.is_whole(it))?;
        self.found.mended += 1;
        Some(mended)
    }

    /// Whether a record behind one that is missing was to become durable with that: others show that it
    /// was durable before they were written.
    fn is_of_last_batch(&self, record: &Record) -> bool {
        self.has_batches && (record.is_joined() || !self.is_whole(record))
    }

    fn is_whole(&self, record: &Record) -> bool {
        record.command::<C::Command, C::Draw>(&self.identity).is_ok()
    }
}

pub(crate) fn slot_of(record: &Record) -> [u8; SLOT] {
    let mut slot = [0; SLOT];
    slot.iter_mut().zip(record.bytes()).for_each(|(to, from)| *to = from);
    slot
}

fn record_of(slot: &[u8; SLOT]) -> Record {
    let mut record = Record([0; Record::WORDS]);
    let (words, _) = slot.as_chunks::<4>();
    record.0.iter_mut().zip(words).for_each(|(to, from)| *to = u32::from_le_bytes(*from));
    record
}

/// Takes the image that a history begins with, and says how long that is.
pub(crate) fn load_image<C: Coordinate>(
    bytes: &[u8],
    pool: &mut Durable<C>,
) -> Result<usize, BadImage> {
    let (words, _) = bytes.as_chunks::<4>();
    let mut taken = 0;
    let counted = words.iter().inspect(|_| taken += 4);
    pool.load(&mut counted.map(|word| u32::from_le_bytes(*word)))?;
    Ok(taken)
}
