//! What an administrator is to know before the agent governs Slurm.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::hostlist::short;
use super::request::{Cluster, Partition};
use super::{Slurm, gate, queue};
use crate::backend::{BackendError, Finding, OutageSeen};

/// Versions that were tried.
const TRIED: [&str; 1] = ["22.05"];
/// How far the controller's clock and this machine's may be apart, in seconds.
const APART: u64 = 2;

type Settings = BTreeMap<String, String>;

impl Slurm {
    pub(super) fn findings(&self, needs_gate: bool) -> Vec<Finding> {
        let settings = match self.settings() {
            Ok(settings) => settings,
            Err(error) => {
                return vec![bad(format!("{error}: is slurmctld running, and SLURM_CONF right?"))];
            }
        };
        let mut findings = vec![
            version(&settings),
            self.rights(&settings),
            delay(&settings),
            requeue(&settings),
            self.clock(),
        ];
        let script = gate::script(&self.config.partitions, &self.trusted());
        findings.push(gate_is_there(&settings, &script, needs_gate));
        findings.extend(self.config.partitions.iter().map(|name| self.is_up(name)));
        match self.cluster() {
            Ok((cluster, more)) => {
                findings.push(placed(&cluster));
                findings.extend(left(&cluster, &more, &settings));
            }
            Err(error) => findings.push(bad(error.to_string())),
        }
        findings
    }

    /// The nodes, and what they have beside processors and memory: gres and features.
    fn cluster(&self) -> Result<(Cluster, Vec<String>), BackendError> {
        let (_, cluster) = self.nodes()?;
        let partitions = self.config.partitions.join(",");
        let text = self.commands.ask("sinfo", &["-h", "-p", &partitions, "-o", "%f|%G"])?;
        let words = text.lines().flat_map(|line| line.split('|').zip(["features", "gres"]));
        let more: BTreeSet<String> = words
            .filter(|(word, _)| !queue::is_none(word.trim()))
            .map(|(word, what)| format!("{what} {}", word.trim()))
            .collect();
        Ok((cluster, more.into_iter().collect()))
    }

    /// Users besides root that may change when jobs start: Slurm's own, as far as that is known.
    pub(super) fn trusted(&self) -> Vec<u32> {
        let user = self.settings().ok().and_then(|settings| slurm_user(&settings));
        user.into_iter().filter(|user| *user != 0).collect()
    }

    fn settings(&self) -> Result<Settings, BackendError> {
        Ok(pairs(&self.commands.ask("scontrol", &["show", "config"])?))
    }

    fn rights(&self, settings: &Settings) -> Finding {
        let user = rustix::process::getuid().as_raw();
        if user == 0 || slurm_user(settings) == Some(user) {
            return good("this user may act on jobs of all users");
        }
        bad(format!(
            "user {user} may not act on others' jobs: run the agent as root or as the user {}",
            value(settings, "SlurmUser")
        ))
    }

    fn clock(&self) -> Finding {
        let answer = self.commands.ask("squeue", &["-a", "-h", "-v", "-o", "%i"]);
        let told = answer
            .map_err(|error| error.to_string())
            .and_then(|text| queue::clock(&text).map(|(now, _)| now));
        let here = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        match told {
            Err(why) => bad(format!("squeue does not tell the controller's clock: {why}")),
            Ok(there) if there.abs_diff(here) <= APART => {
                good("the controller's clock and this machine's agree")
            }
            Ok(there) => bad(format!(
                "the controller's clock is {} s off this machine's: set both by NTP",
                there.abs_diff(here)
            )),
        }
    }

    fn is_up(&self, name: &str) -> Finding {
        let answer = match self.commands.ask("scontrol", &["-o", "show", "partition", name]) {
            Ok(answer) => answer,
            Err(error) => return bad(format!("partition {name}: {error}")),
        };
        if answer.split_whitespace().any(|part| part == "State=UP") {
            return good(format!("partition {name} is up"));
        }
        bad(format!("partition {name} is not up: `scontrol update PartitionName={name} State=UP`"))
    }
}

/// Whether there is a partition whose jobs the agent places.
fn placed(cluster: &Cluster) -> Finding {
    let is_placed =
        |partition: &Partition| partition.is_exclusive && partition.nodes == cluster.nodes;
    let named = cluster.partitions.iter().filter(|(_, partition)| is_placed(partition));
    let named: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
    if named.is_empty() {
        return bad(
            "no partition gives all its nodes whole and has all nodes of the others: no job would be placed; set OverSubscribe=EXCLUSIVE in slurm.conf, or name one partition in `partitions`",
        );
    }
    good(format!("jobs of {} are placed on whole nodes", named.join(", ")))
}

/// What of the cluster the agent does not understand, and which jobs it therefore leaves to Slurm.
fn left(cluster: &Cluster, more: &[String], settings: &Settings) -> Vec<Finding> {
    let mut left = vec![];
    for (name, partition) in &cluster.partitions {
        if !partition.is_exclusive {
            left.push(format!("jobs of partition {name}, which shares nodes between jobs"));
        } else if partition.nodes != cluster.nodes {
            left.push(format!("jobs of partition {name}, which has not all of the nodes"));
        }
    }
    let Cluster { cpus, most_cpus, memory, outages, .. } = cluster;
    if cpus != most_cpus {
        left.push(format!("jobs that ask for more than {cpus} processors of a node: nodes differ"));
    }
    left.push(format!("jobs that ask for more than {memory} MB of a node"));
    left.extend(more.iter().map(|what| format!("jobs that ask for {}", short(what))));
    if !queue::is_none(value(settings, "Licenses")) {
        left.push(format!("jobs that ask for licences, {}", short(value(settings, "Licenses"))));
    }
    let floating = outages.iter().filter(|outage| outage.floats);
    left.extend(floating.map(|OutageSeen { name, .. }| {
        format!("jobs that may run into reservation {}, which has TIME_FLOAT", short(name))
    }));
    let limits = value(settings, "AccountingStorageEnforce");
    let mut findings: Vec<Finding> =
        left.into_iter().map(|what| good(format!("left to Slurm: {what}"))).collect();
    if limits.contains("limits") || limits.contains("qos") {
        findings.push(good(
            "limits of QOS and accounts are Slurm's: a job that one refuses waits until another one of its kind has ended",
        ));
    }
    findings
}

/// Whether `script` is installed, and whether it is to be.
fn gate_is_there(settings: &Settings, script: &str, is_needed: bool) -> Finding {
    let has_lua = value(settings, "JobSubmitPlugins").split(',').any(|name| name == "lua");
    let file = Path::new(value(settings, "SLURM_CONF")).with_file_name("job_submit.lua");
    let text = if has_lua { std::fs::read_to_string(&file) } else { Ok(String::new()) };
    let is_ours = text.as_ref().is_ok_and(|text| text.contains(script));
    let place = file.display();
    match (is_needed, is_ours, text) {
        (true, true, _) => good(format!("the gate is in {place}")),
        (false, false, _) => good("there is no gate of this agent, and advisory mode needs none"),
        (false, true, _) => bad(format!(
            "the gate is in {place}, and advisory mode needs none: without the agent jobs wait for ever; take lua out of JobSubmitPlugins in slurm.conf"
        )),
        (true, false, _) if !has_lua => bad(
            "there is no gate: JobSubmitPlugins has no lua in slurm.conf; `locox-agent gate` says what to do",
        ),
        (true, false, Err(_)) => bad(format!(
            "the gate cannot be checked: {place} cannot be read here; see `locox-agent gate`"
        )),
        (true, false, Ok(_)) => bad(format!(
            "{place} is not the gate of these partitions as this agent writes it: compare it with what `locox-agent gate` prints"
        )),
    }
}

fn version(settings: &Settings) -> Finding {
    let version = value(settings, "SLURM_VERSION");
    let is_tried = TRIED.iter().any(|tried| version.starts_with(tried));
    let text = format!("Slurm {}, tried with {}", short(version), TRIED.join(", "));
    // Another version is no reason not to govern: what cannot be read is not acted on.
    good(if is_tried { text } else { format!("{text}: watch its first hours") })
}

fn delay(settings: &Settings) -> Finding {
    let parameters = value(settings, "SchedulerParameters");
    if parameters.split(',').any(|parameter| parameter == "batch_sched_delay=0") {
        return good("batch_sched_delay is 0: jobs start at once");
    }
    // What costs some seconds is no reason not to govern.
    good(
        "jobs start up to 3 s late; with batch_sched_delay=0 in SchedulerParameters in slurm.conf they start at once",
    )
}

fn requeue(settings: &Settings) -> Finding {
    if value(settings, "JobRequeue") == "1" {
        return good("jobs that are stopped wait again");
    }
    bad(
        "jobs that lose a node do not wait again unless they say --requeue, and nobody else is stopped for others: set JobRequeue=1 in slurm.conf",
    )
}

/// `root(0)`
fn slurm_user(settings: &Settings) -> Option<u32> {
    value(settings, "SlurmUser").split_once('(')?.1.strip_suffix(')')?.parse().ok()
}

/// Lines such as `JobRequeue              = 1`.
fn pairs(text: &str) -> Settings {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

fn value<'a>(settings: &'a Settings, name: &str) -> &'a str {
    settings.get(name).map_or("", String::as_str)
}

fn good(text: impl Into<String>) -> Finding {
    Finding { is_good: true, text: text.into() }
}

fn bad(text: impl Into<String>) -> Finding {
    Finding { is_good: false, text: text.into() }
}

#[cfg(test)]
mod tests {
    use super::{delay, gate_is_there, left, pairs, placed, requeue, slurm_user, value};
    use crate::slurm::request::{Cluster, Partition};

    #[test]
    fn the_gate_is_to_be_there_in_authoritative_mode_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let conf = folder.path().join("slurm.conf");
        let settings = |plugins: &str| {
            pairs(&format!("JobSubmitPlugins = {plugins}\nSLURM_CONF = {}\n", conf.display()))
        };
        let is_good = |plugins, is_needed| {
            let finding = gate_is_there(&settings(plugins), "our script", is_needed);
            (finding.is_good, finding.text)
        };
        let none = is_good("(null)", true);
        assert!(!none.0 && none.1.starts_with("there is no gate: "), "{none:?}");
        let none = is_good("(null)", false);
        assert!(none.0 && none.1.contains("advisory mode needs none"), "{none:?}");
        assert!(!is_good("lua", true).0 && is_good("lua", false).0, "the file is missing");
        std::fs::write(folder.path().join("job_submit.lua"), "another\n").unwrap();
        assert!(!is_good("lua", true).0 && is_good("lua", false).0, "it is somebody else's");
        std::fs::write(folder.path().join("job_submit.lua"), "-- x\nour script\n").unwrap();
        assert!(is_good("all,lua", true).0);
        let left = is_good("lua", false);
        assert!(!left.0 && left.1.contains("take lua out"), "{left:?}");
        assert!(is_good("(null)", false).0, "the file alone does nothing");
    }

    #[test]
    fn settings_are_read_as_scontrol_prints_them() {
        let text = "Configuration data as of 1795640333\nSlurmUser               = slurm(64030)\nJobRequeue              = 1\n\
                    SchedulerParameters     = bf_interval=1,batch_sched_delay=0\n\nSlurmctld(primary) at vm is UP\n";
        let settings = pairs(text);
        assert_eq!(slurm_user(&settings), Some(64030));
        assert!(delay(&settings).is_good && requeue(&settings).is_good);
        assert_eq!(value(&settings, "JobSubmitPlugins"), "");
        let none = pairs("=\n\nx");
        assert!(
            delay(&none).text.contains("3 s late")
                && !requeue(&none).is_good
                && slurm_user(&none).is_none()
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let nodes: std::collections::BTreeSet<String> = ["a", "b"].map(String::from).into();
        let part = |nodes: &[&str], is_exclusive| Partition {
            nodes: nodes.iter().map(|&name| name.into()).collect(),
            is_exclusive,
        };
        let mut cluster =
            Cluster { nodes, cpus: 4, most_cpus: 8, memory: 900, ..Cluster::default() };
        let none = pairs("");
        cluster.partitions.insert("few".into(), part(&["a"], true));
        cluster.partitions.insert("any".into(), part(&["a", "b"], false));
        assert!(!placed(&cluster).is_good);
        cluster.partitions.insert("main".into(), part(&["a", "b"], true));
        assert!(placed(&cluster).is_good);
        let settings = pairs("Licenses = lic:2\nAccountingStorageEnforce = limits,qos\n");
        let told = |settings| {
            let all = left(&cluster, &["gres gpu:2".into()], settings);
            assert!(all.iter().all(|finding| finding.is_good));
            all.into_iter().map(|finding| finding.text).collect::<Vec<_>>().join("\n")
        };
        for what in ["partition few", "partition any", "4 processors", "900 MB", "gres gpu:2"] {
            assert!(told(&none).contains(what), "{what}");
        }
        assert!(!told(&none).contains("licences") && !told(&none).contains("QOS"));
        assert!(told(&settings).contains("lic:2") && told(&settings).contains("QOS"));
    }
}
