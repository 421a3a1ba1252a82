//! How long searches may take, and what is said of those that are given up.

use super::common::{commands, dim};
use locox::bits::{WORD_LOG2, Word};
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Effort, Outage, Refusal};
use locox_oracles::subcube::{Client, Complete, FreeList, Rule, Subcubes};

/// 2^w * 3^(n - w) for words of 2^w bits: a word's sets for each word of all folds above it.
#[test]
fn the_effort_that_decides_everything_grows_threefold_with_each_dimension_above_the_word() {
    for dims in Dim::MAX.up_to() {
        let above = u32::from(dims.get()).saturating_sub(WORD_LOG2);
        let expected = u64::from(Word::BITS) * 3u64.pow(above);
        assert_eq!(Effort::exact_up_to(dims), Effort(expected), "{dims}");
    }
    assert_eq!(Effort::default(), Effort::exact_up_to(dim(16)));
}

/// Two nodes in two windows: a pair that only a search finds.
#[test]
fn a_pair_is_found_from_just_the_effort_on_that_its_search_takes() {
    let mut pool = Complete::pool(PoolId(0), dim(7));
    let others: Vec<_> = (1..64).chain(65..128).map(Node).collect();
    pool.withdraw(&others, Outage::Failed, |_| ()).unwrap();
    let words = u64::from(128 / Word::BITS);
    let above = u64::from(7 - WORD_LOG2);
    // Of each word the edges along each of its dimensions; then for each dimension above it the fold, and of the last one
    // whether it has a node.
    let takes = words * u64::from(WORD_LOG2) + above * words / 2 + words / 2;
    for effort in 0..2 * takes {
        pool.set_effort(Effort(effort));
        let expected = if effort < takes { Err(Refusal::Undecided) } else { Ok(()) };
        assert_eq!(pool.would_fit(dim(1)), expected, "{effort}");
        let granted = pool.clone().allocate(dim(1)).map(|_| ());
        assert_eq!(granted, expected, "{effort}");
    }
}

/// One window has all of it.
#[test]
fn a_machine_that_is_wholly_free_grants_without_a_search() {
    for wanted in dim(6).up_to() {
        let mut pool = Complete::pool(PoolId(0), dim(6));
        pool.set_effort(Effort(0));
        let granted = pool.allocate(wanted).map(|lease| lease.cube().mask());
        assert_eq!(granted, Ok(wanted.nodes() - 1));
    }
}

fn grants(pool: &Subcubes<Complete>, dim: Dim) -> Result<(), Refusal> {
    pool.clone().allocate(dim).map(|_| ())
}

/// The largest dimension up to `most` that is granted, by asking for each.
fn granted(pool: &Subcubes<Complete>, most: Dim) -> Option<Dim> {
    most.up_to().rev().find(|&dim| grants(pool, dim).is_ok())
}

#[test]
fn with_little_effort_as_well_a_query_says_what_a_request_would_get() {
    let (mut pool, mut client) =
        (Complete::pool(PoolId(0), dim(7)), Client::new(PoolId(0), dim(7)));
    let (mut refused, mut undecided, mut unseen) = (0, 0, 0);
    for command in commands(dim(7), 150) {
        client.run(&mut pool, &command);
        for effort in [0, 30, 100, 300, 1000] {
            pool.set_effort(Effort(effort));
            for dim in dim(7).up_to() {
                let answer = pool.would_fit(dim);
                assert_eq!(answer, grants(&pool, dim), "{dim} with {effort}");
                undecided += u32::from(answer == Err(Refusal::Undecided));
                if let Err(Refusal::Fragmented { largest }) = answer {
                    refused += u32::from(largest > Dim::ZERO);
                    assert_eq!(Some(largest), granted(&pool, dim).or(Some(Dim::ZERO)));
                    assert_ne!(grants(&pool, largest.up().unwrap()), Ok(()));
                }
            }
            let stats = pool.stats();
            assert_eq!(stats.largest, granted(&pool, dim(7)), "with {effort}");
            unseen += u32::from(
                stats.largest.is_none_or(|it| stats.subcubes[usize::from(it.get()) + 1] > 0),
            );
        }
    }
    assert!(refused > 50 && undecided > 50 && unseen > 20, "{refused} {undecided} {unseen}");
}

/// Nodes with 0, 9 or 18 ones in their address are out: each subcube of 8 dimensions has one of them, and the search
/// for one that has not is long.
fn hard<R: Rule>() -> Subcubes<R> {
    let mut pool = R::pool(PoolId(0), dim(DIMS));
    let out = (0..1 << DIMS).map(Node).filter(|node| node.0.count_ones() % 9 == 0);
    pool.withdraw(&out.collect::<Vec<_>>(), Outage::Failed, |_| ()).unwrap();
    pool
}

const DIMS: u8 = 17;

/// A subcube of six dimensions is free, but only a search finds it.
#[test]
fn figures_name_what_would_be_granted_and_not_what_counting_finds() {
    let mut pool = Complete::pool(PoolId(0), dim(7));
    pool.set_effort(Effort(0));
    pool.claim("*1*1*1*".parse().unwrap()).unwrap();
    let stats = pool.stats();
    assert_eq!((stats.subcubes[6], pool.would_fit(dim(6))), (3, Err(Refusal::Undecided)));
    assert_eq!(stats.largest, granted(&pool, dim(7)));
    pool.set_effort(Effort::EXACT);
    assert_eq!(pool.stats().largest, Some(dim(6)));
}

#[test]
fn beyond_16_dimensions_a_search_that_is_given_up_is_undecided() {
    let mut pool = hard::<FreeList>();
    for _ in 0..2 {
        assert_eq!(pool.would_fit(dim(8)), Err(Refusal::Undecided));
        assert_eq!(pool.allocate(dim(8)), Err(Refusal::Undecided));
    }
}

#[test]
fn what_only_more_effort_decides_is_faulty_while_no_lease_is_live() {
    let mut pool = hard::<Complete>();
    assert_eq!(pool.would_fit(dim(8)), Err(Refusal::Undecided));
    pool.set_effort(Effort::EXACT);
    assert_eq!(pool.would_fit(dim(8)), Err(Refusal::Faulty));
    let lease = pool.allocate(dim(7)).unwrap();
    assert_eq!(pool.would_fit(dim(8)), Err(Refusal::Fragmented { largest: dim(7) }));
    pool.release(lease).unwrap();
    assert_eq!(pool.would_fit(dim(8)), Err(Refusal::Faulty));
}
