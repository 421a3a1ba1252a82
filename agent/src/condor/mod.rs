//! HTCondor, by its commands. Tried with 23.9.
//!
//! A job of the vanilla universe takes one slot; a slot that can be divided is given whole. A transform of the
//! schedd puts into each job's requirements that its attribute `LocoxSlot` names the slot: a job is started by
//! editing that attribute, and holds of its owner stay visible.

mod acts;
mod ads;
mod examine;
mod gate;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use acts::{Jobs, Known, Step};
use ads::Job;

use crate::backend::{
    Abilities, Act, Backend, BackendError, Finding, JobSeen, Outcome, Snapshot, State,
};
use crate::command::{Commands, unreadable};

/// Which HTCondor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CondorConfig {
    /// Where its commands are, if not in `PATH`.
    pub commands: Option<PathBuf>,
    /// Its configuration, if it is not where HTCondor looks by itself.
    pub conf: Option<PathBuf>,
    /// How long a command may take.
    pub patience: Duration,
}

impl Default for CondorConfig {
    /// Commands from `PATH`, which get ten seconds.
    fn default() -> Self {
        Self { commands: None, conf: None, patience: Duration::from_secs(10) }
    }
}

/// HTCondor, by its commands.
#[derive(Debug)]
pub struct Condor {
    commands: Commands,
    jobs: Jobs,
    /// Numbers of owners, who have only names here.
    users: HashMap<String, u32>,
    /// The order that users were given last.
    ordered: Vec<String>,
}

impl Condor {
    /// Asks nothing yet.
    #[must_use]
    pub fn new(config: &CondorConfig) -> Self {
        let mut commands = Commands::new(config.commands.as_deref(), config.patience, &[]);
        if let Some(conf) = &config.conf {
            commands = commands.with("CONDOR_CONFIG", conf);
        }
        Self { commands, jobs: Jobs::new(), users: HashMap::new(), ordered: vec![] }
    }

    /// The system's number of a user; for one whom this machine does not know, one made of the name.
    fn user(&mut self, owner: &str) -> u32 {
        if let Some(user) = self.users.get(owner) {
            return *user;
        }
        let is_name = !owner.starts_with('-') && !owner.is_empty();
        let entry = if is_name { self.commands.system("getent", &["passwd", owner]) } else { None };
        let number = entry.and_then(|line| line.split(':').nth(2)?.parse().ok());
        let user = number.unwrap_or_else(|| hash(owner));
        self.users.insert(owner.to_owned(), user);
        user
    }

    fn job(&mut self, job: &Job) -> Result<Option<JobSeen>, String> {
        let Some(state) = job.state()? else { return Ok(None) };
        if !job.is_vanilla() && matches!(state, State::Waits { .. }) {
            return Ok(None);
        }
        Ok(Some(JobSeen {
            id: job.id(),
            born: job.q_date,
            name: job.name(),
            user: self.user(&job.owner),
            owner: job.owner.clone(),
            nodes: 1,
            sides: [0; 3],
            limit: job.limit(),
            deadline: job.deadline(),
            priority: job.priority(),
            rank: job.rank(),
            governed: job.is_vanilla(),
            left: None,
            refused: None,
            kind: String::new(),
            changed: false,
            firm: false,
            state,
            reason: job.reason(),
        }))
    }

    fn remembered(jobs: &[Job], seen: &[JobSeen]) -> Jobs {
        let waiting: HashSet<u64> = seen
            .iter()
            .filter(|job| matches!(job.state, State::Waits { .. }))
            .map(|job| job.id)
            .collect();
        let known = |job: &Job| Known {
            user: job.user.clone(),
            has_gate: job.has_gate(),
            waits: waiting.contains(&job.id()),
            rank: job.rank(),
        };
        jobs.iter().map(|job| (job.name(), known(job))).collect()
    }

    /// One step; an error in the words of the command is a refusal.
    fn step(&self, step: &Step) -> Result<Result<(), String>, BackendError> {
        match step {
            Step::Run(words) => self.run(words),
            Step::Close(job) => {
                let requirements =
                    self.commands.run("condor_q", &[job, "-af:r", "Requirements"])?;
                match requirements.out.trim() {
                    "" => Ok(Err(format!("job {job} is gone"))),
                    text => self.run(&acts::close(job, text)),
                }
            }
            Step::Advertise(mark) => {
                // A mark that is not renewed goes within a day.
                let ad = format!(
                    "MyType = \"LocoxAgent\"\nName = \"locox-agent\"\nMark = \"{mark}\"\nClassAdLifetime = 86400\n"
                );
                let answer = self.commands.run_with(
                    "condor_advertise",
                    &["UPDATE_AD_GENERIC", "-"],
                    &ad,
                    self.commands.limit(),
                )?;
                Ok(if answer.succeeded { Ok(()) } else { Err(words_of(&answer.errors)) })
            }
        }
    }

    fn run(&self, words: &[String]) -> Result<Result<(), String>, BackendError> {
        let Some((name, arguments)) = words.split_first() else { return Ok(Ok(())) };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let answer = self.commands.run(name, &arguments)?;
        Ok(if answer.succeeded { Ok(()) } else { Err(words_of(&answer.errors)) })
    }

    /// Gives users the order of their most urgent jobs, if that is another one than before.
    fn order_users(&mut self, acts: &[Act]) -> Result<(), BackendError> {
        if !acts.iter().any(|act| matches!(act, Act::Prioritise { .. })) {
            return Ok(());
        }
        let users = acts::order_of_users(acts, &self.jobs);
        if users == self.ordered {
            return Ok(());
        }
        for (place, user) in (1_u32..).zip(&users) {
            // The smaller the earlier.
            self.commands.run("condor_userprio", &["-setprio", user, &place.to_string()])?;
        }
        self.ordered = users;
        Ok(())
    }
}

/// FNV-1a, above the numbers that systems give.
fn hash(text: &str) -> u32 {
    text.bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
        | 1 << 31
}

fn words_of(errors: &str) -> String {
    let words: Vec<_> = errors.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if words.is_empty() { "it does not say why".into() } else { words.join("; ") }
}

impl Backend for Condor {
    fn abilities(&self) -> Abilities {
        Abilities { gate: true, places: true, preempt: true, priorities: true, own_clock: false }
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        let queue =
            self.commands.ask("condor_q", &["-allusers", "-json", "-attributes", ads::JOB])?;
        let slots = self.commands.ask("condor_status", &["-json", "-attributes", ads::SLOT])?;
        let constraint = "MyType == \"LocoxAgent\"";
        let marks = self.commands.ask(
            "condor_status",
            &["-any", "-constraint", constraint, "-json", "-attributes", "Mark"],
        )?;
        let wrong = |what: &'static str| move |why: String| unreadable(what, &why);

        let (clock, ads) = ads::jobs(&queue).map_err(wrong("condor_q"))?;
        // Without a job nobody tells the queue's clock; its commands run where the queue is.
        let here = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let mut jobs = vec![];
        for ad in &ads {
            jobs.extend(self.job(ad).map_err(wrong("condor_q"))?);
        }
        jobs.sort_by_key(|job| job.id);
        let busy: HashSet<&str> = jobs
            .iter()
            .filter_map(|job| match &job.state {
                State::Runs { nodes, .. } | State::Ends { nodes } => Some(nodes),
                State::Waits { .. } => None,
            })
            .flatten()
            .map(String::as_str)
            .collect();
        let nodes =
            ads::slots(&slots, |name| busy.contains(name)).map_err(wrong("condor_status"))?;
        let mark = ads::marks(&marks)
            .map_err(wrong("condor_status"))?
            .into_iter()
            .next()
            .unwrap_or_default();
        self.jobs = Self::remembered(&ads, &jobs);
        let now = clock.unwrap_or_else(here);
        Ok(Snapshot { now, nodes, jobs, outages: vec![], mark })
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        let mut outcomes = Vec::with_capacity(acts.len());
        for act in acts {
            let mut outcome = Outcome::Taken;
            match acts::steps(act, &self.jobs) {
                Err(why) => outcome = Outcome::Refused(why),
                Ok(steps) => {
                    for step in &steps {
                        if let Err(why) = self.step(step)? {
                            outcome = Outcome::Refused(why);
                            break;
                        }
                    }
                }
            }
            outcomes.push(outcome);
        }
        self.order_users(acts)?;
        Ok(outcomes)
    }

    fn gate(&self) -> Option<String> {
        Some(gate::GATE.into())
    }

    fn examine(&mut self, needs_gate: bool) -> Vec<Finding> {
        self.findings(needs_gate)
    }
}
