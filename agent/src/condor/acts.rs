//! The commands for an act.

use std::collections::HashMap;

use super::ads::is_slot;
use crate::backend::Act;

/// What is to be known of a job to act on it, from the last snapshot.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Owner and domain.
    pub(super) user: String,
    pub(super) has_gate: bool,
    pub(super) waits: bool,
    pub(super) rank: u32,
}

/// By name.
pub(super) type Jobs = HashMap<String, Known>;

/// One step of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Runs a command.
    Run(Vec<String>),
    /// Puts a job that was submitted before there was a gate behind it: its own requirements are asked for first.
    Close(String),
    /// Advertises a mark.
    Advertise(String),
}

/// Which slot a job may take: one, any, or none.
pub(super) const GATE: &str = "(MY.LocoxSlot =?= TARGET.Name || MY.LocoxSlot =?= \"any\")";

/// The steps of an act; none if there is nothing to do. An error is a refusal.
pub(super) fn steps(act: &Act, jobs: &Jobs) -> Result<Vec<Step>, String> {
    let known = |job: &str| jobs.get(job).ok_or_else(|| format!("job {job} was not seen last"));
    match act {
        Act::Start { job, nodes } => match nodes.as_slice() {
            [slot] if is_slot(slot) => {
                Ok(closed(job, known(job)?, vec![edit(job, &[("LocoxSlot", &quoted(slot))])]))
            }
            _ => Err(format!("a job takes one slot, not {}", nodes.len())),
        },
        Act::Stop { job } => {
            let vacate = Step::Run(vec!["condor_vacate_job".into(), job.clone()]);
            Ok(closed(job, known(job)?, vec![edit(job, &[("LocoxSlot", "undefined")]), vacate]))
        }
        Act::Gate { job } => {
            Ok(closed(job, known(job)?, vec![edit(job, &[("LocoxSlot", "undefined")])]))
        }
        Act::Prioritise { job, rank } if known(job)?.rank == *rank => Ok(vec![]),
        Act::Prioritise { job, rank } => {
            Ok(vec![edit(job, &[("PreJobPrio1", &(rank / 2).to_string())])])
        }
        Act::Release { job } => {
            known(job)?;
            Ok(vec![edit(job, &[("LocoxSlot", &quoted("any")), ("PreJobPrio1", "undefined")])])
        }
        Act::Mark { text }
            if text.bytes().all(|byte| {
                byte.is_ascii_graphic() && !b"\"\\".contains(&byte) || byte == b' '
            }) =>
        {
            Ok(vec![Step::Advertise(text.clone())])
        }
        Act::Mark { .. } => Err("a mark is ASCII without quotes".into()),
    }
}

fn closed(job: &str, known: &Known, mut steps: Vec<Step>) -> Vec<Step> {
    if !known.has_gate {
        steps.insert(0, Step::Close(job.to_owned()));
    }
    steps
}

fn edit(job: &str, pairs: &[(&str, &str)]) -> Step {
    let mut words = vec!["condor_qedit".to_owned(), job.to_owned()];
    words.extend(pairs.iter().flat_map(|(name, value)| [(*name).to_owned(), (*value).to_owned()]));
    Step::Run(words)
}

/// What puts a job with these requirements behind the gate.
pub(super) fn close(job: &str, requirements: &str) -> Vec<String> {
    let pairs = [
        "LocoxGate".to_owned(),
        "true".to_owned(),
        "Requirements".to_owned(),
        format!("({requirements}) && {GATE}"),
    ];
    ["condor_qedit".to_owned(), job.to_owned()].into_iter().chain(pairs).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// Users in the order of their most urgent job that waits, when these ranks are given: the manager orders the jobs
/// of one user by ranks, and users by priorities of their own.
pub(super) fn order_of_users(acts: &[Act], jobs: &Jobs) -> Vec<String> {
    let given: HashMap<&str, u32> = acts
        .iter()
        .filter_map(|act| {
            if let Act::Prioritise { job, rank } = act { Some((job.as_str(), *rank)) } else { None }
        })
        .collect();
    let mut best: HashMap<&str, u32> = HashMap::new();
    for (name, known) in jobs.iter().filter(|(_, known)| known.waits) {
        let rank = given.get(name.as_str()).copied().unwrap_or(known.rank);
        let entry = best.entry(&known.user).or_insert(rank);
        *entry = rank.max(*entry);
    }
    let mut users: Vec<_> = best.into_iter().collect();
    users.sort_by(|(a, first), (b, second)| second.cmp(first).then(a.cmp(b)));
    users.into_iter().map(|(user, _)| user.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{GATE, Jobs, Known, Step, close, order_of_users, steps};
    use crate::backend::Act;

    fn jobs() -> Jobs {
        let known =
            |user: &str, has_gate, rank| Known { user: user.into(), has_gate, waits: true, rank };
        [("1.0", known("anna@a", true, 7)), ("2.0", known("bert@a", false, 8))]
            .map(|(name, known)| (name.to_owned(), known))
            .into()
    }

    fn run(words: &[&str]) -> Step {
        Step::Run(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn each_act_is_said_as_htcondor_wants_it() {
        let of = |act: Act| steps(&act, &jobs()).unwrap();
        let start = |job: &str| Act::Start { job: job.into(), nodes: vec!["slot3@a".into()] };
        let edited = |job: &str| run(&["condor_qedit", job, "LocoxSlot", "\"slot3@a\""]);
        assert_eq!(of(start("1.0")), [edited("1.0")]);
        assert_eq!(of(start("2.0")), [Step::Close("2.0".into()), edited("2.0")]);
        assert_eq!(
            of(Act::Stop { job: "1.0".into() }),
            [
                run(&["condor_qedit", "1.0", "LocoxSlot", "undefined"]),
                run(&["condor_vacate_job", "1.0"])
            ]
        );
        assert_eq!(
            of(Act::Prioritise { job: "1.0".into(), rank: 5 }),
            [run(&["condor_qedit", "1.0", "PreJobPrio1", "2"])]
        );
        assert_eq!(of(Act::Prioritise { job: "1.0".into(), rank: 7 }), []);
        assert_eq!(
            of(Act::Release { job: "1.0".into() }),
            [run(&["condor_qedit", "1.0", "LocoxSlot", "\"any\"", "PreJobPrio1", "undefined"])]
        );
        assert_eq!(close("2.0", "x > 1")[5], format!("(x > 1) && {GATE}"));
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let is_refused = |act: Act| steps(&act, &jobs()).is_err();
        assert!(is_refused(Act::Stop { job: "3.0".into() }));
        assert!(is_refused(Act::Start { job: "1.0".into(), nodes: vec![] }));
        assert!(is_refused(Act::Start { job: "1.0".into(), nodes: vec!["a\"b".into()] }));
        assert!(
            is_refused(Act::Mark { text: "a\"".into() })
                && is_refused(Act::Mark { text: "a\nb".into() })
        );
    }

    #[test]
    fn users_stand_in_the_order_of_their_most_urgent_jobs() {
        assert_eq!(order_of_users(&[], &jobs()), ["bert@a", "anna@a"]);
        let raised = [Act::Prioritise { job: "1.0".into(), rank: 9 }];
        assert_eq!(order_of_users(&raised, &jobs()), ["anna@a", "bert@a"]);
    }
}
