//! A storm that finds nothing that is planted would prove nothing.

use locox_storm::{Claim, Planted, Worlds, run, shrunk};

/// Worlds in which it is to be found.
const ENOUGH: u64 = 400;

const fn worlds(planted: Planted) -> Worlds {
    let planted = Some(planted);
    Worlds { first: 0, count: Some(ENOUGH), time: None, days: Some(6), jobs: 2, planted }
}

#[test]
fn each_planted_defect_is_found() {
    for planted in Planted::ALL {
        let failed = run(worlds(*planted)).failed;
        let failed = failed.unwrap_or_else(|| panic!("{} is not found", planted.word()));
        let claim = failed.violation.claim;
        assert!(planted.claims().contains(&claim), "{}: {}", planted.word(), failed.violation);
    }
}

#[test]
fn something_is_planted_for_each_claim_but_what_only_a_coordinator_can_break() {
    for claim in Claim::ALL.into_iter().filter(|claim| *claim != Claim::Invariants) {
        assert!(Planted::ALL.iter().any(|planted| planted.claims().contains(&claim)), "{claim:?}");
    }
}

#[test]
fn what_fails_is_shrunk_to_the_commands_without_which_it_does_not() {
    let worlds = worlds(Planted::GatewayDropsReleases);
    let failed = run(worlds).failed.expect("it is found");
    let small = shrunk(worlds, &failed);
    assert!(small.before > 20, "{small:?}");
    let [command] = &small.commands[..] else { panic!("{small:?}") };
    assert!(command.contains("Lease"), "{command}");
    assert_eq!(small.violation.claim, Claim::NoNodeLeaked);
}
