//! A world: one clock, one network, machines, and all coordinators on them.

use crate::agent::Governed;
use crate::claims::{Claim, Violation};
use crate::context::{Context, Event, Part, Pool, Service};
use crate::disk::Disk;
use crate::figures::Figures;
use crate::machines::MACHINES;
use crate::network::Packet;
use crate::plan::{Command, Plan};
use crate::planted::Planted;
use crate::stations::{self, StationService};
use crate::time::{DAY, HOUR, MINUTE};
use crate::workstations::Workstations;
use locox::station;
use locox::time::Duration;

/// In so much time everything is done once nothing goes wrong any more.
const LONGEST: u64 = 200 * DAY;
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
}

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
        for (at, planned) in plan.commands.iter().enumerate() {
            context.at(planned.at, Event::Command(at));
        }
        Self { context, own, workstations, governed }
    }

    fn run(mut self, plan: &Plan) -> Outcome {
        self.go_on(plan, plan.wild);
        self.calm();
        let end = plan.wild + LONGEST;
        let mut until = plan.wild;
        while self.context.violation.is_none() && !self.is_done() && until < end {
            until += RELEASES;
            self.go_on(plan, until);
            self.workstations.release_all(&mut self.context, &mut *self.own);
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
        }
        self.context.now = self.context.now.max(until);
    }

    // What befalls it.

    fn befall(&mut self, command: Command) {
        let Self { context, own, workstations, governed } = self;
        let now = context.now;
        match command {
            Command::Submit { home, work } => workstations.submit(context, home, work),
            Command::Owner { machine, hours, number } => {
                context.figures.owners += 1;
                workstations.owner(context, machine, true, number);
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
            }
            Command::Restore { machine } => {
                context.figures.users += 1;
                workstations.operate(context, &mut **own, machine, false);
            }
            Command::Fail { machine, minutes } => {
                context.figures.machines += 1;
                let until = context.machines.fail(machine, now + minutes * MINUTE);
                workstations.crash(machine);
                governed.fail(context, machine, until);
                context.wake(Part::Power(machine), until);
            }
            Command::BlackHole { machine } => workstations.set_black_hole(machine, true),
            Command::Weather { weather, much, hours } => {
                context.network.turns(weather, much, now + hours * HOUR);
            }
            Command::Part { machine, deaf, mute } => {
                context.network.part(machine, now + deaf * HOUR, now + mute * HOUR);
            }
            Command::Kill { service, minutes } => self.kill(service, minutes),
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
                Service::Bank | Service::Site => {}
            },
            Command::SetClock { service, machine, minutes } => {
                context.figures.clocks += 1;
                match service {
                    None => workstations.step(context, machine, minutes * MINUTE),
                    Some(Service::Stations) => own.set_back(minutes * MINUTE),
                    Some(Service::Agent) => {
                        let by = (minutes * MINUTE) as i64;
                        governed.timer.set += if machine % 2 == 0 { by } else { -by };
                    }
                    Some(Service::Bank | Service::Site) => {}
                }
            }
            Command::Forge { number } => workstations.forge(context, &mut **own, number),
            Command::Manager { trouble, hours } => {
                context.figures.troubles += 1;
                governed.trouble(context, trouble, now + hours * HOUR);
            }
        }
    }

    fn of_job(&mut self, number: u64, command: impl FnOnce(station::JobId) -> station::Command) {
        self.context.figures.users += 1;
        self.workstations.of_job(&mut self.context, &mut *self.own, number, command);
    }

    fn disk(&self, service: Service, change: impl FnOnce(&Disk)) {
        match service {
            Service::Stations => change(self.own.disk()),
            Service::Agent => change(&self.governed.disk),
            Service::Bank | Service::Site => {}
        }
    }

    fn kill(&mut self, service: Service, minutes: u64) {
        let context = &mut self.context;
        match service {
            Service::Stations => self.own.kill(context),
            Service::Agent => self.governed.kill(context),
            Service::Bank | Service::Site => return,
        }
        context.wake(Part::Start(service), context.now + minutes * MINUTE);
    }

    fn start(&mut self, service: Service) {
        let Self { context, own, workstations, governed } = self;
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
            Service::Bank | Service::Site => {}
        }
    }

    /// The power of a machine is there again.
    fn power(&mut self, machine: usize) {
        let Self { context, workstations, .. } = self;
        context.machines.comes_back(machine);
        workstations.power(context, machine);
    }

    // What is due.

    fn wakes(&mut self, part: Part) {
        let Self { context, own, workstations, governed } = self;
        match part {
            Part::Power(machine) => match context.machines.down_until(machine) {
                Some(until) if until > context.now => context.wake(part, until),
                _ => self.power(machine),
            },
            Part::Owner(machine) => workstations.owner(context, machine, false, 0),
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
            Part::Service(Service::Bank | Service::Site) => {}
            Part::Host(_, at) => workstations.look(context, at),
            Part::Home(_, home) => workstations.submit_next(context, home),
        }
    }

    fn arrives(&mut self, packet: Packet) {
        let Self { context, own, workstations, .. } = self;
        let own = &mut **own;
        match packet {
            Packet::Report { message, .. } => workstations.report(context, own, message),
            Packet::Submission { home, serial, .. } => {
                workstations.submission(context, own, home, serial);
            }
            Packet::Answer { to, effects, .. } => workstations.answer(context, to, effects),
            Packet::BootOver { to, .. } => workstations.boot_over(context, to),
            Packet::Named { home, serial, .. } => workstations.named(context, home, serial),
            Packet::Told { host, told, .. } => workstations.hear(context, host, told),
            Packet::Damaged { report: Some((_, message)), .. } => {
                workstations.damaged_report(context, own, message);
            }
            Packet::Damaged { told: Some((_, told)), .. } => {
                workstations.damaged_effect(context, own, told);
            }
            Packet::Damaged { .. } => {}
        }
    }

    // The end.

    /// Nothing goes wrong any more.
    fn calm(&mut self) {
        self.context.is_calm = true;
        self.context.network.calm();
        for service in [Service::Stations, Service::Agent] {
            self.disk(service, Disk::mend);
            self.start(service);
        }
        (0..MACHINES).for_each(|machine| self.power(machine));
        self.governed.timer.set = 0;
        self.governed.calm(&self.context);
        self.workstations.calm(&mut self.context);
    }

    fn is_done(&self) -> bool {
        self.workstations.is_done(&*self.own) && self.governed.is_done()
    }

    fn check_end(&mut self) {
        let is_done = self.is_done();
        self.workstations.check_end(&mut self.context, &*self.own);
        self.governed.check_end(&mut self.context);
        self.context.claim(is_done, Claim::Progress, "world", || "not all is done".into());
    }
}
