//! What an owner of a flash leaves there, so that another one sees it.

use crate::journal::SLOT;

/// Slots for claims in an area: one of the owner whose image it has, and two of those who recover from it.
pub(crate) const CLAIMS: u32 = 3;

/// A claim: where it is, and its generation, which is above that of each claim before.
///
/// - Its slot has the generation and its complement in turn, eight times. So half of the bits are zeros, two
///   claims differ in sixteen bits or more, and a write that was cut is never another claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) area: u32,
    /// Which of the slots for claims; [`CLAIMS`] if none was left.
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl Claim {
    /// What its slot holds.
    pub(crate) fn bytes(self) -> [u8; SLOT] {
        let mut slot = [0; SLOT];
        let (words, _) = slot.as_chunks_mut::<4>();
        let in_turn = [self.generation, !self.generation];
        words
            .iter_mut()
            .zip(in_turn.iter().cycle())
            .for_each(|(to, from)| *to = from.to_le_bytes());
        slot
    }

    /// The claim in this slot of an area, if there is one; a bit may have turned.
    pub(crate) fn read(area: u32, slot: u32, bytes: &[u8; SLOT]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<4>();
        // If a bit turned in the first copy, it did not in the second one.
        let copies = words.iter().step_by(2).take(2).map(|word| u32::from_le_bytes(*word));
        let mut claims = copies.map(|generation| Self { area, slot, generation });
        claims.find(|claim| is_near(bytes, &claim.bytes()))
    }
}

/// Whether a slot holds this; a bit may have turned.
pub(crate) fn is_near(slot: &[u8; SLOT], expected: &[u8; SLOT]) -> bool {
    let ((slot, _), (expected, _)) = (slot.as_chunks::<4>(), expected.as_chunks::<4>());
    let pairs = slot.iter().zip(expected).filter(|(one, other)| one != other);
    let turned = |(one, other): (&[u8; 4], &[u8; 4])| {
        (u32::from_ne_bytes(*one) ^ u32::from_ne_bytes(*other)).count_ones()
    };
    pairs.map(turned).sum::<u32>() <= 1
}

/// What nobody wrote to.
pub(crate) const BLANK: [u8; SLOT] = [0xFF; SLOT];

/// Whether nobody wrote there; a bit may have turned.
pub(crate) fn is_blank(slot: &[u8; SLOT]) -> bool {
    is_near(slot, &BLANK)
}
