//! Records in their slots of 64 bytes, read until they end.

use crate::StoreError;
use crate::slot::{SLOT, is_blank, record_of};
use locox::image::{BadImage, Identity};
use locox_coordinators::coordinate::{Coordinate, Durable, EffectRecord, Record};

/// What was found when a history was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryReport {
    /// Commands that were taken from records.
    pub replayed: u64,
    /// Records of which one bit had turned.
    pub mended: u32,
    /// Whether the last write had been cut, so that its command is lost: it told nobody anything. Records that
    /// were synced and are missing or zeros at the end of a file are no cut but an error,
    /// [`StoreError::Damaged`]. Damage that looks like a cut is listed in the [crate's documentation](crate).
    pub cut: bool,
    /// What a [salvage](crate::DurableCoordinator::salvage) left out of a damaged history: the slots behind the last
    /// good record that are not blank. `None` if nothing is damaged, and always without a salvage.
    pub left_out: Option<u64>,
}

/// Reads slot by slot.
///
/// - Nothing but blanks follows a record that was cut, or a blank; in a file also other records that were
///   to become durable with it, and behind a blank zeros where a file that grew was cut.
/// - In a file a blank follows the records: it was durable before they were written. So an end that is missing,
///   or zeros in its place, are no cut.
pub(crate) struct Reader<'a, C, W> {
    pool: &'a mut Durable<C>,
    watch: W,
    identity: Identity,
    /// Whether a record of which one bit turned is taken.
    mends: bool,
    is_file: bool,
    /// Whether damage ends the history.
    salvages: bool,
    ended: bool,
    has_blank: bool,
    is_damaged: bool,
    /// Slots up to the last record that was taken.
    good: u64,
    read: u64,
    /// Of the slots behind that those that are not blank.
    behind: u64,
    found: RecoveryReport,
}

impl<'a, C: Coordinate, W: FnMut(EffectRecord<C::Effect>)> Reader<'a, C, W> {
    /// `watch` gets the effects that were taken between the commands.
    pub(crate) fn new(pool: &'a mut Durable<C>, watch: W) -> Self {
        let identity = pool.coordinator().identity();
        Self {
            pool,
            watch,
            identity,
            mends: true,
            is_file: false,
            salvages: false,
            ended: false,
            has_blank: false,
            is_damaged: false,
            good: 0,
            read: 0,
            behind: 0,
            found: RecoveryReport::default(),
        }
    }

    /// A reader that refuses a record of which one bit turned, or takes it.
    pub(crate) fn mending(self, mends: bool) -> Self {
        Self { mends, ..self }
    }

    /// A reader of a file, in which several records may have become durable together, in any order.
    #[cfg(feature = "std")]
    pub(crate) fn of_file(self) -> Self {
        Self { is_file: true, ..self }
    }

    /// A reader for which damage ends the history, or not.
    pub(crate) fn salvaging(self, salvages: bool) -> Self {
        Self { salvages, ..self }
    }

    /// Takes what the next slot says.
    pub(crate) fn take<E>(&mut self, slot: &[u8; SLOT]) -> Result<(), StoreError<E>> {
        self.read += 1;
        self.behind += u64::from(!is_blank(slot));
        if self.is_damaged {
            return Ok(());
        }
        let taken = self.take_sound(slot);
        self.is_damaged = taken.is_err();
        if self.salvages { Ok(()) } else { taken }
    }

    /// What was found, when all slots were read.
    pub(crate) fn end<E>(mut self) -> Result<RecoveryReport, StoreError<E>> {
        let is_short = self.is_file && !self.has_blank;
        if !self.is_damaged && !is_short {
            return Ok(self.found);
        }
        if !self.salvages {
            return Err(StoreError::Damaged);
        }
        (self.found.cut, self.found.left_out) = (false, Some(self.behind));
        Ok(self.found)
    }

    /// How many slots were read up to the last record that was taken.
    #[cfg(feature = "std")]
    pub(crate) fn good(&self) -> u64 {
        self.good
    }

    fn take_sound<E>(&mut self, slot: &[u8; SLOT]) -> Result<(), StoreError<E>> {
        if is_blank(slot) {
            (self.ended, self.has_blank) = (true, true);
            return Ok(());
        }
        if self.is_file && *slot == [0; SLOT] {
            return if self.has_blank { Ok(()) } else { Err(StoreError::Damaged) };
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
        (self.good, self.behind) = (self.read, 0);
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
        self.is_file && (record.is_joined() || !self.is_whole(record))
    }

    fn is_whole(&self, record: &Record) -> bool {
        record.command::<C::Command, C::Draw>(&self.identity).is_ok()
    }
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
