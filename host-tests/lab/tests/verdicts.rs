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
fn assert_verdicts(experiment: &str, expected: &[(&str, Verdict)]) {
    let claims = claims(experiment);
    for (words, verdict) in expected {
        let found = claims.iter().find(|claim| claim.statement.contains(words));
        let found = found.unwrap_or_else(|| panic!("{experiment}: nobody claims \"{words}\""));
        assert_eq!(found.verdict, *verdict, "{}: {}", found.statement, found.evidence);
    }
}

use Verdict::{DoesNotHold, Holds, SourceDoesNotSay};

#[test]
fn alternating_meshes_use_all_or_half_of_a_6_cube_with_constant_service() {
    assert_verdicts(
        "afl-constant",
        &[
            ("100 % utilisation", Holds),
            ("a load of 4.0 for AFL and 2.0 for FL", Holds),
            ("with exponential service times", DoesNotHold),
            ("on a 10-cube", DoesNotHold),
            ("twice as well", Holds),
        ],
    );
}

#[test]
fn with_uniform_sides_the_auxiliary_list_gains_where_meshes_are_large() {
    assert_verdicts(
        "afl-uniform",
        &[
            ("about the same", Holds),
            ("no leftover has more than 6 dimensions", Holds),
            ("slightly better", Holds),
        ],
    );
}

#[test]
fn among_large_meshes_small_ones_gain_from_leftovers() {
    for (experiment, less_used) in [("afl-intervals-8", Holds), ("afl-intervals-16", DoesNotHold)] {
        assert_verdicts(
            experiment,
            &[
                ("never worse", Holds),
                ("lower the utilisation", less_used),
                ("turnarounds improve", DoesNotHold),
                ("gains more", DoesNotHold),
            ],
        );
    }
    assert_verdicts("afl-intervals-16", &[("more pronounced", Holds)]);
}

#[test]
fn the_queue_matters_more_than_the_placement() {
    assert_verdicts(
        "queue-matters",
        &[
            ("Which job is next", Holds),
            ("17 to 22 percentage points; jobs: 1 to 64", Holds),
            ("3 to 7 percentage points; jobs: 1 to 64", Holds),
            ("whatever their sizes", DoesNotHold),
        ],
    );
}

#[test]
fn meshes_are_isolated_and_joined_leftovers_are_not() {
    assert_verdicts(
        "afl-isolation",
        &[
            ("A mesh and its leftover subcubes share no channel", Holds),
            ("20 x 30", Holds),
            ("5 x 5", Holds),
            ("any subcube strategy", Holds),
            ("recognises all subcubes", DoesNotHold),
            ("may go to the free list", DoesNotHold),
            ("Placed without care", Holds),
            ("no communication interference", Holds),
            ("Leftover nodes are free", SourceDoesNotSay),
        ],
    );
}
