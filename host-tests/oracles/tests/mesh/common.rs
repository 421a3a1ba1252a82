//! What the tests of meshes share.

use locox::bits::Word;
use locox::cube::{Dim, Subcube};
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshAllocator, MeshPool, Shape};
use locox::subcube::{self, buddy, complete, free_list, gray_code};
use locox_oracles::subcube::{Buddy, Complete, FreeList, GrayCode, Rule};
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestRunner};

pub(crate) fn dim(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

pub(crate) fn rectangle(x: u32, y: u32) -> Shape {
    Shape::rectangle(x, y).unwrap()
}

pub(crate) fn cube(text: &str) -> Subcube {
    text.parse().unwrap()
}

/// All meshes of three axes that need just `dim` dimensions.
pub(crate) fn cuboids(dim: u8) -> impl Iterator<Item = Shape> {
    let sides = 1..=1u32 << dim;
    let all = sides.clone().flat_map(move |x| {
        sides.clone().flat_map(move |y| (1..=1u32 << dim).map(move |z| [x, y, z]))
    });
    all.filter_map(|sides| Shape::try_from(sides).ok()).filter(move |it| it.dim().get() == dim)
}

/// All meshes of two axes that need just `dim` dimensions, lines among them.
pub(crate) fn rectangles(dim: u8) -> impl Iterator<Item = Shape> {
    let all = (1..=1u32 << dim).flat_map(move |x| (1..=1u32 << dim).map(move |y| [x, y, 1]));
    all.filter_map(|sides| Shape::try_from(sides).ok()).filter(move |it| it.dim().get() == dim)
}

/// The same cases at each run; failures are written to a file that is committed and tried first.
pub(crate) fn runner(suite: &str, cases: u32) -> TestRunner {
    let regressions = format!("proptest-regressions/{suite}.txt");
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(0x10C0),
        // The path is kept for the whole run anyway.
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions.leak()))),
        ..Config::default()
    })
}

/// A strategy of the kernel with its naive rule.
pub(crate) trait Kind {
    type Rule: Rule;
    type Pool: MeshAllocator + Clone;

    /// A fresh pool in a storage that was dirty.
    fn pool(id: u16, dims: Dim, leftover: Leftover) -> Self::Pool;
}

macro_rules! kind {
    ($rule:ident, $module:ident, $strategy:ident) => {
        impl Kind for $rule {
            type Rule = $rule;
            type Pool = MeshPool<$module::$strategy, Box<[Word]>>;

            fn pool(id: u16, dims: Dim, leftover: Leftover) -> Self::Pool {
                let words = mesh::words(dims, $module::words(dims));
                let storage = vec![Word::MAX; words].into_boxed_slice();
                let plain = subcube::$rule::new(PoolId(id), dims, storage).unwrap();
                MeshPool::over(plain, leftover).unwrap()
            }
        }
    };
}

kind!(Buddy, buddy, Blocks);
kind!(GrayCode, gray_code, Runs);
kind!(FreeList, free_list, Lists);
kind!(Complete, complete, Map);
