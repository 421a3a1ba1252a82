//! All sets of leases that an accelerator can have, each with all sets of slices that can be out.

use locox::accelerator::{ProfileId, SliceSet, Table};
use locox::subcube::Outage;
use locox_oracles::accelerator::{Command, Lockstep};
use std::collections::HashSet;

/// Takes each step from each state; how many states there are.
fn explore(table: Table<'static>) -> usize {
    let start = Lockstep::new(table);
    let mut seen = HashSet::from([start.model().key()]);
    let mut found = vec![start];
    let mut at = 0;
    while let Some(state) = found.get(at).cloned() {
        at += 1;
        let mut commands: Vec<Command> = vec![];
        for (id, profile) in (0..).map(ProfileId).zip(table.profiles()) {
            commands.push(Command::Allocate(id));
            commands.extend(profile.placements.iter().map(|&it| Command::Claim(id, it)));
        }
        commands.extend((0..state.model().live().len()).map(Command::Release));
        commands.push(Command::Restart);
        for command in commands {
            let mut next = state.clone();
            next.step(&command).unwrap_or_else(|mismatch| panic!("{mismatch}"));
            if seen.insert(next.model().key()) {
                found.push(next);
            }
        }
    }
    for (state, out) in
        found.iter().flat_map(|it| (1..1u32 << table.slices()).map(move |out| (it, out)))
    {
        let mut next = state.clone();
        next.step(&Command::Withdraw(SliceSet(out), Outage::Failed)).unwrap();
        // What a choice depends on, all sets of free slices, comes of outages alone.
        if next.model().live().is_empty() {
            for id in (0..table.profiles().len() as u32).map(ProfileId) {
                next.clone().step(&Command::Allocate(id)).unwrap();
            }
        }
    }
    found.len()
}

#[test]
fn in_all_states_of_an_a30_with_all_outages_the_pool_does_as_the_model() {
    // Halves: empty, a pair, one of two, the other, both; two of these, or all four at once.
    assert_eq!(explore(Table::A30), 5 * 5 + 1);
}

#[test]
fn in_all_states_of_an_a100_with_all_outages_the_pool_does_as_the_model() {
    // Lower half: two pairs of 5 states, 3g, 4g. Upper half: a pair of 5 and slice 6 of 2, or 3g. Or 7g.
    assert_eq!(explore(Table::A100), (5 * 5 + 2) * (5 * 2 + 1) + 1);
}
