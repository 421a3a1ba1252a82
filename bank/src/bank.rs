//! The bank: a coordinator made of others.

use crate::rows::{Booked, Rows};
use crate::size::{CUBE, DIMS, HITS, LEVELS, LIMITS, MINUTE, PES, RESERVATIONS};
use crate::{Answer, Command, Effect, Error, Hit, Name};
use heapless::Deque;
use locox::bits::{BitSet, Word};
use locox::cube::{Dim, Node};
use locox::fair::{DecayParams, TimedRow, TimedUpDown};
use locox::handle::{Epoch, Misuse, PoolId};
use locox::invariant::InvariantViolation;
use locox::reserve::{Fit, Interval, Lowest, Request, Reservation, ReservationId, Timeline};
use locox::subcube::{Complete, Lease, Outage, Pool};
use locox::time::{Duration, Instant};
use locox::timeshare::{NonInterfering, Threshold};
use locox_coordinators::cluster;
use locox_coordinators::coordinate::Coordinate;
use locox_coordinators::station;

/// The numbers that tell names of one part from those of another.
const CUBE_POOL: PoolId = PoolId(1);
const TIMELINE_POOL: PoolId = PoolId(2);
const STATION_POOL: PoolId = PoolId(3);
const SHARED_POOL: PoolId = PoolId(4);

const STATIONS: station::Config =
    station::Config { pool: STATION_POOL, ..station::Config::standard(MINUTE) };
const SHARED: cluster::Config = cluster::Config::new(SHARED_POOL);
/// Version 3 as its thesis leaves it: two jobs a host, shared up to four fifths.
const PLACEMENT: NonInterfering = NonInterfering {
    degree: LEVELS,
    threshold: match Threshold::from_thousandths(800) {
        Ok(threshold) => threshold,
        Err(_) => panic!(),
    },
    believed: Duration::from_ticks(10_000),
    settled: Duration::from_ticks(2_000),
};
const CUBE_DIMS: Dim = match Dim::new(DIMS) {
    Some(dims) => dims,
    None => panic!(),
};

pub(crate) type Cube<'a> = Pool<Complete, &'a mut [Word]>;
pub(crate) type Stations<'a> =
    station::Coordinator<TimedUpDown<&'a mut [TimedRow]>, &'a mut crate::rows::Stations>;

/// A cube, a timeline, workstations and shared hosts under one clock and with one history.
///
/// Nothing that it decides depends on how it came to be: a bank that goes on from an image decides as one that
/// was never stopped. So the cube is under a strategy that looks at free nodes only, and the timeline
/// fits by what is busy.
///
/// # Invariants
///
/// - Live leases of the cube are always of an epoch before, see `Bank::lease`.
// Invariants of the fields:
//
// - `now` is the latest time given; that of each part is no later.
// - `booked` has a live row for each reservation of the timeline, which is as of the last tick.
// - `out` are the PEs out of service.
// - `last` is the last grant with a serial and its answer.
// - There is room in `hits` for whatever a command may hit.
pub struct Bank<'a> {
    pub(crate) cube: Cube<'a>,
    pub(crate) timeline: Timeline<&'a mut [Word]>,
    pub(crate) booked: &'a mut [Booked],
    pub(crate) out: u32,
    pub(crate) stations: Stations<'a>,
    pub(crate) shared: cluster::Coordinator<'a, NonInterfering>,
    pub(crate) hits: Deque<Hit, HITS>,
    pub(crate) last: Option<(Command, Answer)>,
    pub(crate) now: Instant,
}

impl<'a> Bank<'a> {
    /// A bank of which nothing is used and nobody has reported. The rows are cleared.
    ///
    /// `None` only if [`size`](crate::size) makes no sense.
    pub fn new(rows: &'a mut Rows, now: Instant) -> Option<Self> {
        let ranking =
            TimedUpDown::new(&mut rows.ranking[..], DecayParams::standard(MINUTE)).ok()?;
        rows.booked.fill(Booked::EMPTY);
        Some(Self {
            cube: Pool::new(CUBE_POOL, CUBE_DIMS, &mut rows.cube[..]).ok()?,
            timeline: Timeline::new(TIMELINE_POOL, LIMITS, &mut rows.timeline[..]).ok()?,
            booked: &mut rows.booked,
            out: 0,
            stations: station::Coordinator::new(STATIONS, &mut rows.stations, ranking, now).ok()?,
            shared: cluster::Coordinator::new(
                SHARED,
                LEVELS,
                rows.shared.columns(),
                PLACEMENT,
                now,
            )
            .ok()?,
            hits: Deque::new(),
            last: None,
            now,
        })
    }

    /// The name of a workstations' job, as their coordinator has it.
    pub const fn station_job(name: Name) -> station::JobId {
        station::JobId::from_handle(name.in_pool(STATION_POOL))
    }

    /// The name of a shared hosts' job, as their coordinator has it.
    pub const fn shared_job(name: Name) -> cluster::JobId {
        cluster::JobId::from_handle(name.in_pool(SHARED_POOL))
    }

    /// The workstations.
    pub const fn stations(&self) -> &Stations<'a> {
        &self.stations
    }

    /// The shared hosts.
    pub const fn shared(&self) -> &cluster::Coordinator<'a, NonInterfering> {
        &self.shared
    }

    /// The serial of the last grant that had one; 0 if none had.
    pub fn serial(&self) -> u32 {
        self.last.and_then(|(command, _)| command.serial()).unwrap_or(0)
    }

    /// The leases that there are, as they were granted.
    pub fn leases(&self) -> impl Iterator<Item = Answer> {
        self.cube.leases().map(leased)
    }

    /// The reservations that have not ended, as they were granted.
    pub fn reserved(&self) -> impl Iterator<Item = Answer> {
        let rows = (0..).zip(self.booked.iter());
        rows.filter_map(|(index, row)| {
            let placed = self.booked_as(row)?.at;
            Some(self.reserved_as(Name { index, generation: row.generation }, row.id, placed))
        })
    }

    fn reserved_as(&self, reservation: Name, id: ReservationId, placed: Interval) -> Answer {
        let (start, end) = (placed.start.ticks(), placed.end.ticks());
        Answer::Reserved { reservation, start, end, pes: self.pes_of(id) }
    }

    /// Nodes of the cube that a lease may take.
    pub fn free_nodes(&self) -> u32 {
        self.cube.free()
    }

    /// Reservations that have not ended.
    pub fn reservations(&self) -> usize {
        self.booked.iter().filter(|row| row.is_live()).count()
    }

    /// Checks the invariants of the cube. Not for hot paths.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the one that does not hold.
    pub fn check_cube(&mut self) -> Result<(), InvariantViolation> {
        self.cube.check_invariants()
    }

    /// Moves the timeline to `now` and closes the rows of what ended.
    fn tick(&mut self, now: Instant) -> Result<(), Error> {
        let tick = station::Command::Tick;
        self.stations.apply(now, tick).map_err(Error::Station)?;
        self.shared.apply(now, cluster::Command::Tick).map_err(Error::Shared)?;
        self.advance(now)
    }

    pub(crate) fn advance(&mut self, now: Instant) -> Result<(), Error> {
        self.timeline.advance(now)?;
        for row in self.booked.iter_mut().filter(|row| row.is_live()) {
            if self.timeline.reservation(row.id).is_err() {
                row.generation = row.generation.wrapping_add(1);
            }
        }
        Ok(())
    }

    /// Grants a subcube. The epoch begins anew after each: so a live lease is stored as one of an
    /// epoch before whether a restart was between or not.
    fn lease(&mut self, dim: Dim) -> Result<Answer, Error> {
        let lease = self.cube.allocate(dim).map_err(Error::Lease)?;
        self.cube.begin(Epoch(0));
        Ok(leased(lease))
    }

    fn free(&mut self, name: Name) -> Result<Answer, Error> {
        let lease = self.cube.lease_at(Node(name.index));
        let lease = lease.filter(|lease| Name::of(lease.handle()) == name);
        let lease = lease.ok_or(Error::Name(Misuse::Stale))?;
        self.cube.release(lease).map_err(Error::Name)?;
        Ok(Answer::Done)
    }

    fn withdraw(&mut self, node: u32, outage: Outage) -> Result<Answer, Error> {
        self.expect_room()?;
        let hits = &mut self.hits;
        let hit = |lease: Lease| note(hits, Hit::Lease(Name::of(lease.handle())));
        self.cube.withdraw(&[Node(node)], outage, hit).map_err(Error::Node)?;
        Ok(Answer::Done)
    }

    fn repair(&mut self, node: u32) -> Result<Answer, Error> {
        self.cube.repair(&[Node(node)]).map_err(Error::Node)?;
        Ok(Answer::Done)
    }

    fn reserve(&mut self, request: &Request) -> Result<Answer, Error> {
        let full = locox::reserve::Refusal::Full { reservations: RESERVATIONS };
        let full = Error::Reserve(full.into());
        let mut rows = (0..).zip(self.booked.iter_mut());
        let (index, row) = rows.find(|(_, row)| !row.is_live()).ok_or(full)?;
        let taken = self.timeline.reserve(request, &Fit::First, &Lowest);
        let (id, placed) = taken.map_err(Error::Reserve)?;
        *row = Booked { generation: row.generation.wrapping_add(1), id };
        let reservation = Name { index, generation: row.generation };
        Ok(self.reserved_as(reservation, id, placed))
    }

    fn run(&mut self, now: Instant, submit: cluster::Command) -> Result<Answer, Error> {
        let name = self.shared.apply(now, submit).map_err(Error::Shared)?;
        Ok(name.map_or(Answer::Done, |job| Answer::Job { job: Name::of(job.handle()) }))
    }

    /// The answer of the last grant, if this is that grant again.
    fn again(&self, command: &Command) -> Result<Option<Answer>, Error> {
        let Some(serial) = command.serial() else { return Ok(None) };
        let same = self.last.filter(|(last, _)| last == command);
        // None has the serial 0, which is no serial.
        let next = self.serial().checked_add(1).unwrap_or(1);
        match same {
            Some((_, answer)) => Ok(Some(answer)),
            None if serial == next => Ok(None),
            None => Err(Error::Serial { next }),
        }
    }

    fn cancel(&mut self, name: Name) -> Result<Answer, Error> {
        let row = self.booked.get_mut(name.index as usize);
        let row = row.filter(|row| row.is_live() && row.generation == name.generation);
        let row = row.ok_or(Error::Name(Misuse::Stale))?;
        self.timeline.cancel(row.id)?;
        row.generation = row.generation.wrapping_add(1);
        Ok(Answer::Done)
    }

    fn fail_pe(&mut self, pe: u32) -> Result<Answer, Error> {
        self.expect_room()?;
        self.timeline.withdraw(pe)?;
        self.out |= 1 << (pe % u32::BITS);
        hit_reservations(&mut self.hits, &self.timeline, self.booked, 1 << (pe % u32::BITS));
        Ok(Answer::Done)
    }

    fn repair_pe(&mut self, pe: u32) -> Result<Answer, Error> {
        self.timeline.repair(pe)?;
        self.out &= !(1 << (pe % u32::BITS));
        Ok(Answer::Done)
    }

    /// Refuses unless there is room for a hit of one lease, or of all reservations.
    fn expect_room(&self) -> Result<(), Error> {
        let room = HITS.saturating_sub(self.hits.len());
        if room >= RESERVATIONS as usize { Ok(()) } else { Err(Error::Untold) }
    }

    /// The PEs of a reservation, a bit each.
    pub(crate) fn pes_of(&self, id: ReservationId) -> u32 {
        pes_of(&self.timeline, id)
    }

    /// The live reservations.
    pub(crate) fn live(&self) -> impl Iterator<Item = Reservation> {
        self.booked.iter().filter_map(|row| self.booked_as(row))
    }

    /// What the timeline knows of a row; `None` if that is not live.
    pub(crate) fn booked_as(&self, row: &Booked) -> Option<Reservation> {
        if row.is_live() { self.timeline.reservation(row.id).ok() } else { None }
    }
}

/// What a lease was answered with.
fn leased(lease: Lease) -> Answer {
    Answer::Leased { lease: Name::of(lease.handle()), cube: lease.cube() }
}

fn pes_of(timeline: &Timeline<&mut [Word]>, id: locox::reserve::ReservationId) -> u32 {
    let bits = |set: BitSet<&[Word]>| set.iter().fold(0, |bits, pe| bits | 1 << (pe % PES));
    timeline.pes_of(id).map_or(0, bits)
}

pub(crate) fn note(hits: &mut Deque<Hit, HITS>, hit: Hit) {
    let noted = hits.push_back(hit);
    debug_assert!(noted.is_ok(), "there is room for whatever a command hits");
}

/// Notes the reservations that hold one of these PEs.
pub(crate) fn hit_reservations(
    hits: &mut Deque<Hit, HITS>,
    timeline: &Timeline<&mut [Word]>,
    booked: &[Booked],
    pes: u32,
) {
    for (index, row) in (0..).zip(booked).filter(|(_, row)| row.is_live()) {
        if pes_of(timeline, row.id) & pes != 0 {
            note(hits, Hit::Reservation(Name { index, generation: row.generation }));
        }
    }
}

impl Coordinate for Bank<'_> {
    type Command = Command;
    type Effect = Effect;
    type Answer = Answer;
    type Error = Error;
    type Draw = ();

    /// A reservation that has ended holds its PEs until a [`Command::Tick`], which is due then.
    fn apply_drawn(&mut self, now: Instant, command: Command, (): ()) -> Result<Answer, Error> {
        if now < self.now {
            return Err(Error::TimeWentBack);
        }
        let job = |name: Name| Answer::Job { job: name };
        if let Some(answer) = self.again(&command)? {
            self.now = now;
            return Ok(answer);
        }
        let answer = match command {
            Command::Tick => self.tick(now).map(|()| Answer::Done)?,
            Command::Lease { dim, .. } => self.lease(dim)?,
            Command::Free { lease } => self.free(lease)?,
            Command::Withdraw { node, failed: true } => self.withdraw(node, Outage::Failed)?,
            Command::Withdraw { node, failed: false } => self.withdraw(node, Outage::Drained)?,
            Command::Repair { node } => self.repair(node)?,
            Command::Reserve { pes, duration, ready, deadline, .. } => {
                let ready = Instant::from_ticks(ready).max(now);
                let request = Request::new(ready, Duration::from_ticks(duration), pes);
                let by = Some(deadline).filter(|&tick| tick != Command::NO_DEADLINE);
                let deadline = by.map(Instant::from_ticks);
                self.reserve(&Request { deadline, ..request })?
            }
            Command::Cancel { reservation } => self.cancel(reservation)?,
            Command::FailPe { pe } => self.fail_pe(pe)?,
            Command::RepairPe { pe } => self.repair_pe(pe)?,
            Command::Station(message) => {
                let heard = self.stations.apply_drawn(now, message, ());
                let name = heard.map_err(Error::Station)?;
                name.map_or(Answer::Done, |it| job(Name::of(it.handle())))
            }
            Command::Shared(cluster::Command::Submit { .. }) => return Err(Error::Unnumbered),
            Command::Shared(command) => self.run(now, command)?,
            Command::Run { user, hosts, synchronising, terms, .. } => {
                let submit = cluster::Command::Submit { user, hosts, synchronising, terms };
                self.run(now, submit)?
            }
        };
        if command.serial().is_some() {
            self.last = Some((command, answer));
        }
        self.now = now;
        Ok(answer)
    }

    /// Hits first, then workstations, then shared hosts.
    fn peek_effect(&self) -> Option<Effect> {
        let hit = self.hits.front().copied().map(Effect::Hit);
        let station = || self.stations.peek_effect().map(Effect::Station);
        hit.or_else(station).or_else(|| self.shared.peek_effect().map(Effect::Shared))
    }

    fn take_effect(&mut self) -> Option<Effect> {
        let effect = self.peek_effect()?;
        match effect {
            Effect::Hit(_) => drop(self.hits.pop_front()),
            Effect::Station(_) => drop(self.stations.take_effect()),
            Effect::Shared(_) => drop(self.shared.take_effect()),
        }
        Some(effect)
    }

    fn wake_at(&self) -> Option<Instant> {
        let ends = self.live().map(|reservation| reservation.at.end);
        ends.chain(self.stations.wake_at()).chain(self.shared.wake_at()).min()
    }

    /// Those of whom nodes or PEs are out are hit again.
    fn resync(&mut self) {
        self.hits.clear();
        for lease in self.cube.leases() {
            let is_out = |node| self.cube.state(node).is_ok_and(|it| it.outage.is_some());
            if lease.nodes().any(is_out) {
                note(&mut self.hits, Hit::Lease(Name::of(lease.handle())));
            }
        }
        hit_reservations(&mut self.hits, &self.timeline, self.booked, self.out);
        self.stations.resync();
        self.shared.resync();
    }
}

const _: () = assert!(CUBE <= 64 && PES <= u32::BITS && RESERVATIONS < HITS as u32);
