//! A world: one clock, one network, machines, and all coordinators on them.

use crate::agent::Governed;
use crate::bank::Line;
use crate::claims::{Claim, Violation};
use crate::context::{Context, Event};
use crate::disk::Disk;
use crate::figures::Figures;
use crate::holders::Holders;
use crate::machines::MACHINES;
use crate::network::Packet;
use crate::parts::{Part, Pool, Service};
use crate::plan::{Command, Plan};
use crate::planted::Planted;
use crate::server::Server;
use crate::shared::Shared;
use crate::site::Sited;
use crate::stations::{self, StationService};
use crate::time::{DAY, HOUR, MINUTE};
use crate::workstations::Workstations;
use locox::time::Duration;
use locox_bank::Effect;
use locox_bank::size::{NODES, STATIONS};
use locox_coordinators::coordinate::EffectRecord;
use locox_coordinators::station;

/// In so much time, and in as much again as things went wrong, everything is done once nothing goes wrong any more: a
/// job that a manager did not start is set aside for up to 20 days.
const LONGEST: u64 = 40 * DAY;
/// How often users let go what they held, and operators restore what they drained, then.
const RELEASES: u64 = 12 * HOUR;

/// What came of a world.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) figures: Figures,
    pub(crate) violation: Option<Violation>,
}

/// Lives through a plan.
pub(crate) fn live(plan: &Plan, planted: Option<Planted>) -> Outcome {
    let whole = || World::new(plan, planted).run(plan);
    let panicked = |_| Outcome {
        figures: Figures { worlds: 1, ..Figures::default() },
        violation: Some(Violation {
            claim: Claim::NoPanic,
            whose: "somebody",
            at: 0,
            what: crate::panics::last(),
        }),
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(whole)).unwrap_or_else(panicked)
}

struct World {
    context: Context,
    own: Box<dyn StationService>,
    workstations: Workstations,
    governed: Governed,
    line: Line,
    /// The workstations of the bank.
    banked: Workstations,
    shared: Shared,
    holders: Holders,
    site: Sited,
    /// The present hour, and what has happened in it.
    pace: (u64, u64),
}

/// What can happen in an hour: far more than ever did.
const MOST_EVENTS: u64 = 1_000_000;

impl World {
    fn new(plan: &Plan, planted: Option<Planted>) -> Self {
        let mut context = Context::new(plan.seed, planted);
        let (size, own) = stations::drawn(&mut context);
        let sizes = (size.stations, size.nodes);
        let lease = own.lease();
        let workstations = Workstations::new(&mut context, (Pool::Own, "stations"), sizes, lease);
        own.wake(&mut context);
        let governed = Governed::new(&mut context, plan.wild);
        if planted == Some(Planted::AnswersBeforeStored) {
            own.disk().set_lies(true);
        }
        let line = Line::new();
        let (sizes, pool) = ((STATIONS, NODES), (Pool::Bank, "stations of the bank"));
        let banked = Workstations::new(&mut context, pool, sizes, None);
        line.wake(&mut context);
        let (shared, holders) = (Shared::new(&mut context), Holders::default());
        context.wake(Part::Holders, HOUR);
        let site = Sited::new(&mut context);
        for (at, planned) in plan.commands.iter().enumerate() {
            context.at(planned.at, Event::Command(at));
        }
        Self {
            context,
            own,
            workstations,
            governed,
            line,
            banked,
            shared,
            holders,
            site,
            pace: (0, 0),
        }
    }

    fn run(mut self, plan: &Plan) -> Outcome {
        self.go_on(plan, plan.wild);
        self.calm();
        let end = plan.wild * 2 + LONGEST;
        let mut until = plan.wild;
        while self.context.violation.is_none() && !self.is_done() && until < end {
            until += RELEASES;
            self.go_on(plan, until);
            self.workstations.release_all(&mut self.context, &mut *self.own);
            self.site.settle();
            self.banked.release_all(&mut self.context, &mut self.line);
            self.pass_on();
        }
        self.check_end();
        let Context { now, mut figures, violation, .. } = self.context;
        figures.worlds = 1;
        figures.time = now;
        Outcome { figures, violation }
    }

    fn go_on(&mut self, plan: &Plan, until: u64) {
        while self.context.violation.is_none()
            && let Some(event) = self.context.next(until)
        {
            match event {
                Event::Command(at) => self.befall(plan.commands[at].command),
                Event::Arrives(packet) => self.arrives(packet),
                Event::Wake(part) => self.wakes(part),
            }
            self.pass_on();
            self.check_pace();
        }
        self.context.now = self.context.now.max(until);
    }

    /// Whoever looks again and again without anything to do would go on for ever.
    fn check_pace(&mut self) {
        let hour = self.context.now / HOUR;
        self.pace = if self.pace.0 == hour { (hour, self.pace.1 + 1) } else { (hour, 0) };
        let is_bounded = self.pace.1 < MOST_EVENTS;
        self.context
            .claim(is_bounded, Claim::Progress, "world", || "it does not come to rest".into());
    }

    /// What the bank said goes to whom it concerns.
    fn pass_on(&mut self) {
        let Self { context, line, banked, shared, holders, .. } = self;
        if line.take_reset() {
            shared.was_reset();
        }
        while let Some(told) = line.take_heard() {
            match told.effect {
                Effect::Hit(hit) => holders.hit(context, hit),
                Effect::Shared(effect) => shared.told(context, effect),
                Effect::Station(effect) => {
                    let (number, now) = (told.number, told.now);
                    banked.send_out(context, EffectRecord { number, now, effect });
                }
            }
        }
    }

    // What befalls it.

    fn befall(&mut self, command: Command) {
        let Self {
            context, own, workstations, governed, line, banked, shared, holders, site, ..
        } = self;
        let now = context.now;
        match command {
            Command::Submit { pool: Pool::Own, home, work } => {
                workstations.submit(context, home, work);
            }
            Command::Submit { pool: Pool::Bank, home, work } => banked.submit(context, home, work),
            Command::Share { hosts, work } => shared.submit(context, hosts, work),
            Command::Site { number, work } => site.submit(context, number, work),
            Command::Lease { dim, hours } => holders.lease(context, line, dim, hours),
            Command::Reserve { pes, hours, within, number } => {
                holders.reserve(context, line, (pes, hours, within, number));
            }
            Command::RestartPart { machine } => shared.restart_part(context, machine),
            Command::Owner { machine, hours, number } => {
                context.figures.owners += 1;
                workstations.owner(context, machine, true, number);
                banked.owner(context, machine, true, number);
                context.wake(Part::Owner(machine), now + hours * HOUR);
            }
            Command::Cancel { number } => {
                self.of_job(number, |job| station::Command::Cancel { job })
            }
            Command::Hold { number } => self.of_job(number, |job| station::Command::Hold { job }),
            Command::Release { number } => {
                self.of_job(number, |job| station::Command::Release { job })
            }
            Command::Limit { number, hours } => {
                let limit = Duration::from_ticks(hours * HOUR);
                self.of_job(number, |job| station::Command::Limit { job, limit });
            }
            Command::Drain { machine } => {
                context.figures.users += 1;
                workstations.operate(context, &mut **own, machine, true);
                banked.operate(context, line, machine, true);
            }
            Command::Restore { machine } => {
                context.figures.users += 1;
                workstations.operate(context, &mut **own, machine, false);
                banked.operate(context, line, machine, false);
            }
            Command::Fail { machine, minutes } => {
                context.figures.machines += 1;
                let until = context.machines.fail(machine, now + minutes * MINUTE);
                workstations.crash(machine);
                banked.crash(machine);
                shared.crash(machine);
                site.crash(context, machine);
                context.wake(Part::Operator(machine), now + MINUTE);
                context.wake(Part::Shared(machine % 8), now + MINUTE);
                governed.fail(context, machine, until);
                context.wake(Part::Power(machine), until);
            }
            Command::BlackHole { machine } => {
                workstations.set_black_hole(machine, true);
                banked.set_black_hole(machine, true);
            }
            Command::Weather { weather, much, hours } => {
                context.network.turns(weather, much, now + hours * HOUR);
            }
            Command::Part { machine, deaf, mute } => {
                context.network.part(machine, now + deaf * HOUR, now + mute * HOUR);
            }
            Command::Kill { service, minutes } => self.kill(service, minutes),
            Command::Cut { service: Service::Bank, writes } => line.chip.cut_after(writes as u32),
            Command::Cut { service, writes } => self.disk(service, |disk| disk.cut_after(writes)),
            Command::Full { service, hours } => {
                self.disk(service, |disk| disk.set_full(true));
                self.context.wake(Part::Room(service), now + hours * HOUR);
            }
            Command::Lie { service, hours } => {
                self.disk(service, |disk| disk.set_lies(true));
                self.context.wake(Part::Blackout(service), now + hours * HOUR);
            }
            Command::TurnBit { service, number } => match service {
                Service::Stations => own.turn_bit(context, number),
                Service::Agent => governed.turn_bit(context, number),
                Service::Bank => line.turn_bit(context, number),
                Service::Site => site.kept.turn_bit(context, number),
            },
            Command::SetClock { service, machine, minutes } => {
                context.figures.clocks += 1;
                match service {
                    None => {
                        workstations.step(context, machine, minutes * MINUTE);
                        banked.step(context, machine, minutes * MINUTE);
                    }
                    Some(Service::Stations) => own.set_back(minutes * MINUTE),
                    Some(Service::Agent) => {
                        let by = (minutes * MINUTE) as i64;
                        governed.timer.set += if machine % 2 == 0 { by } else { -by };
                    }
                    Some(Service::Bank) => {
                        let by = (minutes * MINUTE) as i64;
                        line.timer.set += if machine % 2 == 0 { by } else { -by };
                    }
                    Some(Service::Site) => {
                        let by = (minutes * MINUTE) as i64;
                        site.kept.timer.set += if machine % 2 == 0 { by } else { -by };
                    }
                }
            }
            Command::Forge { number } => {
                workstations.forge(context, &mut **own, number);
                banked.forge(context, line, number);
                line.say_noise(context, number);
                site.forge(context, number);
            }
            Command::Manager { trouble, hours } => {
                context.figures.troubles += 1;
                governed.trouble(context, trouble, now + hours * HOUR);
            }
        }
    }

    fn of_job(&mut self, number: u64, command: impl FnOnce(station::JobId) -> station::Command) {
        self.context.figures.users += 1;
        match number >> 63 {
            0 => self.workstations.of_job(&mut self.context, &mut *self.own, number, command),
            _ => self.banked.of_job(&mut self.context, &mut self.line, number, command),
        }
    }

    fn disk(&self, service: Service, change: impl FnOnce(&Disk)) {
        match service {
            Service::Stations => change(self.own.disk()),
            Service::Agent => change(&self.governed.disk),
            Service::Site => change(&self.site.kept.disk),
            Service::Bank => {}
        }
    }

    fn kill(&mut self, service: Service, minutes: u64) {
        let context = &mut self.context;
        match service {
            Service::Stations => self.own.kill(context),
            Service::Agent => self.governed.kill(context),
            Service::Bank => self.line.kill(context),
            Service::Site => self.site.kept.kill(context),
        }
        context.wake(Part::Start(service), context.now + minutes * MINUTE);
    }

    fn start(&mut self, service: Service) {
        let Self { context, own, workstations, governed, line, site, .. } = self;
        match service {
            Service::Stations => {
                if let Some(went_back) = own.start(context) {
                    if went_back {
                        context.drop_packets(service);
                    }
                    workstations.service_is_back(context, &mut **own, went_back);
                }
            }
            Service::Agent => governed.start(context),
            Service::Bank => line.start(context),
            Service::Site => site.start(context),
        }
    }

    /// The power of a machine is there again.
    fn power(&mut self, machine: usize) {
        let Self { context, workstations, banked, shared, site, .. } = self;
        context.machines.comes_back(machine);
        workstations.power(context, machine);
        banked.power(context, machine);
        shared.power(context, machine);
        site.power(context, machine);
        context.wake(Part::Operator(machine), context.now + MINUTE);
    }

    // What is due.

    fn wakes(&mut self, part: Part) {
        let Self {
            context, own, workstations, governed, line, banked, shared, holders, site, ..
        } = self;
        match part {
            Part::Power(machine) => match context.machines.down_until(machine) {
                Some(until) if until > context.now => context.wake(part, until),
                _ => self.power(machine),
            },
            Part::Owner(machine) => {
                workstations.owner(context, machine, false, 0);
                banked.owner(context, machine, false, 0);
            }
            Part::Start(service) => self.start(service),
            Part::Room(service) => self.disk(service, |disk| disk.set_full(false)),
            Part::Blackout(service) => {
                self.kill(service, 10);
                self.disk(service, |disk| disk.set_lies(false));
            }
            Part::Service(Service::Stations) => {
                if own.look(context) {
                    workstations.tick(context, &mut **own);
                } else {
                    workstations.tell(context, &mut **own);
                    own.wake(context);
                }
            }
            Part::Service(Service::Agent) => governed.look(context),
            Part::Service(Service::Bank) => line.look(context),
            Part::Service(Service::Site) => site.wakes(context),
            Part::Site(at) => site.look(context, at),
            Part::SiteUser(user) => site.submit_next(context, user),
            Part::SiteOperator(at) => site.report_lost(context, at),
            Part::Host(Pool::Own, at) => workstations.look(context, at),
            Part::Host(Pool::Bank, at) => banked.look(context, at),
            Part::Home(Pool::Own, home) => workstations.submit_next(context, home),
            Part::Home(Pool::Bank, home) => banked.submit_next(context, home),
            Part::Shared(at) => shared.look(context, line, at),
            Part::SharedUsers => shared.look_at_jobs(context, line),
            Part::Holders => holders.look(context, line),
            Part::Operator(machine) => {
                if !holders.report_machine(context, line, machine) {
                    context.wake(part, context.now + 10 * MINUTE);
                }
            }
        }
    }

    fn arrives(&mut self, packet: Packet) {
        let Self { context, shared, site, .. } = self;
        match packet {
            Packet::SiteTold { machine, stamp, effect, machines } => {
                site.arrives(context, machine, (stamp, effect, machines));
            }
            Packet::SiteHas { machine, stamp } => site.has(context, machine, stamp),
            Packet::SiteSays { machine, number, command } => {
                site.report(context, machine, number, command);
            }
            Packet::SiteHeard { machine, number } => site.heard(context, machine, number),
            Packet::SharedTold { host, stamp, effect } => {
                shared.arrives(context, host, stamp, effect)
            }
            Packet::SharedHas { host, stamp } => shared.has(context, host, stamp),
            Packet::Report { pool, .. }
            | Packet::Submission { pool, .. }
            | Packet::Answer { pool, .. }
            | Packet::BootOver { pool, .. }
            | Packet::Named { pool, .. }
            | Packet::Told { pool, .. } => self.arrives_at(pool, packet),
            Packet::Damaged { of: Service::Stations, .. } => self.arrives_at(Pool::Own, packet),
            Packet::Damaged { of: Service::Bank, .. } => self.arrives_at(Pool::Bank, packet),
            Packet::Damaged { .. } => {}
        }
    }

    /// A packet of a network of workstations.
    fn arrives_at(&mut self, pool: Pool, packet: Packet) {
        let Self { context, own, workstations, line, banked, .. } = self;
        let (workstations, server): (_, &mut dyn Server) = match pool {
            Pool::Own => (workstations, &mut **own),
            Pool::Bank => (banked, line),
        };
        match packet {
            Packet::Report { message, .. } => workstations.report(context, server, message),
            Packet::Submission { home, serial, .. } => {
                workstations.submission(context, server, home, serial);
            }
            Packet::Answer { to, effects, .. } => workstations.answer(context, to, effects),
            Packet::BootOver { to, .. } => workstations.boot_over(context, to),
            Packet::Named { home, serial, .. } => workstations.named(context, home, serial),
            Packet::Told { host, told, .. } => workstations.hear(context, host, told),
            Packet::Damaged { report: Some(message), .. } => {
                workstations.damaged_report(context, server, message);
            }
            Packet::Damaged { told: Some(told), .. } => {
                workstations.damaged_effect(context, server, told);
            }
            _ => {}
        }
    }

    // The end.

    /// Nothing goes wrong any more.
    fn calm(&mut self) {
        self.context.is_calm = true;
        self.context.network.calm();
        for service in [Service::Stations, Service::Agent, Service::Bank, Service::Site] {
            self.disk(service, Disk::mend);
            self.start(service);
        }
        (0..MACHINES).for_each(|machine| self.power(machine));
        self.governed.timer.set = 0;
        self.governed.calm(&self.context);
        self.workstations.calm(&mut self.context);
        self.banked.calm(&mut self.context);
        self.holders.calm(&mut self.context);
        self.context.wake(Part::SharedUsers, self.context.now);
    }

    fn is_done(&self) -> bool {
        let stations = self.workstations.is_done(&*self.own) && self.banked.is_done(&self.line);
        stations
            && self.governed.is_done()
            && self.shared.is_done()
            && self.holders.is_done()
            && self.site.is_done()
    }

    fn check_end(&mut self) {
        let is_done = self.is_done();
        self.workstations.check_end(&mut self.context, &*self.own);
        self.governed.check_end(&mut self.context);
        self.banked.check_end(&mut self.context, &self.line);
        self.shared.check_end(&mut self.context, &mut self.line);
        self.holders.check_end(&mut self.context);
        self.site.check_end(&mut self.context);
        self.context.claim(is_done, Claim::Progress, "world", || "not all is done".into());
    }
}
