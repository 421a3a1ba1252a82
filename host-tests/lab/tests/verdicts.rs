//! What quick runs of the experiments on meshes find.

use locox_lab::experiments::{Effort, Lab, find};
use locox_lab::progress::Progress;
use locox_lab::report::{Claim, Verdict};

fn claims(experiment: &str) -> Vec<Claim> {
    let experiment = find(experiment).expect("it is registered");
    let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
    (experiment.run)(&lab).expect("it needs no traces").claims
}

/// Each claim is found by words of its statement.
#[track_caller]
fn assert_verdicts(experiment: &str, expected: &[(&str, &[Verdict])]) {
    let claims = claims(experiment);
    for (words, verdicts) in expected {
        let found = claims.iter().find(|claim| claim.statement.contains(words));
        let found = found.unwrap_or_else(|| panic!("{experiment}: nobody claims \"{words}\""));
        let (statement, evidence) = (&found.statement, &found.evidence);
        assert!(verdicts.contains(&found.verdict), "{statement}: {:?}: {evidence}", found.verdict);
    }
}

const HOLDS: &[Verdict] = &[Verdict::Holds];
const HOLDS_IN_PART: &[Verdict] = &[Verdict::HoldsInPart];
const DOES_NOT_HOLD: &[Verdict] = &[Verdict::DoesNotHold];
const SOURCE_DOES_NOT_SAY: &[Verdict] = &[Verdict::SourceDoesNotSay];
/// What a quick run may leave open, but not contradict.
const NOT_DENIED: &[Verdict] = &[Verdict::Holds, Verdict::HoldsInPart, Verdict::Undecided];
const NOT_FOUND: &[Verdict] = &[Verdict::Undecided, Verdict::DoesNotHold];

#[test]
fn alternating_meshes_use_all_or_half_of_a_6_cube_with_constant_service() {
    assert_verdicts(
        "afl-constant",
        &[
            ("100 % utilisation", HOLDS),
            ("a load of 4.0 for AFL and 2.0 for FL", HOLDS),
            ("with exponential service times", DOES_NOT_HOLD),
            ("on a 10-cube", HOLDS_IN_PART),
            ("twice as well", HOLDS),
        ],
    );
}

#[test]
fn with_uniform_sides_the_auxiliary_list_gains_where_meshes_are_large() {
    assert_verdicts(
        "afl-uniform",
        &[
            ("about the same", HOLDS),
            ("no leftover has more than 6 dimensions", HOLDS),
            ("slightly better", HOLDS),
        ],
    );
}

#[test]
fn among_large_meshes_small_ones_gain_from_leftovers() {
    for experiment in ["afl-intervals-8", "afl-intervals-16"] {
        assert_verdicts(
            experiment,
            &[
                ("generally increases throughput", HOLDS),
                ("lower the utilisation", NOT_DENIED),
                ("turnarounds improve", NOT_FOUND),
            ],
        );
    }
    assert_verdicts("afl-intervals-16", &[("more pronounced", HOLDS)]);
}

#[test]
fn the_queue_matters_more_than_the_placement() {
    assert_verdicts(
        "queue-matters",
        &[
            ("Which job is next", HOLDS),
            ("17 to 22 percentage points; jobs: 1 to 64", NOT_DENIED),
            ("3 to 7 percentage points; jobs: 1 to 64", NOT_DENIED),
        ],
    );
}

#[test]
fn meshes_are_isolated_and_joined_leftovers_are_not() {
    assert_verdicts(
        "afl-isolation",
        &[
            ("A mesh and its leftover subcubes share no channel", HOLDS),
            ("20 x 30", HOLDS),
            ("5 x 5", HOLDS),
            ("any subcube strategy", HOLDS),
            ("recognises all subcubes", DOES_NOT_HOLD),
            ("may go to the free list", DOES_NOT_HOLD),
            ("Placed without care", HOLDS),
            ("no communication interference", HOLDS),
            ("Leftover nodes are free", SOURCE_DOES_NOT_SAY),
        ],
    );
}
