//! Enumerations reach all that there is, counted in another way.

use locox::cube::Dim;
use locox_oracles::dispatch::order::{self, Lockstep};
use locox_oracles::exhaust::plans::{NONE, States, Torus};
use locox_oracles::exhaust::{Reach, histories, pools};
use locox_oracles::subcube::{Buddy, Complete, GrayCode, subcubes};
use std::collections::HashSet;

/// Sets of disjoint sets among these: with and without the first one.
fn disjoint(sets: &[u32], used: u32) -> usize {
    let Some((&first, rest)) = sets.split_first() else { return 1 };
    let with = if first & used == 0 { disjoint(rest, used | first) } else { 0 };
    with + disjoint(rest, used)
}

fn reach(dims: u8, claims: bool) -> Reach {
    let dims = Dim::new(dims).unwrap();
    Reach { dims, claims, reasons: &[], out: 0, leases: 8, looks: false }
}

#[test]
fn with_claims_all_sets_of_disjoint_subcubes_are_reached() {
    for dims in 0..=3 {
        let dim = Dim::new(dims).unwrap();
        let all = dim.up_to().flat_map(|it| subcubes(dim, it));
        let sets: Vec<u32> = all.map(|it| it.nodes().map(|node| 1 << node.0).sum()).collect();
        let expected = disjoint(&sets, 0) as u64;
        for counts in [pools::<Buddy>(reach(dims, true)), pools::<GrayCode>(reach(dims, true))] {
            assert_eq!((counts.states, counts.violations), (expected, 0), "{dims}");
        }
    }
}

#[test]
fn the_buddy_without_claims_has_two_halves_or_the_whole() {
    let mut expected = 2;
    for dims in 0..=3 {
        let counts = pools::<Buddy>(reach(dims, false));
        assert_eq!(counts.states, expected, "{dims}");
        // Both halves in any of their states, or leased together.
        expected = expected * expected + 1;
    }
}

#[test]
fn what_a_pool_remembers_makes_more_states() {
    let counts = |looks| pools::<Complete>(Reach { looks, ..reach(2, true) });
    assert!(counts(true).states > counts(false).states);
}

/// Classes of leases of a torus beside the leases themselves.
#[test]
fn classes_of_leases_on_a_torus_have_all_leases() {
    for axes in [[3, 2], [3, 3], [4, 3]] {
        let torus = Torus::new(axes);
        let sets: Vec<u32> = torus.boxes.iter().map(|it| it.nodes.into()).collect();
        let states = States::explore(axes).all;
        let all: usize = states.iter().map(|leases| torus.orbit(leases)).sum();
        assert_eq!(all, disjoint(&sets, 0), "{axes:?}");
        assert!(states.iter().all(|leases| leases[15] == NONE));
    }
}

/// Histories that lead to the same state as a shorter one are not made longer.
#[test]
fn histories_reach_what_all_sequences_reach() {
    let rule = order::Rule::Lazy(1);
    use order::Command::*;
    let commands =
        [Push(1, 1), Push(2, 0), Next(0), Finish(0), Cancel(0), Requeue(0), Hold(0, true)];
    let run = |history: &[&order::Command]| {
        let mut run = Lockstep::new(rule, Some(1), 2);
        history.iter().try_for_each(|command| run.step(command))?;
        Ok(run.key())
    };
    let mut reached = HashSet::new();
    for number in 0..7usize.pow(3) {
        for length in 1..=3 {
            let history: Vec<_> =
                (0..length).map(|at| &commands[number / 7usize.pow(at) % 7]).collect();
            reached.insert(run(&history).unwrap());
        }
    }
    let counts = histories(&commands, 3, run);
    assert_eq!((counts.states, counts.violations), (reached.len() as u64, 0));
    assert!(counts.states > 20, "{counts}");
}
