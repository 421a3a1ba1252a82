//! The kernel's subcube strategies by name.

use locox::cube::Dim;
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshAllocator, MeshPool};
use locox::subcube::{
    self, Allocator, Buddy, Complete, Effort, FreeList, FreeListPlain, GrayCode, Pool, Strategy,
};
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
    /// [`subcube::FreeListPlain`].
    FreeListPlain,
    /// [`subcube::Complete`].
    Complete,
}

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy `{0}`; the strategies are {list}", list = names())]
pub struct UnknownStrategy(pub String);

fn names() -> String {
    StrategyKind::NAMED.map(StrategyKind::name).join(", ")
}

impl StrategyKind {
    /// Those that comparisons take, the one that recognises the fewest subcubes first. The plain
    /// free list is for whoever asks for what the literature measured.
    pub const ALL: [Self; 4] = [Self::Buddy, Self::GrayCode, Self::FreeList, Self::Complete];

    /// All that have a name.
    pub const NAMED: [Self; 5] =
        [Self::Buddy, Self::GrayCode, Self::FreeList, Self::FreeListPlain, Self::Complete];

    /// The name that the kernel gives it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Buddy => Buddy::NAME,
            Self::GrayCode => GrayCode::NAME,
            Self::FreeList => FreeList::NAME,
            Self::FreeListPlain => FreeListPlain::NAME,
            Self::Complete => Complete::NAME,
        }
    }

    /// An allocator of this kind for a cube of `dims` dimensions, all of it free.
    pub fn allocator(self, dims: Dim) -> Box<dyn Allocator + Send> {
        self.under(Subcubes(dims))
    }

    /// An allocator of meshes over this kind for a cube of `dims` dimensions, all of it free.
    pub fn mesh_allocator(self, dims: Dim, leftover: Leftover) -> Box<dyn MeshAllocator + Send> {
        self.under(Meshes(dims, leftover))
    }

    fn under<B: Build>(self, build: B) -> B::Pool {
        match self {
            Self::Buddy => build.under::<Buddy>(),
            Self::GrayCode => build.under::<GrayCode>(),
            Self::FreeList => build.under::<FreeList>(),
            Self::FreeListPlain => build.under::<FreeListPlain>(),
            Self::Complete => build.under::<Complete>(),
        }
    }
}

/// An allocator under complete recognition whose searches take no longer than that.
pub fn complete_allocator(dims: Dim, effort: Effort) -> Box<dyn Allocator + Send> {
    let storage = vec![0; subcube::words::<Complete>(dims.get())];
    let pool = Pool::<Complete, _>::new(PoolId::default(), dims, storage);
    let mut pool = pool.expect(ENOUGH);
    pool.set_effort(effort);
    Box::new(pool)
}

/// What is built alike under every strategy.
trait Build {
    type Pool;

    fn under<T: Strategy + Send>(self) -> Self::Pool;
}

struct Subcubes(Dim);

impl Build for Subcubes {
    type Pool = Box<dyn Allocator + Send>;

    fn under<T: Strategy + Send>(self) -> Self::Pool {
        let Self(dims) = self;
        let storage = vec![0; subcube::words::<T>(dims.get())];
        Box::new(Pool::<T, _>::new(PoolId::default(), dims, storage).expect(ENOUGH))
    }
}

struct Meshes(Dim, Leftover);

impl Build for Meshes {
    type Pool = Box<dyn MeshAllocator + Send>;

    fn under<T: Strategy + Send>(self) -> Self::Pool {
        let Self(dims, leftover) = self;
        let storage = vec![0; mesh::words::<T>(dims.get())];
        Box::new(MeshPool::<T, _>::new(PoolId::default(), dims, storage, leftover).expect(ENOUGH))
    }
}

const ENOUGH: &str = "the kernel says itself how much storage it needs";

impl fmt::Display for StrategyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for StrategyKind {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let found = Self::NAMED.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_the_name_that_its_allocator_has() {
        for kind in StrategyKind::NAMED {
            assert_eq!(kind.name().parse(), Ok(kind));
            let three = Dim::new(3).unwrap();
            assert_eq!(kind.allocator(three).name(), kind.name());
            for leftover in [Leftover::Kept, Leftover::Reused] {
                let meshes = kind.mesh_allocator(three, leftover);
                assert_eq!((meshes.name(), meshes.leftover()), (kind.name(), leftover));
            }
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        assert_eq!(
            "best".parse::<StrategyKind>().unwrap_err().to_string(),
            "unknown strategy `best`; the strategies are buddy, gray-code, free-list, \
             free-list-plain, complete"
        );
    }
}
