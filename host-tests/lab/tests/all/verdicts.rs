//! What quick runs of the experiments on meshes find.

use locox_experiments::{Effort, Lab, find};
use locox_report::progress::Progress;
use locox_report::report::{Claim, Verdict};

fn claims(experiment: &str) -> Vec<Claim> {
    let experiment = find(experiment).expect("it is registered");
    let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
    (experiment.run)(&lab).expect("it needs no traces").claims
}

/// Each claim is found by its id, or by words of its statement.
#[track_caller]
fn assert_verdicts(experiment: &str, expected: &[(&str, &[Verdict])]) {
    let claims = claims(experiment);
    for (words, verdicts) in expected {
        let found =
            claims.iter().find(|claim| claim.says().contains(words) || claim.id() == *words);
        let found = found.unwrap_or_else(|| panic!("{experiment}: nobody claims \"{words}\""));
        let (statement, evidence) = (found.says(), &found.evidence);
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
const NOT_HELD: &[Verdict] = &[Verdict::HoldsInPart, Verdict::Undecided, Verdict::DoesNotHold];

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
            ("generally increases throughput", HOLDS_IN_PART),
            ("generally decreases turnarounds", NOT_DENIED),
        ],
    );
}

#[test]
fn with_uniform_sides_the_auxiliary_list_gains_where_meshes_are_large() {
    assert_verdicts(
        "afl-uniform",
        &[
            // The list of the source joins pairs alone; with ours both are about the same.
            ("they sustain the same load", DOES_NOT_HOLD),
            ("turnarounds are as long", NOT_HELD),
            ("no leftover has more than 6 dimensions", HOLDS),
            ("slightly better", HOLDS),
        ],
    );
}

#[test]
fn among_large_meshes_small_ones_gain_from_leftovers() {
    let of_both = [
        ("generally increases throughput", HOLDS),
        ("generally decreases turnarounds", NOT_DENIED),
        ("often finds its leftover free", HOLDS),
    ];
    let of_section_4_2 = [
        ("lower the utilisation", NOT_DENIED),
        ("runs in leftovers", HOLDS),
        ("find room in leftovers", NOT_FOUND),
        ("turnarounds improve", NOT_FOUND),
        ("a share of the jobs", NOT_DENIED),
        ("a share of the sides", NOT_HELD),
        ("rather than of the sides", HOLDS),
    ];
    let of_section_4_3 = [
        ("more pronounced", HOLDS),
        ("turnaround changes alike", NOT_DENIED),
        ("utilisation changes alike", NOT_DENIED),
        ("a third curve, RAFL", SOURCE_DOES_NOT_SAY),
    ];
    assert_verdicts("afl-intervals-8", &[&of_both[..], &of_section_4_2].concat());
    assert_verdicts("afl-intervals-16", &[&of_both[..], &of_section_4_3].concat());
}

#[test]
fn the_rules_as_printed_lose_nodes() {
    assert_verdicts("afl-printed", &[("restore the original k-cube", DOES_NOT_HOLD)]);
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
