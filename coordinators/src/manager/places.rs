//! Where jobs have room together: now, and when the first job in line is to start.
//!
//! All of it is drawn anew from the rows for each decision, so that nothing but the rows decides, also after an image.
//! The first job in line that does not fit is promised the earliest place that it can have. Another one starts (A) where it
//! has a place beside that until its end; or else (B) where it has one if the first job can have another place at its time.

use super::layout::{Asked, Layout};
use super::machine::{NodeMachine, PROMISED};
use super::nodes::{Nodes, members};
use super::stakes::Stakes;
use super::storage::{ENDLESS, Fit, JobRow, OutageRow, PlanRow, Spot, StakeRow, State};
use super::yields;
use core::cell::Cell;
use locox::bits::{Word, words_for};
use locox::cube::Dim;
use locox::dispatch::{Job, Ticket};
use locox::ground::{Capacity, HeldRows, Outlook, bit, copy, edit, put, set_bit, sort_backwards};
use locox::machine::{Held, Machine, Timetable, Words};
use locox::reserve::Interval;
use locox::time::{Duration, Instant};

/// What has no room for so long.
type Never = heapless::Vec<(Asked, Duration), 16>;

/// What has none beside the first job in line, and how many outages begin before it would end.
type Failed = heapless::Vec<(Asked, usize), 16>;

/// The first job in line, that does not start now, and when it does. Whoever starts in this decision leaves it a place then.
#[derive(Clone, Copy)]
struct First {
    ticket: Ticket,
    asked: Asked,
    at: Interval,
}

/// What has room, and what has not.
type Known = heapless::Vec<(Asked, bool), 16>;

/// The places of a machine on which jobs need nodes together.
pub(super) struct Places<'a> {
    pub(super) layout: Layout<'a>,
    /// The nodes in service.
    serving: &'a mut [Word],
    /// The place of the first job in line.
    promised: &'a mut [Word],
    maps: Maps<'a>,
    /// In which boxes are looked for.
    rows: &'a mut [u64],
    /// Who holds nodes, by the ends; the first `used` rows.
    plan: &'a mut [PlanRow],
    used: usize,
    pub(super) stakes: Stakes<'a>,
    first: Option<First>,
    /// What was not taken behind the first job in line. It is not tried again as long as that is the first one.
    failed: Failed,
    /// What has room now, or has not.
    now: Known,
    /// What has room while nothing runs, or has not.
    empty: Known,
    /// What has no room for so long at any time.
    never: Never,
}

/// Maps, and sets of nodes.
struct Maps<'a> {
    /// What is free now.
    now: &'a mut [Word],
    /// What is free while the first job in line is to run, its own place included.
    later: &'a mut [Word],
    /// What was taken last.
    taken: &'a mut [Word],
    /// Of a timetable: two maps, and the room.
    search: &'a mut [Word],
}

/// Words of the maps of a machine whose nodes take so many as bits.
pub(super) const fn words(nodes: usize, Words { map, room }: Words) -> usize {
    nodes.saturating_mul(3).saturating_add(map.saturating_mul(4)).saturating_add(room)
}

impl<'a> Maps<'a> {
    /// With two sets of nodes.
    fn new(nodes: usize, map: usize, words: &'a mut [Word]) -> ([&'a mut [Word]; 2], Self) {
        let mut rest = words;
        let mut cut = |length| {
            let all = core::mem::take(&mut rest);
            let (part, others) = all.split_at_mut_checked(length).unwrap_or_default();
            rest = others;
            part
        };
        let [serving, promised, taken] = [(); 3].map(|()| cut(nodes));
        let [now, later] = [(); 2].map(|()| cut(map));
        ([serving, promised], Self { now, later, taken, search: rest })
    }
}

impl<'a> Places<'a> {
    /// On so many nodes, in so many [`words`] and rows of boxes, and as many rows of a plan as there are jobs.
    pub(super) fn new(
        layout: Layout<'a>,
        nodes: usize,
        (words, rows): (&'a mut [Word], &'a mut [u64]),
        plan: &'a mut [PlanRow],
        stakes: Stakes<'a>,
    ) -> Self {
        let ([serving, promised], maps) = Maps::new(words_for(nodes), layout.words().map, words);
        let (now, empty) = (Known::new(), Known::new());
        Self {
            layout,
            serving,
            promised,
            maps,
            rows,
            plan,
            used: 0,
            stakes,
            first: None,
            failed: Failed::new(),
            now,
            empty,
            never: Never::new(),
        }
    }

    pub(super) fn has_taken(&self, node: u32) -> bool {
        bit(self.maps.taken, 0, node)
    }

    /// Nothing is promised.
    fn begin(&mut self) {
        self.first = None;
        self.failed.clear();
    }

    /// What is known of an answer.
    fn known(&self, of: &Known, asked: &Asked) -> Option<bool> {
        let says = |(other, fits): &&(Asked, bool)| {
            asked == other || !fits && self.layout.covers(asked, other)
        };
        of.iter().find(says).map(|(_, fits)| *fits)
    }

    /// Takes these nodes.
    pub(super) fn take(&mut self, nodes: impl Iterator<Item = u32>) {
        self.maps.taken.fill(0);
        nodes.for_each(|node| set_bit(self.maps.taken, 0, node, true));
    }

    /// The nodes of the job that was taken last.
    pub(super) fn taken(&self) -> impl Iterator<Item = u32> {
        members(self.maps.taken)
    }

    /// The most nodes that there are for a job, while nothing runs and now, where that can be said with a number.
    pub(super) fn largest(&mut self) -> [u32; 2] {
        let Self { layout, serving, maps: Maps { now, search, .. }, .. } = self;
        let map = layout.words().map;
        let (all, room) = search.split_at_mut_checked(map).unwrap_or_default();
        all.fill(0);
        copy(all, serving);
        [all, now].map(|map| layout.largest(map, room))
    }
}

/// What the queue is told of the machine.
pub(super) struct Plan<'p, 'a> {
    pub(super) places: &'p mut Places<'a>,
    pub(super) nodes: &'p Nodes<'a>,
    pub(super) jobs: &'p mut [JobRow],
    pub(super) outages: &'p [OutageRow],
    pub(super) now: Instant,
    pub(super) notice: Duration,
}

impl<'a> Plan<'_, 'a> {
    /// Begins a decision.
    pub(super) fn draw(&mut self) {
        self.draw_held(|_, _| true);
        let noted = self.jobs.iter_mut().filter(|it| it.fit != Fit::Unknown);
        noted.for_each(|it| it.fit = Fit::Unknown);
        let Places { never, empty, now, .. } = &mut *self.places;
        never.clear();
        empty.clear();
        now.clear();
        self.places.begin();
        self.draw_now();
    }

    /// Ends a decision: who would have run into an outage, and has no room any more now that others have started, waits for that.
    pub(super) fn look_again(&mut self) {
        if self.outages.is_empty() {
            return;
        }
        for row in 0..self.jobs.len() as u32 {
            let Some(it) = self.jobs.get(row as usize).filter(|it| it.fit == Fit::Planned) else {
                continue;
            };
            let asked = self.places.layout.asked(it);
            if asked.is_some_and(|asked| !self.fits_now(&asked)) {
                edit(self.jobs, row, |it| it.fit = Fit::Fragmented);
            }
        }
    }

    /// Draws who holds nodes, and which outages do. Cost: all rows of jobs and nodes.
    pub(super) fn draw_held(&mut self, which: impl Fn(&[JobRow], &OutageRow) -> bool) {
        let Self { places, nodes, jobs, outages, now, notice } = self;
        let Places { serving, plan, used, .. } = &mut **places;
        serving.fill(0);
        nodes.serving().for_each(|node| set_bit(serving, 0, node, true));
        let soon = now.saturating_add(Duration::from_ticks(1));
        *used = 0;
        let holds = |it: &JobRow| it.has_nodes() || it.state == State::Comes;
        for (row, it) in (0..).zip(&**jobs).filter(|(_, it)| holds(it)) {
            let end = yields::end(jobs, *notice, it).max(soon);
            let at = Interval { start: it.since, end };
            put(plan, *used, Held::new(Spot(row), at));
            *used = used.saturating_add(1);
        }
        let outages = (jobs.len() as u32..).zip(&**outages);
        for (row, it) in outages.filter(|(_, it)| which(jobs, it)) {
            put(plan, *used, Held::new(Spot(row), it.at()));
            *used = used.saturating_add(1);
        }
        let plan = plan.get_mut(..*used).unwrap_or_default();
        sort_backwards(plan, |one, other| one.at.end > other.at.end);
    }

    /// A job that was taken has its nodes.
    pub(super) fn started(&mut self, row: u32) {
        let Some(it) = self.jobs.get(row as usize).copied() else { return };
        let end = it.since.saturating_add(it.limit.min(ENDLESS));
        let held = Held::new(Spot(row), Interval { start: it.since, end });
        let Places { plan, used, .. } = &mut *self.places;
        HeldRows { rows: plan, used }.add(held);
        let first = self.places.first;
        let (machine, Maps { now, later, .. }, _) = self.machine();
        machine.take_job(now, &it);
        if first.is_some_and(|first| end > first.at.start) {
            machine.take_job(later, &it);
        }
        // What had no room has none still.
        self.places.now.retain(|(_, fits)| !fits);
    }

    /// The machine, maps of it, and who holds nodes.
    fn machine(&mut self) -> (NodeMachine<'_, 'a>, &mut Maps<'a>, &[PlanRow]) {
        let (machine, maps, plan, ..) = self.machine_and_stakes();
        (machine, maps, plan)
    }

    /// The same, and who could stop.
    fn machine_and_stakes(
        &mut self,
    ) -> (NodeMachine<'_, 'a>, &mut Maps<'a>, &[PlanRow], &mut Stakes<'a>) {
        let Self { places, nodes, jobs, outages, .. } = self;
        let Places { layout, serving, promised, maps, rows, plan, used, stakes, .. } =
            &mut **places;
        let rows = Cell::new(&mut **rows);
        let machine = NodeMachine { layout, serving, promised, nodes, jobs, outages, rows };
        (machine, maps, plan.get(..*used).unwrap_or_default(), stakes)
    }

    /// What is free now.
    fn draw_now(&mut self) {
        let at = self.now;
        let (machine, Maps { now, .. }, plan) = self.machine();
        machine.open(now);
        let holds = plan.iter().filter(|it| it.at.start <= at);
        holds.for_each(|it| machine.take(now, &it.place));
    }

    /// The first job in line has its promise, where any nodes will do, and a number was promised.
    pub(super) fn keep_first(&mut self, ticket: Ticket, asked: Asked, at: Interval) {
        self.draw();
        if self
            .earliest_from(&asked, at.start, at.end.since(at.start).unwrap_or(Duration::ZERO))
            .is_some()
        {
            self.keep(First { ticket, asked, at });
        }
    }

    /// Draws what is free for a job until it ends if all who could stop for it do. `beside` the place of the first one in line, or not.
    fn draw_room(&mut self, end: Instant, beside: bool) {
        let at = self.now;
        let (machine, Maps { search, .. }, plan, stakes) = self.machine_and_stakes();
        let map = search.get_mut(..machine.words().map).unwrap_or_default();
        machine.open(map);
        let stays = |it: &&PlanRow| {
            let Spot(row) = it.place;
            (row as usize) < machine.jobs.len() && !stakes.has(row)
        };
        plan.iter().filter(stays).for_each(|it| machine.take(map, &it.place));
        machine.take_outages(map, [at, end]);
        if beside {
            remove(map, machine.promised);
        }
    }

    /// Takes the place for a job at the least cost, and marks who stops for it; whether there is one.
    pub(super) fn make_room(&mut self, asked: &Asked, end: Instant, beside: bool) -> bool {
        self.draw_room(end, beside);
        let (machine, Maps { taken, search, .. }, plan, stakes) = self.machine_and_stakes();
        let (map, room) = search.split_at_mut_checked(machine.words().map).unwrap_or_default();
        stakes.rows().iter_mut().for_each(|it| it.place = machine.lies(it.of));
        let others = plan.iter().filter_map(|it| machine.blocked(it.place.0));
        let (all, sums) = stakes.with(others);
        // Whether it fits if all stop is found sooner than at what cost.
        if machine.find(map, asked, room).is_none() || !machine.choose(map, asked, all, sums) {
            return false;
        }
        let stays = stakes.rows().iter().filter(|it| !it.yields);
        stays.for_each(|it| machine.take(map, &Spot(it.of)));
        sort_backwards(stakes.rows(), |one, other| one.of > other.of);
        let found = machine.find(map, asked, room).is_some();
        if found {
            copy(taken, room);
        }
        found
    }

    /// Who of those that yield has another place beside the one that was just taken, the largest first: they yield no more.
    pub(super) fn relocate(&mut self) {
        let now = self.now;
        let (machine, Maps { taken, search, .. }, _, stakes) = self.machine_and_stakes();
        let (map, room) = search.split_at_mut_checked(machine.words().map).unwrap_or_default();
        let job = |stake: &StakeRow| machine.jobs.get(stake.of as usize).unwrap_or(&JobRow::EMPTY);
        let ends = stakes.rows().iter().map(|it| now.saturating_add(job(it).limit.min(ENDLESS)));
        let last = ends.max().unwrap_or(now);
        machine.take_outages(map, [now, last]);
        remove(map, taken);
        sort_backwards(stakes.rows(), |one, other| job(one).has < job(other).has);
        for stake in stakes.rows() {
            let asked = machine.layout.asked(job(stake));
            if asked.is_some_and(|asked| machine.find(map, &asked, room).is_some()) {
                remove(map, room);
                stake.yields = false;
            }
        }
    }

    /// When a job has a place beside what holds some and that of the first one in line: the earliest time from now on, or any up to
    /// another one.
    pub(super) fn start_beside(
        &mut self,
        asked: &Asked,
        limit: Duration,
        latest: Option<Instant>,
    ) -> Option<Instant> {
        let (first, now) = (self.places.first?, self.now);
        let Places { plan, used, .. } = &mut *self.places;
        HeldRows { rows: plan, used }.add(Held::new(PROMISED, first.at));
        let (machine, Maps { search, .. }, plan) = self.machine();
        let found = Timetable::new(&machine, plan, search).ok().and_then(|mut it| match latest {
            None => it.earliest(asked, now, limit),
            // Until one would have to end before something begins, what is free only grows.
            Some(latest) => {
                let lasts = plan.iter().filter_map(|it| it.at.start.checked_sub(limit));
                let mut lasts = lasts.filter(|last| (now..latest).contains(last)).chain([latest]);
                lasts.find_map(|last| it.earliest_up_to(asked, [last; 2], limit))
            }
        });
        let Places { plan, used, .. } = &mut *self.places;
        if let Some(promised) = plan.iter().position(|it| it.place == PROMISED) {
            HeldRows { rows: plan, used }.remove(promised);
        }
        found.map(|(start, _)| start)
    }

    /// Takes the earliest place of a job from a time on, beside those that run and some outages.
    pub(super) fn take_from(
        &mut self,
        asked: &Asked,
        (from, limit): (Instant, Duration),
        which: impl Fn(&[JobRow], &OutageRow) -> bool,
    ) -> Option<Interval> {
        self.draw_held(which);
        let at = self.earliest_from(asked, from, limit)?;
        let (machine, Maps { taken, search, .. }, _) = self.machine();
        let Words { map, .. } = machine.words();
        copy(taken, search.get(map.saturating_mul(2)..).unwrap_or_default());
        Some(at)
    }

    /// The earliest time at which there is a place for a job if no other one starts; the place is where a search has it.
    pub(super) fn earliest(&mut self, asked: &Asked, limit: Duration) -> Option<Interval> {
        self.earliest_from(asked, self.now, limit)
    }

    fn earliest_from(&mut self, asked: &Asked, from: Instant, limit: Duration) -> Option<Interval> {
        let (machine, Maps { search, .. }, plan) = self.machine();
        let mut timetable = Timetable::new(&machine, plan, search).ok()?;
        let (start, _) = timetable.earliest(asked, from, limit)?;
        let at = Interval { start, end: start.saturating_add(limit) };
        timetable.place(asked, at)?;
        Some(at)
    }

    fn asked(&self, ticket: Ticket, job: &Job) -> Option<Asked> {
        let it = self.jobs.get(ticket.handle().index() as usize)?;
        self.places.layout.asked_of(it, job.pes)
    }

    /// What is known of a job that waits.
    fn note(&mut self, ticket: Ticket, asked: &Asked, fit: Fit) {
        let ever = fit != Fit::Fragmented || self.fits_empty(asked);
        let fit = if ever { fit } else { Fit::Divided };
        edit(self.jobs, ticket.handle().index(), |it| it.fit = fit);
    }

    /// The place of the first job in line, which is where a search has it, is kept from then on.
    fn keep(&mut self, first: First) {
        let Places { layout, promised, maps: Maps { search, .. }, .. } = &mut *self.places;
        let found = layout.words().map.saturating_mul(2);
        copy(promised, search.get(found..).unwrap_or_default());
        let (machine, Maps { later, search, .. }, plan) = self.machine();
        if let Ok(mut timetable) = Timetable::new(&machine, plan, search) {
            copy(later, timetable.free(first.at));
        }
        self.places.first = Some(first);
    }

    /// Whether a job would have room now, whatever is to come.
    fn fits_now(&mut self, asked: &Asked) -> bool {
        if let Some(fits) = self.places.known(&self.places.now, asked) {
            return fits;
        }
        let (machine, Maps { now, search, .. }, _) = self.machine();
        let (_, room) = search.split_at_mut_checked(machine.words().map).unwrap_or_default();
        let fits = machine.find(now, asked, room).is_some();
        remember(&mut self.places.now, (*asked, fits));
        fits
    }

    /// Whether a job would have room on the nodes in service while nothing runs.
    fn fits_empty(&mut self, asked: &Asked) -> bool {
        if let Some(fits) = self.places.known(&self.places.empty, asked) {
            return fits;
        }
        let (machine, Maps { search, .. }, _) = self.machine();
        let (map, room) = search.split_at_mut_checked(machine.words().map).unwrap_or_default();
        machine.open(map);
        let fits = machine.find(map, asked, room).is_some();
        remember(&mut self.places.empty, (*asked, fits));
        fits
    }

    /// Takes a place in which a job ends before outages, and `beside` that of the first one in line or not; whether there is one.
    fn find(&mut self, asked: &Asked, end: Instant, beside: bool) -> bool {
        let at = self.now;
        let (machine, Maps { now, taken, search, .. }, _) = self.machine();
        let (map, room) = search.split_at_mut_checked(machine.words().map).unwrap_or_default();
        copy(map, now);
        machine.take_outages(map, [at, end]);
        if beside {
            remove(map, machine.promised);
        }
        let found = machine.find(map, asked, room).is_some();
        if found {
            copy(taken, room);
        }
        found
    }

    /// Whether the first one in line has another place at its time if what was taken is none; that is its own from now on.
    fn keeps_time(&mut self, first: &Asked) -> bool {
        let (machine, Maps { later, taken, search, .. }, _) = self.machine();
        let length = machine.words().map;
        let (map, room) = search.split_at_mut_checked(length).unwrap_or_default();
        copy(map, later);
        remove(map, taken);
        let found = machine.find(map, first, room).is_some();
        if found {
            let Places { promised, maps: Maps { search, .. }, .. } = &mut *self.places;
            copy(promised, search.get(length..).unwrap_or_default());
        }
        found
    }

    /// Takes a place for a job: why there is none.
    fn place(&mut self, asked: &Asked, limit: Duration) -> Result<(), Fit> {
        if !self.fits_now(asked) {
            return Err(Fit::Fragmented);
        }
        let end = self.now.saturating_add(limit);
        let Some(First { asked: first, .. }) = self.places.first.filter(|it| end > it.at.start)
        else {
            return if self.find(asked, end, false) { Ok(()) } else { Err(Fit::Planned) };
        };
        let planned = self.outages.iter().filter(|it| it.from < end).count();
        // How long it would run beyond the start of the first one matters only for the outages that it would meet. Of a larger job it
        // would say nothing: the place found for that may leave the first one another.
        let failed = (*asked, planned);
        let is_known = self.places.failed.contains(&failed);
        if !is_known && self.find(asked, end, true) {
            return Ok(());
        }
        if is_known && planned == 0 {
            return Err(Fit::Delays);
        }
        if !self.find(asked, end, false) {
            return Err(Fit::Planned);
        }
        if !is_known && self.keeps_time(&first) {
            return Ok(());
        }
        remember(&mut self.places.failed, failed);
        Err(Fit::Delays)
    }
}

/// These nodes are not free in a map.
fn remove(map: &mut [Word], nodes: &[Word]) {
    map.iter_mut().zip(nodes).for_each(|(map, nodes)| *map &= !nodes);
}

impl Capacity for Plan<'_, '_> {
    fn ever(&mut self, ticket: Ticket, job: &Job) -> bool {
        if self.places.first.is_some_and(|first| first.ticket == ticket) {
            return true;
        }
        let Some(asked) = self.asked(ticket, job) else { return false };
        // Where none is planned, how long it runs does not matter, nor what runs.
        let is_planned = !self.outages.is_empty();
        let limit = if is_planned { job.requested } else { Duration::ZERO };
        let Places { layout, never, .. } = &*self.places;
        let has_none =
            |(other, least): &(Asked, Duration)| limit >= *least && layout.covers(&asked, other);
        let ever = match is_planned {
            _ if never.iter().any(has_none) => false,
            true => Self::earliest(self, &asked, limit).is_some(),
            false => self.fits_empty(&asked),
        };
        if !ever {
            let fit = if self.fits_now(&asked) { Fit::Planned } else { Fit::Fragmented };
            self.note(ticket, &asked, fit);
            remember(&mut self.places.never, (asked, limit));
        }
        ever
    }

    fn earliest(&mut self, ticket: Ticket, job: &Job, _: &Outlook<'_>) -> Option<Instant> {
        if let Some(first) = self.places.first.filter(|first| first.ticket == ticket) {
            return Some(first.at.start);
        }
        self.places.begin();
        let asked = self.asked(ticket, job)?;
        if self.outages.is_empty() && self.fits_now(&asked) {
            return Some(self.now);
        }
        let at = Self::earliest(self, &asked, job.requested)?;
        if at.start > self.now {
            self.keep(First { ticket, asked, at });
            // Else it would start, but for an outage to come.
            let fit = if self.fits_now(&asked) { Fit::Planned } else { Fit::Fragmented };
            self.note(ticket, &asked, fit);
        }
        Some(at.start)
    }

    /// On a cube, where of two jobs the smaller one fits if the other does, what did not fit or was not taken says it for others.
    fn room(&mut self, _: u32, _: Option<Instant>, running: &Outlook<'_>) -> [u32; 2] {
        let free = running.free();
        let (Layout::Subcubes(cubes) | Layout::Meshes(cubes)) = &self.places.layout else {
            return [free; 2];
        };
        let Places { now, failed, .. } = &*self.places;
        let fits = |asked: &Asked| self.places.known(now, asked) != Some(false);
        let largest = |may_be: &dyn Fn(&Asked) -> bool| {
            let sizes = (0..=cubes.dims().get()).rev().filter_map(Dim::new);
            { sizes }.find(|dim| may_be(&Asked::Cube(*dim))).map_or(0, Dim::nodes)
        };
        let spare = largest(&fits);
        let is_known = |asked: &Asked| self.outages.is_empty() && failed.contains(&(*asked, 0));
        let extra = largest(&|asked| fits(asked) && !is_known(asked));
        [spare.min(free), extra.min(free)]
    }

    fn take(&mut self, ticket: Ticket, job: Job) -> bool {
        let Some(asked) = self.asked(ticket, &job) else { return false };
        match self.place(&asked, job.requested) {
            Ok(()) => true,
            Err(fit) => {
                self.note(ticket, &asked, fit);
                false
            }
        }
    }
}

/// Adds to what is known; if that is full, it is forgotten.
pub(super) fn remember<T, const N: usize>(known: &mut heapless::Vec<T, N>, it: T) {
    if known.is_full() {
        known.clear();
    }
    _ = known.push(it);
}
