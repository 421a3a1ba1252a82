//! Every strategy under the auxiliary list against a naive model, command by command.

use super::common::dim;
use crate::runner::{follows, runner};
use locox::handle::PoolId;
use locox::mesh::Leftover;
use locox_oracles::mesh::{Command, EVEN, Lockstep};
use locox_oracles::subcube::Rule;
use proptest::collection::vec;
use proptest::prelude::*;

fn machines_follow_the_model<R: Rule>(dims: std::ops::RangeInclusive<u8>, len: usize, cases: u32) {
    let leftover = prop_oneof![4 => Just(Leftover::Reused), 1 => Just(Leftover::Kept)];
    let run = |(dims, leftover, swarm, numbers): (u8, Leftover, u16, Vec<u64>)| {
        let (dims, weights) = (dim(dims), EVEN.swarm(swarm.into()));
        let mut run = Lockstep::<R>::new(PoolId(1), dims, leftover);
        let commands = numbers.iter().map(|&it| Command::decode(dims, it, &weights));
        commands.map(|command| run.step(&command)).try_for_each(follows)
    };
    // Every second case has all kinds of commands.
    let swarm = prop_oneof![Just(0u16), any::<u16>()];
    let input = (dims, leftover, swarm, vec(any::<u64>(), 1..len));
    runner("mesh_in_step", cases).run(&input, run).unwrap();
}

fn small_machines_follow_the_model<R: Rule>() {
    machines_follow_the_model::<R>(0..=4, 80, 1500);
}

fn machines_of_several_words_follow_the_model<R: Rule>() {
    machines_follow_the_model::<R>(5..=7, 60, 300);
}

locox_oracles::for_each_strategy!(
    small_machines_follow_the_model,
    machines_of_several_words_follow_the_model
);
