//! An agent that governs a simulated manager, of whose cluster each machine has a node.

use crate::claims::Claim;
use crate::context::Context;
use crate::disk::Disk;
use crate::machines::MACHINES;
use crate::parts::{Part, Service};
use crate::planted::Planted;
use crate::time::{HOUR, MINUTE, SECOND, Timer};
use locox::time::Duration;
use locox_agent::agent::{Agent, Began, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot, State};
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::cube::Cube;
use locox_agent::cycle::CycleError;
use locox_agent::places::Places;
use locox_agent::simulated::{Simulated, Trouble, World, check_acts, check_end};
use locox_coordinators::manager::Preemption;
use self_cell::{MutBorrow, self_cell};

const WHOSE: &str = "agent";
/// When a world begins, in seconds since 1970.
const BEGIN: u64 = 1_000_000_000;
/// The file whose bits turn.
const HISTORY: &str = "history";

type Governs<'a> = Agent<'a, Disk>;

self_cell!(
    /// An agent and the storage that it borrows.
    struct Living {
        owner: MutBorrow<Storage>,
        #[not_covariant]
        dependent: Governs,
    }
);

/// What goes wrong with a manager for a while, in the order of the fields of [`Trouble`].
pub(crate) const TROUBLES: u64 = 13;

fn trouble_of(kinds: impl Iterator<Item = u64>) -> Trouble {
    let mut all = Trouble::NONE;
    let often = |trouble: u16| trouble * 5;
    for kind in kinds {
        let of = Trouble::HOSTILE;
        match kind {
            0 => all.cancel = of.cancel,
            1 => all.hold = of.hold,
            2 => all.change = of.change,
            3 => all.node = of.node,
            4 => all.controller = often(of.controller),
            5 => all.silent = often(of.silent),
            6 => all.stale = often(of.stale),
            7 => all.clock = often(of.clock),
            8 => all.refuse = often(of.refuse),
            9 => all.forget = often(of.forget),
            10 => all.half = often(of.half),
            11 => all.cut = often(of.cut),
            _ => all.foreign = of.foreign,
        }
    }
    all
}

/// A manager, and an agent that governs it as long as it lives.
pub(crate) struct Governed {
    pub(crate) disk: Disk,
    /// The clock of the agent's host.
    pub(crate) timer: Timer,
    manager: Simulated,
    world: World,
    config: Config,
    living: Option<Living>,
    told: Snapshot,
    /// Which kind of trouble, until when.
    troubles: Vec<(u64, u64)>,
    /// Something of the history may be lost.
    is_damaged: bool,
}

impl Governed {
    pub(crate) fn new(context: &mut Context, wild: u64) -> Self {
        let numbers = &mut context.numbers;
        let mode = numbers.one_of(&[Mode::Authoritative, Mode::Authoritative, Mode::Advisory]);
        let (is_cube, is_mesh) = (numbers.chance(300), numbers.chance(500));
        let world = World {
            seed: numbers.any(),
            nodes: MACHINES as u32,
            jobs: numbers.between(10, 60) as u32,
            span: wild / SECOND,
            longest: 10 * HOUR / SECOND,
            begin: BEGIN,
            poll: 1,
            gate: mode == Mode::Authoritative,
            deadlines: 200,
            meshes: if is_cube && is_mesh { 500 } else { 0 },
            ..World::default()
        };
        let gray = |node: u32| (format!("n{node:05}"), node ^ node >> 1);
        let ranking = numbers.one_of(&[Ranking::Users, Ranking::Priority]);
        let is_governed = mode == Mode::Authoritative;
        let config = Config {
            poll: numbers.between(10, 40) * MINUTE / SECOND,
            nodes: if is_cube { world.nodes } else { world.nodes + 1 },
            places: match Cube::new((0..world.nodes).map(gray)) {
                cube if is_governed && is_cube && is_mesh => Places::Meshes(cube),
                cube if is_governed && is_cube => Places::Subcubes(cube),
                _ => Places::Any,
            },
            jobs: world.jobs + 6,
            users: world.users + 1,
            ranking,
            preempt: (is_governed && ranking == Ranking::Users && numbers.chance(500))
                .then(|| Preemption::standard(Duration::from_ticks(60))),
            advised: 5,
            shares: vec![(1000, 2)],
            ..Config::of_simulated(&world, mode)
        };
        let mut governed = Self {
            disk: Disk::default(),
            timer: Timer::default(),
            manager: Simulated::new(world.clone()),
            world,
            config,
            living: None,
            told: Snapshot::default(),
            troubles: vec![],
            is_damaged: false,
        };
        context.figures.jobs += u64::from(governed.world.jobs);
        governed.start(context);
        governed
    }

    /// The manager goes on alone up to now.
    fn pass(&mut self, now: u64) {
        let to = BEGIN + now / SECOND;
        self.manager.pass(to.saturating_sub(self.manager.now()));
    }

    pub(crate) fn trouble(&mut self, context: &Context, kind: u64, until: u64) {
        self.troubles.push((kind % TROUBLES, until));
        self.troubles.retain(|(_, until)| *until > context.now);
    }

    /// The machine of a node fails.
    pub(crate) fn fail(&mut self, context: &Context, machine: usize, until: u64) {
        self.pass(context.now);
        self.manager.lose(machine as u32, (until - context.now) / SECOND + 1);
    }

    pub(crate) fn kill(&mut self, context: &mut Context) {
        context.figures.kills += 1;
        self.living = None;
        self.disk.cut(context.numbers.any());
    }

    pub(crate) fn turn_bit(&mut self, context: &mut Context, number: u64) {
        self.kill(context);
        self.is_damaged = true;
        context.figures.bits += u64::from(self.disk.turn_bit(HISTORY, number).is_some());
        context.wake(Part::Start(Service::Agent), context.now + 10 * MINUTE);
    }

    pub(crate) fn start(&mut self, context: &mut Context) {
        if self.living.is_some() {
            return;
        }
        let has_lied = self.disk.turn_on();
        if context.is_planted(Planted::AgentLosesHistory) {
            self.disk.put(HISTORY, &[]);
        }
        self.is_damaged |= has_lied;
        context.figures.went_back += u64::from(has_lied);
        let (config, disk) = (&self.config, self.disk.clone());
        let mut how = Began::New;
        let opened = Living::try_new(MutBorrow::new(Storage::default()), |storage| {
            let opened = Agent::open(storage.borrow_mut(), config, "agent".into(), disk);
            opened.map(|(agent, began)| {
                how = began;
                agent
            })
        });
        match opened {
            Ok(living) => {
                let is_lost = matches!(how, Began::Lost { .. });
                context.claim(!is_lost || self.is_damaged, Claim::AnswersLast, WHOSE, || {
                    how.to_string()
                });
                context.figures.recoveries += 1;
                self.is_damaged = false;
                self.living = Some(living);
                context.wake(Part::Service(Service::Agent), context.now);
            }
            Err(_) => {
                // The disk is full, or the power was cut again.
                context.figures.stores_failed += 1;
                self.disk.cut(context.numbers.any());
                context.wake(Part::Start(Service::Agent), context.now + 30 * MINUTE);
            }
        }
    }

    /// A cycle, and when the next one is due.
    pub(crate) fn look(&mut self, context: &mut Context) {
        if self.living.is_none() {
            return;
        }
        self.pass(context.now.saturating_sub(SECOND));
        if !context.is_calm {
            self.troubles.retain(|(_, until)| *until > context.now);
            self.manager.trouble(trouble_of(self.troubles.iter().map(|(kind, _)| *kind)));
        }
        // A day ahead is believed; a clock that was set back by more waits until it is set again.
        let host = BEGIN + self.timer.shows(context.now) / SECOND;
        let (told, broken) = (&mut self.told, None);
        let mut watch = Watch {
            manager: &mut self.manager,
            told,
            broken,
            acts: 0,
            takes_nodes_twice: context.is_planted(Planted::AgentTakesNodesTwice),
            forgets: context.is_planted(Planted::ManagerForgetsActs),
        };
        let Some(living) = &mut self.living else { return };
        let (cycled, checked) = living.with_dependent_mut(|_, agent| {
            (agent.cycle(&mut watch, host), agent.manager().check_invariants())
        });
        let Watch { broken, acts, .. } = watch;
        let most = self.told.jobs.len() + 1;
        context.figures.effects += acts as u64;
        context.claim(broken.is_none(), Claim::PromisesKept, WHOSE, || broken.unwrap_or_default());
        context.claim(acts <= most, Claim::EffectsBounded, WHOSE, || {
            format!("{acts} acts for {most}")
        });
        context.claim(checked.is_ok(), Claim::Invariants, WHOSE, || {
            checked.map_or_else(|broken| broken.0, |()| "").into()
        });
        match cycled {
            Ok(cycle) => context.figures.commands += cycle.told as u64 + 1,
            Err(CycleError::Store(_) | CycleError::Lists(_)) => {
                context.figures.stores_failed += 1;
                if self.disk.is_off() {
                    self.kill(context);
                    context.wake(Part::Start(Service::Agent), context.now + 10 * MINUTE);
                }
            }
            Err(CycleError::Backend(_) | CycleError::Ahead(_)) => {}
            Err(other) => context.claim(false, Claim::PromisesKept, WHOSE, || other.to_string()),
        }
        context.wake(Part::Service(Service::Agent), context.now + self.config.poll * SECOND);
    }

    pub(crate) fn calm(&mut self, context: &Context) {
        self.pass(context.now);
        self.manager.calm();
    }

    pub(crate) fn is_done(&self) -> bool {
        self.manager.is_done() && self.manager.free() == MACHINES
    }

    pub(crate) fn check_end(&self, context: &mut Context) {
        let found = check_end(&self.manager, &self.world);
        context.claim(found.is_ok(), Claim::NoJobLost, WHOSE, || found.err().unwrap_or_default());
        let free = self.manager.free();
        context.claim(free == MACHINES, Claim::NoNodeLeaked, WHOSE, || {
            format!("{free} nodes are free")
        });
    }
}

/// The manager, and somebody who looks at what it is asked for.
struct Watch<'a> {
    manager: &'a mut Simulated,
    told: &'a mut Snapshot,
    broken: Option<String>,
    acts: usize,
    takes_nodes_twice: bool,
    forgets: bool,
}

impl Backend for Watch<'_> {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        *self.told = self.manager.snapshot()?;
        let mut told = self.told.clone();
        if self.takes_nodes_twice {
            // Whoever runs is told to wait.
            for job in &mut told.jobs {
                job.state = State::Waits { gated: true, held: false };
            }
        }
        Ok(told)
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        self.acts += acts.len();
        if let Err(why) = check_acts(self.told, acts) {
            self.broken.get_or_insert(why);
        }
        if self.forgets {
            return Ok(vec![Outcome::Taken; acts.len()]);
        }
        self.manager.act(acts)
    }
}
