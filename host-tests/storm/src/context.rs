//! What all parts of a world share: its true time, what is due, the network, and what was found.

use crate::claims::{Claim, Violation};
use crate::figures::Figures;
use crate::machines::Machines;
use crate::network::{Network, Packet};
use crate::numbers::Numbers;
use crate::parts::{Part, Service};
use crate::planted::Planted;
use std::collections::{BTreeMap, HashMap};

/// What is due.
#[derive(Debug)]
pub(crate) enum Event {
    /// A command of the plan, by its place there.
    Command(usize),
    Arrives(Packet),
    Wake(Part),
}

/// What all parts of a world share.
pub(crate) struct Context {
    /// The true time.
    pub(crate) now: u64,
    pub(crate) machines: Machines,
    pub(crate) network: Network,
    pub(crate) numbers: Numbers,
    pub(crate) figures: Figures,
    pub(crate) planted: Option<Planted>,
    /// The first that was found.
    pub(crate) violation: Option<Violation>,
    /// Whether nothing goes wrong any more.
    pub(crate) is_calm: bool,
    agenda: BTreeMap<(u64, u64), Event>,
    /// When each part looks next.
    wakes: HashMap<Part, u64>,
    count: u64,
}

impl Context {
    pub(crate) fn new(seed: u64, planted: Option<Planted>) -> Self {
        Self {
            now: 0,
            machines: Machines::default(),
            network: Network::default(),
            numbers: Numbers::of(seed, 1),
            figures: Figures::default(),
            planted,
            violation: None,
            is_calm: false,
            agenda: BTreeMap::new(),
            wakes: HashMap::new(),
            count: 0,
        }
    }

    pub(crate) fn is_planted(&self, planted: Planted) -> bool {
        self.planted == Some(planted)
    }

    pub(crate) fn at(&mut self, at: u64, event: Event) {
        self.count += 1;
        self.agenda.insert((at.max(self.now), self.count), event);
    }

    /// Has a part look at its clock then, unless it does so before.
    pub(crate) fn wake(&mut self, part: Part, at: u64) {
        let at = at.max(self.now);
        if self.wakes.get(&part).is_none_or(|known| *known > at) {
            self.wakes.insert(part, at);
            self.at(at, Event::Wake(part));
        }
    }

    /// What is due next, up to a time. What has been overtaken by an earlier look is passed over.
    pub(crate) fn next(&mut self, until: u64) -> Option<Event> {
        loop {
            let entry = self.agenda.first_entry().filter(|entry| entry.key().0 <= until)?;
            let ((at, _), event) = entry.remove_entry();
            self.now = at;
            match event {
                Event::Wake(part) if self.wakes.get(&part) != Some(&at) => {}
                Event::Wake(part) => {
                    self.wakes.remove(&part);
                    return Some(event);
                }
                event => return Some(event),
            }
        }
    }

    /// Has what is under way to this service, or from it, be lost.
    pub(crate) fn drop_packets(&mut self, of: Service) {
        self.agenda.retain(|_, event| !matches!(event, Event::Arrives(it) if it.service() == of));
    }

    /// Sends a packet over the network, between a service and this machine.
    pub(crate) fn send(&mut self, machine: usize, to_service: bool, packet: Packet) {
        let Self { network, numbers, now, figures, .. } = self;
        let copies = network.fates(machine, to_service, *now, numbers, figures);
        for fate in copies {
            let packet = if fate.damaged { packet.damaged() } else { packet };
            self.at(self.now + fate.delay, Event::Arrives(packet));
        }
    }

    /// A claim: what was found is told only if it does not hold.
    pub(crate) fn claim(
        &mut self,
        holds: bool,
        claim: Claim,
        whose: &'static str,
        what: impl FnOnce() -> String,
    ) {
        if !holds && self.violation.is_none() {
            self.violation = Some(Violation { claim, whose, at: self.now, what: what() });
        }
    }
}
