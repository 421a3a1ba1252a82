//! Pools of boxes in meshes and tori.

use super::argument::{self, Machine, NodeList, NodeNumber};
use super::error::{Fault, Result, value};
use super::leases::leases;
use super::number::{count, list, shown};
use super::pool::next_id;
use super::shared::Shared;
use locox::cube::Node;
use locox::error::Error;
use locox::grid::{
    self, Anchors, BoxLease as KernelLease, BoxRequest, Cuboid, Grid, GridPool as KernelPool,
    Outage, Placement, Sides, words,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyInt, PyIterator, PyString};

/// A placement by its name.
fn placement_of(name: &str) -> PyResult<Placement> {
    let found = Placement::ALL.into_iter().find(|it| it.to_string() == name);
    found.ok_or_else(|| {
        value!("placement is {name:?}, and must be \"first\", \"corner\" or \"fewest\"")
    })
}

/// One to four numbers below 256: a tuple, or text as `"4x4x2"`.
fn numbers(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let numbers = list(name, given)?;
    let small = numbers.iter().map(|&number| u8::try_from(number).ok()).collect::<Option<Vec<_>>>();
    small.ok_or_else(|| value!("{name} is {}, and must have numbers below 256", shown(given)))
}

fn sides_of(given: &Bound<'_, PyAny>) -> Result<Sides> {
    if let Ok(text) = given.extract::<String>() {
        return Ok(text.parse::<Sides>()?);
    }
    Ok(Sides::new(&numbers("shape", given)?).ok_or(grid::BadSides)?)
}

/// What is asked for: a number of nodes, a shape, or a list of shapes of which the first that fits is taken.
enum Asked {
    Nodes(u32),
    One(Sides),
    Any(Vec<Sides>),
}

impl Asked {
    fn of(given: &Bound<'_, PyAny>) -> Result<Self> {
        if given.is_instance_of::<PyInt>() {
            return Ok(Self::Nodes(count("shape", given)?));
        }
        if given.is_instance_of::<PyString>() {
            return Ok(Self::One(sides_of(given)?));
        }
        let many = given.try_iter().is_ok_and(|mut all| {
            all.next()
                .is_some_and(|first| first.is_ok_and(|first| !first.is_instance_of::<PyInt>()))
        });
        if !many {
            return Ok(Self::One(sides_of(given)?));
        }
        let all: Result<Vec<_>> = given.try_iter()?.map(|one| sides_of(&one?)).collect();
        Ok(Self::Any(all?))
    }

    fn request(&self, turned: bool) -> BoxRequest<'_> {
        match self {
            Self::Nodes(nodes) => BoxRequest::Nodes(*nodes),
            Self::One(sides) if turned => BoxRequest::Turned(*sides),
            Self::One(sides) => BoxRequest::Fixed(*sides),
            Self::Any(all) => BoxRequest::AnyOf(all),
        }
    }
}

leases! {
    /// Boxes in a mesh or torus, granted and taken back.
    ///
    /// What is asked for is a shape, as ``"4x4x2"`` or ``(4, 4, 2)``; or a number of nodes, in any box of just so many; or a
    /// list of shapes, of which the first that fits is granted.
    ///
    /// >>> pool = locox.GridPool("torus:16x16x16")
    /// >>> with pool.allocate("4x4x2") as lease:
    /// ...     print(lease, len(lease), pool.free)
    /// <locox.BoxLease 4x4x2 at 0,0,0> 32 4064
    ///
    /// :param machine: ``"torus:16x16x16"``, ``"mesh:32x32"``, or lines and rings mixed, ``"mesh:16x4r"``.
    /// :param placement: ``"first"``, ``"corner"`` (most faces against what is not free) or ``"fewest"`` (of these the
    ///     one that destroys the fewest larger boxes).
    /// :param step: boxes begin only at multiples of this along each axis, 0 for the side of the box itself.
    /// :param offset: from there on.
    /// :param reuse: with a step, whether small boxes may lie anywhere inside a block that is broken already.
    /// :param isolated: whether only boxes are granted that keep their routes to themselves.
    GridPool over KernelPool<Vec<u64>>,
    /// A box that a pool granted. As a context manager it is released at the end.
    BoxLease of KernelLease,
    taken: { nodes: NodeList } => &nodes.0, &[Node],
    holds: |pool, lease| pool.lease_at(lease.cuboid().origin()) == Some(lease),
    words: "nodes", ", by rising first node", "it", "its",
    pool {
        #[new]
        #[pyo3(
            signature = (machine, *, placement="first".into(), step=None, offset=None, reuse=true, isolated=false),
            text_signature = "(machine, *, placement='first', step=None, offset=None, reuse=True, isolated=False)"
        )]
        fn new(
            machine: Machine,
            #[pyo3(from_py_with = argument::placement)] placement: String,
            step: Option<&Bound<'_, PyAny>>,
            offset: Option<&Bound<'_, PyAny>>,
            #[pyo3(from_py_with = argument::reuse)] reuse: bool,
            #[pyo3(from_py_with = argument::isolated)] isolated: bool,
        ) -> Result<Self> {
            let machine: Grid = machine.0.parse()?;
            let placement = placement_of(&placement)?;
            let along = |name: &str, given: Option<&Bound<'_, PyAny>>| {
                given.map_or(Ok(vec![]), |given| numbers(name, given))
            };
            let anchors = if step.is_none() && offset.is_none() {
                Anchors::Any
            } else {
                let steps = Anchors::steps(&along("step", step)?, &along("offset", offset)?);
                let steps = steps.ok_or_else(|| value!("step and offset have at most 4 numbers"))?;
                if reuse { steps.reused() } else { steps }
            };
            let storage = vec![0; words(machine)];
            let pool = KernelPool::new(next_id(), machine, storage, placement, anchors)?;
            Ok(Self { it: Shared::new(if isolated { pool.isolating() } else { pool }) })
        }

        /// Grants what is asked for, as a lease; a shape in any rotation, unless ``turned`` is False.
        ///
        /// :raises Refused: ``too-large``, ``faulty``, ``too-few-free`` or ``fragmented``.
        #[pyo3(signature = (shape, *, turned=true))]
        fn allocate(
            this: &Bound<'_, Self>,
            shape: &Bound<'_, PyAny>, #[pyo3(from_py_with = argument::turned)] turned: bool,
        ) -> Result<BoxLease> {
            let asked = Asked::of(shape)?;
            let lease = this.get().it.get()?.allocate(asked.request(turned))?;
            Ok(Self::lend(this, lease))
        }

        /// Whether ``allocate`` would grant it now.
        #[pyo3(signature = (shape, *, turned=true))]
        fn fits(&self, shape: &Bound<'_, PyAny>, #[pyo3(from_py_with = argument::turned)] turned: bool) -> Result<bool> {
            let asked = Asked::of(shape)?;
            Ok(self.it.get()?.would_fit(asked.request(turned)).is_ok())
        }

        /// Grants the box of this shape whose first node is at these coordinates.
        ///
        /// :raises Refused: ``not-free``.
        fn claim(this: &Bound<'_, Self>, at: &Bound<'_, PyAny>, shape: &Bound<'_, PyAny>) -> Result<BoxLease> {
            let (at, sides) = (numbers("at", at)?, sides_of(shape)?);
            let mut pool = this.get().it.get()?;
            let origin = pool.grid().node_at(&at);
            let place = origin.and_then(|origin| Cuboid::new(pool.grid(), origin, sides));
            let place = place
                .ok_or_else(|| value!("{sides} at {at:?} is not inside {}", pool.grid()))?;
            Ok(Self::lend(this, pool.claim(place)?))
        }

        /// The lease that holds a node; None if there is none.
        fn lease_at(this: &Bound<'_, Self>, node: NodeNumber) -> Result<Option<BoxLease>> {
            let found = this.get().it.get()?.lease_at(node.0);
            Ok(found.map(|lease| Self::lend(this, lease)))
        }

        /// What a node is doing: ``"free"``, ``"leased"``, ``"failed"``, ``"leased, drained"`` and the like.
        fn state(&self, node: NodeNumber) -> Result<String> {
            Ok(self.it.get()?.state(node.0)?.to_string())
        }

        /// How many free nodes lie in no free box that this request might get. Their share of the free nodes, averaged over
        /// a mix of requests, is the fragmentation.
        #[pyo3(signature = (shape, *, turned=true))]
        fn stranded(&self, shape: &Bound<'_, PyAny>, #[pyo3(from_py_with = argument::turned)] turned: bool) -> Result<u32> {
            let asked = Asked::of(shape)?;
            Ok(self.it.get()?.stranded(asked.request(turned)))
        }

        /// The fewest moves after which a request fits: a list of ``(lease, coordinates)``, in the order in which they are
        /// possible; empty if it fits already. A lease that moves twice is named twice. Nothing is moved.
        ///
        /// :param moves: 0 to 16, at most so many.
        /// :param steps: how long to search.
        /// :raises Refused: ``impossible`` with so few moves, ``undecided`` if the steps did not suffice to know, else as
        ///     ``allocate`` whatever moves.
        #[pyo3(signature = (shape, *, moves=4, steps=100_000, turned=true))]
        fn defragment(
            this: &Bound<'_, Self>,
            shape: &Bound<'_, PyAny>,
            #[pyo3(from_py_with = argument::moves)] moves: usize,
            #[pyo3(from_py_with = argument::steps)] steps: u32,
            #[pyo3(from_py_with = argument::turned)] turned: bool,
        ) -> Result<Vec<(BoxLease, Vec<u32>)>> {
            let (py, asked) = (this.py(), Asked::of(shape)?);
            let mut pool = this.get().it.get()?;
            let mut scratch = vec![0; pool.grid().nodes() as usize];
            let inner = &mut *pool;
            let plan =
                py.detach(|| inner.defragment(asked.request(turned), moves, steps, &mut scratch));
            let plan = plan.map_err(|no| match no {
                Error::Refused(grid::NoPlan::Refused(why)) => Fault::from(why),
                other => other.into(),
            })?;
            let axes = pool.grid().axes().len();
            let mut now: Vec<(Cuboid, KernelLease)> =
                pool.leases().map(|it| (it.cuboid(), it)).collect();
            let mut named = vec![];
            for step in plan.moves() {
                let Some((place, lease)) = now.iter_mut().find(|it| it.0 == step.from) else { continue };
                *place = step.to;
                let at = step.to.corner()[..axes].iter().map(|&at| at.into()).collect();
                named.push((Self::lend(this, *lease), at));
            }
            Ok(named)
        }

        /// Figures: nodes ``free``, ``leased`` and ``out`` of service.
        fn stats<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
            let stats = self.it.get()?.stats();
            let all = [("free", stats.free), ("leased", stats.leased), ("out", stats.out)];
            Ok(all.into_py_dict(py)?)
        }

        /// Nodes that a new lease may take.
        #[getter]
        fn free(&self) -> Result<u32> {
            Ok(self.it.get()?.free())
        }

        /// The machine, as text.
        #[getter]
        fn machine(&self) -> Result<String> {
            Ok(self.it.get()?.grid().to_string())
        }

        /// Which of the free boxes a request gets.
        #[getter]
        fn placement(&self) -> Result<String> {
            Ok(self.it.get()?.placement().to_string())
        }

        fn __repr__(&self) -> Result<String> {
            let pool = self.it.get()?;
            let (grid, free) = (pool.grid(), pool.free());
            Ok(format!("<locox.GridPool {grid}: {free} of {} nodes free>", grid.nodes()))
        }
    }
    lease {
        /// Its nodes, as an array, the first axis running fastest.
        #[getter]
        fn nodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
            PyArray1::from_iter(py, self.lease.nodes().map(|node| node.0))
        }

        /// Nodes along each axis.
        #[getter]
        fn shape(&self) -> Vec<u32> {
            let sides: [u8; 4] = self.lease.cuboid().sides().into();
            sides[..self.axes()].iter().map(|&side| side.into()).collect()
        }

        /// The coordinates of its first node.
        #[getter]
        fn at(&self) -> Vec<u32> {
            self.lease.cuboid().corner()[..self.axes()].iter().map(|&at| at.into()).collect()
        }

        /// Whether it keeps the routes between its nodes to itself.
        #[getter]
        fn isolated(&self) -> bool {
            self.lease.cuboid().is_isolated()
        }

        fn __len__(&self) -> usize {
            self.lease.cuboid().sides().nodes() as usize
        }

        fn __contains__(&self, node: NodeNumber) -> bool {
            self.lease.cuboid().contains(node.0)
        }

        fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>> {
            let nodes: Vec<u32> = self.lease.nodes().map(|node| node.0).collect();
            Ok(nodes.into_pyobject(py)?.try_iter()?)
        }
    }
}

impl BoxLease {
    fn axes(&self) -> usize {
        self.lease.cuboid().grid().axes().len()
    }
}
