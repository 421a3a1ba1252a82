//! What the suite asks of an allocator.

use std::fmt;

/// An allocator of runs of units, numbered from 0 on.
///
/// A new instance has all units free. The same calls after [`Subject::reset`] must get the same answers; the suite compares two
/// runs before it judges anything.
pub trait Subject {
    /// The name in tables.
    fn name(&self) -> String;

    /// How many units there are, at least one.
    ///
    /// [`walk`](super::walk) and [`misuse`](super::misuse) visit all states and refuse more than 12. Eight have some hundreds or
    /// thousands of states and take seconds; each unit more takes about three times as long, without a word of progress.
    /// [`fragmentation`](super::fragmentation) refuses more than 4096.
    fn units(&self) -> u32;

    /// Makes all units free, as in a new instance.
    fn reset(&mut self);

    /// Grants a block of so many units: where it begins. `None`: refused.
    fn allocate(&mut self, units: u32) -> Option<u32>;

    /// Takes a block back. `false`: refused; an allocator that cannot refuse says `true`.
    fn free(&mut self, begin: u32, units: u32) -> bool;

    /// The sizes that a client may ask for, in any order, each from 1 to [`Subject::units`]: powers of two, if nothing else is
    /// said.
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

    /// Whether a client may give back part of what it was granted: a block of one of the sizes, where one may begin. The client
    /// then holds the rest in such blocks.
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

    /// Whether all units of `inner` are in it.
    pub(super) fn has(self, inner: Self) -> bool {
        self.begin <= inner.begin && inner.end() <= self.end()
    }

    /// Whether some unit is in both.
    pub(super) fn meets(self, other: Self) -> bool {
        u64::from(self.begin) < other.end() && u64::from(other.begin) < self.end()
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = if self.units == 1 { "unit" } else { "units" };
        write!(f, "{} {units} from {} on", self.units, self.begin)
    }
}

/// A call to a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// A wrong answer, or why a subject cannot be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The calls from a reset on, the last of which is answered wrongly. None, if the subject cannot be tested.
    pub calls: Vec<Call>,
    /// What is wrong.
    pub what: String,
}

impl Wrong {
    pub(super) fn before_calls(what: String) -> Self {
        Self { calls: Vec::new(), what }
    }
}

/// All calls, or of a long run the last ones.
impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left_out = self.calls.len().saturating_sub(MOST_SHOWN);
        if left_out > 0 {
            write!(f, "after {left_out} calls ")?;
        }
        if !self.calls.is_empty() {
            write!(f, "{}: ", listed(&self.calls[left_out..]))?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Wrong {}

const MOST_SHOWN: usize = 50;

pub(super) fn listed(calls: &[Call]) -> String {
    calls.iter().map(Call::to_string).collect::<Vec<_>>().join(", ")
}
