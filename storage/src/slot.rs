//! Slots of 64 bytes: what records and claims are stored in.

use locox_coordinators::coordinate::Record;

/// The bytes of a slot.
pub(crate) const SLOT: usize = 4 * Record::WORDS;

pub(crate) fn slot_of(record: &Record) -> [u8; SLOT] {
    let mut slot = [0; SLOT];
    slot.iter_mut().zip(record.bytes()).for_each(|(to, from)| *to = from);
    slot
}

pub(crate) fn record_of(slot: &[u8; SLOT]) -> Record {
    let mut record = Record([0; Record::WORDS]);
    let (words, _) = slot.as_chunks::<4>();
    record.0.iter_mut().zip(words).for_each(|(to, from)| *to = u32::from_le_bytes(*from));
    record
}

/// Whether a slot holds this; a bit may have turned.
pub(crate) fn is_near(slot: &[u8; SLOT], expected: &[u8; SLOT]) -> bool {
    bits_unlike(slot, expected) <= 1
}

/// How many bits of a slot are not as expected. Mostly none is, which is found word by word.
pub(crate) fn bits_unlike(slot: &[u8; SLOT], expected: &[u8; SLOT]) -> u32 {
    let ((slot, _), (expected, _)) = (slot.as_chunks::<4>(), expected.as_chunks::<4>());
    let unlike = slot.iter().zip(expected).filter(|(one, other)| one != other);
    let bits = |(one, other): (&[u8; 4], &[u8; 4])| {
        (u32::from_ne_bytes(*one) ^ u32::from_ne_bytes(*other)).count_ones()
    };
    unlike.map(bits).sum()
}

/// What nobody wrote to.
pub(crate) const BLANK: [u8; SLOT] = [0xFF; SLOT];

/// Whether nobody wrote there; a bit may have turned.
pub(crate) fn is_blank(slot: &[u8; SLOT]) -> bool {
    is_near(slot, &BLANK)
}
