//! Subcubes of free nodes, by looking at each subcube there is.

use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::mesh::Embedding;
use locox::subcube::{Complete, Pool, words};

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

/// Which nodes are free beside some jobs, and where.
pub(super) struct Picture<'a> {
    free: Vec<bool>,
    groups: Vec<Group<'a>>,
    meshes: Vec<Embedding>,
}

impl<'a> Picture<'a> {
    /// `serves` are the nodes in service that nobody else is to have.
    pub(super) fn new(mut serves: Vec<bool>, groups: Vec<Group<'a>>) -> Self {
        let taken = groups.iter().flat_map(|(nodes, _)| *nodes);
        taken.for_each(|&node| serves[node as usize] = false);
        let meshes = groups.iter().filter_map(mesh_of).collect();
        Self { free: serves, groups, meshes }
    }

    fn dims(&self) -> Dim {
        Dim::holding(self.free.len() as u32).unwrap()
    }

    /// Whether a job may have a subcube: all of it is free, and of each mesh it lies in one part of what that leaves over, or
    /// beside its subcube.
    fn may_have(&self, cube: &Subcube) -> bool {
        let is_apart = |mesh: &Embedding| {
            cube.intersection(&mesh.cube()).is_none()
                || mesh.leftover().any(|leftover| leftover.contains_cube(cube))
        };
        cube.nodes().all(|node| self.free[node.0 as usize]) && self.meshes.iter().all(is_apart)
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

    /// A subcube of so many nodes that a job may have: the first one that lies in what a mesh leaves over, else by a pool in
    /// which the subcubes of outermost meshes, and nodes that are one, were taken at once, and others that are not free one by
    /// one. It finds one exactly if there is one.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub(super) fn choose(&self, nodes: u32) -> Option<Subcube> {
        let dims = self.dims();
        let dim = Dim::holding(nodes).unwrap();
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

    fn choose_outside(&self, dim: Dim) -> Option<Subcube> {
        let dims = self.dims();
        let storage = vec![0; words::<Complete>(dims.get())];
        let mut pool = Pool::<Complete, _>::new(PoolId(0), dims, storage).unwrap();
        let outermost = self.meshes.iter().filter(|mesh| self.owner(mesh.cube().base()).is_none());
        outermost.for_each(|mesh| _ = pool.claim(mesh.cube()).unwrap());
        let claim = |pool: &mut Pool<Complete, Vec<usize>>, nodes: Vec<Node>| {
            let free = { nodes.into_iter() }.filter(|&node| pool.state(node).unwrap().is_free());
            let free: Vec<Node> = free.collect();
            pool.claim_nodes(&free, |_| ()).unwrap();
        };
        for (group, _) in self.groups.iter().filter(|(nodes, _)| !nodes.is_empty()) {
            let (all, any) =
                group.iter().fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
            let cube = Subcube::new(dims, Node(all), all ^ any).unwrap();
            if cube.len() as usize != group.len() || pool.claim(cube).is_err() {
                claim(&mut pool, group.iter().copied().map(Node).collect());
            }
        }
        let others = (0..dims.nodes()).map(Node);
        let taken =
            others.filter(|node| !self.free[node.0 as usize] || self.owner(*node).is_some());
        claim(&mut pool, taken.collect());
        pool.allocate(dim).ok().map(|lease| lease.cube())
    }
}
