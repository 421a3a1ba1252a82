//! A pool of meshes, naively: live meshes, a list of free leftover, outages, and a strategy's rule.

use crate::subcube::{NodeSet, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Leftover, MeshStats, Shape};
use locox::subcube::{
    ClaimError, NoSuchNode, NodeState, NotFree, Outage, Refusal, Stats, Strategy,
};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

/// What may be wrong with a pool; the two traps into which a literal reading of Turner 1995 leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing.
    None,
    /// Complements are joined even if they belong to different leftovers.
    JoinsAcross,
    /// What came out of a leftover goes to the strategy while the owner of the leftover lives.
    ForgetsHomes,
}

/// A live mesh and the leftover that it lies in.
#[derive(Clone, Debug)]
pub struct Tenant {
    /// Where it lies.
    pub mesh: Embedding,
    home: Option<Subcube>,
}

/// The pool over the rule `R`.
#[derive(Clone, Debug)]
pub struct Model<R> {
    dims: Dim,
    leftover: Leftover,
    flaw: Flaw,
    rule: R,
    /// Live meshes, the oldest first.
    pub live: Vec<Tenant>,
    /// Free leftover by dimension and base: the subcube, and the leftover that it is a part of.
    auxiliary: BTreeMap<(Dim, Node), (Subcube, Subcube)>,
    outages: Vec<Option<Outage>>,
}

impl<R: Rule> Model<R> {
    /// All nodes are free.
    pub fn new(dims: Dim, leftover: Leftover, flaw: Flaw) -> Self {
        let outages = vec![None; dims.nodes() as usize];
        let (rule, auxiliary) = (R::new(dims), BTreeMap::new());
        Self { dims, leftover, flaw, rule, live: vec![], auxiliary, outages }
    }

    /// All that later answers depend on, but for the names of leases. Two states of one key are the same state.
    pub fn key(&self) -> impl Hash + Debug {
        let mut live: Vec<_> = self.live.iter().map(|it| (it.mesh, it.home)).collect();
        live.sort_by_key(|(mesh, _)| mesh.cube().base());
        (live, self.auxiliary.clone(), self.outages.clone(), self.rule.clone())
    }

    fn serves(&self, node: Node) -> bool {
        self.outages[node.0 as usize].is_none()
    }

    /// The live meshes around a node, the outermost first.
    fn around(&self, node: Node) -> Vec<&Tenant> {
        let mut found: Vec<_> =
            self.live.iter().filter(|it| it.mesh.cube().contains(node)).collect();
        found.sort_by_key(|it| std::cmp::Reverse(it.mesh.cube().len()));
        found
    }

    /// The mesh whose subcube is the smallest around a node.
    fn innermost(&self, node: Node) -> Option<Embedding> {
        let meshes = self.live.iter().map(|tenant| tenant.mesh);
        meshes.filter(|it| it.cube().contains(node)).min_by_key(|it| it.cube().len())
    }

    /// The mesh that holds a node.
    pub fn holder(&self, node: Node) -> Option<Embedding> {
        let inner = self.innermost(node)?;
        (self.leftover == Leftover::Kept || inner.contains(node)).then_some(inner)
    }

    /// What is known of a node.
    pub fn state(&self, node: Node) -> NodeState {
        NodeState { leased: self.holder(node).is_some(), outage: self.outages[node.0 as usize] }
    }

    /// The nodes in service that no mesh holds.
    pub fn free(&self) -> NodeSet {
        NodeSet::of(self.dims, |node| self.serves(node) && self.holder(node).is_none())
    }

    /// The free nodes that are nobody's leftover.
    fn unowned(&self) -> NodeSet {
        NodeSet::of(self.dims, |node| self.serves(node) && self.innermost(node).is_none())
    }

    fn halves(&self, cube: Subcube) -> (Subcube, Subcube) {
        self.dims.up_to().rev().find_map(|along| cube.halves(along)).unwrap()
    }

    /// What is recognised of leftover, piece by piece: under the list of the literature each listed
    /// subcube, else all that is free in each leftover, by the bases of the meshes.
    fn pieces(&self) -> Vec<NodeSet> {
        if R::Strategy::STARTS.recombines() {
            return self.leftovers().map(|(_, free)| free).collect();
        }
        let listed = self.auxiliary.values().map(|&(cube, _)| cube);
        listed.map(|cube| NodeSet::of(self.dims, |node| cube.contains(node))).collect()
    }

    /// The leftovers of live meshes, by the bases of these, and what is free in each.
    fn leftovers(&self) -> impl Iterator<Item = (Subcube, NodeSet)> {
        let mut meshes: Vec<_> = self.live.iter().map(|tenant| tenant.mesh).collect();
        meshes.sort_by_key(|mesh| mesh.cube().base());
        meshes.into_iter().flat_map(|mesh| mesh.leftover()).map(|leftover| {
            let listed = || self.auxiliary.values().filter(|(_, its)| *its == leftover);
            let free = |node| listed().any(|(cube, _)| cube.contains(node));
            (leftover, NodeSet::of(self.dims, free))
        })
    }

    /// The subcube that a request gets, and the leftover that it comes out of.
    pub fn choose(&self, shape: Shape) -> Result<(Subcube, Option<Subcube>), Refusal> {
        let dim = shape.dim();
        let listed = self.auxiliary.range((dim, Node(0))..).next();
        if let Some((_, &(mut cube, home))) = listed {
            while cube.dim() > dim {
                (cube, _) = self.halves(cube);
            }
            return Ok((cube, Some(home)));
        }
        let serving = NodeSet::of(self.dims, |node| self.serves(node));
        if dim > self.dims {
            return Err(Refusal::TooLarge);
        }
        if let Some(cube) = self.rule.choose(&self.unowned(), dim) {
            return Ok((cube, None));
        }
        let scattered = |(leftover, free): (Subcube, NodeSet)| {
            free.subcubes(dim).next().map(|cube| (cube, Some(leftover)))
        };
        let mut searched = self.leftovers().filter(|_| R::Strategy::STARTS.recombines());
        if let Some(found) = searched.find_map(scattered) {
            return Ok(found);
        }
        let free = self.free().len();
        Err(match self.rule.possible(&serving, dim) {
            false => Refusal::Faulty,
            true if free < dim.nodes() => Refusal::TooFewFree { needed: dim.nodes(), free },
            true => Refusal::Fragmented { largest: self.largest().unwrap_or_default() },
        })
    }

    fn largest(&self) -> Option<Dim> {
        let unowned = self.unowned();
        let seen = |dim: &Dim| !self.rule.seen(&unowned, *dim).is_empty();
        let left =
            |dim: &Dim| self.pieces().iter().any(|free| free.subcubes(*dim).next().is_some());
        self.dims.up_to().rev().find(|dim| seen(dim) || left(dim))
    }

    /// Which leftover a claim lies in, if it lies in one, or why it is refused.
    pub fn claim(&self, cube: Subcube) -> Result<Option<Subcube>, ClaimError> {
        let last = Node(cube.base().0 | cube.mask());
        if last.0 >= self.dims.nodes() {
            return Err(ClaimError::Misused(NoSuchNode(last)));
        }
        let free = |node| self.serves(node) && self.holder(node).is_none();
        let base = cube.base();
        let home = self.holder(base).map_or_else(|| self.home(base), |_| None);
        let taken = cube.nodes().find(|&node| !free(node) || self.home(node) != home);
        taken.map_or(Ok(home), |node| Err(ClaimError::Refused(NotFree(node))))
    }

    /// The pool goes on from an image: by rising node, meshes are granted and nodes withdrawn anew.
    pub fn restart(&mut self) {
        let mut meshes: Vec<_> = self.live.iter().map(|tenant| tenant.mesh).collect();
        meshes.sort_by_key(|mesh| std::cmp::Reverse(mesh.cube().base()));
        let outages = std::mem::take(&mut self.outages);
        *self = Self::new(self.dims, self.leftover, self.flaw);
        for (node, outage) in (0..).map(Node).zip(outages) {
            if let Some(mesh) = meshes.pop_if(|mesh| mesh.cube().base() == node) {
                let home = self.home(node);
                self.open(mesh, home);
            }
            if let Some(why) = outage {
                self.withdraw(&[node], why);
            }
        }
    }

    /// A mesh has been granted in what `choose` said.
    pub fn open(&mut self, mesh: Embedding, home: Option<Subcube>) {
        match home {
            Some(_) => self.cut(mesh.cube()),
            None => self.rule.take(mesh.cube()),
        }
        self.live.push(Tenant { mesh, home });
        if self.leftover == Leftover::Reused {
            for cube in mesh.leftover() {
                self.auxiliary.insert((cube.dim(), cube.base()), (cube, cube));
            }
        }
    }

    /// Takes a subcube out of the listed ones that it lies in: out with these, and then, by base, the
    /// halves at the highest coordinates at which only they are free merge again.
    fn cut(&mut self, wanted: Subcube) {
        let meets = |(cube, _): &(Subcube, Subcube)| cube.intersection(&wanted).is_some();
        let mut met: Vec<_> = self.auxiliary.values().copied().filter(meets).collect();
        met.sort_by_key(|(cube, _)| cube.base());
        for (cube, _) in &met {
            self.auxiliary.remove(&(cube.dim(), cube.base())).unwrap();
        }
        for (mut cube, home) in met {
            let dims = self.dims;
            let fixed = || dims.up_to().rev().filter(|&at| wanted.halves(at).is_none());
            while let Some((low, high)) = fixed().find_map(|at| cube.halves(at)) {
                let meets = low.intersection(&wanted).is_some();
                let (kept, left) = if meets { (low, high) } else { (high, low) };
                self.merge(left, home);
                cube = kept;
            }
        }
    }

    fn merge(&mut self, mut cube: Subcube, home: Subcube) {
        let joins = |found: Option<&(Subcube, Subcube)>, other| {
            let across = self.flaw == Flaw::JoinsAcross;
            found.is_some_and(|&(cube, its)| cube == other && (its == home || across))
        };
        while let Some(other) = self
            .dims
            .up_to()
            .filter_map(|along| cube.complement(along))
            .find(|it| joins(self.auxiliary.get(&(it.dim(), it.base())), *it))
        {
            self.auxiliary.remove(&(other.dim(), other.base()));
            cube = cube.joined(&other).unwrap();
        }
        self.auxiliary.insert((cube.dim(), cube.base()), (cube, home));
    }

    fn give(&mut self, cube: Subcube, home: Option<Subcube>) {
        match home.filter(|_| self.flaw != Flaw::ForgetsHomes) {
            Some(home) => {
                self.merge(cube, home);
                self.join_if_free(home);
            }
            None => self.rule.give(cube),
        }
    }

    /// A leftover that is free is one subcube.
    fn join_if_free(&mut self, home: Subcube) {
        let pieces = self.auxiliary.values().filter(|(_, its)| *its == home);
        let free = pieces.map(|(cube, _)| cube.len()).sum::<u32>();
        if free == home.len() && self.flaw == Flaw::None && R::Strategy::STARTS.recombines() {
            self.auxiliary.retain(|_, (_, its)| *its != home);
            self.auxiliary.insert((home.dim(), home.base()), (home, home));
        }
    }

    fn remove(&mut self, node: Node, home: Option<Subcube>) {
        match home {
            Some(_) => self.cut(Subcube::new(self.dims, node, 0).unwrap()),
            None => self.rule.remove(node),
        }
    }

    /// The mesh at this place among the live ones is given back.
    pub fn release(&mut self, at: usize) {
        let Tenant { mesh, home } = self.live.remove(at);
        let kept = self.leftover == Leftover::Kept;
        let list = |cube: &Subcube| self.auxiliary.get(&(cube.dim(), cube.base()));
        let whole = |cube: Subcube| list(&cube).is_some_and(|&(listed, _)| listed == cube);
        if kept || mesh.leftover().all(whole) {
            mesh.leftover().for_each(|it| _ = self.auxiliary.remove(&(it.dim(), it.base())));
            self.give(mesh.cube(), home);
        } else {
            mesh.region().for_each(|cube| self.give(cube, home));
            mesh.leftover().for_each(|cube| self.disown(cube, home));
        }
        for node in mesh.cube().nodes() {
            if !self.serves(node) && (kept || mesh.contains(node)) {
                self.remove(node, home);
            }
        }
    }

    /// Moves what lies directly in a leftover to another home, in the order of the bases.
    fn disown(&mut self, leftover: Subcube, home: Option<Subcube>) {
        let inside = |&(cube, its): &(Subcube, Subcube)| (its == leftover).then_some(cube);
        let mut cubes: Vec<_> = self.auxiliary.values().filter_map(inside).collect();
        cubes.sort_by_key(|cube| cube.base());
        for cube in cubes {
            self.auxiliary.remove(&(cube.dim(), cube.base()));
            self.give(cube, home);
        }
        let tenants = self.live.iter_mut().filter(|it| it.home == Some(leftover));
        tenants.for_each(|tenant| tenant.home = home);
    }

    /// The home of a node that nobody holds.
    fn home(&self, node: Node) -> Option<Subcube> {
        self.innermost(node)?.leftover().find(|cube| cube.contains(node))
    }

    /// Takes nodes out of service; the meshes hit, in the order in which they are reported.
    pub fn withdraw(&mut self, nodes: &[Node], why: Outage) -> Vec<Embedding> {
        let (mut hit, mut unowned) = (vec![], vec![]);
        for &node in nodes {
            let free = self.serves(node) && self.holder(node).is_none();
            match self.home(node).filter(|_| free) {
                Some(home) => self.remove(node, Some(home)),
                None if free => unowned.push(node),
                None => {}
            }
            let outage = &mut self.outages[node.0 as usize];
            *outage = outage.filter(|&it| it == Outage::Failed).or(Some(why));
            let meshes = self.around(node).into_iter().map(|tenant| tenant.mesh);
            let kept = self.leftover == Leftover::Kept;
            let is_hit = |it: &Embedding| kept || it.may_route_through(node);
            let new = meshes.filter(|it| is_hit(it) && !hit.contains(it));
            hit.extend(new.collect::<Vec<_>>());
        }
        self.rule.remove_all(&unowned);
        hit
    }

    /// Puts nodes back into service.
    pub fn repair(&mut self, nodes: &[Node]) {
        for &node in nodes {
            let was_out = self.outages[node.0 as usize].take().is_some();
            if was_out && self.holder(node).is_none() {
                self.give(Subcube::new(self.dims, node, 0).unwrap(), self.home(node));
            }
        }
    }

    /// The figures of the pool.
    pub fn stats(&self) -> MeshStats {
        let (unowned, mut subcubes) = (self.unowned(), [0; 25]);
        for dim in self.dims.up_to() {
            let auxiliary: usize = self.pieces().iter().map(|it| it.subcubes(dim).count()).sum();
            let seen = self.rule.seen(&unowned, dim).len() as u64;
            subcubes[usize::from(dim.get())] = seen + auxiliary as u64;
        }
        let all = (0..self.dims.nodes()).map(Node);
        let nodes = Stats {
            dims: self.dims,
            free: self.free().len(),
            leased: all.filter(|&node| self.holder(node).is_some()).count() as u32,
            out: self.outages.iter().flatten().count() as u32,
            largest: self.dims.up_to().rfind(|dim| subcubes[usize::from(dim.get())] > 0),
            subcubes,
        };
        MeshStats {
            nodes,
            auxiliary: self.auxiliary.values().map(|(cube, _)| cube.len()).sum(),
            asked: self.live.iter().map(|tenant| tenant.mesh.shape().nodes()).sum(),
        }
    }
}
