//! Recorded runs of [`locox_coordinators::site`].

use crate::site::{Rules, Study, Submission, history};
use locox_recorded::site::MadeOf;

/// Runs jobs on the site of the study, whose coordinator is told the truth about run times, and
/// writes down what it was told, up to so many commands. Same rules and jobs, same bytes.
pub fn record_site(rules: &Rules, jobs: &[Submission], most: u64) -> Vec<u8> {
    let rules = Rules { told: None, ..rules.clone() };
    let made_of = MadeOf { config: rules.config, queues: rules.queues.len(), jobs: jobs.len() };
    let mut bytes = made_of.head();
    bytes.extend(history(&Study::new(), &rules, jobs, most));
    bytes
}
