//! Every strategy against its naive model, command by command.

mod common;

use common::{dim, runner};
use locox::cube::Dim;
use locox::handle::PoolId;
use locox_oracles::{Command, Lockstep, Rule, Weights};
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    dims: Dim,
    commands: Vec<Command>,
}

fn cases(dims: impl Strategy<Value = u8>, len: usize) -> impl Strategy<Value = Case> {
    (dims, any::<u16>(), vec(any::<u64>(), 1..len)).prop_map(|(dims, swarm, numbers)| {
        let (dims, weights) = (dim(dims), Weights::swarm(swarm));
        let commands = numbers.iter().map(|&it| Command::decode(dims, it, &weights)).collect();
        Case { dims, commands }
    })
}

fn run<R: Rule>(case: &Case) -> Result<(), TestCaseError> {
    let mut pool = R::pool(PoolId(1), case.dims);
    let mut run = Lockstep::<R>::new(&mut pool);
    for command in &case.commands {
        run.step(command).map_err(|mismatch| TestCaseError::fail(mismatch.to_string()))?;
    }
    Ok(())
}

fn small_machines_follow_the_rule<R: Rule>() {
    runner("in_step", 1000).run(&cases(0u8..=5, 150), |case| run::<R>(&case)).unwrap();
}

fn machines_of_several_words_follow_the_rule<R: Rule>() {
    runner("in_step", 100).run(&cases(6u8..=8, 100), |case| run::<R>(&case)).unwrap();
}

for_each_strategy!(small_machines_follow_the_rule, machines_of_several_words_follow_the_rule);
