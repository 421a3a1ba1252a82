//! Sets of PEs, and what the caller says of how to choose among them.

use super::values::*;
use crate::prelude::*;
use locox::bits::{BitSet, words_for};
use locox::reserve::{AlignedSubcube, Choice, Contiguous, Fit, FreePes, Lowest, Mask, Masked};

impl Choice for Pick {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        match self {
            Self::Lowest => Lowest.choose(free, count),
            Self::Contiguous => Contiguous.choose(free, count),
            Self::AlignedSubcube => AlignedSubcube.choose(free, count),
        }
    }
}

/// Acts by what the caller says of how to choose.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn choosing<T>(
    it: &mut Body,
    choice: *const locox_choice,
    act: impl FnOnce(&mut Body, Fit, &dyn Choice) -> Answer<T>,
) -> Answer<T> {
    if choice.is_null() {
        return act(it, Fit::First, &Lowest);
    }
    // SAFETY: the caller keeps the contract.
    let given = unsafe { input(choice) }?;
    let (fit, choice) = (FromC::from_c(given.fit)?, Pick::from_c(given.pick)?);
    let pes = it.limits().pes;
    // SAFETY: the caller keeps the contract.
    let set = |words: *const usize| unsafe {
        if words.is_null() { Ok(None) } else { set_in(pes, words, given.words).map(Some) }
    };
    let (allowed, required) = (set(given.allowed)?, set(given.required)?);
    let mask = allowed.as_ref().map_or(Mask::ANY, Mask::only);
    let mask = required.as_ref().map_or(mask, |required| mask.with(required));
    act(it, fit, &Masked { mask, choice })
}

/// A set of PEs of the caller's.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn set_in<'a>(
    pes: u32,
    words: *const usize,
    len: usize,
) -> Answer<BitSet<&'a [Word]>> {
    // SAFETY: the caller keeps the contract.
    let words = unsafe { inputs(words, len) }?;
    let needed = words_for(pes as usize);
    let words = words.get(..needed).ok_or(LOCOX_TOO_SHORT.with_len(needed))?;
    Ok(BitSet::from_words(words, pes)?)
}

/// Room for a set of PEs.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn room_for_set<'a>(
    it: &Body,
    words: *mut usize,
    len: usize,
) -> Answer<BitSet<&'a mut [Word]>> {
    let pes = it.limits().pes;
    let needed = words_for(pes as usize);
    // SAFETY: the caller keeps the contract.
    let room = unsafe { outputs(words, len) }?;
    let room = room.get_mut(..needed).ok_or(LOCOX_TOO_SHORT.with_len(needed))?;
    Ok(BitSet::empty(filled(room, 0), pes)?)
}
