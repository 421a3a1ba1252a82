//! What the suite asks of an allocator.

use std::fmt;

/// An allocator of runs of units, numbered from 0 on.
///
/// A new instance has all units free. The same calls after [`Subject::reset`] must get the same answers.
pub trait Subject {
    /// The name in tables.
    fn name(&self) -> String;

    /// How many units there are. [`walk`](super::walk) visits all states: 8 units have some hundreds, 16 too many.
    fn units(&self) -> u32;

    /// Makes all units free, as in a new instance.
    fn reset(&mut self);

    /// Grants a block of so many units: where it begins. `None`: refused.
    fn allocate(&mut self, units: u32) -> Option<u32>;

    /// Takes a block back. `false`: refused; an allocator that cannot refuse says `true`.
    fn free(&mut self, begin: u32, units: u32) -> bool;

    /// The sizes that a client may ask for: powers of two, if nothing else is said.
    fn sizes(&self) -> Vec<u32> {
        (0..32).map(|log2| 1 << log2).take_while(|&size| size <= self.units()).collect()
    }

    /// Whether a block of so many units may begin there: at a multiple of its size, if nothing else is said.
    fn may_begin(&self, begin: u32, units: u32) -> bool {
        begin.is_multiple_of(units)
    }

    /// Whether it promises to grant whatever has room.
    fn finds_all(&self) -> bool {
        true
    }

    /// Whether a client may give back part of what it was granted.
    fn frees_parts(&self) -> bool {
        false
    }

    /// How many units it says are free, if it says so.
    fn free_units(&self) -> Option<u32> {
        None
    }
}

/// Units side by side: the first one, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    /// The first unit.
    pub begin: u32,
    /// How many.
    pub units: u32,
}

impl Block {
    /// The unit after its last.
    pub(super) fn end(self) -> u64 {
        u64::from(self.begin) + u64::from(self.units)
    }

    pub(super) fn meets(self, other: Self) -> bool {
        u64::from(self.begin) < other.end() && u64::from(other.begin) < self.end()
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} units from {} on", self.units, self.begin)
    }
}

/// A call to a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// [`Subject::allocate`] of so many units.
    Allocate(u32),
    /// [`Subject::free`].
    Free(Block),
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allocate(units) => write!(f, "allocate {units}"),
            Self::Free(block) => write!(f, "free {block}"),
        }
    }
}

/// A wrong answer, after the fewest calls that lead there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The calls, the last of which is answered wrongly.
    pub calls: Vec<Call>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls: Vec<_> = self.calls.iter().map(Call::to_string).collect();
        write!(f, "{}: {}", calls.join(", "), self.what)
    }
}

impl std::error::Error for Wrong {}

/// The blocks that clients hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Held(pub(super) std::collections::BTreeSet<Block>);

impl Held {
    /// Whether no block has a unit of `block`.
    pub(super) fn is_free(&self, block: Block) -> bool {
        !self.0.iter().any(|held| held.meets(block))
    }

    pub(super) fn units(&self) -> u32 {
        self.0.iter().map(|block| block.units).sum()
    }

    /// A place for so many units.
    pub(super) fn room(&self, subject: &dyn Subject, units: u32) -> Option<Block> {
        let last = subject.units().checked_sub(units)?;
        let blocks = (0..=last).filter(|&begin| subject.may_begin(begin, units));
        blocks.map(|begin| Block { begin, units }).find(|&block| self.is_free(block))
    }

    /// Carries out a call that is as it should be, and says what is wrong with the answer.
    pub(super) fn follow(&mut self, subject: &mut dyn Subject, call: Call) -> Result<(), String> {
        match call {
            Call::Allocate(units) => {
                let room = self.room(subject, units);
                let granted = subject.allocate(units).map(|begin| Block { begin, units });
                self.judge(subject, granted, room)?;
                self.0.extend(granted);
            }
            Call::Free(block) => {
                if !subject.free(block.begin, block.units) {
                    return Err("what is held is not taken back".into());
                }
                self.0.remove(&block);
            }
        }
        let free = subject.units() - self.units();
        match subject.free_units() {
            Some(said) if said != free => {
                Err(format!("{said} units are said to be free, {free} are"))
            }
            _ => Ok(()),
        }
    }

    fn judge(
        &self,
        subject: &dyn Subject,
        granted: Option<Block>,
        room: Option<Block>,
    ) -> Result<(), String> {
        let Some(block) = granted else {
            return match room {
                Some(room) if subject.finds_all() => Err(format!("refused, but {room} are free")),
                _ => Ok(()),
            };
        };
        if block.end() > u64::from(subject.units()) {
            return Err(format!("{block}: there are {}", subject.units()));
        }
        if !subject.may_begin(block.begin, block.units) {
            return Err(format!("{block}: a block may not begin there"));
        }
        if !self.is_free(block) {
            return Err(format!("{block}: somebody holds one of them"));
        }
        Ok(())
    }
}
