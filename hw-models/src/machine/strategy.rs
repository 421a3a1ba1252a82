//! The kernel's subcube strategies by name.

use locox::bits::Word;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshAllocator, MeshPool};
use locox::subcube::{self, Allocator, Pool, StorageTooSmall, Strategy};
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
        use subcube::{Buddy, Complete, FreeList, GrayCode};
        let (id, words) = (PoolId::default(), self.words(dims));
        match self {
            Self::Buddy => Box::new(Buddy::new(id, dims, storage(words)).expect(ENOUGH)),
            Self::GrayCode => Box::new(GrayCode::new(id, dims, storage(words)).expect(ENOUGH)),
            Self::FreeList => Box::new(FreeList::new(id, dims, storage(words)).expect(ENOUGH)),
            Self::Complete => Box::new(Complete::new(id, dims, storage(words)).expect(ENOUGH)),
        }
    }

    /// An allocator of meshes over this kind for a cube of `dims` dimensions, all of it free.
    pub fn mesh_allocator(self, dims: Dim, leftover: Leftover) -> Box<dyn MeshAllocator + Send> {
        use subcube::{Buddy, Complete, FreeList, GrayCode};
        let (id, words) = (PoolId::default(), mesh::words(dims, self.words(dims)));
        match self {
            Self::Buddy => meshes(Buddy::new(id, dims, storage(words)), leftover),
            Self::GrayCode => meshes(GrayCode::new(id, dims, storage(words)), leftover),
            Self::FreeList => meshes(FreeList::new(id, dims, storage(words)), leftover),
            Self::Complete => meshes(Complete::new(id, dims, storage(words)), leftover),
        }
    }

    /// Words of storage of a plain pool.
    fn words(self, dims: Dim) -> usize {
        match self {
            Self::Buddy => subcube::buddy::words(dims),
            Self::GrayCode => subcube::gray_code::words(dims),
            Self::FreeList => subcube::free_list::words(dims),
            Self::Complete => subcube::complete::words(dims),
        }
    }
}

const ENOUGH: &str = "the kernel says itself how much storage it needs";

type Storage = Box<[Word]>;

fn storage(words: usize) -> Storage {
    vec![0; words].into()
}

fn meshes<T: Strategy + Copy + Send + 'static>(
    plain: Result<Pool<T, Storage>, StorageTooSmall>,
    leftover: Leftover,
) -> Box<dyn MeshAllocator + Send> {
    let pool = MeshPool::over(plain.expect(ENOUGH), leftover);
    Box::new(pool.expect("the storage was made for meshes, and nothing is leased"))
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
            let three = Dim::new(3).unwrap();
            assert_eq!(kind.allocator(three).name(), kind.name());
            for leftover in [Leftover::Kept, Leftover::Reused] {
                let meshes = kind.mesh_allocator(three, leftover);
                assert_eq!((meshes.strategy(), meshes.leftover()), (kind.name(), leftover));
            }
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
