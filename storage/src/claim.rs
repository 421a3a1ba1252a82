//! What an owner of a flash leaves there, so that another one sees it.

use crate::slot::{SLOT, is_near};

/// Slots for claims in an area: one of the owner whose image it has, and two of those who recover.
pub(crate) const CLAIMS: u32 = 3;

/// A claim: who wrote it where, and its generation, which is above that of each claim before.
///
/// - Its slot has generation and owner and their complements, four times. So half of the bits are zeros, two
///   claims differ in eight bits or more, a write that was cut is never another claim, and two in one slot are
///   neither of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) area: u32,
    /// Which of the slots for claims.
    pub(crate) slot: u32,
    pub(crate) generation: u32,
    /// The number of its owner.
    pub(crate) owner: u32,
}

impl Claim {
    /// What its slot holds.
    pub(crate) fn bytes(self) -> [u8; SLOT] {
        bytes_of(self.generation, self.owner)
    }
}

fn bytes_of(generation: u32, owner: u32) -> [u8; SLOT] {
    let mut slot = [0; SLOT];
    let (words, _) = slot.as_chunks_mut::<4>();
    let copy = [generation, owner, !generation, !owner];
    words.iter_mut().zip(copy.iter().cycle()).for_each(|(to, from)| *to = from.to_le_bytes());
    slot
}

/// The generation of the claim in a slot, if there is one; a bit may have turned.
pub(crate) fn generation_of(slot: &[u8; SLOT]) -> Option<u32> {
    let (copies, _) = slot.as_chunks::<16>();
    // If a bit turned in the first copy, it did not in the second one.
    copies.iter().take(2).find_map(|copy| {
        let (words, _) = copy.as_chunks::<4>();
        let [generation, owner, ..] = words else { return None };
        let [generation, owner] = [generation, owner].map(|word| u32::from_le_bytes(*word));
        is_near(slot, &bytes_of(generation, owner)).then_some(generation)
    })
}
