//! The gate's lines for HTCondor's configuration, and what an administrator is to know.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{Condor, ads};
use crate::backend::Finding;

/// Lines for the configuration of the machine that runs the schedd.
pub(super) const GATE: &str = r#"# Written by `locox-agent gate`. Save this in the folder of local configurations of the machine that runs the schedd,
# such as /etc/condor/config.d/90-locox, and run `condor_reconfig`. Jobs of the vanilla universe wait from then on until
# the agent names their slot; holds of users stay what they are.
JOB_TRANSFORM_NAMES = $(JOB_TRANSFORM_NAMES) Locox
JOB_TRANSFORM_Locox @=end
  REQUIREMENTS JobUniverse == 5
  SET LocoxGate true
  SET Requirements ($(MY.Requirements)) && (MY.LocoxSlot =?= TARGET.Name || MY.LocoxSlot =?= "any")
@end
# Only administrators change these.
PROTECTED_JOB_ATTRS = $(PROTECTED_JOB_ATTRS) LocoxSlot LocoxGate Requirements PreJobPrio1
# A job is placed in the next cycle of the negotiator: let it be soon. These stand on the machine that runs it.
NEGOTIATOR_INTERVAL = 5
NEGOTIATOR_MIN_INTERVAL = 1
NEGOTIATOR_CYCLE_DELAY = 1
"#;

impl Condor {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let version = match self.commands.ask("condor_version", &[]) {
            Ok(text) => text.split_whitespace().nth(1).unwrap_or("of no known version").to_owned(),
            Err(error) => return vec![finding(false, error.to_string())],
        };
        let mut findings = vec![finding(true, format!("HTCondor {version}, tried with 23.9"))];
        findings.push(self.has("JOB_TRANSFORM_NAMES", "Locox", "jobs wait behind the gate"));
        findings.push(self.has("PROTECTED_JOB_ATTRS", "LocoxSlot", "users cannot open the gate"));
        findings.push(self.clock());
        findings
    }

    fn has(&self, setting: &str, word: &str, text: &str) -> Finding {
        let value = self.commands.ask("condor_config_val", &[setting]).unwrap_or_default();
        if value.split([' ', ',', '\n']).any(|part| part == word) {
            return finding(true, text);
        }
        finding(
            false,
            format!(
                "{setting} has no {word}: put there what `locox-agent gate` prints (advisory mode needs none)"
            ),
        )
    }

    fn clock(&self) -> Finding {
        let queue = self.commands.ask("condor_q", &["-allusers", "-json", "-attributes", ads::JOB]);
        let told = queue.map_err(|error| error.to_string()).and_then(|text| ads::jobs(&text));
        let here = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        match told {
            Err(why) => finding(false, format!("the queue cannot be read: {why}")),
            Ok((Some(there), _)) if there.abs_diff(here) > 2 => finding(
                false,
                format!(
                    "the queue's clock is {} s off this machine's: set both by NTP",
                    there.abs_diff(here)
                ),
            ),
            Ok(_) => finding(true, "the queue is read, and its clock is this machine's"),
        }
    }
}

fn finding(is_good: bool, text: impl Into<String>) -> Finding {
    Finding { is_good, text: text.into() }
}
