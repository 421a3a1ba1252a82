//! What is said to Batsim: FlatBuffers as JSON, the type of a union before its value.

use serde::Serialize;

/// The version of the protocol whose messages these are.
const PROTOCOL: &str = "1.0.0";

#[derive(Serialize)]
struct MessageText<'a> {
    now: f64,
    events: Vec<EventText<'a>>,
}

#[derive(Serialize)]
struct EventText<'a> {
    timestamp: f64,
    #[serde(flatten)]
    event: &'a Decision,
}

/// What Batsim is to do.
#[derive(Serialize)]
#[serde(tag = "event_type", content = "event")]
pub(crate) enum Decision {
    #[serde(rename = "ExecuteJobEvent")]
    Execute { job_id: String, allocation: Allocation },
    #[serde(rename = "RejectJobEvent")]
    Reject { job_id: String },
    #[serde(rename = "CallMeLaterEvent")]
    Call { call_me_later_id: String, when_type: &'static str, when: OneShot },
    #[serde(rename = "EDCHelloEvent")]
    Hello(Hello),
}

#[derive(Serialize)]
pub(crate) struct Allocation {
    host_allocation: String,
    executor_placement_type: &'static str,
    executor_placement: Placement,
}

#[derive(Serialize)]
struct Placement {
    strategy: &'static str,
}

/// A whole number of units.
#[derive(Serialize)]
pub(crate) struct OneShot {
    time: u64,
    time_unit: &'static str,
}

#[derive(Serialize)]
pub(crate) struct Hello {
    batprotocol_version: &'static str,
    decision_component_name: &'static str,
    decision_component_version: &'static str,
    decision_component_commit: &'static str,
    requested_simulation_features: Features,
}

/// None is asked for, but Batsim reads all of them.
#[derive(Default, Serialize)]
struct Features {
    dynamic_registration: bool,
    profile_reuse: bool,
    acknowledge_dynamic_jobs: bool,
    forward_profiles_on_job_submission: bool,
    forward_profiles_on_jobs_killed: bool,
    forward_profiles_on_simulation_begins: bool,
}

impl Decision {
    /// Runs the job on these hosts, an executor on each.
    pub(crate) fn execute(job_id: String, host_allocation: String) -> Self {
        let allocation = Allocation {
            host_allocation,
            executor_placement_type: "PredefinedExecutorPlacementStrategyWrapper",
            executor_placement: Placement { strategy: "SpreadOverHostsFirst" },
        };
        Self::Execute { job_id, allocation }
    }

    /// Asks for a message at this time in milliseconds, if none comes before.
    pub(crate) fn call(milliseconds: u64) -> Self {
        let when = OneShot { time: milliseconds, time_unit: "Millisecond" };
        Self::Call { call_me_later_id: format!("locox-{milliseconds}"), when_type: "OneShot", when }
    }
}

/// A message with these decisions.
pub(crate) fn message(now: f64, decisions: &[Decision]) -> String {
    let events = decisions.iter().map(|event| EventText { timestamp: now, event }).collect();
    serde_json::to_string(&MessageText { now, events }).expect("texts and finite numbers")
}

/// The only message that says hello.
pub(crate) fn hello() -> String {
    let hello = Hello {
        batprotocol_version: PROTOCOL,
        decision_component_name: "locox",
        decision_component_version: env!("CARGO_PKG_VERSION"),
        decision_component_commit: "",
        requested_simulation_features: Features::default(),
    };
    message(0.0, &[Decision::Hello(hello)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_before_what_they_are_of() {
        let decisions = [
            Decision::execute("w!1".into(), "0-3".into()),
            Decision::Reject { job_id: "a\"\0".into() },
        ];
        assert_eq!(
            message(1.5, &decisions),
            r#"{"now":1.5,"events":[{"timestamp":1.5,"event_type":"ExecuteJobEvent","event":{"job_id":"w!1","allocation":{"host_allocation":"0-3","executor_placement_type":"PredefinedExecutorPlacementStrategyWrapper","executor_placement":{"strategy":"SpreadOverHostsFirst"}}}},{"timestamp":1.5,"event_type":"RejectJobEvent","event":{"job_id":"a\"\u0000"}}]}"#
        );
        let call = r#"{"now":1.0,"events":[{"timestamp":1.0,"event_type":"CallMeLaterEvent","event":{"call_me_later_id":"locox-1500","when_type":"OneShot","when":{"time":1500,"time_unit":"Millisecond"}}}]}"#;
        assert_eq!(message(1.0, &[Decision::call(1500)]), call);
        assert!(hello().starts_with(
            r#"{"now":0.0,"events":[{"timestamp":0.0,"event_type":"EDCHelloEvent","event":{"#
        ));
    }
}
