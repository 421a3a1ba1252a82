//! Subcubes of free nodes, by looking at each subcube there is.

use locox::cube::{Dim, Node, Subcube};
use locox::ground::set_bit;
use locox::machine::Machine;
use locox::mesh::Embedding;
use locox::subcube::{Complete, Subcubes};

/// All subcubes of so many dimensions in a cube, by mask and base.
fn all(dims: Dim, dim: u32) -> impl Iterator<Item = Subcube> {
    let masks = (0..dims.nodes()).filter(move |mask| mask.count_ones() == dim);
    masks.flat_map(move |mask| {
        let bases = (0..dims.nodes()).filter(move |base| base & mask == 0);
        bases.map(move |base| Subcube::new(dims, Node(base), mask).unwrap())
    })
}

/// A job that has nodes: which, and the mesh that was decided for it.
pub(super) type Group<'a> = (&'a [u32], Option<Embedding>);

/// The mesh of a job, if its nodes are still those.
fn mesh_of(&(nodes, mesh): &Group<'_>) -> Option<Embedding> {
    let of_mesh = |mesh: &Embedding| {
        let mut all: Vec<u32> = mesh.nodes().map(|node| node.0).collect();
        let mut own = nodes.to_vec();
        all.sort_unstable();
        own.sort_unstable();
        all == own
    };
    mesh.filter(of_mesh)
}

/// Whether a subcube lies in one part of what a mesh leaves over, or beside its subcube.
fn is_apart(mesh: &Embedding, cube: &Subcube) -> bool {
    cube.intersection(&mesh.cube()).is_none()
        || mesh.leftover().any(|leftover| leftover.contains_cube(cube))
}

/// Whether a job has nodes that nobody else can have together with those of a subcube.
fn is_in_the_way(group: &Group<'_>, cube: &Subcube) -> bool {
    match mesh_of(group) {
        Some(mesh) => !is_apart(&mesh, cube),
        None => group.0.iter().any(|&node| cube.contains(Node(node))),
    }
}

/// Which nodes are free beside some jobs, and where.
pub(super) struct Picture {
    free: Vec<bool>,
    meshes: Vec<Embedding>,
}

impl Picture {
    /// `serves` are the nodes in service that nobody else is to have.
    pub(super) fn new(mut serves: Vec<bool>, groups: &[Group<'_>]) -> Self {
        let taken = groups.iter().flat_map(|(nodes, _)| *nodes);
        taken.for_each(|&node| serves[node as usize] = false);
        let meshes = groups.iter().filter_map(mesh_of).collect();
        Self { free: serves, meshes }
    }

    /// By number, whether a node is free.
    pub(super) fn free(&self) -> &[bool] {
        &self.free
    }

    fn dims(&self) -> Dim {
        Dim::holding(self.free.len() as u32).unwrap()
    }

    /// Whether a job may have a subcube: all of it is free, and of each mesh it lies in one part of what that leaves over, or
    /// beside its subcube.
    fn may_have(&self, cube: &Subcube) -> bool {
        let is_free = cube.nodes().all(|node| self.free[node.0 as usize]);
        is_free && self.meshes.iter().all(|mesh| is_apart(mesh, cube))
    }

    /// The nodes of the largest subcube that a job may have; 0 if there is none.
    pub(super) fn largest(&self) -> u32 {
        let count = self.free.iter().filter(|free| **free).count() as u32;
        let dims = self.dims();
        let mut sizes = (0..=u32::from(dims.get())).rev().filter(|dim| 1 << dim <= count);
        let found = sizes.find(|&dim| all(dims, dim).any(|cube| self.may_have(&cube)));
        found.map_or(0, |dim| 1 << dim)
    }

    /// The lowest node of the innermost part of what a mesh leaves over that a node lies in.
    fn owner(&self, node: Node) -> Option<Subcube> {
        let around = self.meshes.iter().flat_map(|mesh| mesh.leftover());
        around.filter(|leftover| leftover.contains(node)).min_by_key(|leftover| leftover.len())
    }

    /// A subcube of so many nodes that a job may have: the first one that lies in what a mesh leaves over, else the one that the
    /// kernel finds among the nodes that lie in none. It finds one exactly if there is one.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub(super) fn choose(&self, nodes: u32) -> Option<Subcube> {
        let dims = self.dims();
        let dim = Dim::holding(nodes).filter(|dim| *dim <= dims)?;
        let mut parts: Vec<Subcube> = self.meshes.iter().flat_map(|mesh| mesh.leftover()).collect();
        parts.sort_by_key(|part| part.base().0);
        let lent = parts.iter().find_map(|part| {
            let in_part = |cube: &Subcube| {
                part.contains_cube(cube)
                    && cube.nodes().all(|node| self.owner(node).as_ref() == Some(part))
            };
            all(dims, dim.get().into()).find(|cube| in_part(cube) && self.may_have(cube))
        });
        let found = lent.or_else(|| self.choose_outside(dim));
        let any = all(dims, dim.get().into()).any(|cube| self.may_have(&cube));
        assert_eq!(found.is_some(), any);
        assert!(found.is_none_or(|cube| self.may_have(&cube)));
        found
    }

    /// Who is in the way of the cheapest subcube of so many nodes, of those who would leave: the first one by mask and base.
    pub(super) fn cheapest(&self, nodes: u32, stakes: &[(Group<'_>, u64)]) -> Option<Vec<usize>> {
        let dims = self.dims();
        let dim = Dim::holding(nodes).filter(|dim| *dim <= dims)?;
        let cubes = all(dims, dim.get().into()).filter(|cube| self.may_have(cube));
        let met = |cube: Subcube| -> Vec<usize> {
            (0..stakes.len()).filter(|&at| is_in_the_way(&stakes[at].0, &cube)).collect()
        };
        cubes.map(met).min_by_key(|met| met.iter().map(|&at| stakes[at].1).sum::<u64>())
    }

    fn choose_outside(&self, dim: Dim) -> Option<Subcube> {
        let cubes = Subcubes::<Complete>::new(self.dims()).unwrap();
        let words = cubes.words();
        let (mut map, mut room) = (vec![0; words.map], vec![0; words.room]);
        let is_outside = |at: u32| self.free[at as usize] && self.owner(Node(at)).is_none();
        (0..self.dims().nodes()).for_each(|at| set_bit(&mut map, 0, at, is_outside(at)));
        cubes.find(&map, &dim, &mut room)
    }
}
