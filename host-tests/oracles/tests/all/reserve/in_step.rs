//! The timeline in step with a naive model: every return value of every call, after every call
//! all slots and sets, and the invariants.

use crate::runner::{follows, runner};
use locox::reserve::Limits;
use locox_oracles::reserve::subject::{Common, Plain, Profile};
use locox_oracles::reserve::{
    Brokered, CROWDED, Command, EVEN, Lockstep, Scale, TOGETHER, Weights,
};
use proptest::collection::vec;
use proptest::prelude::*;

const FLAT: Limits = Limits { pes: 9, reservations: 15 };
const LEAVES: Limits = Limits { pes: 100, reservations: 150 };

/// The span of time, how many commands, and which.
type Extent = (u64, usize, Weights);

fn in_step<T: Common>(identity: bool, limits: Limits, extent: Extent, cases: u32) {
    let (span, most, weights) = extent;
    let scale = Scale { pes: limits.pes, span, cancelled: most as u64 / 5 };
    // Every second case has all kinds of commands.
    let swarm = prop_oneof![Just(0u16), any::<u16>()];
    let run = |(swarm, numbers): (u16, Vec<u64>)| {
        let (mut run, weights) =
            (Lockstep::<T>::new(limits, identity), weights.swarm(swarm.into()));
        let commands = numbers.iter().map(|&number| Command::decode(scale, number, &weights));
        commands.map(|command| run.step(&command)).try_for_each(follows)
    };
    runner("reserve", cases).run(&(swarm, vec(any::<u64>(), 1..most)), run).unwrap();
}

const FEW: Extent = (120, 80, EVEN);
const MANY: Extent = (600, 500, CROWDED);

#[test]
fn a_flat_timeline_answers_as_the_naive_one() {
    in_step::<Plain>(true, FLAT, FEW, 400);
}

#[test]
fn a_flat_profile_answers_as_the_naive_one() {
    in_step::<Profile>(false, FLAT, FEW, 400);
}

#[test]
fn a_timeline_of_many_leaves_answers_as_the_naive_one() {
    in_step::<Plain>(true, LEAVES, MANY, 60);
}

#[test]
fn a_profile_of_many_leaves_answers_as_the_naive_one() {
    in_step::<Profile>(false, LEAVES, MANY, 60);
}

/// Masks, speeds, alternatives, series and attempts, each about thirty thousand times on a small machine
/// whose ledger is often full, and some thousand times on a wide one.
const OFTEN: Extent = (60, 160, TOGETHER);
const WIDE: Extent = (300, 400, TOGETHER);

#[test]
fn requests_that_belong_together_are_placed_as_in_the_naive_timeline() {
    in_step::<Plain>(true, FLAT, OFTEN, 2_200);
}

#[test]
fn requests_that_belong_together_are_placed_as_in_the_naive_profile() {
    in_step::<Profile>(false, FLAT, OFTEN, 2_200);
}

#[test]
fn requests_that_belong_together_are_placed_as_in_the_naive_timeline_of_a_wide_machine() {
    in_step::<Plain>(true, LEAVES, WIDE, 60);
}

#[test]
fn requests_that_belong_together_are_placed_as_in_the_naive_profile_of_a_wide_machine() {
    in_step::<Profile>(false, LEAVES, WIDE, 60);
}

/// Under a broker: a machine that is small, one that is large, one whose ledger is soon full.
fn brokered<T: Common>(identity: bool) {
    let machines = [(3, 15), (9, 15), (6, 2)];
    let machines = machines.map(|(pes, reservations)| Limits { pes, reservations });
    let swarm = prop_oneof![Just(0u16), any::<u16>()];
    let run = |(count, swarm, numbers): (usize, u16, Vec<u64>)| {
        let mut run = Brokered::<T>::new(&machines[..count], identity);
        let weights = EVEN.swarm(swarm.into());
        numbers.iter().map(|&number| run.step(number, 60, &weights)).try_for_each(follows)
    };
    let cases = (0..=3_usize, swarm, vec(any::<u64>(), 1..80));
    runner("reserve", 600).run(&cases, run).unwrap();
}

#[test]
fn timelines_under_a_broker_answer_as_the_naive_ones() {
    brokered::<Plain>(true);
}

#[test]
fn profiles_under_a_broker_answer_as_the_naive_ones() {
    brokered::<Profile>(false);
}

/// Leaves split while the timeline fills, and are joined and used again when it empties.
fn fill_and_empty<T: Common>(identity: bool) {
    let mut pair = Lockstep::<T>::new(LEAVES, identity);
    for round in 0..4u64 {
        for n in 0..150u64 {
            // A walk over the span that hits no instant twice; each third reservation is long.
            let start = (n * (37 + 4 * round)) % 600;
            let length = if n % 3 == 0 { 90 } else { 3 };
            let set = 0b111 << ((n * 7 + round) % 97);
            pair.step(&Command::Add((start, start + length, set, 0))).unwrap();
        }
        for n in 0..pair.made() {
            pair.step(&Command::Cancel(n * 61)).unwrap();
        }
        (0..pair.made()).for_each(|n| pair.step(&Command::Cancel(n)).unwrap());
        assert_eq!(pair.model().slots(), [(0, 0)]);
    }
}

#[test]
fn a_timeline_that_is_emptied_can_be_filled_again() {
    fill_and_empty::<Plain>(true);
}

#[test]
fn a_profile_that_is_emptied_can_be_filled_again() {
    fill_and_empty::<Profile>(false);
}
