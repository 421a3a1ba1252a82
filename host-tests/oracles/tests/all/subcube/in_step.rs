//! Every strategy against its naive model, command by command.

use super::common::{commands, dim};
use crate::runner::{follows, runner};
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{Effort, Refusal};
use locox_oracles::subcube::{
    Answer, Buddy, Client, Command, Complete, EVEN, GrayCode, Lockstep, Rule,
};
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    dims: Dim,
    commands: Vec<Command>,
}

fn cases(dims: impl Strategy<Value = u8>, len: usize) -> impl Strategy<Value = Case> {
    (dims, any::<u16>(), vec(any::<u64>(), 1..len)).prop_map(|(dims, swarm, numbers)| {
        let (dims, weights) = (dim(dims), EVEN.swarm(swarm.into()));
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

/// Under any effort the cube granted is the rule's, unless the search was given up.
#[test]
fn an_answer_of_little_effort_is_the_exact_one_or_undecided() {
    let run = |(effort, case): (u64, Case)| {
        let mut pool = Complete::pool(PoolId(1), case.dims);
        let mut exact = Lockstep::<Complete>::new(&mut pool);
        let mut small = Complete::pool(PoolId(1), case.dims);
        small.set_effort(Effort(effort));
        let mut client = Client::new(PoolId(1), case.dims);
        for command in &case.commands {
            let expected = exact.step(command).map_err(|it| TestCaseError::fail(it.to_string()))?;
            let answer = client.run(&mut small, command);
            match &answer {
                // From here on the two machines differ.
                Answer::Allocated(Err(Refusal::Undecided)) => return Ok(()),
                Answer::Fits(Err(Refusal::Undecided)) => {}
                Answer::Allocated(Err(Refusal::Fragmented { largest })) => {
                    let Answer::Allocated(Err(Refusal::Fragmented { largest: exact })) = expected
                    else {
                        return Err(TestCaseError::fail("a wrong refusal"));
                    };
                    prop_assert!(*largest <= exact);
                }
                _ => prop_assert_eq!(format!("{answer:?}"), format!("{expected:?}")),
            }
        }
        Ok(())
    };
    runner("in_step", 200).run(&(0u64..3000, cases(3u8..=8, 60)), run).unwrap();
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
