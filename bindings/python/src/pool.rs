//! Pools of the nodes of a hypercube: subcubes, and meshes.

use super::argument::{self, Dims, NodeList, NodeNumber};
use super::error::{Result, named, value};
use super::leases::leases;
use super::number::{count, list, shown};
use super::shared::Shared;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshLease as KernelMeshLease, Shape};
use locox::subcube::{
    self, Allocator, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Lease as KernelLease,
    Outage, Request, Strategy,
};
use locox_models::machine::StrategyKind;
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use std::sync::atomic::{AtomicU16, Ordering};

/// A pool of any strategy.
trait Nodes<R: Request>: Allocator<R> + Send {
    fn leases(&self) -> Box<dyn Iterator<Item = R::Lease> + '_>;
}

impl<T: Strategy + Send> Nodes<Dim> for subcube::Pool<T, Vec<Word>> {
    fn leases(&self) -> Box<dyn Iterator<Item = KernelLease> + '_> {
        Box::new(Self::leases(self))
    }
}

impl<T: Strategy + Send> Nodes<Shape> for mesh::MeshPool<T, Vec<Word>> {
    fn leases(&self) -> Box<dyn Iterator<Item = KernelMeshLease> + '_> {
        Box::new(Self::leases(self))
    }
}

/// So that a lease is foreign to all other pools, until so many were made that numbers come again.
pub(crate) fn next_id() -> PoolId {
    static NEXT: AtomicU16 = AtomicU16::new(1);
    PoolId(NEXT.fetch_add(1, Ordering::Relaxed))
}

const ENOUGH: &str = "the kernel says itself how much storage it needs";

fn subcubes<T: Strategy + Send + 'static>(dims: Dim) -> Box<dyn Nodes<Dim>> {
    let storage = vec![0; subcube::words::<T>(dims.get())];
    Box::new(subcube::Pool::<T, _>::new(next_id(), dims, storage).expect(ENOUGH))
}

fn meshes<T: Strategy + Send + 'static>(dims: Dim, leftover: Leftover) -> Box<dyn Nodes<Shape>> {
    let storage = vec![0; mesh::words::<T>(dims.get())];
    Box::new(mesh::MeshPool::<T, _>::new(next_id(), dims, storage, leftover).expect(ENOUGH))
}

/// What `make` makes of a strategy's type.
macro_rules! by_strategy {
    ($strategy:ident, $make:ident $given:tt) => {
        match $strategy {
            StrategyKind::Buddy => $make::<Buddy> $given,
            StrategyKind::GrayCode => $make::<GrayCode> $given,
            StrategyKind::FreeList => $make::<FreeList> $given,
            StrategyKind::FreeListPlain => $make::<FreeListPlain> $given,
            StrategyKind::Complete => $make::<Complete> $given,
        }
    };
}

/// What is asked of a pool of subcubes; larger than any machine is the kernel's to refuse.
fn dim_of(given: &Bound<'_, PyAny>) -> Result<Dim> {
    let dim = count("dim", given)?;
    Ok(Dim::try_from(dim).map_err(|_| subcube::Refusal::TooLarge)?)
}

/// One to three sides: a number, a tuple, or text as `"5x5"`.
fn shape_of(given: &Bound<'_, PyAny>) -> Result<Shape> {
    if let Ok(text) = given.extract::<String>() {
        return Ok(text.parse::<Shape>()?);
    }
    let sides = list("shape", given)?;
    let made = match sides[..] {
        [x] => Shape::line(x),
        [x, y] => Shape::rectangle(x, y),
        [x, y, z] => Shape::cuboid(x, y, z),
        _ => Err(value!("shape is {}, and must have 1 to 3 sides", shown(given)))?,
    };
    Ok(made?)
}

fn place_of(given: &Bound<'_, PyAny>) -> Result<Subcube> {
    let text: String = given.extract().map_err(|_| {
        PyTypeError::new_err(format!("{} is no subcube; name one as \"0**1\"", shown(given)))
    })?;
    Ok(named(&text)?)
}

macro_rules! pool {
    (
        $(#[$pool_doc:meta])* $Pool:ident of $Request:ty,
        $(#[$lease_doc:meta])* $Lease:ident: $KernelLease:ty,
        $asked:ident by $request:path,
        pool { $($of_pool:tt)* }
        lease { $($of_lease:tt)* }
    ) => {leases! {
        $(#[$pool_doc])* $Pool over Box<dyn Nodes<$Request>>,
        $(#[$lease_doc])* $Lease of $KernelLease,
        taken: { nodes: NodeList } => &nodes.0, &[Node],
        holds: |pool, lease| pool.lease_at(lease.cube().base()) == Some(lease),
        words: "nodes", ", by rising base", "it", "its",
        pool {
            $($of_pool)*

            /// Grants what is asked for, as a lease.
            ///
            /// :raises Refused: ``too-large``, ``faulty``, ``too-few-free``, ``fragmented`` or ``undecided``.
            fn allocate(this: &Bound<'_, Self>, $asked: &Bound<'_, PyAny>) -> Result<$Lease> {
                let request = $request($asked)?;
                let lease = this.get().it.get()?.allocate(request)?;
                Ok(Self::lend(this, lease))
            }

            /// Whether ``allocate`` would grant it now.
            fn fits(&self, py: Python<'_>, $asked: &Bound<'_, PyAny>) -> Result<bool> {
                match $request($asked) {
                    Ok(request) => Ok(self.it.get()?.would_fit(request).is_ok()),
                    Err(fault) if fault.is_refusal(py) => Ok(false),
                    Err(fault) => Err(fault),
                }
            }

            /// The lease that holds a node; None if there is none.
            fn lease_at(this: &Bound<'_, Self>, node: NodeNumber) -> Result<Option<$Lease>> {
                let found = this.get().it.get()?.lease_at(node.0);
                Ok(found.map(|lease| Self::lend(this, lease)))
            }

            /// What a node is doing: ``"free"``, ``"leased"``, ``"failed"``, ``"leased, drained"`` and the like.
            fn state(&self, node: NodeNumber) -> Result<String> {
                Ok(self.it.get()?.state(node.0)?.to_string())
            }

            /// Nodes that a new lease may take.
            #[getter]
            fn free(&self) -> Result<u32> {
                Ok(self.it.get()?.free())
            }

            /// Dimensions of the machine, which has 2 to the power of that nodes.
            #[getter]
            fn dims(&self) -> Result<u8> {
                Ok(self.it.get()?.dims().get())
            }

            #[getter]
            fn strategy(&self) -> Result<&'static str> {
                Ok(self.it.get()?.name())
            }

            fn __repr__(&self) -> Result<String> {
                let pool = self.it.get()?;
                let (name, nodes) = (pool.name(), pool.dims().nodes());
                Ok(format!("<locox.{} {name}: {} of {nodes} nodes free>", stringify!($Pool), pool.free()))
            }
        }
        lease {
            $($of_lease)*

            /// Its nodes, as an array.
            #[getter]
            fn nodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
                PyArray1::from_iter(py, self.lease.nodes().map(|node| node.0))
            }

            /// The subcube that it lies in, as ``"0**1"``: the highest dimension first.
            #[getter]
            fn cube(&self) -> String {
                self.lease.cube().to_string()
            }

            fn __len__(&self) -> usize {
                self.lease.nodes().count()
            }

            fn __contains__(&self, node: NodeNumber) -> bool {
                self.lease.nodes().any(|own| own == node.0)
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>> {
                let nodes: Vec<u32> = self.lease.nodes().map(|node| node.0).collect();
                Ok(nodes.into_pyobject(py)?.try_iter()?)
            }
        }
    }};
}

pool! {
    /// Subcubes of a hypercube, granted and taken back.
    ///
    /// ``allocate(dim)`` grants a subcube of 2 to the power of ``dim`` nodes, as a lease.
    ///
    /// >>> pool = locox.Pool(10)
    /// >>> with pool.allocate(3) as lease:
    /// ...     print(lease.cube, len(lease), pool.free)
    /// 0000000*** 8 1016
    ///
    /// :param dims: 0 to 24 dimensions of the machine.
    /// :param strategy: ``"buddy"``, ``"gray-code"``, ``"free-list"``, ``"free-list-plain"`` or ``"complete"``.
    Pool of Dim,
    /// A subcube that a pool granted. As a context manager it is released at the end.
    Lease: KernelLease,
    dim by dim_of,
    pool {
        #[new]
        #[pyo3(signature = (dims, *, strategy="free-list".into()), text_signature = "(dims, *, strategy='free-list')")]
        fn new(py: Python<'_>, dims: Dims, #[pyo3(from_py_with = argument::strategy)] strategy: String) -> Result<Self> {
            let strategy = named(&strategy)?;
            let pool = py.detach(|| by_strategy!(strategy, subcubes(dims.0)));
            Ok(Self { it: Shared::new(pool) })
        }

        /// Grants this very subcube, named as ``"0**1"``, the highest dimension first.
        ///
        /// :raises Refused: ``not-free``.
        fn claim(this: &Bound<'_, Self>, cube: &Bound<'_, PyAny>) -> Result<Lease> {
            let cube = place_of(cube)?;
            let mut pool = this.get().it.get()?;
            if cube.dims() != pool.dims() {
                let (given, dims) = (cube.dims(), pool.dims());
                return Err(value!("{cube} is of {given} dimensions, and the machine has {dims}").into());
            }
            Ok(Self::lend(this, pool.claim(cube)?))
        }

        /// Figures: nodes ``free``, ``leased`` and ``out`` of service, the ``largest`` dimension that would be
        /// granted
        /// now or None, and the share of the free nodes outside that, in thousandths.
        fn stats<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
            Ok(figures(py, &self.it.get()?.stats())?)
        }
    }
    lease {
        /// Dimensions of the subcube.
        #[getter]
        fn dim(&self) -> u8 {
            self.lease.cube().dim().get()
        }
    }
}

pool! {
    /// Meshes in a hypercube, granted and taken back. What a mesh leaves over in its subcube, others may use.
    ///
    /// ``allocate(shape)`` grants a mesh of one to three sides, as ``5``, ``(5, 5)`` or ``"5x5"``, as a lease.
    ///
    /// :param dims: 0 to 24 dimensions of the machine.
    /// :param strategy: how subcubes are found, as of ``Pool``.
    /// :param reuse: whether others may use what a mesh leaves over.
    MeshPool of Shape,
    /// A mesh that a pool granted. As a context manager it is released at the end.
    MeshLease: KernelMeshLease,
    shape by shape_of,
    pool {
        #[new]
        #[pyo3(signature = (dims, *, strategy="free-list".into(), reuse=true), text_signature = "(dims, *, strategy='free-list', reuse=True)")]
        fn new(
            py: Python<'_>,
            dims: Dims,
            #[pyo3(from_py_with = argument::strategy)] strategy: String,
            #[pyo3(from_py_with = argument::reuse)] reuse: bool,
        ) -> Result<Self> {
            let leftover = if reuse { Leftover::Reused } else { Leftover::Kept };
            let strategy = named(&strategy)?;
            let pool = py.detach(|| by_strategy!(strategy, meshes(dims.0, leftover)));
            Ok(Self { it: Shared::new(pool) })
        }

        /// Figures as of ``Pool``, and ``asked``, nodes of the meshes, and ``auxiliary``, free nodes that are
        /// left over.
        fn stats<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
            let stats = self.it.get()?.stats();
            let all = figures(py, &stats.nodes)?;
            all.set_item("asked", stats.asked)?;
            all.set_item("auxiliary", stats.auxiliary)?;
            Ok(all)
        }
    }
    lease {
        /// The sides of the mesh.
        #[getter]
        fn shape(&self) -> (u32, u32, u32) {
            self.lease.shape().sides().into()
        }
    }
}

fn figures<'py>(py: Python<'py>, stats: &subcube::Stats) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("free", stats.free)?;
    all.set_item("leased", stats.leased)?;
    all.set_item("out", stats.out)?;
    all.set_item("largest", stats.largest.map(Dim::get))?;
    all.set_item("fragmentation_permille", stats.fragmentation_permille())?;
    Ok(all)
}
