//! What quick runs of the experiments on meshes find.

use locox_experiments::{Effort, Lab, find};
use locox_report::progress::Progress;
use locox_report::report::{Claim, Verdict};

fn claims(experiment: &str) -> Vec<Claim> {
    let experiment = find(experiment).expect("it is registered");
    let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
    (experiment.run)(&lab).expect("it needs no traces").claims
}

/// Each claim is found by its id.
#[track_caller]
fn assert_verdicts(experiment: &str, expected: &[(&str, &[Verdict])]) {
    let claims = claims(experiment);
    for (id, verdicts) in expected {
        let found = claims.iter().find(|claim| claim.id() == *id);
        let found = found.unwrap_or_else(|| panic!("{experiment} does not judge {id}"));
        let evidence = &found.evidence;
        assert!(verdicts.contains(&found.verdict), "{id}: {:?}: {evidence}", found.verdict);
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
            ("turner-1995/p48/one-5-cube", HOLDS),
            ("turner-1995/p48/whole-5-cube", HOLDS),
            ("turner-1995/p48/no-room", HOLDS),
            ("turner-1995/p48/utilisation@10-cube-exponential-service", DOES_NOT_HOLD),
            ("turner-1995/p48/knee@10-cube-exponential-service", DOES_NOT_HOLD),
            ("turner-1995/p48/twice@10-cube-exponential-service", DOES_NOT_HOLD),
            ("turner-1995/p48/utilisation@10-cube-constant-service", HOLDS_IN_PART),
            ("turner-1995/p48/utilisation@6-cube-exponential-service", DOES_NOT_HOLD),
            ("turner-1995/p48/utilisation-6-cube", HOLDS),
            ("turner-1995/p48/knee-6-cube", HOLDS),
            ("turner-1995/p48/twice-6-cube", HOLDS),
            (
                "turner-1995/p128/throughput@4-x-6-and-4-x-2-in-turn-10-cube-exponential-service",
                DOES_NOT_HOLD,
            ),
            ("turner-1995/p128/throughput-6-cube", HOLDS),
            ("turner-1995/p128/turnaround-6-cube", HOLDS),
        ],
    );
}

#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn with_uniform_sides_the_auxiliary_list_gains_where_meshes_are_large() {
    assert_verdicts(
        "afl-uniform",
        &[
            // A list that joins pairs alone; with a search both are about the same.
            ("turner-1995/p49/same@utilisation-pairs-joined", DOES_NOT_HOLD),
            ("turner-1995/p49/same@turnaround-pairs-joined", NOT_HELD),
            ("turner-1995/p49/same@utilisation-searched", NOT_DENIED),
            ("turner-1995/p49/same@turnaround-searched", NOT_DENIED),
            ("turner-1995/p49/at-most-6", HOLDS),
            ("turner-1995/p49/better-utilisation@pairs-joined", HOLDS),
            ("turner-1995/p49/better-utilisation@searched", HOLDS),
            ("turner-1995/p49/better-turnaround@pairs-joined", NOT_DENIED),
            ("turner-1995/p51/more-satisfied@pairs-joined", NOT_FOUND),
        ],
    );
}

#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn among_large_meshes_small_ones_gain_from_leftovers() {
    assert_verdicts(
        "afl-intervals-8",
        &[
            ("turner-1995/p128/throughput@small-sides-in-1-8-pairs-joined", HOLDS),
            ("turner-1995/p128/throughput@small-sides-in-1-8-searched", HOLDS),
            ("turner-1995/p128/throughput@small-sides-in-1-8-drawn-by-side", NOT_DENIED),
            ("turner-1995/p128/turnaround@small-sides-in-1-8-pairs-joined", NOT_DENIED),
            ("turner-1995/p128/turnaround@small-sides-in-1-8-searched", NOT_DENIED),
            (
                "turner-1995/p42/often-unnecessary@small-sides-in-1-8-step-4-of-figure-3-9",
                DOES_NOT_HOLD,
            ),
            (
                "turner-1995/p42/often-unnecessary@small-sides-in-1-8-three-kinds-of-deallocation",
                NOT_HELD,
            ),
            ("turner-1995/p52/utilisation@drawn-by-job", NOT_DENIED),
            ("turner-1995/p52/turnaround", NOT_DENIED),
            ("turner-1995/p54/some-in-leftovers@drawn-by-job", HOLDS),
            ("turner-1995/p54/more-in-leftovers@drawn-by-job", NOT_FOUND),
            ("turner-1995/p54/turnaround", NOT_FOUND),
        ],
    );
    assert_verdicts(
        "afl-intervals-16",
        &[
            ("turner-1995/p128/throughput@small-sides-in-1-16-pairs-joined", HOLDS),
            ("turner-1995/p128/turnaround@small-sides-in-1-16-pairs-joined", NOT_DENIED),
            (
                "turner-1995/p42/often-unnecessary@small-sides-in-1-16-step-4-of-figure-3-9",
                DOES_NOT_HOLD,
            ),
            ("turner-1995/p65/fewer-in-leftovers", HOLDS),
            ("turner-1995/p65/more-pronounced@load-at-which-turnarounds-grow-without-end", HOLDS),
            ("turner-1995/p65/similar@turnaround", NOT_DENIED),
            ("turner-1995/p65/similar@utilisation", NOT_DENIED),
            ("turner-1995/fig4.22/rafl", SOURCE_DOES_NOT_SAY),
        ],
    );
}

#[test]
fn the_rules_as_printed_lose_nodes() {
    assert_verdicts(
        "afl-printed",
        &[
            ("turner-1995/p40/restored@the-rules-as-printed", DOES_NOT_HOLD),
            ("turner-1995/p40/restored@the-kernel-s-rules", HOLDS),
        ],
    );
}

#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn the_queue_matters_more_than_the_placement() {
    assert_verdicts(
        "queue-matters",
        &[
            ("turner-1995/p11/fcfs-blocks", HOLDS),
            ("turner-1995/p21/queue-before-placement", HOLDS),
            ("locox/queue/window-lifts@jobs-1-to-64-nodes-equally-frequent", NOT_DENIED),
            ("locox/queue/complete-lifts@jobs-1-to-64-nodes-equally-frequent", NOT_DENIED),
            ("krueger-1994/abstract/far-more-impact@scan-up", NOT_DENIED),
            ("mohapatra-1993/abstract/lazy-over-fcfs", NOT_DENIED),
        ],
    );
}

#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn meshes_are_isolated_and_joined_leftovers_are_not() {
    assert_verdicts(
        "afl-isolation",
        &[
            ("turner-1995/p35/theorem-1", HOLDS),
            ("turner-1995/p36/proof-case-1", DOES_NOT_HOLD),
            ("turner-1995/p34/20-x-30", HOLDS),
            ("turner-1995/fig3.4/5-x-5", HOLDS),
            ("turner-1995/p39/coalesced", HOLDS),
            ("turner-1995/p7/any-size", HOLDS_IN_PART),
            ("turner-1995/p129/any-strategy", HOLDS),
            ("turner-1995/p34/joined-across", DOES_NOT_HOLD),
            ("turner-1995/fig3.9/step-4", DOES_NOT_HOLD),
            ("turner-1995/p26/contention@on-one-channel", HOLDS),
            ("turner-1995/p26/contention@in-time", HOLDS),
            ("turner-1995/p128/no-interference@the-rules-as-printed", NOT_HELD),
            ("turner-1995/p128/no-interference@the-kernel-s-rules", HOLDS),
            ("turner-1995/p35/routers", DOES_NOT_HOLD),
        ],
    );
}
