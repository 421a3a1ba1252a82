//! Which subcubes the nodes have room for: now, and when the first job in line is to start.
//!
//! All of it is drawn anew from the rows for each decision, so that nothing but the rows decides, also after an image.
//! The first job in line that does not fit is given a subcube that is free once enough others have ended: others take
//! nodes of it only if they end by then. A search for the time halves the list of ends, as the more jobs have
//! ended the more is free.

use super::nodes::Nodes;
use super::storage::JobRow;
use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};
use crate::dispatch::{Job, Machine, Outlook, Ticket};
use crate::list::List;
use crate::subcube::{Complete, Strategy};
use crate::time::Instant;

/// A map of free nodes, and the strategy that looks for subcubes in it.
struct Map<'a> {
    strategy: Complete,
    words: &'a mut [Word],
}

impl Map<'_> {
    /// All nodes of the machine are free.
    fn clear(&mut self, dims: Dim) {
        let start = Complete::start(dims);
        self.words.fill(0);
        start.set_ones(self.words);
        self.strategy = start.strategy;
    }

    fn copy(&mut self, other: &Map<'_>) {
        self.strategy = other.strategy;
        self.words.iter_mut().zip(&*other.words).for_each(|(to, from)| *to = *from);
    }

    /// Takes out those of some nodes that are free, one by one.
    fn remove(&mut self, dims: Dim, nodes: impl Iterator<Item = u32>) {
        for node in nodes.map(Node) {
            if self.strategy.is_free(self.words, node) {
                self.strategy.remove(self.words, &Subcube::from_parts(dims, node.0, 0), None);
            }
        }
    }

    /// The nodes of the largest free subcube up to a dimension; 0 if none is free.
    fn largest(&mut self, most: Dim) -> u32 {
        let largest = self.strategy.largest(self.words, most);
        largest.ok().flatten().map_or(0, Dim::nodes)
    }
}

/// The maps of a machine whose nodes are those of a cube.
pub(super) struct Places<'a> {
    dims: Dim,
    /// Nodes that are free.
    free: Map<'a>,
    /// Scratch; while `spared`, those of them that are not kept for the first job in line.
    other: Map<'a>,
    spared: bool,
    /// When the first job in line starts, and where, if it does not start now.
    first: Option<(Instant, Subcube)>,
    /// What was taken last.
    pub(super) taken: Option<Subcube>,
    /// The most nodes of a job that the nodes in service have room for.
    most: u32,
}

impl<'a> Places<'a> {
    /// In the words behind the map of [`cube_words`](super::cube_words).
    pub(super) fn new(dims: Dim, words: &'a mut [Word]) -> Self {
        let one = Complete::start(dims).words;
        let (free, other) = words.split_at_mut_checked(one).unwrap_or_default();
        let other = other.get_mut(..one).unwrap_or_default();
        let map = |words| Map { strategy: Complete::start(dims).strategy, words };
        let (free, other) = (map(free), map(other));
        Self { dims, free, other, spared: false, first: None, taken: None, most: dims.nodes() }
    }

    /// Begins a decision. Cost: all rows of jobs and nodes, and a search for each dimension.
    pub(super) fn draw(&mut self, nodes: &Nodes<'_>, jobs: &[JobRow]) {
        let Self { dims, free, other, .. } = self;
        draw(*dims, other, nodes, core::iter::empty());
        self.most = other.largest(*dims);
        draw(*dims, free, nodes, jobs.iter());
        (self.spared, self.first) = (false, None);
    }

    /// Whether a job has room once all but some have left. Cost: all nodes, and a search.
    pub(super) fn fits_beside<'j>(
        &mut self,
        pes: u32,
        nodes: &Nodes<'_>,
        jobs: impl Iterator<Item = &'j JobRow>,
    ) -> bool {
        self.spared = false;
        draw(self.dims, &mut self.other, nodes, jobs);
        Dim::holding(pes).is_some_and(|dim| self.other.largest(dim) == dim.nodes())
    }

    /// The most nodes of a job that there is room for while nothing runs, and now.
    pub(super) fn largest(&mut self) -> [u32; 2] {
        [self.most, self.free.largest(self.dims)]
    }
}

/// All nodes in service are free, but for those of jobs.
fn draw<'j>(
    dims: Dim,
    map: &mut Map<'_>,
    nodes: &Nodes<'_>,
    jobs: impl Iterator<Item = &'j JobRow>,
) {
    map.clear(dims);
    for job in jobs.filter(|job| job.has > 0) {
        match cube_of(dims, nodes, job) {
            Some(cube) => _ = map.strategy.remove(map.words, &cube, None),
            None => map.remove(dims, numbers(nodes, job.nodes)),
        }
    }
    map.remove(dims, nodes.out());
}

fn numbers(nodes: &Nodes<'_>, list: List) -> impl Iterator<Item = u32> {
    list.iter(&*nodes.rows).map(|(node, _)| node)
}

/// The subcube that the nodes of a job are, if they are one.
fn cube_of(dims: Dim, nodes: &Nodes<'_>, job: &JobRow) -> Option<Subcube> {
    let both = numbers(nodes, job.nodes).fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
    let mask = both.0 ^ both.1;
    (1u32.checked_shl(mask.count_ones()) == Some(job.has))
        .then(|| Subcube::from_parts(dims, both.0, mask))
}

/// What the queue is told of the machine.
pub(super) struct Plan<'p, 'a> {
    pub(super) places: &'p mut Places<'a>,
    pub(super) nodes: &'p Nodes<'a>,
    pub(super) jobs: &'p [JobRow],
    pub(super) now: Instant,
}

impl Plan<'_, '_> {
    /// Draws what is free once these jobs have ended.
    fn look_ahead(&mut self, ended: impl Iterator<Item = (Ticket, Instant)>) {
        let Self { places: Places { dims, free, other, .. }, nodes, jobs, .. } = self;
        other.copy(free);
        for (ticket, _) in ended {
            let row = ticket.handle().index() as usize;
            let Some(job) = jobs.get(row) else { continue };
            for node in numbers(nodes, job.nodes) {
                other.strategy.free(other.words, Subcube::from_parts(*dims, node, 0));
            }
        }
        other.remove(*dims, nodes.out());
    }
}

impl Machine for Plan<'_, '_> {
    fn most(&self, _: u32) -> u32 {
        self.places.most
    }

    fn earliest(&mut self, job: &Job, running: &Outlook<'_>) -> Option<Instant> {
        (self.places.spared, self.places.first) = (false, None);
        let dim = Dim::holding(job.pes)?;
        if self.places.free.largest(dim) == dim.nodes() {
            return Some(self.now);
        }
        // After `few` ends it does not fit, after `enough` it does.
        let (mut few, mut enough) = (0usize, running.ends().count());
        while few.saturating_add(1) < enough {
            let half = few.midpoint(enough);
            self.look_ahead(running.ends().take(half));
            match self.places.other.largest(dim) == dim.nodes() {
                true => enough = half,
                false => few = half,
            }
        }
        let (_, start) = running.ends().nth(few)?;
        self.look_ahead(running.ends().take_while(|(_, end)| *end <= start));
        let Places { other, first, .. } = &mut *self.places;
        let cube = other.strategy.allocate(other.words, dim)?;
        *first = Some((start, cube));
        Some(start)
    }

    fn room(&mut self, _: u32, _: Option<Instant>, _: &Outlook<'_>) -> [u32; 2] {
        let Places { dims, free, other, spared, first, .. } = &mut *self.places;
        let spare = free.largest(*dims);
        let Some((_, cube)) = first else { return [spare, 0] };
        if !*spared {
            other.copy(free);
            other.remove(*dims, cube.nodes().map(|node| node.0));
            *spared = true;
        }
        [spare, other.largest(*dims)]
    }

    fn take(&mut self, _: Ticket, job: Job) -> bool {
        let Places { free, other, spared, first, taken, .. } = &mut *self.places;
        let end = self.now.saturating_add(job.requested);
        let is_long = first.is_some_and(|(start, _)| end > start);
        let dim = Dim::holding(job.pes);
        let map = if is_long { other } else { &mut *free };
        *taken = dim.and_then(|dim| map.strategy.allocate(map.words, dim));
        *spared = false;
        if let Some(cube) = taken.filter(|_| is_long) {
            free.strategy.remove(free.words, &cube, None);
        }
        taken.is_some()
    }
}
