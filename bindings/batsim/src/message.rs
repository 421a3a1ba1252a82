//! What Batsim says.
//!
//! FlatBuffers as JSON: a scalar that has its default value may be missing, and fields that are not used here
//! are passed over.

use locox_models::swf::MOST_PROCESSORS;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Seconds: beyond it no simulation goes, and milliseconds are exact.
const LATEST: f64 = 1e12;
const MILLISECONDS: f64 = 1000.0;

/// A time in milliseconds, which are the ticks of the queue.
pub(crate) fn ticks(seconds: f64) -> u64 {
    (seconds.min(LATEST) * MILLISECONDS).round() as u64
}

/// A message: times do not fall, and none lies after `now`.
#[derive(Debug, PartialEq)]
pub(crate) struct Message {
    /// Seconds of the simulation.
    pub(crate) now: f64,
    pub(crate) events: Vec<Event>,
}

/// What happened.
#[derive(Debug, PartialEq)]
pub(crate) enum Event {
    /// The simulation begins on computation hosts of these numbers.
    Begins(Vec<u32>),
    Submitted {
        id: String,
        hosts: u32,
        walltime: Option<f64>,
    },
    /// These jobs run no longer.
    Ended(Vec<String>),
    /// The simulation is over.
    Ends,
}

#[derive(Deserialize)]
struct MessageText<'a> {
    #[serde(default)]
    now: f64,
    #[serde(default, borrow)]
    events: Vec<EventText<'a>>,
}

#[derive(Deserialize)]
struct EventText<'a> {
    #[serde(default)]
    timestamp: f64,
    #[serde(borrow)]
    event_type: Cow<'a, str>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Begins {
    #[serde(default)]
    computation_host_number: u32,
    computation_hosts: Option<Vec<Host>>,
}

#[derive(Deserialize)]
struct Host {
    #[serde(default)]
    id: u32,
}

#[derive(Deserialize)]
struct Submitted {
    job_id: String,
    job: Job,
}

#[derive(Deserialize)]
struct Job {
    #[serde(default)]
    resource_request: u32,
    walltime: Option<f64>,
}

#[derive(Deserialize)]
struct Completed {
    job_id: String,
}

#[derive(Deserialize)]
struct Killed {
    job_ids: Vec<String>,
}

impl Message {
    /// # Errors
    ///
    /// What is wrong, and where.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let MessageText { now, events } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        if !(0.0..=LATEST).contains(&now) {
            return Err(format!("now is {now}, which no simulation reaches"));
        }
        let mut last = 0.0;
        for (number, EventText { timestamp, .. }) in events.iter().enumerate() {
            if !(last..=now).contains(timestamp) {
                return Err(format!(
                    "event {number} is of {timestamp}, after one of {last} and at {now}"
                ));
            }
            last = *timestamp;
        }
        let parsed = events.iter().enumerate().filter_map(|(number, event)| {
            let wrong = |error| format!("event {number}, {}: {error}", event.event_type);
            event.parse().map_err(wrong).transpose()
        });
        Ok(Self { now, events: parsed.collect::<Result<_, _>>()? })
    }
}

impl EventText<'_> {
    /// `None` of what a queue need not know.
    fn parse(&self) -> Result<Option<Event>, String> {
        Ok(Some(match &*self.event_type {
            "SimulationBeginsEvent" => Event::Begins(self.of::<Begins>()?.hosts()?),
            "JobSubmittedEvent" => {
                let Submitted { job_id: id, job: Job { resource_request: hosts, walltime } } =
                    self.of()?;
                if walltime.is_some_and(|walltime| walltime <= 0.0) {
                    return Err(format!("the job {id} may run for no time"));
                }
                Event::Submitted { id, hosts, walltime }
            }
            "JobCompletedEvent" => Event::Ended(vec![self.of::<Completed>()?.job_id]),
            "JobsKilledEvent" => Event::Ended(self.of::<Killed>()?.job_ids),
            "SimulationEndsEvent" => Event::Ends,
            _ => return Ok(None),
        }))
    }

    fn of<'a, T: Deserialize<'a>>(&'a self) -> Result<T, String> {
        let text = self.event.map_or("{}", RawValue::get);
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

impl Begins {
    fn hosts(self) -> Result<Vec<u32>, String> {
        let number = self.computation_host_number;
        if number > MOST_PROCESSORS {
            return Err(format!("{number} hosts are more than {MOST_PROCESSORS}"));
        }
        let Some(hosts) = self.computation_hosts else { return Ok((0..number).collect()) };
        if hosts.len() != number as usize {
            return Err(format!("{number} computation hosts are told, but {} listed", hosts.len()));
        }
        Ok(hosts.iter().map(|host| host.id).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_with_their_defaults_and_others_passed_over() {
        let text = r#"{"now": 2.5, "events": [
            {"event": {"computation_host_number": 2, "computation_hosts": [{"name": "a"}, {"id": 3}]},
             "event_type": "SimulationBeginsEvent"},
            {"timestamp": 1, "event_type": "ExternalEventOccurredEvent", "event": {"x": [1, null]}},
            {"timestamp": 2, "event_type": "JobSubmittedEvent",
             "event": {"job_id": "w!1", "job": {"resource_request": 4, "walltime": 60.5, "rigid": true}}},
            {"timestamp": 2, "event_type": "JobCompletedEvent", "event": {"job_id": "w!0", "state": "OTHER"}},
            {"timestamp": 2.5, "event_type": "SimulationEndsEvent"}]}"#;
        let expected = [
            Event::Begins(vec![0, 3]),
            Event::Submitted { id: "w!1".into(), hosts: 4, walltime: Some(60.5) },
            Event::Ended(vec!["w!0".into()]),
            Event::Ends,
        ];
        let message = Message::parse(text).unwrap();
        assert_eq!((message.now, &message.events[..]), (2.5, &expected[..]));
        assert_eq!(Message::parse("{}").unwrap(), Message { now: 0.0, events: vec![] });
    }

    #[test]
    fn what_is_wrong_is_told() {
        let event = |kind: &str, event: &str| {
            format!(r#"{{"now": 1, "events": [{{"event_type": "{kind}", "event": {event}}}]}}"#)
        };
        for (text, part) in [
            (String::new(), "EOF"),
            ("[".repeat(100_000), ""),
            (r#"{"now": NaN}"#.into(), "expected value"),
            (r#"{"now": 1e999}"#.into(), "number out of range"),
            (r#"{"now": -1}"#.into(), "now is -1"),
            (
                r#"{"now": 1, "events": [{"timestamp": 2, "event_type": "X"}]}"#.into(),
                "event 0 is of 2",
            ),
            (r#"{"now": 1, "events": [{"event": {}}]}"#.into(), "event_type"),
            (
                event("JobSubmittedEvent", "{}"),
                "event 0, JobSubmittedEvent: missing field `job_id`",
            ),
            (
                event("JobSubmittedEvent", r#"{"job_id": "a", "job": {"walltime": 0}}"#),
                "for no time",
            ),
            (
                event("JobSubmittedEvent", r#"{"job_id": "a", "job": {"resource_request": -4}}"#),
                "invalid value",
            ),
            (event("JobCompletedEvent", r#"{"job_id": 4}"#), "invalid type"),
            (
                event("SimulationBeginsEvent", r#"{"computation_host_number": 99999999}"#),
                "more than",
            ),
            (
                event("SimulationBeginsEvent", r#"{"computation_hosts": [{}]}"#),
                "0 computation hosts are told",
            ),
        ] {
            let error = Message::parse(&text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
