//! From what happened to decisions.

use crate::hosts::Hosts;
use crate::message::{Event, Message, ticks};
use crate::reply::{self, Decision};
use crate::settings::Settings;
use locox::time::{Duration, Instant};
use locox_models::replay::{Live, News, Request};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A decision component: settings, and a simulation once it has begun.
pub(crate) struct Component {
    settings: Settings,
    simulation: Option<Simulation>,
    now: f64,
}

/// A platform with its jobs.
struct Simulation {
    hosts: Hosts,
    live: Live,
    jobs: Jobs,
    /// Calls that were asked for and have not come.
    calls: BTreeSet<Instant>,
}

/// Jobs that wait or run.
///
/// - `numbers` has the number in the queue of each by Batsim's name, and `known` the other way round.
#[derive(Default)]
struct Jobs {
    numbers: HashMap<String, usize>,
    known: HashMap<usize, Known>,
}

struct Known {
    id: String,
    hosts: u32,
    runs: bool,
}

/// What a message asks for, checked against what is known. Nothing has changed yet.
#[derive(Default)]
struct Changes {
    begins: Option<Simulation>,
    ended: Vec<usize>,
    ids: Vec<String>,
    requests: Vec<Request>,
    is_over: bool,
}

impl Component {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, simulation: None, now: 0.0 }
    }

    /// The reply to a message.
    ///
    /// # Errors
    ///
    /// What is wrong with the message; nothing has changed then.
    pub(crate) fn take(&mut self, text: &str) -> Result<String, String> {
        let message = Message::parse(text)?;
        if message.now < self.now {
            return Err(format!("now is {}, but it was {} before", message.now, self.now));
        }
        let mut changes = self.check(message.events)?;
        self.now = message.now;
        if let Some(begun) = changes.begins.take() {
            self.simulation = Some(begun);
        }
        let decisions = match &mut self.simulation {
            Some(simulation) if !changes.is_over => {
                simulation.decide(Instant::from_ticks(ticks(message.now)), changes)
            }
            _ => vec![],
        };
        Ok(reply::message(message.now, &decisions))
    }

    fn check(&self, events: Vec<Event>) -> Result<Changes, String> {
        let nobody = Jobs::default();
        let jobs = self.simulation.as_ref().map_or(&nobody, |simulation| &simulation.jobs);
        let mut has_begun = self.simulation.is_some();
        let (mut changes, mut come, mut gone) =
            (Changes::default(), HashSet::new(), HashSet::new());
        for event in events {
            match event {
                Event::Begins(_) if has_begun => {
                    return Err("the simulation has begun already".into());
                }
                Event::Begins(numbers) => {
                    changes.begins = Some(Simulation::new(&self.settings, numbers)?);
                    has_begun = true;
                }
                Event::Submitted { id, .. } if !has_begun => {
                    return Err(format!("the job {id} comes before the simulation begins"));
                }
                Event::Submitted { id, .. }
                    if jobs.numbers.contains_key(&id) || !come.insert(id.clone()) =>
                {
                    return Err(format!("the job {id} is there already"));
                }
                Event::Submitted { id, hosts, walltime } => {
                    let limit =
                        walltime.map(|walltime| Duration::from_ticks(ticks(walltime).max(1)));
                    changes.requests.push(Request { processors: hosts, limit });
                    changes.ids.push(id);
                }
                Event::Ended(ids) => {
                    for id in ids {
                        let number = jobs
                            .running(&id)
                            .ok_or_else(|| format!("the job {id} does not run"))?;
                        if !gone.insert(number) {
                            return Err(format!("the job {id} ends twice"));
                        }
                        changes.ended.push(number);
                    }
                }
                Event::Ends => changes.is_over = true,
            }
        }
        Ok(changes)
    }
}

impl Simulation {
    fn new(settings: &Settings, numbers: Vec<u32>) -> Result<Self, String> {
        let hosts = Hosts::new(numbers)?;
        let live = settings.live(hosts.len())?;
        Ok(Self { hosts, live, jobs: Jobs::default(), calls: BTreeSet::new() })
    }

    fn decide(&mut self, now: Instant, changes: Changes) -> Vec<Decision> {
        let Changes { ended, mut ids, requests, .. } = changes;
        ended.iter().for_each(|&number| self.jobs.forget(number));
        let Self { hosts, live, jobs, .. } = self;
        let mut decisions = vec![];
        live.instant(now, &ended, &requests, &mut |news| match news {
            News::Waits { arrival, job } => {
                jobs.know(job, std::mem::take(&mut ids[arrival]), requests[arrival].processors);
            }
            News::Rejected { arrival, why } => {
                let job_id = std::mem::take(&mut ids[arrival]);
                eprintln!(
                    "locox: the job {} is rejected: {why}",
                    job_id.replace(char::is_control, "?")
                );
                decisions.push(Decision::Reject { job_id });
            }
            News::Started { job, allocated } => {
                let Some(known) = jobs.known.get_mut(&job) else { return };
                known.runs = true;
                let on = hosts.named(&allocated, known.hosts);
                decisions.push(Decision::execute(known.id.clone(), on));
            }
        });
        decisions.extend(self.call(now));
        decisions
    }

    /// Asks to be called when a start is planned for a time at which nothing may happen. Calls cannot be taken
    /// back; one that comes earlier will do, as then it is asked again.
    fn call(&mut self, now: Instant) -> Option<Decision> {
        self.calls = self.calls.split_off(&Instant::from_ticks(now.ticks() + 1));
        let at = self.live.wake_at()?;
        if self.calls.first().is_some_and(|&call| call <= at) {
            return None;
        }
        self.calls.insert(at);
        Some(Decision::call(at.ticks()))
    }
}

impl Jobs {
    fn running(&self, id: &str) -> Option<usize> {
        let number = *self.numbers.get(id)?;
        self.known.get(&number).filter(|known| known.runs).map(|_| number)
    }

    fn know(&mut self, number: usize, id: String, hosts: u32) {
        self.numbers.insert(id.clone(), number);
        self.known.insert(number, Known { id, hosts, runs: false });
    }

    fn forget(&mut self, number: usize) {
        if let Some(known) = self.known.remove(&number) {
            self.numbers.remove(&known.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGINS: &str =
        r#"{"event_type": "SimulationBeginsEvent", "event": {"computation_host_number": 8}}"#;

    fn submitted(id: &str, hosts: u32, walltime: u32) -> String {
        format!(
            r#"{{"event_type": "JobSubmittedEvent", "event": {{"job_id": "{id}", "job":
            {{"resource_request": {hosts}, "walltime": {walltime}}}}}}}"#
        )
    }

    fn completed(id: &str) -> String {
        format!(r#"{{"event_type": "JobCompletedEvent", "event": {{"job_id": "{id}"}}}}"#)
    }

    fn component(settings: &str) -> Component {
        Component::new(settings.parse().unwrap())
    }

    /// What is started where, and what rejected.
    fn take(
        component: &mut Component,
        now: f64,
        events: &[String],
    ) -> Result<Vec<(String, String)>, String> {
        let reply =
            component.take(&format!(r#"{{"now": {now}, "events": [{}]}}"#, events.join(",")))?;
        let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
        let events = reply["events"].as_array().unwrap().iter().map(|event| {
            let on = &event["event"]["allocation"]["host_allocation"];
            let id = event["event"]["job_id"].as_str().unwrap().to_owned();
            (id, on.as_str().unwrap_or("rejected").to_owned())
        });
        Ok(events.collect())
    }

    fn pair(id: &str, on: &str) -> (String, String) {
        (id.into(), on.into())
    }

    #[test]
    fn jobs_are_backfilled_and_run_where_their_subcubes_begin() {
        let mut easy = component("queue = \"easy\"");
        let come =
            [BEGINS.into(), submitted("a", 6, 100), submitted("b", 4, 100), submitted("c", 2, 100)];
        assert_eq!(take(&mut easy, 0.0, &come), Ok(vec![pair("a", "0-5"), pair("c", "6-7")]));
        assert_eq!(
            take(&mut easy, 100.0, &[completed("a"), completed("c")]),
            Ok(vec![pair("b", "0-3")])
        );
        let mut cube = component("strategy = \"buddy\"");
        let come =
            [BEGINS.into(), submitted("a", 3, 9), submitted("b", 3, 9), submitted("c", 1, 9)];
        assert_eq!(take(&mut cube, 0.0, &come), Ok(vec![pair("a", "0-2"), pair("b", "4-6")]));
    }

    #[test]
    fn an_error_changes_nothing() {
        let mut fcfs = component("");
        let mut wrong = |events: &[String], now, part: &str| {
            let error = take(&mut fcfs, now, events).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        wrong(&[submitted("a", 1, 9)], 0.0, "before the simulation begins");
        wrong(&[BEGINS.into(), BEGINS.into()], 0.0, "begun already");
        wrong(
            &[BEGINS.into(), submitted("a", 1, 9), submitted("a", 1, 9)],
            0.0,
            "the job a is there already",
        );
        let begins =
            [BEGINS.into(), submitted("a", 8, 9), submitted("b", 8, 9), submitted("c", 9, 9)];
        assert_eq!(
            take(&mut fcfs, 5.0, &begins),
            Ok(vec![pair("a", "0-7"), pair("c", "rejected")])
        );
        let mut wrong = |events: &[String], now, part: &str| {
            let error = take(&mut fcfs, now, events).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        wrong(&[completed("a"), completed("a")], 6.0, "the job a ends twice");
        wrong(&[completed("a"), completed("b")], 6.0, "the job b does not run");
        wrong(&[completed("c")], 6.0, "the job c does not run");
        wrong(&[], 4.0, "now is 4, but it was 5 before");
        assert_eq!(take(&mut fcfs, 6.0, &[completed("a")]), Ok(vec![pair("b", "0-7")]));
        // A number is free when its job has ended.
        assert_eq!(
            take(&mut fcfs, 7.0, &[completed("b"), submitted("a", 1, 9)]),
            Ok(vec![pair("a", "0")])
        );
    }

    #[test]
    fn at_the_end_nothing_is_started() {
        let mut fcfs = component("");
        let ends = r#"{"event_type": "SimulationEndsEvent"}"#;
        assert_eq!(
            take(&mut fcfs, 0.0, &[BEGINS.into(), submitted("a", 1, 9), ends.into()]),
            Ok(vec![])
        );
    }
}
