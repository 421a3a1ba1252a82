//! Which subcubes the nodes have room for: now, and when the first job in line is to start.
//!
//! All of it is drawn anew from the rows for each decision, so that nothing but the rows decides, also after an image.
//! The first job in line that does not fit is given a subcube that is free once enough others have ended: others take
//! nodes of it only if they end by then. A search for the time halves the list of ends, as the more jobs have
//! ended the more is free: also of meshes, as a subcube that lies in what a mesh leaves over lies in what is around the mesh
//! once that has ended.

use super::config;
use super::map::{self, Map};
use super::nodes::Nodes;
use super::storage::JobRow;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::dispatch::{Job, Ticket};
use locox::ground::{List, Machine, Outlook};
use locox::mesh::{Embedding, Shape};
use locox::time::Instant;

/// The maps of a machine whose nodes are those of a cube.
pub(super) struct Places<'a> {
    kind: config::Places,
    dims: Dim,
    /// Nodes that are free.
    free: Map<'a>,
    /// Scratch; while `spared`, those of them that are not kept for the first job in line.
    other: Map<'a>,
    spared: bool,
    /// When the first job in line starts, and where, if it does not start now.
    first: Option<(Instant, Subcube)>,
    /// What was taken last.
    pub(super) taken: Option<Embedding>,
    /// The most nodes of a job that the nodes in service have room for.
    most: u32,
}

impl<'a> Places<'a> {
    /// In the words behind the map of [`cube_words`](super::cube_words).
    pub(super) fn new(kind: config::Places, dims: Dim, words: &'a mut [Word]) -> Self {
        let one = map::words(dims);
        let (free, other) = words.split_at_mut_checked(one).unwrap_or_default();
        let other = other.get_mut(..one).unwrap_or_default();
        let (free, other) = (Map::new(dims, free), Map::new(dims, other));
        let most = dims.nodes();
        Self { kind, dims, free, other, spared: false, first: None, taken: None, most }
    }

    /// What a job is to be; `None` if it asks for more nodes than a cube can have.
    pub(super) fn shape(&self, it: &JobRow) -> Option<Shape> {
        match self.kind {
            config::Places::Meshes => own_shape(it).or_else(|| Shape::of_nodes(it.wants).ok()),
            _ => Shape::line(it.wants.checked_next_power_of_two()?).ok(),
        }
    }

    /// The nodes of the subcube that a job needs; `None` if there is no such subcube.
    pub(super) fn asked(&self, it: &JobRow) -> Option<u32> {
        let own = own_shape(it).filter(|_| self.kind == config::Places::Meshes);
        // A mesh nearest to a square lies in the smallest subcube.
        own.map(|shape| shape.dim().nodes()).or_else(|| it.wants.checked_next_power_of_two())
    }

    /// Begins a decision. Cost: all rows of jobs and nodes, and a search for each dimension.
    pub(super) fn draw(&mut self, nodes: &Nodes<'_>, jobs: &[JobRow]) {
        let Self { dims, free, other, .. } = self;
        draw(*dims, other, nodes, core::iter::empty);
        self.most = other.largest(*dims);
        draw(*dims, free, nodes, || jobs.iter());
        (self.spared, self.first) = (false, None);
    }

    /// Whether a job has room once all but some have left. Cost: all nodes, and a search.
    pub(super) fn fits_beside<'j, I: Iterator<Item = &'j JobRow>>(
        &mut self,
        pes: u32,
        nodes: &Nodes<'_>,
        jobs: impl Fn() -> I,
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

/// The mesh that a job asks for, if it is of as many nodes.
fn own_shape(it: &JobRow) -> Option<Shape> {
    Shape::try_from(it.sides).ok().filter(|shape| shape.nodes() == it.wants)
}

/// All nodes in service are free, but for those of jobs.
fn draw<'j, I: Iterator<Item = &'j JobRow>>(
    dims: Dim,
    map: &mut Map<'_>,
    nodes: &Nodes<'_>,
    jobs: impl Fn() -> I,
) {
    let with_nodes = || jobs().filter(|job| job.has > 0);
    let meshes = || with_nodes().filter_map(|job| mesh_of(dims, nodes, job));
    map.clear();
    meshes().for_each(|mesh| map.lend(&mesh));
    for mesh in meshes() {
        if map.is_outermost(&mesh) {
            map.enclose(&mesh.cube());
        }
    }
    for job in with_nodes() {
        if let Some(cube) = cube_of(dims, nodes, job) {
            map.enclose(&cube);
        }
        map.remove(numbers(nodes, job.nodes).map(Node));
    }
    map.remove(nodes.out().map(Node));
}

/// The mesh that was decided for a job, if its nodes are that.
fn mesh_of(dims: Dim, nodes: &Nodes<'_>, job: &JobRow) -> Option<Embedding> {
    let mesh = map::loaded(dims, job.mesh)?;
    let is_there = mesh.shape().nodes() == job.has
        && numbers(nodes, job.nodes).all(|node| mesh.contains(Node(node)));
    is_there.then_some(mesh)
}

/// The subcube that the nodes of a job are, if they are one.
fn cube_of(dims: Dim, nodes: &Nodes<'_>, job: &JobRow) -> Option<Subcube> {
    let both = numbers(nodes, job.nodes).fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
    let mask = both.0 ^ both.1;
    (1u32.checked_shl(mask.count_ones()) == Some(job.has))
        .then(|| Subcube::from_parts(dims, both.0, mask))
}

fn numbers(nodes: &Nodes<'_>, list: List) -> impl Iterator<Item = u32> {
    list.iter(&*nodes.rows).map(|(node, _)| node)
}

/// What the queue is told of the machine.
pub(super) struct Plan<'p, 'a> {
    pub(super) places: &'p mut Places<'a>,
    pub(super) nodes: &'p Nodes<'a>,
    pub(super) jobs: &'p [JobRow],
    pub(super) now: Instant,
}

impl Plan<'_, '_> {
    /// Draws what is free once so many jobs have ended.
    fn look_ahead(&mut self, running: &Outlook<'_>, ended: usize) {
        let Self { places: Places { dims, other, .. }, nodes, jobs, .. } = self;
        let row = |(ticket, _): (Ticket, Instant)| jobs.get(ticket.handle().index() as usize);
        draw(*dims, other, nodes, || running.ends().skip(ended).filter_map(row));
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
            self.look_ahead(running, half);
            match self.places.other.largest(dim) == dim.nodes() {
                true => enough = half,
                false => few = half,
            }
        }
        let (_, start) = running.ends().nth(few)?;
        self.look_ahead(running, running.ends().take_while(|(_, end)| *end <= start).count());
        let Places { other, first, .. } = &mut *self.places;
        let cube = other.choose(dim)?;
        *first = Some((start, cube));
        Some(start)
    }

    fn room(&mut self, _: u32, _: Option<Instant>, _: &Outlook<'_>) -> [u32; 2] {
        let Places { dims, free, other, spared, first, .. } = &mut *self.places;
        let spare = free.largest(*dims);
        let Some((_, cube)) = first else { return [spare, 0] };
        if !*spared {
            other.copy(free);
            other.remove(cube.nodes());
            *spared = true;
        }
        [spare, other.largest(*dims)]
    }

    fn take(&mut self, ticket: Ticket, job: Job) -> bool {
        let row = self.jobs.get(ticket.handle().index() as usize);
        let shape = row.and_then(|it| self.places.shape(it));
        let Places { free, other, spared, first, taken, .. } = &mut *self.places;
        let end = self.now.saturating_add(job.requested);
        let is_long = first.is_some_and(|(start, _)| end > start);
        let map = if is_long { other } else { &mut *free };
        *taken = shape.and_then(|shape| Embedding::new(map.choose(shape.dim())?, shape));
        *spared = false;
        if let Some(mesh) = taken {
            free.give(mesh);
        }
        taken.is_some()
    }
}
