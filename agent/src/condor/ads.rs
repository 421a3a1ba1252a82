//! What `condor_q` and `condor_status` print as JSON: one object for each job and each slot.

use serde::Deserialize;
use serde_json::Value;

use crate::backend::{NodeSeen, State};

/// What is asked of jobs.
pub(super) const JOB: &str = "ClusterId,ProcId,JobStatus,JobUniverse,Owner,User,QDate,JobPrio,PreJobPrio1,RemoteHost,\
JobCurrentStartDate,EnteredCurrentStatus,AllowedJobDuration,HoldReason,ServerTime,LocoxGate,LocoxSlot,\
LocoxDeadline";
/// What is asked of slots.
pub(super) const SLOT: &str = "Name,State,Activity,SlotType,Start,Offline";

/// The universe of jobs that take one slot each.
const VANILLA: u32 = 5;
/// A job without a limit, in seconds: as long as Slurm's.
const UNLIMITED: u64 = u32::MAX as u64 * 60;

/// A job. What users may write as an expression is a value of any kind.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Job {
    cluster_id: u32,
    proc_id: u32,
    job_status: u32,
    job_universe: u32,
    pub(super) owner: String,
    /// Owner and domain, as priorities of users are kept.
    pub(super) user: String,
    pub(super) q_date: u32,
    job_prio: Option<Value>,
    pre_job_prio1: Option<Value>,
    remote_host: Option<String>,
    job_current_start_date: Option<u64>,
    entered_current_status: u64,
    allowed_job_duration: Option<Value>,
    hold_reason: Option<String>,
    server_time: u64,
    locox_gate: Option<Value>,
    locox_slot: Option<Value>,
    locox_deadline: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Slot {
    name: String,
    state: String,
    activity: String,
    slot_type: Option<String>,
    start: Option<Value>,
    offline: Option<Value>,
}

/// The jobs, and the queue's clock if there are any.
pub(super) fn jobs(text: &str) -> Result<(Option<u64>, Vec<Job>), String> {
    let jobs: Vec<Job> = list(text)?;
    Ok((jobs.iter().map(|job| job.server_time).max(), jobs))
}

/// The slots that are not parts of others, by name. `busy` says whether a job of this queue runs on a slot.
pub(super) fn slots(text: &str, busy: impl Fn(&str) -> bool) -> Result<Vec<NodeSeen>, String> {
    let mut slots: Vec<Slot> = list(text)?;
    slots.retain(|slot| slot.slot_type.as_deref() != Some("Dynamic"));
    slots.sort_by(|a, b| a.name.cmp(&b.name));
    slots.dedup_by(|a, b| a.name == b.name);
    let seen = slots.into_iter().map(|slot| {
        if is_slot(&slot.name) {
            return Ok(NodeSeen { serves: slot.serves(busy(&slot.name)), name: slot.name });
        }
        Err(format!("`{}` is no slot", slot.name.escape_default()))
    });
    seen.collect()
}

/// Marks of agents.
pub(super) fn marks(text: &str) -> Result<Vec<String>, String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Ad {
        mark: String,
    }
    Ok(list::<Ad>(text)?.into_iter().map(|ad| ad.mark).collect())
}

/// Nothing at all is what is printed for an empty list.
fn list<T: for<'a> Deserialize<'a>>(text: &str) -> Result<Vec<T>, String> {
    if text.trim().is_empty() {
        Ok(vec![])
    } else {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// Whether it can stand in a ClassAd's text without being quoted further.
pub(super) fn is_slot(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-@".contains(&byte);
    !name.is_empty() && name.bytes().all(plain)
}

impl Job {
    pub(super) fn id(&self) -> u64 {
        u64::from(self.proc_id) << 32 | u64::from(self.cluster_id)
    }

    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.cluster_id, self.proc_id)
    }

    /// Whether it takes one slot, and is not one of those that run beside the queue.
    pub(super) fn is_vanilla(&self) -> bool {
        self.job_universe == VANILLA
    }

    /// Whether it was submitted behind the gate, or put there.
    pub(super) fn has_gate(&self) -> bool {
        self.locox_gate.as_ref().and_then(Value::as_bool) == Some(true)
    }

    pub(super) fn limit(&self) -> u64 {
        self.allowed_job_duration.as_ref().and_then(Value::as_u64).unwrap_or(UNLIMITED)
    }

    /// An attribute of its owner's, in seconds since 1970.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.locox_deadline.as_ref().and_then(Value::as_u64)
    }

    /// What its owner makes of its urgency: larger is earlier. HTCondor's priorities lie around 0.
    pub(super) fn priority(&self) -> u32 {
        let priority = self.job_prio.as_ref().and_then(Value::as_i64).unwrap_or(0);
        let priority = priority.saturating_add(1 << 31).clamp(0, u32::MAX.into());
        u32::try_from(priority).unwrap_or(u32::MAX)
    }

    /// What comes before its owner's priority in the order of that owner's jobs, and is a signed number there: half
    /// of a rank.
    pub(super) fn rank(&self) -> u32 {
        let before = self.pre_job_prio1.as_ref().and_then(Value::as_u64).unwrap_or(0);
        u32::try_from(before.saturating_mul(2)).unwrap_or(u32::MAX)
    }

    pub(super) fn reason(&self) -> String {
        self.hold_reason.clone().unwrap_or_default()
    }

    /// The slot it has; parts of a slot count as the slot.
    fn place(&self) -> Result<Vec<String>, String> {
        let Some(host) = &self.remote_host else { return Ok(vec![]) };
        let (slot, machine) = host
            .split_once('@')
            .ok_or_else(|| format!("job {}: `{host}` is no slot", self.name()))?;
        let whole = slot.split_once('_').map_or(slot, |(whole, _)| whole);
        let name = format!("{whole}@{machine}");
        if is_slot(&name) {
            Ok(vec![name])
        } else {
            Err(format!("job {}: `{name}` is no slot", self.name()))
        }
    }

    /// What it does; nothing if it has ended.
    pub(super) fn state(&self) -> Result<Option<State>, String> {
        let gated = self.has_gate() && !self.locox_slot.as_ref().is_some_and(Value::is_string);
        let nodes = self.place()?;
        match self.job_status {
            1 => Ok(Some(State::Waits { gated, held: false })),
            5 => Ok(Some(State::Waits { gated, held: true })),
            // It begins, or has just stopped: for a moment nobody knows where.
            2 | 6 | 7 if nodes.is_empty() => Ok(Some(State::Waits { gated: false, held: false })),
            2 | 6 | 7 => {
                let since = self.job_current_start_date.unwrap_or(self.entered_current_status);
                Ok(Some(State::Runs { since, nodes }))
            }
            3 | 4 if nodes.is_empty() => Ok(None),
            3 | 4 => Ok(Some(State::Ends { nodes })),
            other => Err(format!("job {}: status {other} is not known", self.name())),
        }
    }
}

impl Slot {
    fn serves(&self, has_job: bool) -> bool {
        let is =
            |value: &Option<Value>, wanted| value.as_ref().and_then(Value::as_bool) == Some(wanted);
        let free = match self.state.as_str() {
            "Unclaimed" | "Matched" | "Preempting" => true,
            // One that is claimed and idle is kept for a moment for the next job of the same user.
            "Claimed" => has_job || self.activity == "Idle",
            _ => false,
        };
        free && !is(&self.start, false) && !is(&self.offline, true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{UNLIMITED, jobs, marks, slots};
    use crate::backend::State;

    fn job(more: &str) -> String {
        format!(
            "[\n{{\n  \"ClusterId\": 17,\n  \"ProcId\": 2,\n  \"JobUniverse\": 5,\n  \"Owner\": \"anna\",\n  \"User\": \"anna@head\",\n  \
             \"QDate\": 100,\n  \"EnteredCurrentStatus\": 120,\n  \"ServerTime\": 130,\n  {more} }}\n]\n"
        )
    }

    fn state(more: &str) -> Result<Option<State>, String> {
        jobs(&job(more)).and_then(|(_, jobs)| jobs[0].state())
    }

    #[test]
    fn a_job_is_read_as_condor_q_prints_it() {
        let text = job(
            "\"JobStatus\": 1, \"LocoxGate\": true, \"JobPrio\": -5, \"PreJobPrio1\": 17, \"AllowedJobDuration\": 60",
        );
        let (now, jobs) = jobs(&text).unwrap();
        assert_eq!((now, jobs[0].id(), jobs[0].name().as_str()), (Some(130), 2 << 32 | 17, "17.2"));
        assert_eq!((jobs[0].priority(), jobs[0].rank(), jobs[0].limit()), ((1 << 31) - 5, 34, 60));
    }

    #[test]
    fn the_gate_is_told_apart_from_holds() {
        let waits = |gated, held| Ok(Some(State::Waits { gated, held }));
        assert_eq!(state("\"JobStatus\": 1, \"LocoxGate\": true"), waits(true, false));
        assert_eq!(
            state("\"JobStatus\": 1, \"LocoxGate\": true, \"LocoxSlot\": null"),
            waits(true, false)
        );
        assert_eq!(
            state("\"JobStatus\": 1, \"LocoxGate\": true, \"LocoxSlot\": \"slot1@a\""),
            waits(false, false)
        );
        assert_eq!(state("\"JobStatus\": 1"), waits(false, false));
        assert_eq!(state("\"JobStatus\": 5, \"LocoxGate\": true"), waits(true, true));
    }

    #[test]
    fn jobs_that_run_have_a_slot_and_parts_of_slots_are_the_slot() {
        let runs = |since, node: &str| Ok(Some(State::Runs { since, nodes: vec![node.into()] }));
        assert_eq!(
            state("\"JobStatus\": 2, \"RemoteHost\": \"slot3@a.b\", \"JobCurrentStartDate\": 125"),
            runs(125, "slot3@a.b")
        );
        assert_eq!(
            state("\"JobStatus\": 6, \"RemoteHost\": \"slot1_4@a.b\""),
            runs(120, "slot1@a.b")
        );
        assert_eq!(state("\"JobStatus\": 2"), Ok(Some(State::Waits { gated: false, held: false })));
        assert_eq!(state("\"JobStatus\": 3"), Ok(None));
        assert_eq!(
            state("\"JobStatus\": 3, \"RemoteHost\": \"slot1@a\""),
            Ok(Some(State::Ends { nodes: vec!["slot1@a".into()] }))
        );
        for bad in [
            "\"JobStatus\": 9",
            "\"JobStatus\": 2, \"RemoteHost\": \"a\"",
            "\"JobStatus\": 2, \"RemoteHost\": \"a\\\"@b\"",
        ] {
            assert!(state(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_users_write_as_expressions_does_not_spoil_the_answer() {
        let text = job(
            "\"JobStatus\": 1, \"JobPrio\": \"\\/Expr(1 + 2)\\/\", \"AllowedJobDuration\": \"\\/Expr(x)\\/\", \"LocoxGate\": 7",
        );
        let (_, jobs) = jobs(&text).unwrap();
        assert_eq!(
            (jobs[0].priority(), jobs[0].limit(), jobs[0].has_gate()),
            (1 << 31, UNLIMITED, false)
        );
    }

    #[test]
    fn an_empty_queue_prints_nothing_and_half_an_answer_is_none() {
        assert!(matches!(jobs(""), Ok((None, jobs)) if jobs.is_empty()));
        let whole = job("\"JobStatus\": 1");
        assert!(jobs(&whole).is_ok());
        assert!(
            (1..whole.trim_end().len())
                .all(|length| jobs(&whole[..length]).is_err() || whole[..length].trim().is_empty())
        );
        assert!(jobs(&job("\"JobStatus\": 99999999999")).is_err());
    }

    #[test]
    fn slots_that_are_used_by_others_or_drained_do_not_serve() {
        let one = |name: &str, state: &str, activity: &str, more: &str| {
            format!(
                "{{\"Name\": \"{name}\", \"State\": \"{state}\", \"Activity\": \"{activity}\"{more}}}"
            )
        };
        let all = [
            one("slot8@a", "Unclaimed", "Idle", ", \"Start\": false"),
            one("slot1@a", "Unclaimed", "Idle", ", \"SlotType\": \"Static\", \"Start\": true"),
            one("slot2@a", "Claimed", "Busy", ""),
            one("slot3@a", "Claimed", "Busy", ""),
            one("slot4@a", "Claimed", "Idle", ""),
            one("slot5@a", "Drained", "Retiring", ""),
            one("slot6_1@a", "Claimed", "Busy", ", \"SlotType\": \"Dynamic\""),
            one("slot7@a", "Unclaimed", "Idle", ", \"Offline\": true"),
        ];
        let seen = slots(&format!("[{}]", all.join(",")), |name| name == "slot2@a").unwrap();
        let serving: Vec<_> =
            seen.iter().filter(|node| node.serves).map(|node| node.name.as_str()).collect();
        assert_eq!((seen.len(), serving), (7, vec!["slot1@a", "slot2@a", "slot4@a"]));
        assert!(slots(&format!("[{}]", one("a b", "Unclaimed", "Idle", "")), |_| false).is_err());
    }

    #[test]
    fn marks_are_read() {
        assert_eq!(
            marks("[\n{\n  \"Mark\": \"locox-agent a:/b 5\"\n}\n]\n"),
            Ok(vec!["locox-agent a:/b 5".into()])
        );
        assert_eq!(marks(""), Ok(vec![]));
        assert!(marks("[{}]").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in ".{0,60}", status in 0_u32..9, host in ".{0,9}") {
            let _ = jobs(&text).is_ok();
            let _ = slots(&text, |_| false).is_ok();
            let host = serde_json::to_string(&host).unwrap();
            let _ = state(&format!("\"JobStatus\": {status}, \"RemoteHost\": {host}"));
        }
    }
}
