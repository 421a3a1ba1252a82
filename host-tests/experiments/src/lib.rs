//! Named experiments. A new one is a file here and a line in [`ALL`], with a wrong rule to be caught by a test.

mod afl_constant;
mod afl_intervals;
mod afl_isolation;
mod afl_printed;
mod afl_uniform;
mod backfill_reference;
mod condor_month;
mod difference;
mod elmer;
mod grid_fragmentation;
mod lab;
mod load_sweep;
mod loss_system;
mod pjs;
mod placement_optimum;
mod pools;
mod queue_matters;
mod reservations;
mod shared_nodes;
mod slices_optimum;
mod sources;
mod subcube_recognition;
mod thresholds;
mod torus_line;
mod updown_example;
mod updown_forever;
mod updown_functions;
mod updown_scale;
mod updown_study;
mod where_and_when;

pub use lab::{Effort, Experiment, Findings, Lab, is_of};

/// All experiments, in the order in which `--all` runs them.
pub static ALL: &[Experiment] = &[
    subcube_recognition::EXPERIMENT,
    afl_constant::EXPERIMENT,
    afl_uniform::EXPERIMENT,
    afl_intervals::EIGHT,
    afl_intervals::SIXTEEN,
    afl_printed::EXPERIMENT,
    afl_isolation::EXPERIMENT,
    queue_matters::EXPERIMENT,
    placement_optimum::EXPERIMENT,
    slices_optimum::EXPERIMENT,
    grid_fragmentation::EXPERIMENT,
    updown_study::EXPERIMENT,
    updown_example::EXPERIMENT,
    updown_functions::EXPERIMENT,
    condor_month::EXPERIMENT,
    updown_scale::EXPERIMENT,
    updown_forever::EXPERIMENT,
    elmer::ALONE,
    elmer::MODEL,
    elmer::DAEMON,
    elmer::EP,
    elmer::SAME,
    elmer::DIFFERENT,
    elmer::PARTIAL,
    elmer::SUBSET,
    elmer::FCHP,
    elmer::PLACEMENT,
    elmer::OVERHEAD,
    reservations::SIZES,
    reservations::LOAD,
    reservations::FLEXIBILITY,
    backfill_reference::EXPERIMENT,
    where_and_when::EXPERIMENT,
    torus_line::EXPERIMENT,
    shared_nodes::EXPERIMENT,
    pjs::OVERHEAD,
    pjs::PERFORMANCE,
    pjs::PRIORITY,
    pjs::PREEMPTION,
    pjs::PREDICTIONS,
];

/// The experiment of that name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    ALL.iter().find(|experiment| experiment.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_fit_a_command_line() {
        let names: HashSet<_> = ALL.iter().map(|experiment| experiment.name).collect();
        assert_eq!(names.len(), ALL.len());
        for name in names {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(plain), "{name}");
        }
    }

    /// What a claim says of the same thing, as it is and with the wrong rule.
    fn turns([sound, planted]: [Verdict; 2]) -> bool {
        use Verdict::{DoesNotHold, Holds, HoldsInPart};
        matches!(
            [sound, planted],
            [Holds | HoldsInPart, DoesNotHold] | [DoesNotHold, Holds | HoldsInPart]
        )
    }

    /// No experiment compiles without a wrong rule; here each is run through its models.
    #[test]
    fn a_wrong_rule_in_the_models_turns_a_verdict_of_each_experiment() {
        for experiment in ALL {
            let [sound, planted] = (experiment.planted)();
            let told = [&sound, &planted].map(|claims| {
                let told = claims.iter().map(|claim| (claim.id(), claim.verdict));
                told.collect::<Vec<_>>()
            });
            for claim in sound.iter().chain(&planted) {
                let is_its = experiment.statements.contains(&claim.statement);
                assert!(is_its, "{} does not judge {}", experiment.name, claim.id());
            }
            let turned = sound.iter().any(|claim| {
                let other = planted.iter().find(|other| other.id() == claim.id());
                other.is_some_and(|other| turns([claim.verdict, other.verdict]))
            });
            assert!(turned, "{}: {told:?}", experiment.name);
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(lab.parallel(&items, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
    }
}
