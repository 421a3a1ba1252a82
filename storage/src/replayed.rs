//! What a recorded run leads to, in two numbers.

use crate::RecoveryReport;
use crate::error::StoreError;
use crate::journal::{Reader, load_image};
use crate::slot::SLOT;
use core::convert::Infallible;
use core::fmt;
use locox::image::BadImage;
use locox_coordinators::coordinate::{BadRecord, Coordinate, Durable, EffectRecord, Record};

/// What a recorded run leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplaySummary {
    /// What was read.
    pub recovered: RecoveryReport,
    /// How many effects were told, up to the last that is to be told at the end.
    pub told: u64,
    /// The digest (FNV-1a over the words) of their records.
    pub effects: u64,
    /// That of the final image.
    pub state: u64,
}

/// Why a recorded run cannot be replayed, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadHistory {
    /// Which record, from 1 on; 0 is the image before them.
    pub record: u64,
    /// The byte of the history at which that begins.
    pub offset: u64,
    /// What is wrong there.
    pub what: Defect,
}

/// What is wrong with a part of a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The image is not of this coordinator, or damaged.
    Image(BadImage),
    /// The record is whole, but not one that can follow.
    Record(BadRecord),
    /// The record is cut, or more than one bit of it turned.
    NotWhole,
}

impl fmt::Display for BadHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, offset, what } = self;
        match record {
            0 => write!(f, "the image at byte {offset}: {what}"),
            _ => write!(f, "record {record} at byte {offset}: {what}"),
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(bad) => bad.fmt(f),
            Self::Record(bad) => bad.fmt(f),
            Self::NotWhole => f.write_str("it is cut or damaged"),
        }
    }
}

impl core::error::Error for BadHistory {}

/// Takes a fresh coordinator through a history, as `Files` stores it and `Log` writes it (both with
/// the feature `std`), whether there is blank room behind the records or not. The digests are the same on every target and in every profile.
///
/// # Errors
///
/// [`BadHistory`]. Other than a store after a power cut this does not do without the last record.
pub fn replay_history<C: Coordinate>(
    bytes: &[u8],
    coordinator: C,
) -> Result<ReplaySummary, BadHistory> {
    let mut pool = Durable::new(coordinator);
    let image = load_image(bytes, &mut pool);
    let image =
        image.map_err(|bad| BadHistory { record: 0, offset: 0, what: Defect::Image(bad) })?;
    let identity = pool.coordinator().identity();
    let (mut effects, mut told) = (Fnv::new(), 0);
    let mut note = |one: EffectRecord<C::Effect>| {
        Record::of_effect(&identity, &one).0.iter().for_each(|word| effects.add(*word));
        told += 1;
    };
    let recovered = read(bytes, image, Reader::new(&mut pool, &mut note))?;
    while let Some(one) = pool.take_effect() {
        note(one);
    }
    let mut state = Fnv::new();
    pool.export(&mut |word| state.add(word));
    Ok(ReplaySummary { recovered, told, effects: effects.0, state: state.0 })
}

/// The records that begin at this byte.
fn read<C: Coordinate, W: FnMut(EffectRecord<C::Effect>)>(
    bytes: &[u8],
    image: usize,
    mut reader: Reader<'_, C, W>,
) -> Result<RecoveryReport, BadHistory> {
    let (slots, rest) = bytes.get(image..).unwrap_or(&[]).as_chunks::<SLOT>();
    let bad = |record: usize, what| {
        let offset = (image + (record - 1) * SLOT) as u64;
        BadHistory { record: record as u64, offset, what }
    };
    for (number, slot) in (1..).zip(slots) {
        match reader.take::<Infallible>(slot) {
            Ok(()) if !reader.found().cut => {}
            Err(StoreError::Record(wrong)) => return Err(bad(number, Defect::Record(wrong))),
            _ => return Err(bad(number, Defect::NotWhole)),
        }
    }
    if rest.is_empty() { Ok(reader.found()) } else { Err(bad(slots.len() + 1, Defect::NotWhole)) }
}

/// A digest, FNV-1a: the same on every target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// Of nothing.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// With a byte more.
    pub fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// With the bytes of a word more, the lowest first.
    pub fn add(&mut self, word: u32) {
        word.to_le_bytes().into_iter().for_each(|byte| self.add_byte(byte));
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}
