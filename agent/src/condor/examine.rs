//! What an administrator is to know.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{Condor, ads};
use crate::backend::Finding;

impl Condor {
    pub(super) fn findings(&self, needs_gate: bool) -> Vec<Finding> {
        let version = match self.commands.ask("condor_version", &[]) {
            Ok(text) => text.split_whitespace().nth(1).unwrap_or("of no known version").to_owned(),
            Err(error) => return vec![finding(false, error.to_string())],
        };
        let mut findings = vec![finding(true, format!("HTCondor {version}, tried with 23.9"))];
        if needs_gate {
            findings.push(self.has("JOB_TRANSFORM_NAMES", "Locox", "jobs wait behind the gate"));
            findings.push(self.has(
                "PROTECTED_JOB_ATTRS",
                "LocoxSlot",
                "users cannot open the gate",
            ));
        }
        findings.push(self.clock());
        findings
    }

    fn has(&self, setting: &str, word: &str, text: &str) -> Finding {
        let value = self.commands.ask("condor_config_val", &[setting]).unwrap_or_default();
        if value.split([' ', ',', '\n']).any(|part| part == word) {
            return finding(true, text);
        }
        finding(false, format!("{setting} has no {word}: put there what `locox-agent gate` prints"))
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
