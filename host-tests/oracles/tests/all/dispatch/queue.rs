//! Every discipline against a naive model: which jobs are offered in which order, and which leaves.

use crate::runner::{follows, runner};
use locox_oracles::dispatch::order::{Command, EVEN, Lockstep, Rule};
use proptest::collection::vec;
use proptest::prelude::*;

fn rules() -> impl Strategy<Value = Rule> {
    prop_oneof![
        Just(Rule::Fcfs),
        (0u32..6).prop_map(Rule::Window),
        Just(Rule::ScanUp),
        Just(Rule::ScanDown),
        prop_oneof![0u32..4, Just(u32::MAX)].prop_map(Rule::Lazy),
    ]
}

#[test]
fn every_discipline_offers_what_the_model_says() {
    let patience = prop_oneof![(0u32..5).prop_map(Some), Just(None)];
    let run = |(rule, patience, numbers): (Rule, Option<u32>, Vec<u64>)| {
        let mut run = Lockstep::new(rule, patience, 8);
        let commands = numbers.iter().map(|&number| Command::decode(number, &EVEN));
        commands.map(|command| run.step(&command)).try_for_each(follows)
    };
    let input = (rules(), patience, vec(any::<u64>(), 1..120));
    runner("dispatch", 4000).run(&input, run).unwrap();
}
