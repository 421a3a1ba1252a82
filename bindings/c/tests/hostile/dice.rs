//! Random numbers and hostile pointers.

use locox::handle::{Epoch, Generation, Handle, Misuse, PoolId};
use locox_c::locox_status::{self, *};
use locox_c::{locox_handle, locox_is_refusal};

/// Random numbers from a seed (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (it ^ (it >> 31)) % bound
    }

    pub(crate) fn number(&mut self, bound: u64) -> u32 {
        self.below(bound) as u32
    }

    /// A number below the bound, or now and then one that is not.
    pub(crate) fn beyond(&mut self, bound: u64) -> u32 {
        if self.one_in(30) { bound as u32 } else { self.number(bound) }
    }

    pub(crate) fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    /// One of those known, or now and then one that nobody granted.
    pub(crate) fn name(&mut self, known: &[locox_handle]) -> locox_handle {
        let at = self.below(known.len().max(1) as u64) as usize;
        let mut name = known.get(at).copied().unwrap_or(NOBODY);
        match self.below(40) {
            0 => name.index = self.number(1 << 32),
            1 => name.generation = name.generation.wrapping_add(self.number(5)),
            2 => name.pool ^= 1,
            3 => name.epoch ^= 1,
            _ => {}
        }
        name
    }
}

/// Spoils pointers now and then, and remembers whether it did.
pub(crate) struct Spoiler<'a> {
    dice: &'a mut Dice,
    pub(crate) spoiled: bool,
}

impl<'a> Spoiler<'a> {
    pub(crate) fn new(dice: &'a mut Dice) -> Self {
        Self { dice, spoiled: false }
    }

    pub(crate) fn pointer<T>(&mut self, good: *mut T) -> *mut T {
        match self.dice.below(40) {
            0 => {
                self.spoiled = true;
                core::ptr::null_mut()
            }
            1 => {
                self.spoiled = true;
                good.wrapping_byte_add(1)
            }
            _ => good,
        }
    }

    /// One that may be null.
    pub(crate) fn optional<T>(&mut self, good: *mut T) -> *mut T {
        if self.dice.one_in(8) { core::ptr::null_mut() } else { self.misaligned(good) }
    }

    fn misaligned<T>(&mut self, good: *mut T) -> *mut T {
        if !self.dice.one_in(40) {
            return good;
        }
        self.spoiled = true;
        good.wrapping_byte_add(1)
    }

    /// A number of words, too small now and then; true if so.
    pub(crate) fn length(&mut self, needed: usize) -> (usize, bool) {
        if !self.dice.one_in(10) {
            return (needed, false);
        }
        (self.dice.below(needed as u64) as usize, true)
    }
}

/// Whether a call was wrong: such a one must not even have used storage as scratch.
pub(crate) fn is_wrong(status: locox_status) -> bool {
    status != LOCOX_OK && !locox_is_refusal(status as i32)
}

/// The answer to a spoiled pointer.
pub(crate) fn is_spoiled(status: locox_status) -> bool {
    matches!(status, LOCOX_NULL | LOCOX_MISALIGNED)
}

/// How many calls a test makes.
pub(crate) fn calls() -> u64 {
    std::env::var("LOCOX_CALLS").map_or(20_000, |calls| calls.parse().expect("a number of calls"))
}

/// What a call that does what it should answers.
pub(crate) const DONE: (locox_status, u64) = (LOCOX_OK, 0);

/// What stands where nothing was written.
pub(crate) const NOBODY: locox_handle =
    locox_handle { index: 77, generation: 77, pool: 77, epoch: 77 };

pub(crate) fn handle_of(name: locox_handle) -> Handle {
    let generation = Generation::from_raw(name.generation);
    Handle::from_parts(PoolId(name.pool), name.index, generation, Epoch(name.epoch))
}

pub(crate) fn name_of(it: Handle) -> locox_handle {
    let (index, generation) = (it.index(), it.generation().raw());
    locox_handle { index, generation, pool: it.pool().0, epoch: it.epoch().0 }
}

/// The answer to a name that is nobody's.
pub(crate) fn misnamed(misuse: Misuse) -> locox_status {
    match misuse {
        Misuse::Foreign => LOCOX_FOREIGN,
        Misuse::Stale => LOCOX_STALE,
        other => panic!("{other:?} has no status"),
    }
}
