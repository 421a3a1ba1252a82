//! Slurm, by its commands: `squeue` and `sinfo` are read, `scontrol` acts. Tried with 22.05.
//!
//! A job is behind the gate when its earliest start lies years ahead, so that holds of its owner stay visible.
//! It is started by a list of nodes and the start `now`. What it asks for beside a number of whole nodes leaves it to
//! Slurm.

mod acts;
mod deadlines;
mod departed;
mod examine;
mod gate;
mod hostlist;
mod nice;
mod nodes;
mod queue;
mod ranks;
mod request;
mod windows;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use acts::{Known, Seen};
use deadlines::Deadlines;
use departed::Departed;
pub use hostlist::{compress, expand};
use nice::Nices;
use queue::Row;
use request::Cluster;

use crate::backend::{
    Abilities, Act, Backend, BackendError, Finding, JobKnown, JobSeen, NodeSeen, Outcome, Refused,
    Snapshot, State,
};
use crate::changed::Changed;
use crate::command::{Commands, silent, unreadable};
use crate::gone::Gone;

/// Which Slurm, and what of it is governed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlurmConfig {
    /// The partitions whose jobs are governed; at least one. Their nodes are given whole.
    pub partitions: Vec<String>,
    /// Where Slurm's commands are, if not in `PATH`.
    pub commands: Option<PathBuf>,
    /// Slurm's configuration, if it is not where Slurm looks by itself.
    pub conf: Option<PathBuf>,
    /// How long a command may take. Acts get longer, by the number of them.
    pub patience: Duration,
}

impl SlurmConfig {
    /// Governs these partitions, with commands from `PATH` that get ten seconds.
    #[must_use]
    pub fn new(partitions: Vec<String>) -> Self {
        Self { partitions, commands: None, conf: None, patience: Duration::from_secs(10) }
    }
}

/// Slurm, by its commands.
#[derive(Debug)]
pub struct Slurm {
    config: SlurmConfig,
    commands: Commands,
    seen: Seen,
    births: HashMap<u64, Birth>,
    departed: Departed,
    deadlines: Deadlines,
    ranks: ranks::Given,
    nices: Nices,
    /// What the agent has changed of jobs' requests, by number.
    changed: BTreeMap<u64, Changed>,
}

/// Slurm takes the time at which a job was put back for that of its submission: the first one is kept here.
#[derive(Clone, Copy, Debug)]
struct Birth {
    told: u32,
    /// What Slurm said last; nothing of jobs that the agent knew before this program started.
    submitted: Option<u32>,
}

/// Acts that one `scontrol` is told. Each takes 2.5 ms here.
const BATCH: usize = 500;

impl Slurm {
    /// # Errors
    ///
    /// No partition is named, or one cannot be the name of a partition.
    pub fn new(config: SlurmConfig) -> Result<Self, BackendError> {
        if config.partitions.is_empty() {
            return Err(unreadable("the configuration", "no partition is named"));
        }
        if let Some(name) = config.partitions.iter().find(|name| !hostlist::is_name(name)) {
            return Err(unreadable(
                "the configuration",
                &format!("`{name}` cannot be the name of a partition"),
            ));
        }
        let without =
            &["SQUEUE_", "SINFO_", "SCONTROL_", "SLURM_CLUSTERS", "SLURM_BITSTR_LEN", "SLURM_CONF"];
        // A variable that is to be kept is set again.
        let conf = config.conf.clone().map(Into::into).or_else(|| std::env::var_os("SLURM_CONF"));
        let mut commands = Commands::new(config.commands.as_deref(), config.patience, without)
            .with("SLURM_TIME_FORMAT", "%s");
        if let Some(conf) = conf {
            commands = commands.with("SLURM_CONF", conf);
        }
        Ok(Self {
            config,
            commands,
            seen: Seen::default(),
            births: HashMap::new(),
            departed: Departed::default(),
            deadlines: Deadlines::default(),
            ranks: ranks::Given::default(),
            nices: Nices::default(),
            changed: BTreeMap::new(),
        })
    }

    fn nodes(&self) -> Result<(Vec<NodeSeen>, Cluster), BackendError> {
        let partitions = self.config.partitions.join(",");
        let text =
            self.commands.ask("sinfo", &["-h", "-N", "-p", &partitions, "-o", nodes::FORMAT])?;
        let (mut nodes, mut cluster) =
            nodes::read(&text).map_err(|why| unreadable("sinfo", &why))?;
        if nodes.is_empty() {
            return Err(unreadable("sinfo", &format!("partition {partitions} has no nodes")));
        }
        let text = self.commands.ask("scontrol", &["-o", "show", "reservation"])?;
        let all = windows::read(&text, &cluster.nodes)
            .map_err(|why| unreadable("scontrol show reservation", &why))?;
        let active = all.iter().filter(|window| window.is_active);
        let active: HashSet<&str> =
            active.flat_map(|window| &window.outage.nodes).map(String::as_str).collect();
        // `planned` of a node may stand in place of `maint`.
        for node in &mut nodes {
            node.serves &= !active.contains(node.name.as_str());
        }
        cluster.outages = all.into_iter().map(|window| window.outage).collect();
        Ok((nodes, cluster))
    }

    /// The comment of the first node by name.
    fn mark(&mut self, nodes: &[NodeSeen]) -> Result<String, BackendError> {
        let Some(node) = nodes.first().map(|node| node.name.clone()) else {
            return Ok(String::new());
        };
        let text = self.commands.ask("scontrol", &["show", "node", &node])?;
        let comment =
            nodes::comment(&text).map_err(|why| unreadable("scontrol show node", &why))?;
        self.seen.marked = Some(node);
        self.seen.foreign = comment == nodes::Comment::Foreign;
        Ok(if let nodes::Comment::Mark(mark) = comment { mark } else { String::new() })
    }

    /// Jobs that were there and are no more.
    fn went(&mut self, rows: &[Row], now: u64) {
        let there: HashSet<u64> = rows.iter().map(|row| row.id).collect();
        let missing = self.births.iter().filter(|(id, _)| !there.contains(*id));
        self.departed
            .note(missing.map(|(id, birth)| (*id, birth.submitted.unwrap_or(birth.told))), now);
    }

    /// Holds jobs that have come back from the past, and finds out when each job was first submitted.
    fn born(&mut self, rows: &mut [Row]) -> Result<(), BackendError> {
        let is_other =
            |row: &Row| self.births.get(&row.id).is_some_and(|birth| !birth.knows(row.submitted));
        let are_back = rows.iter().any(|row| self.departed.has(row));
        let again: HashSet<String> = if are_back || rows.iter().any(is_other) {
            let text = self
                .commands
                .ask("squeue", &["-a", "-h", "-r", "-O", "JobArrayID:30,RestartCnt:12"])?;
            queue::restarted(&text).map_err(|why| unreadable("squeue", &why))?.into_iter().collect()
        } else {
            HashSet::new()
        };
        let booted = if are_back { self.booted()? } else { 0 };
        self.departed.hold(rows, booted, |row| again.contains(&row.name));
        let births = rows.iter().map(|row| {
            let known = self.births.get(&row.id);
            let known =
                known.filter(|birth| birth.knows(row.submitted) || again.contains(&row.name));
            let told = known.map_or(row.submitted, |birth| birth.told);
            (row.id, Birth { told, submitted: Some(row.submitted) })
        });
        self.births = births.collect();
        Ok(())
    }

    /// When the controller began.
    fn booted(&self) -> Result<u64, BackendError> {
        let text = self.commands.ask("scontrol", &["show", "config"])?;
        let line = text.lines().find_map(|line| line.strip_prefix("BOOT_TIME"));
        let time = line.and_then(|line| line.trim_start_matches([' ', '=']).trim().parse().ok());
        time.ok_or_else(|| unreadable("scontrol show config", "no BOOT_TIME"))
    }

    /// Jobs that are governed, and others that have nodes of ours. One whose parts start together waits as one.
    fn jobs(&self, rows: Vec<Row>, nodes: &[NodeSeen], cluster: &Cluster) -> Vec<JobSeen> {
        let ours: HashSet<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
        let mut jobs: Vec<_> = rows.into_iter().map(|row| self.job(row, cluster)).collect();
        jobs.retain(|job| match &job.state {
            State::Waits { .. } => {
                job.governed && job.name.split_once('+').is_none_or(|(_, part)| part == "0")
            }
            State::Runs { nodes, .. } | State::Ends { nodes } => {
                job.governed || nodes.iter().any(|node| ours.contains(node.as_str()))
            }
        });
        jobs.sort_by_key(|job| job.id);
        jobs
    }

    fn job(&self, row: Row, cluster: &Cluster) -> JobSeen {
        let rank = self.ranks.rank(&row.name, row.priority);
        let (deadline, more) = (self.deadlines.of(&row), self.deadlines.more(&row));
        let is_ours = |name: &&str| self.config.partitions.iter().any(|own| own == name);
        let (own, other): (Vec<&str>, Vec<&str>) =
            row.partitions.iter().map(String::as_str).partition(is_ours);
        // Who was gone already is held, whatever he asks for.
        let is_back = self.departed.has(&row);
        let beyond = || cluster.beyond(&row, &other, self.deadlines.least(&row));
        let left = if is_back { None } else { beyond() };
        let more = more.filter(|_| !is_back);
        let known = self.seen.jobs.get(&row.name);
        let firm = self.deadlines.is_firm(&row);
        JobSeen {
            id: row.id,
            born: self.first(&row),
            deadline,
            priority: nice::urgency(row.nice),
            rank,
            governed: !own.is_empty(),
            left: left.or_else(|| more.map(|what| format!("it asks for {what}"))),
            refused: row.refused,
            kind: row.kind,
            changed: known.is_some_and(|known| {
                known.is_placed || known.asked.is_some() || known.gives_nice()
            }),
            firm,
            name: row.name,
            user: row.user,
            owner: row.owner,
            nodes: row.nodes,
            sides: [0; 3],
            limit: row.limit,
            state: row.state,
            reason: row.reason,
        }
    }

    /// When a job was first submitted.
    fn first(&self, row: &Row) -> u32 {
        self.births.get(&row.id).map_or(row.submitted, |birth| birth.told)
    }

    /// What owners had said of the urgency of jobs that have lost their rank to a hold, and with it what Slurm knew of
    /// that; also when the hold has ended.
    fn lost_nices(&self, rows: &[Row]) -> HashMap<u64, i64> {
        let is_lost = |row: &&Row| {
            let waits = matches!(row.state, State::Waits { .. });
            waits && row.nice == 0 && !ranks::is_agents(row.priority)
        };
        let nice = |row: &Row| {
            let changed = self.changed.get(&row.id)?;
            let is_known = changed.nice != 0 && changed.born == self.first(row);
            is_known.then_some((row.id, changed.nice))
        };
        rows.iter().filter(is_lost).filter_map(nice).collect()
    }

    /// Forgets what is given back, and takes the agent's own choice out of what jobs ask for.
    fn own(&mut self, rows: &mut [Row], lost_nices: &HashMap<u64, i64>) {
        let there: HashSet<u64> = rows.iter().map(|row| row.id).collect();
        // Who has left may be brought back with the nodes that the agent had named.
        self.changed.retain(|id, _| there.contains(id) || self.departed.knows(*id));
        for row in rows {
            let Some(changed) = self.changed.get(&row.id) else { continue };
            if changed.born != self.first(row) {
                self.changed.remove(&row.id);
                continue;
            }
            let is_placed =
                !changed.places.is_empty() && is_same(&row.request.places, &changed.places);
            let is_ranked = ranks::is_agents(row.priority);
            let is_same = is_own_number(&changed.nodes, row) && !lost_nices.contains_key(&row.id);
            if !is_placed && !is_ranked && is_same {
                self.changed.remove(&row.id);
            } else if is_placed {
                row.request.places.clear();
                if let (Some(Refused::Request), State::Waits { held, .. }) =
                    (&row.refused, &mut row.state)
                {
                    // Slurm's hold, not its owner's.
                    *held = false;
                }
            }
        }
    }

    /// What is to be known of a job to act on it.
    fn known(&self, row: &Row, is_placed: bool, lost_nices: &HashMap<u64, i64>) -> Known {
        let changed = self.changed.get(&row.id);
        let asked = changed.and_then(|changed| changed.nodes.parse().ok());
        Known {
            id: row.id,
            held: row.priority == 0,
            gated: matches!(row.state, State::Waits { gated: true, .. }),
            priority: row.priority,
            nice: row.nice,
            is_nice_lost: lost_nices.contains_key(&row.id),
            hold: queue::hold(&row.reason),
            born: self.first(row),
            begin: row.begin,
            is_back: self.departed.has(row),
            nodes: row.nodes,
            is_placed,
            asked: asked.filter(|asked| *asked != row.nodes),
        }
    }

    /// Slurm takes no nice of a job to which somebody else has given a priority, and does not say so: it is not told again.
    fn tell_nices_once(&mut self, acts: &[Act], outcomes: &[Outcome]) {
        for (act, outcome) in acts.iter().zip(outcomes) {
            let Act::Release { job } = act else { continue };
            let Some(known) = self.seen.jobs.get(job) else { continue };
            if known.is_nice_lost && !known.held && *outcome == Outcome::Taken {
                self.changed.remove(&known.id);
            }
        }
    }

    /// Tells `scontrol` the commands of these acts, and gives what came of them.
    fn tell(&self, acts: &[Vec<String>]) -> Result<Vec<Outcome>, BackendError> {
        let limit = self.commands.limit()
            + Duration::from_millis(50) * u32::try_from(acts.len()).unwrap_or(u32::MAX);
        let answer = self.commands.run_with("scontrol", &[], &acts::script(acts), limit)?;
        let outcomes = acts::outcomes(&answer.errors);
        if outcomes.len() == acts.len() {
            return Ok(outcomes);
        }
        let said = answer.errors.lines().last().unwrap_or("nothing");
        Err(silent(
            "scontrol",
            &format!("{} answers to {} acts; it said last: {said}", outcomes.len(), acts.len()),
        ))
    }
}

/// Whether a job asks for as many nodes as its owner said.
fn is_own_number(asked: &str, row: &Row) -> bool {
    asked.is_empty() || asked == row.nodes.to_string()
}

/// Whether two lists name the same nodes.
fn is_same(one: &str, other: &str) -> bool {
    let set = |list: &str| expand(list).map(|list| list.into_iter().collect::<HashSet<_>>());
    set(one).is_ok_and(|one| set(other).is_ok_and(|other| one == other))
}

impl Birth {
    fn knows(&self, submitted: u32) -> bool {
        self.submitted.unwrap_or(self.told) == submitted
    }
}

impl Backend for Slurm {
    fn abilities(&self) -> Abilities {
        Abilities { gate: true, places: true, preempt: true, priorities: true, own_clock: false }
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        let (nodes, cluster) = self.nodes()?;
        let mark = self.mark(&nodes)?;
        let text = self.commands.ask("squeue", &["-a", "-h", "-r", "-v", "-o", queue::FORMAT])?;
        let (now, mut rows) = queue::read(&text).map_err(|why| unreadable("squeue", &why))?;
        if self.deadlines.lacks(&rows) {
            let text = self.commands.ask("squeue", &["-a", "-h", "-r", "-O", deadlines::FORMAT])?;
            self.deadlines.read(&rows, &text).map_err(|why| unreadable("squeue", &why))?;
        }
        self.went(&rows, now);
        self.born(&mut rows)?;
        let lost = self.lost_nices(&rows);
        self.nices.restore(&mut rows);
        for row in &mut rows {
            row.nice = lost.get(&row.id).copied().unwrap_or(row.nice);
        }
        let placed: HashSet<u64> = rows
            .iter()
            .filter(|row| !queue::is_none(&row.request.places))
            .map(|row| row.id)
            .collect();
        self.own(&mut rows, &lost);
        let is_placed = |row: &Row| placed.contains(&row.id) && row.request.places.is_empty();
        self.seen.now = now;
        self.seen.jobs = rows
            .iter()
            .map(|row| (row.name.clone(), self.known(row, is_placed(row), &lost)))
            .collect();
        let jobs_seen = &self.seen.jobs;
        self.ranks.retain(|job| jobs_seen.contains_key(job));
        let jobs = self.jobs(rows, &nodes, &cluster);
        Ok(Snapshot { now, nodes, jobs, outages: cluster.outages, mark })
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        let changed = self.changed_by(acts).into_iter();
        self.changed = changed.map(|changed| (changed.id, changed)).collect();
        for act in acts {
            if let Act::Prioritise { job, rank } = act {
                self.ranks.note(job, *rank);
            }
        }
        let mut outcomes = Vec::with_capacity(acts.len());
        for batch in acts.chunks(BATCH) {
            let commands: Vec<_> =
                batch.iter().map(|act| acts::commands(act, &self.seen)).collect();
            let told: Vec<_> = commands
                .iter()
                .filter_map(|commands| commands.clone().ok())
                .filter(|all| !all.is_empty())
                .collect();
            let mut answers = if told.is_empty() { vec![] } else { self.tell(&told)? }.into_iter();
            outcomes.extend(commands.into_iter().map(|commands| match commands {
                Err(why) => Outcome::Refused(why),
                Ok(none) if none.is_empty() => Outcome::Taken,
                Ok(_) => answers.next().unwrap_or_else(|| Outcome::Refused("no answer".into())),
            }));
        }
        self.tell_nices_once(acts, &outcomes);
        Ok(outcomes)
    }

    fn remember(&mut self, known: &crate::backend::Known<'_>) {
        let birth = |job: &JobKnown| (job.id, Birth { told: job.born, submitted: None });
        self.births = known.jobs.iter().map(birth).collect();
        self.nices = Nices::of(known.jobs.iter().map(|job| (job.id, job.priority)));
        self.nices.also(known.changed.iter().map(|changed| (changed.id, changed.nice)));
        self.departed = Departed::of(known.gone);
        self.changed = known.changed.iter().map(|changed| (changed.id, changed.clone())).collect();
        for &Changed { id, born, .. } in known.changed {
            self.births.entry(id).or_insert(Birth { told: born, submitted: None });
        }
    }

    fn changed_by(&self, acts: &[Act]) -> Vec<Changed> {
        let mut all = self.changed.clone();
        for act in acts {
            let (job, places) = match act {
                Act::Start { job, nodes } => (job, Some(compress(nodes))),
                Act::Prioritise { job, .. } => (job, None),
                _ => continue,
            };
            let Some(known) = self.seen.jobs.get(job) else { continue };
            let new = Changed {
                id: known.id,
                born: known.born,
                places: String::new(),
                nodes: String::new(),
                nice: known.nice,
            };
            let changed = all.entry(known.id).or_insert(new);
            if let Act::Start { nodes, .. } = act
                && nodes.len() != known.nodes as usize
                && changed.nodes.is_empty()
            {
                changed.nodes = known.nodes.to_string();
            }
            changed.places = places.unwrap_or_else(|| std::mem::take(&mut changed.places));
        }
        all.into_values().collect()
    }

    fn by_hand(&self, act: &Act) -> Option<String> {
        let commands = acts::commands(act, &self.seen).ok()?;
        let lines = commands.iter().map(|command| format!("scontrol {command}"));
        Some(lines.collect::<Vec<_>>().join(" && "))
    }

    fn gone(&self) -> Vec<Gone> {
        self.departed.list()
    }

    fn gate(&self) -> Option<String> {
        Some(gate::text(&self.config.partitions, &self.trusted()))
    }

    fn examine(&mut self, needs_gate: bool) -> Vec<Finding> {
        self.findings(needs_gate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job of two nodes, as `squeue` tells it.
    fn row(submitted: u32, priority: u32, nice: i64, places: &str) -> Row {
        let reason = if priority == 0 { "JobHeldUser" } else { "None" };
        let line = format!(
            "7|7|N/A|0|root|main|PD|{priority}|{nice}|2|7:00|{submitted}|N/A||(null)|{reason}"
        );
        let text = format!("last_update_time=9 records=1\n{}\n", queue::plain(&line));
        let mut row = queue::read(&text).unwrap().1.remove(0);
        row.request.places = places.into();
        row
    }

    fn changed(nice: i64) -> Changed {
        Changed { id: 7, born: 100, places: "a".into(), nodes: "2".into(), nice }
    }

    /// What is left of what was changed when the job is seen so, and what it is taken to ask for.
    fn seen(changed: Changed, row: Row) -> (Option<Changed>, Known) {
        let mut slurm = Slurm::new(SlurmConfig::new(vec!["main".into()])).unwrap();
        let known = crate::backend::Known { jobs: &[], gone: &[], changed: &[changed] };
        slurm.remember(&known);
        let mut rows = [row];
        let birth = Birth { told: rows[0].submitted, submitted: Some(rows[0].submitted) };
        slurm.births.insert(7, birth);
        let lost = slurm.lost_nices(&rows);
        slurm.own(&mut rows, &lost);
        let known = slurm.known(&rows[0], false, &lost);
        (slurm.changed.remove(&7), known)
    }

    #[test]
    fn what_was_changed_of_a_job_is_not_given_back_to_another_one_of_its_number() {
        assert!(seen(changed(0), row(100, 9, 0, "a")).0.is_some());
        assert_eq!(seen(changed(0), row(101, 9, 0, "a")).0, None);
    }

    #[test]
    fn a_number_of_nodes_is_given_back_only_if_the_agent_has_changed_it() {
        let ranked = Changed { places: String::new(), nodes: String::new(), ..changed(0) };
        assert_eq!(
            seen(ranked, row(100, u32::MAX - 90, 0, "")).1.asked,
            None,
            "an administrator did"
        );
        let started = Changed { nodes: "1".into(), ..changed(0) };
        assert_eq!(seen(started, row(100, 9, 0, "a")).1.asked, Some(1));
    }

    #[test]
    fn what_a_rank_took_is_known_until_it_is_given_back_also_behind_a_hold() {
        for (priority, nice, is_lost) in
            [(u32::MAX - 90, 0, false), (0, 0, true), (77, 0, true), (77, 50, false)]
        {
            let (left, known) = seen(changed(50), row(100, priority, nice, ""));
            assert_eq!(known.is_nice_lost, is_lost, "{priority} {nice}");
            let is_ranked = ranks::is_agents(priority);
            assert_eq!(left.is_some(), is_lost || is_ranked, "{priority} {nice}");
        }
        assert_eq!(seen(changed(0), row(100, 0, 0, "")).0, None);
    }
}
