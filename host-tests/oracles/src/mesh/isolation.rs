//! The E-cube oracle: which channels the routes of live meshes use, by walking all of them.

use super::alone;
use locox::cube::ecube::{self, Channel};
use locox::cube::{Dim, Node};
use locox::mesh::{Embedding, Shape};
use std::collections::{BTreeSet, HashMap};

/// A channel that routes of two live meshes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The channel.
    pub channel: Channel,
    /// Its users, the older one first.
    pub meshes: [Embedding; 2],
}

impl Conflict {
    /// Whether the channel lies inside one of the two: between two of its nodes.
    pub fn is_inside_one(&self) -> bool {
        let Channel { from, .. } = self.channel;
        self.meshes.iter().any(|mesh| mesh.contains(from) && mesh.contains(self.channel.to()))
    }
}

/// The user of each channel of a machine. Channels inside a mesh are among those that its routes
/// use, so that no channel has two users is more than what a pool of meshes promises.
pub struct Isolation {
    users: Vec<Option<Embedding>>,
    dims: Dim,
    known: HashMap<Shape, Vec<Channel>>,
}

impl Isolation {
    /// No mesh lives.
    pub fn new(dims: Dim) -> Self {
        let channels = usize::from(dims.get()) << dims.get();
        Self { users: vec![None; channels], dims, known: HashMap::new() }
    }

    /// The channels that routes of `mesh` use.
    fn channels(&mut self, mesh: &Embedding) -> Vec<(usize, Channel)> {
        let relative = self.known.entry(mesh.shape()).or_insert_with_key(|shape| used(*shape));
        let dims = usize::from(self.dims.get());
        let free: Vec<u8> = (0..24).filter(|at| mesh.cube().mask() >> at & 1 == 1).collect();
        let place = |channel: &Channel| {
            let spread = |sum, (at, &to)| sum | (channel.from.0 >> at & 1) << to;
            let from = free.iter().enumerate().fold(mesh.cube().base().0, spread);
            let dim = Dim::new(free[usize::from(channel.dim.get())]).unwrap();
            let number = from as usize * dims + usize::from(dim.get());
            (number, Channel { from: Node(from), dim })
        };
        relative.iter().map(place).collect()
    }

    /// A mesh has been granted.
    ///
    /// # Errors
    ///
    /// [`Conflict`] names a channel that another one uses.
    pub fn add(&mut self, mesh: &Embedding) -> Result<(), Conflict> {
        for (number, channel) in self.channels(mesh) {
            if let Some(other) = self.users[number].replace(*mesh) {
                return Err(Conflict { channel, meshes: [other, *mesh] });
            }
        }
        Ok(())
    }

    /// A mesh has been released.
    pub fn remove(&mut self, mesh: &Embedding) {
        for (number, _) in self.channels(mesh) {
            assert_eq!(self.users[number].take(), Some(*mesh));
        }
    }
}

/// The channels on the routes between all pairs of nodes of a mesh in a cube of its own.
pub fn used(shape: Shape) -> Vec<Channel> {
    let nodes: Vec<Node> = alone(shape).nodes().collect();
    let pairs = nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from, to)));
    let mut met = vec![[false; 24]; 1 << shape.dim().get()];
    for (from, to) in pairs {
        ecube::route(from, to)
            .for_each(|hop| met[hop.from.0 as usize][hop.dim.get() as usize] = true);
    }
    let channels = met.iter().enumerate().flat_map(|(from, dims)| {
        let dims = dims.iter().enumerate().filter(|(_, met)| **met);
        dims.map(move |(dim, _)| Channel {
            from: Node(from as u32),
            dim: Dim::new(dim as u8).unwrap(),
        })
    });
    channels.collect()
}

/// Which channels routes inside a set of nodes use, by lemma 1: the source agrees with the channel
/// from its dimension on, the target below, and differs in it.
pub struct Predicate {
    sources: Vec<BTreeSet<u32>>,
    targets: Vec<BTreeSet<u32>>,
}

impl Predicate {
    /// Of the nodes of a mesh.
    pub fn new(mesh: &Embedding) -> Self {
        let dims = u32::from(mesh.cube().dims().get());
        let upper = |at: u32| mesh.nodes().map(|node| node.0 >> at).collect();
        let lower = |at: u32| mesh.nodes().map(|node| node.0 & ((2 << at) - 1)).collect();
        Self { sources: (0..dims).map(upper).collect(), targets: (0..dims).map(lower).collect() }
    }

    /// Whether a route from one of the nodes to another uses the channel.
    pub fn uses(&self, channel: Channel) -> bool {
        let at = usize::from(channel.dim.get());
        let end = channel.to().0 & ((2 << at) - 1);
        self.sources[at].contains(&(channel.from.0 >> at)) && self.targets[at].contains(&end)
    }
}
