//! Short histories that come quickly to where searches and leaves have their borders: the answers beside the
//! model's, and all that can be seen now and then.

use locox::reserve::Limits;
use locox_oracles::reserve::subject::{Common, Plain, Profile};
use locox_oracles::reserve::{Command, Lockstep, Scale, Weights};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// Mostly searches.
const ASKED: Weights = Weights::new([4, 6, 9, 9, 4, 0, 2, 2, 1, 3, 2, 1, 1, 2, 4, 0, 0, 0, 0, 0]);

/// Mostly what comes and goes.
const MOVING: Weights = Weights::new([6, 9, 3, 3, 6, 2, 2, 2, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0]);

fn churn<T: Common>(identity: bool, limits: Limits, scale: Scale, weights: Weights, steps: usize) {
    for seed in 0..4 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut run = Lockstep::<T>::new(limits, identity);
        for at in 0..steps {
            let command = Command::decode(scale, random.next_u64(), &weights);
            if at % 50 == 49 { run.step(&command) } else { run.answer(&command) }.unwrap();
        }
    }
}

const SMALL: Limits = Limits { pes: 5, reservations: 12 };
const SHORT: Scale = Scale { pes: 5, span: 50, cancelled: 3 };

#[test]
fn a_small_timeline_that_is_asked_often_answers_as_the_naive_one() {
    churn::<Plain>(true, SMALL, SHORT, ASKED, 400);
}

#[test]
fn a_small_profile_that_is_asked_often_answers_as_the_naive_one() {
    churn::<Profile>(false, SMALL, SHORT, ASKED, 400);
}

const LEAVES: Limits = Limits { pes: 12, reservations: 120 };
const LONG: Scale = Scale { pes: 12, span: 300, cancelled: 40 };

#[test]
fn a_timeline_of_some_leaves_that_come_and_go_answers_as_the_naive_one() {
    churn::<Plain>(true, LEAVES, LONG, MOVING, 700);
}

#[test]
fn a_profile_of_some_leaves_that_come_and_go_answers_as_the_naive_one() {
    churn::<Profile>(false, LEAVES, LONG, MOVING, 700);
}
