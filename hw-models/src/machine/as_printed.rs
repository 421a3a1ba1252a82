//! A hypercube under the auxiliary free list by the rules as they are printed.

use super::{Machine, Placement, Refusal, Token, Usage, node_set, slot_of, subcube_of};
use crate::workload::Job;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Shape};
use locox::subcube;
use slab::Slab;
use std::collections::BTreeSet;

/// Figures 3.5 (a request) and 3.9 (a release) of Turner 1995, word by word, over free lists that
/// join pairs: to see what becomes of them, not for use.
///
/// - A request takes the first subcube that is large enough from the auxiliary list, else from the
///   free list, and splits it; the halves stay in the list that it came from. What the mesh leaves
///   over goes to the auxiliary list, and is owned by the mesh.
/// - A release partitions the mesh's own region, takes back what it owns as far as it is listed as it
///   was, joins complements by rising dimension, and hands the pieces on to the free list, which
///   joins pairs.
///
/// So halves of an auxiliary subcube that was split are nobody's: no release takes them back. When
/// all nodes are in the free list they are one cube, as in the kernel's: what gets lost gets lost by
/// the rules, not by the list.
pub struct AsPrinted {
    dims: Dim,
    free: List,
    auxiliary: List,
    meshes: Slab<Live>,
    usage: Usage,
    granted: u64,
}

struct Live {
    mesh: Embedding,
    owned: Vec<Subcube>,
}

/// Disjoint subcubes by dimension, base and mask.
#[derive(Default)]
struct List(BTreeSet<(Dim, Node, u32)>);

fn key(cube: Subcube) -> (Dim, Node, u32) {
    (cube.dim(), cube.base(), cube.mask())
}

impl List {
    fn insert(&mut self, cube: Subcube) {
        assert!(self.0.insert(key(cube)), "{cube} is listed already");
    }

    fn remove(&mut self, cube: Subcube) -> bool {
        self.0.remove(&key(cube))
    }

    fn cubes(&self, dims: Dim) -> impl Iterator<Item = Subcube> + '_ {
        let of = move |&(_, base, mask): &(Dim, Node, u32)| Subcube::new(dims, base, mask);
        self.0.iter().filter_map(of)
    }

    /// The first subcube that is large enough, split down to `dim`; the upper halves stay.
    fn take(&mut self, dims: Dim, dim: Dim) -> Option<Subcube> {
        let mut cube = self.cubes(dims).find(|cube| cube.dim() >= dim)?;
        self.remove(cube);
        while cube.dim() > dim {
            let (low, high) = dims.up_to().rev().find_map(|along| cube.halves(along))?;
            self.insert(high);
            cube = low;
        }
        Some(cube)
    }

    /// Lists `cube`, joined with its complement as long as that is listed.
    fn join(&mut self, dims: Dim, mut cube: Subcube) {
        let complements = |cube: Subcube| dims.up_to().filter_map(move |at| cube.complement(at));
        while let Some(other) = complements(cube).find(|&other| self.remove(other)) {
            cube = cube.joined(&other).expect("complements can be joined");
        }
        self.insert(cube);
    }
}

impl AsPrinted {
    /// An idle cube of `dims` dimensions.
    pub fn new(dims: Dim) -> Self {
        let (mut free, auxiliary) = (List::default(), List::default());
        free.insert(Subcube::whole(dims));
        Self { dims, free, auxiliary, meshes: Slab::new(), usage: Usage::default(), granted: 0 }
    }

    /// Jobs that were started.
    pub fn granted(&self) -> u64 {
        self.granted
    }

    /// Nodes in the auxiliary list that no mesh owns, so that no release will take them back.
    pub fn lost(&self) -> u32 {
        let owned = |cube: &Subcube| {
            self.meshes.iter().any(|(_, live)| live.owned.iter().any(|it| it.contains_cube(cube)))
        };
        self.auxiliary.cubes(self.dims).filter(|cube| !owned(cube)).map(|cube| cube.len()).sum()
    }

    fn give(&mut self, cube: Subcube) {
        self.free.join(self.dims, cube);
        let free: u32 = self.free.cubes(self.dims).map(|cube| cube.len()).sum();
        if free == self.dims.nodes() {
            self.free = List::default();
            self.free.insert(Subcube::whole(self.dims));
        }
    }
}

impl Machine for AsPrinted {
    fn name(&self) -> String {
        format!("{}-cube, meshes, auxiliary list as printed", self.dims)
    }

    fn processors(&self) -> u32 {
        self.dims.nodes()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn size(&self, job: &Job) -> u32 {
        subcube_of(job)
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let fits = |shape: &Shape| shape.dim() <= self.dims;
        let shape = job.mesh().filter(fits).ok_or(subcube::Refusal::TooLarge)?;
        let auxiliary = self.auxiliary.take(self.dims, shape.dim());
        let cube = auxiliary.or_else(|| self.free.take(self.dims, shape.dim()));
        let free = self.processors() - self.usage.in_use;
        let needed = shape.dim().nodes();
        let cube = cube.ok_or(subcube::Refusal::TooFewFree { needed, free })?;
        let mesh = Embedding::new(cube, shape).expect("the cube has the dimension of the shape");
        let owned: Vec<Subcube> = mesh.leftover().collect();
        owned.iter().for_each(|&cube| self.auxiliary.insert(cube));
        let processors = shape.nodes();
        let token = Token::Slot(self.meshes.insert(Live { mesh, owned }));
        let placement = Placement { processors, held: processors, token };
        self.usage.add(&placement);
        self.granted += 1;
        Ok(placement)
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.mesh().is_some_and(|shape| shape.dim() <= self.dims)
    }

    fn finish(&mut self, placement: Placement) {
        let Live { mesh, owned } = self.meshes.remove(slot_of(placement));
        self.usage.remove(&placement);
        let mut pieces = List::default();
        let taken_back = owned.into_iter().filter(|&cube| self.auxiliary.remove(cube));
        let mut all: Vec<Subcube> = mesh.region().chain(taken_back).collect();
        all.sort_by_key(|&cube| key(cube));
        all.into_iter().for_each(|cube| pieces.join(self.dims, cube));
        let pieces: Vec<Subcube> = pieces.cubes(self.dims).collect();
        pieces.into_iter().for_each(|cube| self.give(cube));
    }

    fn allocated(&self, placement: Placement) -> String {
        node_set(self.meshes[slot_of(placement)].mesh.nodes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::{Duration, Instant};

    fn job(processors: u32) -> Job {
        let (submit, run) = (Instant::ZERO, Duration::from_ticks(1));
        let shape = Shape::line(processors).ok();
        Job {
            id: 1,
            line: None,
            submit,
            processors,
            shape,
            memory: 0,
            demand: None,
            run,
            requested: None,
            user: None,
        }
    }

    /// The smallest case in which nodes get lost: a line of five and two single nodes in a 3-cube.
    #[test]
    fn a_half_of_a_split_leftover_is_lost_until_another_job_takes_it() {
        let three = Dim::new(3).unwrap();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut cube = AsPrinted::new(three);
            let placed = [5, 1, 1].map(|processors| cube.start(&job(processors)).unwrap());
            order.into_iter().for_each(|at| cube.finish(placed[at]));
            assert_eq!((cube.in_use(), cube.lost(), cube.granted()), (0, 1, 3), "{order:?}");
            assert!(cube.start(&job(8)).is_err() && cube.can_ever(&job(8)));
            assert_eq!(cube.auxiliary.cubes(three).next().unwrap().to_string(), "101");
            let again = cube.start(&job(1)).unwrap();
            cube.finish(again);
            assert_eq!(cube.lost(), 0);
            assert!(cube.start(&job(8)).is_ok());
        }
    }

    #[test]
    fn a_mesh_whose_leftover_nobody_used_gives_the_whole_cube_back() {
        let mut cube = AsPrinted::new(Dim::new(6).unwrap());
        for processors in [5, 37, 64, 1] {
            let placement = cube.start(&job(processors)).unwrap();
            cube.finish(placement);
            assert_eq!((cube.lost(), cube.free.0.len()), (0, 1), "{processors}");
        }
    }
}
