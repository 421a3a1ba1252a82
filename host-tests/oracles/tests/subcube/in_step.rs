//! Every strategy against its naive model, command by command.

use crate::common::{commands, dim};
use crate::runner::{follows, runner};
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::Effort;
use locox_oracles::subcube::{Buddy, Command, Complete, EVEN, GrayCode, Lockstep, Rule};
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    dims: Dim,
    commands: Vec<Command>,
}

fn cases(dims: impl Strategy<Value = u8>, len: usize) -> impl Strategy<Value = Case> {
    (dims, any::<u16>(), vec(any::<u64>(), 1..len)).prop_map(|(dims, swarm, numbers)| {
        let (dims, weights) = (dim(dims), EVEN.swarm(swarm));
        let commands = numbers.iter().map(|&it| Command::decode(dims, it, &weights)).collect();
        Case { dims, commands }
    })
}

fn run<R: Rule>(case: &Case) -> Result<(), TestCaseError> {
    follow(Lockstep::<R>::new(&mut R::pool(PoolId(1), case.dims)), case)
}

fn follow<R: Rule>(mut run: Lockstep<R>, case: &Case) -> Result<(), TestCaseError> {
    case.commands.iter().map(|command| run.step(command)).try_for_each(follows)
}

fn small_machines_follow_the_rule<R: Rule>() {
    runner("in_step", 1000).run(&cases(0u8..=5, 150), |case| run::<R>(&case)).unwrap();
}

fn machines_of_several_words_follow_the_rule<R: Rule>() {
    runner("in_step", 100).run(&cases(6u8..=8, 100), |case| run::<R>(&case)).unwrap();
}

#[test]
fn complete_follows_its_rule_under_any_effort() {
    let effort = prop_oneof![(0u32..=40).prop_map(Effort), Just(Effort::EXACT)];
    let run = |(effort, case): (Effort, Case)| {
        let mut pool = Complete::pool(PoolId(1), case.dims);
        pool.set_effort(effort);
        follow(Lockstep::under(&mut pool, Complete::with_effort(effort)), &case)
    };
    runner("in_step", 300).run(&(effort, cases(3u8..=7, 60)), run).unwrap();
}

/// From 13 dimensions on, bit vectors have summaries of summaries. Only these two models look at few
/// enough subcubes.
#[test]
fn a_machine_of_8192_nodes_follows_the_rule_of_the_buddy_and_of_the_gray_code() {
    let commands: Vec<_> = commands(dim(13), 60).collect();
    let case = Case { dims: dim(13), commands };
    run::<Buddy>(&case).unwrap();
    run::<GrayCode>(&case).unwrap();
}

locox_oracles::for_each_strategy!(
    small_machines_follow_the_rule,
    machines_of_several_words_follow_the_rule
);
