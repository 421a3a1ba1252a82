//! What `scontrol` is told, and what it answers.

use std::collections::HashMap;

use super::hostlist::compress;
use super::nodes::pack;
use super::queue::FAR;
use super::ranks;
use crate::backend::{Act, Outcome};

/// What is to be known of a job to act on it, from the last snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its number.
    pub(super) id: u64,
    /// Priority 0: its owner or an administrator holds it.
    pub(super) held: bool,
    /// Its gate is closed.
    pub(super) gated: bool,
    pub(super) priority: u32,
    /// As its owner said.
    pub(super) nice: i64,
    /// Slurm has forgotten that for a rank, which is there no more.
    pub(super) is_nice_lost: bool,
    /// The command that holds it as it is held.
    pub(super) hold: Option<&'static str>,
    /// When it was submitted first.
    pub(super) born: u32,
    /// Before when its owner does not want it to start.
    pub(super) begin: Option<u64>,
    /// It was gone, and has come back.
    pub(super) is_back: bool,
    /// As many nodes as it asks for now.
    pub(super) nodes: u32,
    /// Whether the nodes that it asks for by name are the agent's choice.
    pub(super) is_placed: bool,
    /// As many nodes as its owner asked for, if the agent has changed that.
    pub(super) asked: Option<u32>,
}

impl Known {
    /// Whether what its owner said of its urgency can be said again. Holds of Slurm's own have no command.
    pub(super) const fn gives_nice(&self) -> bool {
        self.is_nice_lost && (!self.held || self.hold.is_some())
    }

    /// What takes back the nodes that were chosen.
    fn back(&self) -> String {
        let places = if self.is_placed { " ReqNodeList=" } else { "" };
        let nodes =
            self.asked.map_or_else(String::new, |nodes| format!(" NumNodes={nodes}-{nodes}"));
        format!("{places}{nodes}")
    }
}

/// What is known from the last snapshot.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) now: u64,
    pub(super) jobs: HashMap<String, Known>,
    /// The node whose comment is the mark, and whether somebody else wrote one there.
    pub(super) marked: Option<String>,
    pub(super) foreign: bool,
}

/// The commands for an act; none if there is nothing to do. An error is a refusal.
pub(super) fn commands(act: &Act, seen: &Seen) -> Result<Vec<String>, String> {
    let known = |job: &str| {
        seen.jobs.get(job).copied().ok_or_else(|| format!("job {job} was not seen last"))
    };
    match act {
        Act::Start { job, nodes } => {
            let known = known(job)?;
            let count = nodes.len();
            // In this order: a list of nodes that is longer than the number of nodes would raise that.
            let number = if known.nodes as usize == count {
                String::new()
            } else {
                format!(" NumNodes={count}-{count}")
            };
            let places = compress(nodes);
            Ok(vec![format!("update JobId={job}{number} ReqNodeList={places} StartTime=now")])
        }
        Act::Stop { job } => {
            known(job)?;
            // A job that is put back does not start for two minutes: time enough to close the gate, and no hold
            // that would stay if nobody came to do so.
            Ok(vec![
                format!("requeue {job}"),
                format!("update JobId={job} StartTime=uts{}", seen.now + FAR),
            ])
        }
        Act::Gate { job } => {
            let known = known(job)?;
            let begin = known.begin.unwrap_or(0).max(seen.now);
            let (back, begin) = (known.back(), begin + FAR);
            let mut commands = vec![format!("update JobId={job}{back} StartTime=uts{begin}")];
            commands.extend(known.is_back.then(|| format!("uhold {job}")));
            Ok(commands)
        }
        Act::Prioritise { job, rank } => {
            let known = known(job)?;
            let priority = ranks::priority(*rank);
            // A priority would end a hold.
            let idle = known.held || known.priority == priority;
            Ok(if idle {
                vec![]
            } else {
                vec![format!("update JobId={} Priority={priority}", leader(job))]
            })
        }
        Act::Release { job } => {
            let known = known(job)?;
            let (back, leader) = (known.back(), leader(job));
            let start = known.begin.map_or_else(|| "now".into(), |time| format!("uts{time}"));
            let start = if known.gated { format!(" StartTime={start}") } else { String::new() };
            let mut commands = vec![format!("update JobId={leader}{back}{start}")];
            commands.retain(|_| !back.is_empty() || known.gated);
            if ranks::is_agents(known.priority) {
                // Slurm works out the priority anew; it has forgotten what goes into that.
                commands.push(format!("release {leader}"));
                let nice = known.nice;
                commands.extend((nice != 0).then(|| format!("update JobId={leader} Nice={nice}")));
            } else if known.gives_nice() {
                commands.extend(nice_again(leader, &known, seen.now));
            }
            Ok(commands)
        }
        Act::Mark { .. } if seen.foreign => {
            let node = seen.marked.as_deref().unwrap_or("?");
            Err(format!(
                "node {node} has a comment of somebody else's: `scontrol update NodeName={node} Comment=` frees it"
            ))
        }
        Act::Mark { text } => {
            let node = seen.marked.as_deref().ok_or("no node was seen")?;
            Ok(vec![format!("update NodeName={node} Comment={}", pack(text))])
        }
    }
}

/// Slurm ends a hold with a new nice: it is held again, and cannot start in between.
fn nice_again(job: &str, known: &Known, now: u64) -> Vec<String> {
    let nice = format!("update JobId={job} Nice={}", known.nice);
    let Some(hold) = known.hold else { return vec![nice] };
    let begin = known.begin.map_or_else(|| "now".into(), |time| format!("uts{time}"));
    let far = now + FAR;
    vec![
        format!("{nice} StartTime=uts{far}"),
        format!("{hold} {job}"),
        format!("update JobId={job} StartTime={begin}"),
    ]
}

/// The job that stands for all parts of one whose parts start together: `18` for `18+0`.
fn leader(job: &str) -> &str {
    job.split('+').next().unwrap_or(job)
}

/// Behind the commands of act `n` stands a word that is no command: what is said before `scontrol` complains of it
/// is about that act.
pub(super) fn script(acts: &[Vec<String>]) -> String {
    let mut script = String::new();
    for (number, commands) in acts.iter().enumerate() {
        for command in commands {
            script.push_str(command);
            script.push('\n');
        }
        script.push_str(&format!("{END}{number}\n"));
    }
    script
}

const END: &str = "end-of-act-";

/// What came of each act, from what `scontrol` says on its channel of errors; fewer than were told if it ended
/// before.
pub(super) fn outcomes(errors: &str) -> Vec<Outcome> {
    let mut outcomes = vec![];
    let mut words: Vec<&str> = vec![];
    for line in errors.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let end = format!("invalid keyword: {END}{}", outcomes.len());
        if line == end {
            outcomes.push(if words.is_empty() {
                Outcome::Taken
            } else {
                Outcome::Refused(words.join("; "))
            });
            words.clear();
        } else {
            words.push(line);
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::{Known, Seen, commands, outcomes, script};
    use crate::backend::{Act, Outcome};

    fn seen(held: bool, begin: Option<u64>) -> Seen {
        let jobs = [(
            "7_1".to_owned(),
            Known {
                id: 7,
                held,
                priority: if held { 0 } else { u32::MAX - 90 },
                nice: 0,
                is_nice_lost: false,
                hold: None,
                born: 1,
                gated: true,
                begin,
                is_back: false,
                nodes: 2,
                is_placed: true,
                asked: None,
            },
        )]
        .into();
        Seen { now: 1000, jobs, marked: Some("node0".into()), foreign: false }
    }

    fn job() -> String {
        "7_1".into()
    }

    #[test]
    fn each_act_is_said_as_scontrol_wants_it() {
        let of = |act: &Act| commands(act, &seen(false, None)).unwrap();
        let nodes = ["node3", "node4", "gpu1"].map(String::from).to_vec();
        assert_eq!(
            of(&Act::Start { job: job(), nodes }),
            ["update JobId=7_1 NumNodes=3-3 ReqNodeList=node[3-4],gpu1 StartTime=now"]
        );
        assert_eq!(
            of(&Act::Stop { job: job() }),
            ["requeue 7_1", "update JobId=7_1 StartTime=uts315361000"]
        );
        assert_eq!(
            of(&Act::Gate { job: job() }),
            ["update JobId=7_1 ReqNodeList= StartTime=uts315361000"]
        );
        assert_eq!(
            of(&Act::Prioritise { job: job(), rank: 0 }),
            ["update JobId=7_1 Priority=4294901761"]
        );
        assert_eq!(
            of(&Act::Release { job: job() }),
            ["update JobId=7_1 ReqNodeList= StartTime=now", "release 7_1"]
        );
        assert_eq!(
            of(&Act::Mark { text: "a b".into() }),
            ["update NodeName=node0 Comment=locox-agent:a%20b"]
        );
    }

    #[test]
    fn holds_and_times_of_the_owner_stay() {
        let of = |act: &Act| commands(act, &seen(true, Some(5000))).unwrap();
        assert_eq!(
            of(&Act::Gate { job: job() }),
            ["update JobId=7_1 ReqNodeList= StartTime=uts315365000"]
        );
        assert_eq!(
            of(&Act::Release { job: job() }),
            ["update JobId=7_1 ReqNodeList= StartTime=uts5000"]
        );
        assert_eq!(of(&Act::Prioritise { job: job(), rank: 9 }), [""; 0]);
    }

    #[test]
    fn nothing_is_written_that_is_so_already() {
        let mut seen = seen(false, None);
        let plain = |known: &mut Known| {
            (known.gated, known.is_placed, known.priority) = (false, false, 7);
        };
        seen.jobs.values_mut().for_each(plain);
        assert_eq!(commands(&Act::Release { job: job() }, &seen).unwrap(), [""; 0]);
        let nodes = ["node3", "node4"].map(String::from).to_vec();
        assert_eq!(
            commands(&Act::Start { job: job(), nodes }, &seen).unwrap(),
            ["update JobId=7_1 ReqNodeList=node[3-4] StartTime=now"],
            "the number of nodes is its own"
        );
    }

    #[test]
    fn the_number_of_nodes_is_given_back_with_those_that_were_chosen() {
        let mut seen = seen(true, None);
        seen.jobs.values_mut().for_each(|known| (known.asked, known.gated) = (Some(5), false));
        // That lets go of Slurm's own hold, if the nodes could not be the job's.
        assert_eq!(
            commands(&Act::Release { job: job() }, &seen).unwrap(),
            ["update JobId=7_1 ReqNodeList= NumNodes=5-5"]
        );
    }

    #[test]
    fn parts_that_start_together_are_told_as_one() {
        let mut seen = seen(false, None);
        let known = seen.jobs.remove("7_1").unwrap();
        seen.jobs.insert("7+0".into(), Known { is_placed: false, ..known });
        let told = commands(&Act::Release { job: "7+0".into() }, &seen).unwrap();
        assert_eq!(told, ["update JobId=7 StartTime=now", "release 7"]);
    }

    #[test]
    fn what_its_owner_made_of_its_urgency_is_given_back() {
        let mut seen = seen(false, None);
        seen.jobs.values_mut().for_each(|known| known.nice = -100);
        let told = commands(&Act::Release { job: job() }, &seen).unwrap();
        assert_eq!(told[1..], ["release 7_1", "update JobId=7_1 Nice=-100"]);
    }

    #[test]
    fn a_hold_that_took_a_rank_and_with_it_the_urgency_is_not_opened_by_giving_that_back() {
        let release = |known: &dyn Fn(&mut Known)| {
            let mut seen = seen(true, Some(5000));
            let lost = |it: &mut Known| {
                (it.nice, it.is_nice_lost, it.gated, it.is_placed) = (50, true, false, false);
                known(it);
            };
            seen.jobs.values_mut().for_each(lost);
            commands(&Act::Release { job: job() }, &seen).unwrap()
        };
        assert_eq!(
            release(&|known| known.hold = Some("uhold")),
            [
                "update JobId=7_1 Nice=50 StartTime=uts315361000",
                "uhold 7_1",
                "update JobId=7_1 StartTime=uts5000"
            ]
        );
        assert_eq!(release(&|_| ()), [""; 0], "a hold of Slurm's own");
        let released = |known: &mut Known| (known.held, known.priority) = (false, 77);
        assert_eq!(release(&released), ["update JobId=7_1 Nice=50"]);
    }

    #[test]
    fn a_job_that_has_come_back_gets_a_hold_with_its_gate() {
        let mut seen = seen(false, None);
        seen.jobs.values_mut().for_each(|known| (known.is_back, known.is_placed) = (true, false));
        let told = commands(&Act::Gate { job: job() }, &seen).unwrap();
        assert_eq!(told, ["update JobId=7_1 StartTime=uts315361000", "uhold 7_1"]);
    }

    #[test]
    fn jobs_that_were_not_seen_and_comments_of_others_are_left_alone() {
        assert!(commands(&Act::Stop { job: "8".into() }, &seen(false, None)).is_err());
        let foreign = Seen { foreign: true, ..seen(false, None) };
        assert!(commands(&Act::Mark { text: String::new() }, &foreign).is_err());
    }

    #[test]
    fn answers_are_told_apart_act_by_act() {
        let acts = [
            vec!["requeue 1".to_owned(), "update JobId=1".to_owned()],
            vec![],
            vec!["release 2".to_owned()],
        ];
        assert_eq!(
            script(&acts),
            "requeue 1\nupdate JobId=1\nend-of-act-0\nend-of-act-1\nrelease 2\nend-of-act-2\n"
        );
        let errors = "invalid keyword: end-of-act-0\n\nJob is gone\n ended \ninvalid keyword: end-of-act-1\nhalf";
        assert_eq!(
            outcomes(errors),
            [Outcome::Taken, Outcome::Refused("Job is gone; ended".into())]
        );
        assert_eq!(outcomes(""), []);
    }
}
