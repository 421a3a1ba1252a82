//! The same answers from every kind of storage, at every size of machine.

use crate::common::commands;
use locox::bits::Word;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{Allocator, Buddy, Complete, FreeList, GrayCode, StorageTooSmall};
use locox_oracles::subcube::{Answer, Client, Observation};
use std::sync::Mutex;

const ID: PoolId = PoolId(9);

/// What a pool answers to the same commands as all others, and what it shows now and then.
fn transcript(pool: &mut dyn Allocator) -> (Vec<Answer>, Vec<Observation>) {
    let mut client = Client::new(ID, pool.dims());
    let mut shown = vec![Observation::of_pool(pool)];
    let answers = commands(pool.dims(), 400).enumerate().map(|(at, command)| {
        let answer = client.run(pool, &command);
        if at % 50 == 0 {
            shown.push(Observation::of_pool(pool));
        }
        answer
    });
    let answers = answers.collect();
    pool.check_invariants().unwrap();
    (answers, shown)
}

const fn cube(dims: u8) -> Dim {
    Dim::new(dims).unwrap()
}

macro_rules! storage_of {
    ($module:ident, $pool:ident) => {
        mod $module {
            use super::*;
            use locox::subcube::$module;

            fn pools_agree<const N: usize>(dims: Dim) {
                assert_eq!(N, $module::words(dims));
                let mut pool = $pool::<[Word; N]>::new_static(ID, dims).unwrap();
                let in_array = transcript(&mut pool);
                assert!(in_array.0.iter().any(|it| matches!(it, Answer::Allocated(Ok(_)))));
                for dirt in [0, Word::MAX, Word::MAX / 3] {
                    let mut words = vec![dirt; N];
                    let mut borrowed = $pool::new(ID, dims, words.as_mut_slice()).unwrap();
                    assert_eq!(transcript(&mut borrowed), in_array, "{dims}: borrowed");
                    let used = words;
                    let mut boxed = $pool::new(ID, dims, used.into_boxed_slice()).unwrap();
                    assert_eq!(transcript(&mut boxed), in_array, "{dims}: boxed, and used before");
                    let mut longer = $pool::new(ID, dims, vec![dirt; N + 3]).unwrap();
                    assert_eq!(transcript(&mut longer), in_array, "{dims}: longer");
                }
            }

            #[test]
            fn every_kind_of_storage_gives_the_same_answers() {
                pools_agree::<{ $module::words(cube(0)) }>(cube(0));
                pools_agree::<{ $module::words(cube(1)) }>(cube(1));
                pools_agree::<{ $module::words(cube(5)) }>(cube(5));
                pools_agree::<{ $module::words(cube(6)) }>(cube(6));
                pools_agree::<{ $module::words(cube(7)) }>(cube(7));
            }

            #[test]
            fn a_static_needs_nothing_at_run_time() {
                const DIMS: Dim = cube(7);
                type Here = $pool<[Word; $module::words(DIMS)]>;
                static POOL: Mutex<Here> = Mutex::new(match Here::new_static(ID, DIMS) {
                    Ok(pool) => pool,
                    Err(_) => panic!("the array is as long as it must be"),
                });
                let mut pool = POOL.lock().unwrap();
                assert_eq!(pool.allocate(DIMS).map(|lease| lease.cube().dim()), Ok(DIMS));
            }

            #[test]
            fn a_word_too_few_is_refused_with_the_number_needed() {
                for dims in cube(12).up_to() {
                    let needed = $module::words(dims);
                    let short = $pool::new(ID, dims, vec![0; needed - 1]);
                    assert_eq!(short.err(), Some(StorageTooSmall { needed }));
                    let none = $pool::new(ID, dims, Vec::new());
                    assert_eq!(none.err(), Some(StorageTooSmall { needed }));
                }
                let needed = $module::words(cube(5));
                let short = $pool::<[Word; $module::words(cube(5)) - 1]>::new_static(ID, cube(5));
                assert_eq!(short.err(), Some(StorageTooSmall { needed }));
            }

            /// The bounds that the project sets itself.
            #[test]
            fn metadata_takes_at_most_8_bytes_a_node_in_10_dimensions_and_12_in_20() {
                for (dims, limit) in [(10, 8), (20, 12)] {
                    let bytes = $module::words(cube(dims)) * size_of::<Word>();
                    let nodes = 1 << dims;
                    assert!(bytes <= limit * nodes, "{dims}: {}", bytes as f64 / nodes as f64);
                }
            }
        }
    };
}

storage_of!(buddy, Buddy);
storage_of!(gray_code, GrayCode);
storage_of!(free_list, FreeList);
storage_of!(complete, Complete);
