//! The kernel's subcube strategies by name.

use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{self, Allocator};
use std::fmt;
use std::str::FromStr;

/// How a hypercube finds a subcube for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StrategyKind {
    /// [`subcube::Buddy`].
    Buddy,
    /// [`subcube::GrayCode`].
    GrayCode,
    /// [`subcube::FreeList`].
    FreeList,
    /// [`subcube::Complete`].
    Complete,
}

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy `{0}`; the strategies are {list}", list = names())]
pub struct UnknownStrategy(pub String);

fn names() -> String {
    StrategyKind::ALL.map(StrategyKind::name).join(", ")
}

impl StrategyKind {
    /// All of them, the one that recognises the fewest subcubes first.
    pub const ALL: [Self; 4] = [Self::Buddy, Self::GrayCode, Self::FreeList, Self::Complete];

    /// The name that the kernel gives it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Buddy => "buddy",
            Self::GrayCode => "gray-code",
            Self::FreeList => "free-list",
            Self::Complete => "complete",
        }
    }

    /// An allocator of this kind for a cube of `dims` dimensions, all of it free.
    pub fn allocator(self, dims: Dim) -> Box<dyn Allocator + Send> {
        let pool = PoolId::default();
        let enough = "the kernel says itself how much storage it needs";
        match self {
            Self::Buddy => {
                let storage = words(subcube::buddy::words(dims));
                Box::new(subcube::Buddy::new(pool, dims, storage).expect(enough))
            }
            Self::GrayCode => {
                let storage = words(subcube::gray_code::words(dims));
                Box::new(subcube::GrayCode::new(pool, dims, storage).expect(enough))
            }
            Self::FreeList => {
                let storage = words(subcube::free_list::words(dims));
                Box::new(subcube::FreeList::new(pool, dims, storage).expect(enough))
            }
            Self::Complete => {
                let storage = words(subcube::complete::words(dims));
                Box::new(subcube::Complete::new(pool, dims, storage).expect(enough))
            }
        }
    }
}

fn words(count: usize) -> Box<[locox::bits::Word]> {
    vec![0; count].into_boxed_slice()
}

impl fmt::Display for StrategyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for StrategyKind {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_the_name_that_its_allocator_has() {
        for kind in StrategyKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.allocator(Dim::new(3).unwrap()).name(), kind.name());
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        assert_eq!(
            "best".parse::<StrategyKind>().unwrap_err().to_string(),
            "unknown strategy `best`; the strategies are buddy, gray-code, free-list, complete"
        );
    }
}
