//! The same answers from every kind of storage, at every size of machine.

use super::common::{commands, dim};
use locox::bits::Word;
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshPool, Shape};
use locox::subcube::{
    Allocator, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Pool, StorageTooSmall, Strategy,
    words,
};
use locox_oracles::subcube::{Answer, Client, Observation, Rule};
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

/// Every kind of storage gives the same answers as an array of just the length.
fn pools_agree<T: Strategy, const DIMS: u8, const N: usize>() {
    let dims = dim(DIMS);
    assert_eq!(N, words::<T>(DIMS));
    let in_array = transcript(&mut Pool::<T, [Word; N]>::new_static::<DIMS>(ID));
    assert!(in_array.0.iter().any(|it| matches!(it, Answer::Allocated(Ok(_)))));
    for dirt in [0, Word::MAX, Word::MAX / 3] {
        let mut words = vec![dirt; N];
        let mut borrowed = Pool::<T, _>::new(ID, dims, words.as_mut_slice()).unwrap();
        assert_eq!(transcript(&mut borrowed), in_array, "{dims}: borrowed");
        let used = words;
        let mut boxed = Pool::<T, _>::new(ID, dims, used.into_boxed_slice()).unwrap();
        assert_eq!(transcript(&mut boxed), in_array, "{dims}: boxed, and used before");
        let mut longer = Pool::<T, _>::new(ID, dims, vec![dirt; N + 3]).unwrap();
        assert_eq!(transcript(&mut longer), in_array, "{dims}: longer");
    }
}

/// The length of an array cannot depend on a generic strategy.
macro_rules! every_kind_of_storage {
    ($($test:ident $strategy:ident)+) => {$(
        #[test]
        fn $test() {
            pools_agree::<$strategy, 0, { words::<$strategy>(0) }>();
            pools_agree::<$strategy, 1, { words::<$strategy>(1) }>();
            pools_agree::<$strategy, 5, { words::<$strategy>(5) }>();
            pools_agree::<$strategy, 6, { words::<$strategy>(6) }>();
            pools_agree::<$strategy, 7, { words::<$strategy>(7) }>();
            static POOL: Mutex<Pool<$strategy, [Word; words::<$strategy>(7)]>> =
                Mutex::new(Pool::new_static::<7>(ID));
            let lease = POOL.lock().unwrap().allocate(dim(7));
            assert_eq!(lease.map(|lease| lease.cube().dim()), Ok(dim(7)));
        }
    )+};
}

every_kind_of_storage! {
    buddy_answers_alike_in_every_kind_of_storage Buddy
    gray_code_answers_alike_in_every_kind_of_storage GrayCode
    free_list_answers_alike_in_every_kind_of_storage FreeList
    free_list_plain_answers_alike_in_every_kind_of_storage FreeListPlain
    complete_answers_alike_in_every_kind_of_storage Complete
}

fn a_word_too_few_is_refused_with_the_number_needed<R: Rule>() {
    for dims in dim(12).up_to() {
        let needed = words::<R::Strategy>(dims.get());
        for len in [0, needed - 1] {
            let short = Pool::<R::Strategy, _>::new(ID, dims, vec![0; len]);
            assert_eq!(short.err(), Some(StorageTooSmall { needed }));
        }
    }
}

fn words_that_are_not_needed_keep_their_content<R: Rule>() {
    for dims in dim(8).up_to() {
        let needed = words::<R::Strategy>(dims.get());
        let mut storage = vec![7; needed + 9];
        let mut pool = Pool::<R::Strategy, _>::new(ID, dims, storage.as_mut_slice()).unwrap();
        transcript(&mut pool);
        assert_eq!(storage[needed..], [7; 9]);

        let needed = mesh::words::<R::Strategy>(dims.get());
        let mut storage = vec![7; needed + 9];
        let meshes = storage.as_mut_slice();
        let leftover = Leftover::Reused;
        let mut pool = MeshPool::<R::Strategy, _>::new(ID, dims, meshes, leftover).unwrap();
        pool.allocate(Shape::line(1).unwrap()).unwrap();
        assert_eq!(storage[needed..], [7; 9]);
    }
}

/// The bounds that the project sets itself.
fn metadata_takes_at_most_8_bytes_a_node_in_10_dimensions_and_12_in_20<R: Rule>() {
    for (dims, limit) in [(10, 8), (20, 12)] {
        let bytes = words::<R::Strategy>(dims) * size_of::<Word>();
        let nodes = 1 << dims;
        assert!(bytes <= limit * nodes, "{dims}: {}", bytes as f64 / nodes as f64);
    }
}

locox_oracles::for_each_strategy!(
    a_word_too_few_is_refused_with_the_number_needed,
    words_that_are_not_needed_keep_their_content,
    metadata_takes_at_most_8_bytes_a_node_in_10_dimensions_and_12_in_20,
);
