//! Pools of nodes with quantities in step with who holds what: any calls of any nodes.

use super::Draws;
use crate::runner::{follows, runner};
use locox_oracles::nodes::{Command, EVEN, Lockstep, Setup, follow};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn whatever_is_called_the_pool_does_as_the_model() {
    runner("nodes", 1000).run(&vec(any::<u64>(), 12..120), |it| follows(follow(&it))).unwrap();
}

/// What a wish is answered with.
fn answer(run: &Lockstep, at: usize) -> String {
    let model = run.model();
    let told = model.choose(&model.setup().wishes[at % model.setup().wishes.len()]);
    told.map_or_else(|it| format!("{it:?}"), |_| "granted".into())
}

#[test]
fn wishes_are_granted_and_refused_for_each_reason() {
    let (mut draws, mut answers) = (Draws(11), BTreeMap::new());
    for _ in 0..500 {
        let numbers: Vec<_> =
            (0..60).map(|_| draws.below(1 << 31) << 32 | draws.below(1 << 31)).collect();
        let (setup, rest) = Setup::decode(&numbers).unwrap();
        let (nodes, mut run) = (setup.cluster.nodes.len(), Lockstep::new(setup));
        for &number in rest {
            let command = Command::decode(nodes, number, &EVEN);
            if let Command::Allocate(at) = command {
                let answer = answer(&run, at);
                let reason = answer.split(' ').next().unwrap_or_default().to_owned();
                *answers.entry(reason).or_insert(0u32) += 1;
            }
            run.step(&command).unwrap();
        }
    }
    println!("{answers:?}");
    assert!(answers.len() == 6 && answers.values().all(|&it| it > 100), "{answers:?}");
}
