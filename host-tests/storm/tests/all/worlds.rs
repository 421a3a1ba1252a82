//! Worlds in which nothing is planted.

use locox_storm::{Worlds, run};

const SHORT: Worlds =
    Worlds { first: 0, count: Some(24), time: None, days: Some(8), jobs: 2, planted: None };

#[test]
fn no_claim_is_broken_in_short_worlds_that_met_everything() {
    let found = run(SHORT);
    println!("{}", found.figures);
    let failed = found.failed.map(|failed| (failed.seed, failed.violation.to_string()));
    assert_eq!(failed, None);
    let met = found.figures;
    assert!(met.jobs > 500 && met.starts > 400 && met.recoveries > 100, "{met:?}");
    let packets = [met.lost, met.doubled, met.late, met.damaged, met.parted];
    assert!(packets.into_iter().all(|count| count > 100), "{met:?}");
    let others = [met.machines, met.owners, met.leases, met.kills, met.stores_failed, met.troubles];
    assert!(others.into_iter().all(|count| count > 20), "{met:?}");
    let rare = [met.replayed, met.forged, met.bits, met.went_back, met.clocks];
    assert!(rare.into_iter().all(|count| count > 0), "{met:?}");
}

#[test]
fn a_world_follows_from_its_seed() {
    let one = Worlds { first: 7, count: Some(1), jobs: 1, ..SHORT };
    assert_eq!(run(one).figures, run(one).figures);
}
