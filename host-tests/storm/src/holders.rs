//! Who holds subcubes and reservations of a bank, and what they were promised.

use crate::bank::{Answered, Line, is_gone};
use crate::claims::Claim;
use crate::context::Context;
use crate::machines::MACHINES;
use crate::parts::Part;
use crate::planted::Planted;
use crate::time::{HOUR, MINUTE};
use locox::cube::{Dim, Node, Subcube};
use locox_bank::size::{CUBE, PES, RESERVATIONS};
use locox_bank::{Answer, Command, Figures, Hit, Name};

const WHOSE: &str = "bank";
/// Nodes of the cube and PEs of the timeline that a machine has.
const NODES: u32 = CUBE / MACHINES as u32;
const OWN_PES: u32 = PES / MACHINES as u32;

/// A subcube that somebody has, until a true time.
#[derive(Clone, Copy, Debug)]
struct Held {
    name: Name,
    cube: Subcube,
    until: u64,
    was_hit: bool,
    /// It was given back, and nobody answered.
    is_unsure: bool,
}

/// A reservation, by the bank's time.
#[derive(Clone, Copy, Debug)]
struct Booked {
    name: Name,
    start: u64,
    end: u64,
    pes: u32,
    /// It is called off then, by the true time.
    off_at: Option<u64>,
    was_hit: bool,
    /// It was called off, and nobody answered.
    is_unsure: bool,
}

/// What the bank has been told of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Told {
    #[default]
    In,
    /// That it is out, or in again, and not yet all of it.
    Partly,
    Out,
}

/// All of them, and the operator who reports machines.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    held: Vec<Held>,
    booked: Vec<Booked>,
    told: [Told; MACHINES],
    /// Somebody was not answered, and may have got something whose name he does not know.
    lost_leases: bool,
    lost_reservations: bool,
    /// Hits of an audit.
    found: Vec<Hit>,
}

impl Holders {
    fn out_nodes(&self) -> impl Iterator<Item = u32> {
        let of = |machine: usize| (0..NODES).map(move |node| machine as u32 * NODES + node);
        (0..MACHINES).filter(|machine| self.told[*machine] == Told::Out).flat_map(of)
    }

    fn out_pes(&self) -> u32 {
        let of = |machine: usize| ((1 << OWN_PES) - 1) << (machine as u32 * OWN_PES);
        let out = (0..MACHINES).filter(|machine| self.told[*machine] == Told::Out);
        out.fold(0, |pes, it| pes | of(it))
    }

    // What is asked for.

    pub(crate) fn lease(&mut self, context: &mut Context, line: &mut Line, dim: u64, hours: u64) {
        let Some(dim) = Dim::new(dim as u8) else { return };
        context.figures.jobs += 1;
        let until = context.now + hours * HOUR;
        match line.say(context, Command::Lease { serial: 0, dim }) {
            Answered::Taken(Answer::Leased { lease: name, cube }) => {
                let has = |held: &Held| !held.is_unsure && held.cube.intersection(&cube).is_some();
                let is_free = !self.held.iter().any(has);
                let serves = !self.out_nodes().any(|node| cube.contains(Node(node)));
                context.claim(is_free && serves, Claim::PromisesKept, WHOSE, || {
                    format!("lease {name} of {cube} takes nodes that others have, or that are out")
                });
                context.figures.granted += 1;
                self.held.push(Held { name, cube, until, was_hit: false, is_unsure: false });
                context.wake(Part::Holders, until);
            }
            Answered::Taken(other) => wrong(context, &other),
            Answered::Refused(_) => {}
            Answered::Nothing => self.lost_leases = true,
        }
    }

    pub(crate) fn reserve(
        &mut self,
        context: &mut Context,
        line: &mut Line,
        (pes, hours, within, number): (u64, u64, u64, u64),
    ) {
        let now = line.now(context);
        let (duration, ready) = (hours * HOUR, now + within * HOUR);
        let deadline = match number % 3 {
            0 => ready + duration + (number >> 8) % (24 * HOUR),
            _ => Command::NO_DEADLINE,
        };
        let pes = pes as u32;
        context.figures.jobs += 1;
        match line.say(context, Command::Reserve { serial: 0, pes, duration, ready, deadline }) {
            Answered::Taken(Answer::Reserved { reservation: name, start, end, pes: on }) => {
                let is_asked = on.count_ones() == pes && end - start == duration;
                let is_timely = start >= ready && end <= deadline && on & self.out_pes() == 0;
                let overlaps = |it: &Booked| {
                    !it.is_unsure && it.pes & on != 0 && it.start < end && start < it.end
                };
                let is_free = !self.booked.iter().any(overlaps);
                context.claim(is_asked && is_timely && is_free, Claim::PromisesKept, WHOSE, || {
                    format!(
                        "reservation {name}, {start}..{end} on {on:032b}, beside {:?}",
                        self.booked
                    )
                });
                let called_off = (number >> 16) % 3 == 0;
                let off_at = called_off.then(|| context.now + (number >> 24) % (48 * HOUR));
                let (was_hit, is_unsure) = (false, false);
                context.figures.granted += 1;
                self.booked.push(Booked { name, start, end, pes: on, off_at, was_hit, is_unsure });
                context.wake(Part::Holders, context.now + HOUR);
            }
            Answered::Taken(other) => wrong(context, &other),
            Answered::Refused(_) => {}
            Answered::Nothing => self.lost_reservations = true,
        }
    }

    // What is told.

    pub(crate) fn hit(&mut self, context: &mut Context, hit: Hit) {
        if context.is_planted(Planted::GatewayDropsHits) {
            return;
        }
        self.found.push(hit);
        context.figures.hits += 1;
        let soon = context.now + context.numbers.below(3 * HOUR);
        match hit {
            Hit::Lease(name) => {
                for held in self.held.iter_mut().filter(|held| held.name == name) {
                    held.was_hit = true;
                    held.until = held.until.min(soon);
                }
            }
            Hit::Reservation(name) => {
                for booked in self.booked.iter_mut().filter(|booked| booked.name == name) {
                    booked.was_hit = true;
                }
            }
        }
        context.wake(Part::Holders, soon);
    }

    /// Whoever holds what is out has been told so.
    fn check_hits(&self, context: &mut Context, line: &Line) {
        let now = line.now(context);
        let out: Vec<u32> = self.out_nodes().collect();
        let is_broken = |held: &&Held| {
            !held.was_hit
                && !held.is_unsure
                && out.iter().any(|node| held.cube.contains(Node(*node)))
        };
        let held = self.held.iter().find(is_broken);
        context.claim(held.is_none(), Claim::PromisesKept, WHOSE, || {
            format!("{held:?} has a node that is out, and nobody said so")
        });
        let out = self.out_pes();
        let is_broken =
            |it: &&Booked| !it.was_hit && !it.is_unsure && it.end > now && it.pes & out != 0;
        let booked = self.booked.iter().find(is_broken);
        context.claim(booked.is_none(), Claim::PromisesKept, WHOSE, || {
            format!("{booked:?} has a PE that is out, and nobody said so")
        });
    }

    // What is due.

    /// The operator reports a machine until the bank has all of it.
    pub(crate) fn report_machine(
        &mut self,
        context: &mut Context,
        line: &mut Line,
        machine: usize,
    ) -> bool {
        let is_out = !context.machines.is_up(machine);
        let wanted = if is_out { Told::Out } else { Told::In };
        if self.told[machine] == wanted {
            return true;
        }
        self.told[machine] = Told::Partly;
        let at = machine as u32;
        let nodes = (0..NODES).map(|node| at * NODES + node);
        let pes = (0..OWN_PES).map(|pe| at * OWN_PES + pe);
        let said: Vec<Command> = match is_out {
            true => nodes
                .map(|node| Command::Withdraw { node, failed: true })
                .chain(pes.map(|pe| Command::FailPe { pe }))
                .collect(),
            false => nodes
                .map(|node| Command::Repair { node })
                .chain(pes.map(|pe| Command::RepairPe { pe }))
                .collect(),
        };
        for command in said {
            if !matches!(line.say(context, command), Answered::Taken(_)) {
                return false;
            }
            self.hear(context, line);
        }
        self.told[machine] = wanted;
        self.check_hits(context, line);
        true
    }

    /// Takes hits among what was heard; the rest waits for others.
    fn hear(&mut self, context: &mut Context, line: &mut Line) {
        for hit in line.take_hits() {
            self.hit(context, hit);
        }
    }

    /// Gives back what is over, finds what nobody knows of, and compares figures.
    pub(crate) fn look(&mut self, context: &mut Context, line: &mut Line) {
        let now = context.now;
        for at in (0..self.held.len()).rev() {
            if self.held[at].until <= now {
                self.give_back(context, line, at);
            }
        }
        for at in (0..self.booked.len()).rev() {
            if self.booked[at].off_at.is_some_and(|off| off <= now) {
                self.call_off(context, line, at);
            }
        }
        self.audit(context, line);
        self.compare(context, line);
        let next = self.held.iter().map(|held| held.until).min().unwrap_or(u64::MAX);
        context.wake(Part::Holders, next.clamp(now + 10 * MINUTE, now + 6 * HOUR));
    }

    fn give_back(&mut self, context: &mut Context, line: &mut Line, at: usize) {
        let Held { name, .. } = self.held[at];
        let answered = match context.is_planted(Planted::GatewayDropsReleases) {
            true => Answered::Taken(Answer::Done),
            false => line.say(context, Command::Free { lease: name }),
        };
        // One that was freed before the answer was lost is gone.
        match is_gone(&answered) {
            true => _ = self.held.swap_remove(at),
            false => self.held[at].is_unsure = true,
        }
    }

    fn call_off(&mut self, context: &mut Context, line: &mut Line, at: usize) {
        let Booked { name, end, is_unsure, .. } = self.booked[at];
        let answered = line.say(context, Command::Cancel { reservation: name });
        let is_over = end <= line.now(context);
        if let Answered::Refused(reason) = &answered {
            context.claim(is_over || is_unsure, Claim::PromisesKept, WHOSE, || {
                format!("reservation {name} is not there before its end: {}", reason.why)
            });
        }
        match is_gone(&answered) {
            true => _ = self.booked.swap_remove(at),
            false => self.booked[at].is_unsure = true,
        }
    }

    /// Who was not answered may have something. Whoever takes each node and each PE out for a moment is told who has
    /// it, and gives back what nobody knows of.
    fn audit(&mut self, context: &mut Context, line: &mut Line) {
        if std::mem::take(&mut self.lost_leases) {
            self.lost_leases = !self.audit_leases(context, line);
        }
        if std::mem::take(&mut self.lost_reservations) {
            self.lost_reservations = !self.audit_reservations(context, line);
        }
    }

    fn audit_leases(&mut self, context: &mut Context, line: &mut Line) -> bool {
        for node in 0..CUBE {
            if self.held.iter().any(|held| held.cube.contains(Node(node))) {
                continue;
            }
            // What is out stays out.
            let is_out = self.out_nodes().any(|out| out == node);
            self.found.clear();
            let withdrawn = line.say(context, Command::Withdraw { node, failed: is_out });
            self.hear(context, line);
            let unknown: Vec<Name> = self.found.drain(..).filter_map(lease_of).collect();
            let unknown =
                unknown.into_iter().filter(|name| !self.held.iter().any(|it| it.name == *name));
            let freed = unknown.fold(true, |all, lease| {
                all & is_gone(&line.say(context, Command::Free { lease }))
            });
            let mut all = matches!(withdrawn, Answered::Taken(_));
            if !is_out {
                all &= matches!(line.say(context, Command::Repair { node }), Answered::Taken(_));
            }
            if !(all && freed) {
                return self.repair_all(context, line);
            }
        }
        true
    }

    fn audit_reservations(&mut self, context: &mut Context, line: &mut Line) -> bool {
        let hit: Vec<bool> = self.booked.iter().map(|booked| booked.was_hit).collect();
        let (mut all, out) = (true, self.out_pes());
        for pe in 0..PES {
            self.found.clear();
            all &= matches!(line.say(context, Command::FailPe { pe }), Answered::Taken(_));
            self.hear(context, line);
            let unknown: Vec<Name> = self.found.drain(..).filter_map(reservation_of).collect();
            for reservation in unknown {
                if !self.booked.iter().any(|it| it.name == reservation) {
                    all &= is_gone(&line.say(context, Command::Cancel { reservation }));
                }
            }
            if out >> pe & 1 == 0 {
                all &= matches!(line.say(context, Command::RepairPe { pe }), Answered::Taken(_));
            }
            if !all {
                break;
            }
        }
        // That was no outage.
        for (booked, hit) in self.booked.iter_mut().zip(hit) {
            booked.was_hit = hit;
        }
        if all { true } else { self.repair_all(context, line) }
    }

    /// After an audit that was cut: what serves is said to serve, as long as it takes. Always false.
    fn repair_all(&mut self, context: &mut Context, line: &mut Line) -> bool {
        let out: Vec<u32> = self.out_nodes().collect();
        for node in (0..CUBE).filter(|node| !out.contains(node)) {
            _ = line.say(context, Command::Repair { node });
        }
        let out = self.out_pes();
        for pe in (0..PES).filter(|pe| out >> pe & 1 == 0) {
            _ = line.say(context, Command::RepairPe { pe });
        }
        false
    }

    /// What the bank counts is what is known.
    fn compare(&mut self, context: &mut Context, line: &mut Line) {
        let Some(figures) = line.figures(context) else { return };
        let Figures { now, free_nodes, reservations, .. } = figures;
        // What is at its end leaves with the next tick.
        self.booked.retain(|booked| booked.end > now);
        let is_known = !self.lost_leases && !self.lost_reservations;
        let is_quiet = !self.told.contains(&Told::Partly);
        let mut unsure = self.held.iter().map(|held| held.is_unsure);
        let is_unsure = unsure.any(|it| it) || self.booked.iter().any(|booked| booked.is_unsure);
        if !is_known || !is_quiet || is_unsure {
            return;
        }
        let out: Vec<u32> = self.out_nodes().collect();
        let has = |node: u32| self.held.iter().any(|held| held.cube.contains(Node(node)));
        let free = (0..CUBE).filter(|node| !has(*node) && !out.contains(node)).count() as u32;
        context.claim(free == free_nodes, Claim::NoNodeLeaked, WHOSE, || {
            format!("{free_nodes} nodes are free, and {free} are known to be: {self:?}")
        });
        let known = self.booked.len() as u32;
        context.claim(known == reservations, Claim::PromisesKept, WHOSE, || {
            format!("{reservations} reservations are there, and {known} were promised")
        });
        context.claim(reservations <= RESERVATIONS, Claim::EffectsBounded, WHOSE, || {
            "too many".into()
        });
    }

    /// Nothing goes wrong any more: everything is given back.
    pub(crate) fn calm(&mut self, context: &mut Context) {
        let now = context.now;
        self.held.iter_mut().for_each(|held| held.until = now);
        for booked in &mut self.booked {
            booked.off_at = booked.off_at.or(Some(now));
        }
        context.wake(Part::Holders, now);
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.held.is_empty()
            && self.booked.is_empty()
            && !self.lost_leases
            && !self.lost_reservations
    }

    pub(crate) fn check_end(&self, context: &mut Context) {
        context.claim(self.is_done(), Claim::NoNodeLeaked, WHOSE, || format!("{self:?}"));
    }
}

const fn lease_of(hit: Hit) -> Option<Name> {
    match hit {
        Hit::Lease(name) => Some(name),
        Hit::Reservation(_) => None,
    }
}

const fn reservation_of(hit: Hit) -> Option<Name> {
    match hit {
        Hit::Lease(_) => None,
        Hit::Reservation(name) => Some(name),
    }
}

fn wrong(context: &mut Context, answer: &Answer) {
    context.claim(false, Claim::PromisesKept, WHOSE, || {
        format!("an answer of another kind: {answer:?}")
    });
}
