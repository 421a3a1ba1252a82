//! What an administrator is to know before the agent governs Slurm.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::hostlist::short;
use super::{Slurm, gate, queue};
use crate::backend::{BackendError, Finding};

/// Versions that were tried.
const TRIED: [&str; 1] = ["22.05"];
/// How far the controller's clock and this machine's may be apart, in seconds.
const APART: u64 = 2;

type Settings = BTreeMap<String, String>;

impl Slurm {
    pub(super) fn findings(&self) -> Vec<Finding> {
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
        findings.push(self.gate_is_there(&settings));
        findings.extend(self.config.partitions.iter().map(|name| self.partition(name)));
        findings
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

    fn gate_is_there(&self, settings: &Settings) -> Finding {
        if !value(settings, "JobSubmitPlugins").split(',').any(|name| name == "lua") {
            return bad(
                "there is no gate: JobSubmitPlugins has no lua in slurm.conf; `locox-agent gate` says what to do (advisory mode needs none)",
            );
        }
        let file = Path::new(value(settings, "SLURM_CONF")).with_file_name("job_submit.lua");
        let Ok(text) = std::fs::read_to_string(&file) else {
            return bad(format!(
                "the gate cannot be checked: {} cannot be read here; see `locox-agent gate`",
                file.display()
            ));
        };
        if text.contains(&gate::script(&self.config.partitions, &self.trusted())) {
            return good(format!("the gate is in {}", file.display()));
        }
        let advice = "compare it with what `locox-agent gate` prints";
        bad(format!(
            "{} is not the gate of these partitions as this agent writes it: {advice}",
            file.display()
        ))
    }

    fn partition(&self, name: &str) -> Finding {
        let answer = match self.commands.ask("scontrol", &["-o", "show", "partition", name]) {
            Ok(answer) => answer,
            Err(error) => return bad(format!("partition {name}: {error}")),
        };
        let is = |word: &str| answer.split_whitespace().any(|part| part == word);
        if !is("State=UP") {
            return bad(format!(
                "partition {name} is not up: `scontrol update PartitionName={name} State=UP`"
            ));
        }
        if !is("OverSubscribe=EXCLUSIVE") {
            return bad(format!(
                "partition {name} shares nodes between jobs: set OverSubscribe=EXCLUSIVE in slurm.conf"
            ));
        }
        good(format!("partition {name} is up, and gives nodes whole"))
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
    bad("jobs start up to 3 s late: put batch_sched_delay=0 into SchedulerParameters in slurm.conf")
}

fn requeue(settings: &Settings) -> Finding {
    if value(settings, "JobRequeue") == "1" {
        return good("jobs that are stopped wait again");
    }
    bad(
        "jobs that are stopped or lose a node do not wait again: set JobRequeue=1 in slurm.conf, or preempt nobody",
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
    use super::{delay, pairs, requeue, slurm_user, value};

    #[test]
    fn settings_are_read_as_scontrol_prints_them() {
        let text = "Configuration data as of 1795640333\nSlurmUser               = slurm(64030)\nJobRequeue              = 1\n\
                    SchedulerParameters     = bf_interval=1,batch_sched_delay=0\n\nSlurmctld(primary) at vm is UP\n";
        let settings = pairs(text);
        assert_eq!(slurm_user(&settings), Some(64030));
        assert!(delay(&settings).is_good && requeue(&settings).is_good);
        assert_eq!(value(&settings, "JobSubmitPlugins"), "");
        let none = pairs("=\n\nx");
        assert!(!delay(&none).is_good && !requeue(&none).is_good && slurm_user(&none).is_none());
    }
}
