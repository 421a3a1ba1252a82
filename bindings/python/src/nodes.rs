//! Pools of nodes with quantities, which jobs share.

use super::argument::{self, NodeList, NodeNumber};
use super::error::{Result, value};
use super::leases::leases;
use super::number::{count, items, list, shown, whole, wrong};
use super::pool::next_id;
use super::shared::Shared;
use locox::bits::{Word, words_for};
use locox::cube::Node;
use locox::nodes::{
    Amounts, BadNodes, NoSuchNode, NodeLease as KernelLease, NodePool as KernelPool, NodeRequest,
    NodeRow, Nodes, Outage, Placement,
};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyIterator, PyString};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// The most nodes.
const MOST: u32 = 4096;
/// Words of a set of them.
const W: usize = words_for(MOST as usize);

/// Quantities by their names, or by their places if they have none.
struct Names(Vec<String>);

impl Names {
    fn place(&self, name: &str, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        if !given.is_instance_of::<PyString>() {
            return Ok(whole(name, given, (0, Amounts::MOST as u64 - 1))? as usize);
        }
        let key: String = given.extract()?;
        let found = self.0.iter().position(|it| *it == key);
        found.ok_or_else(|| value!("{name} has {key:?}, which is none of {:?}", self.0))
    }

    /// More than there can be of anything is the largest number.
    fn amounts(&self, name: &str, given: &Bound<'_, PyAny>) -> PyResult<Amounts> {
        let mut all = [0; Amounts::MOST];
        if let Ok(named) = given.cast::<PyDict>() {
            for (key, amount) in named {
                all[self.place(name, &key)?] = count(&format!("{name}[{}]", shown(&key)), &amount)?;
            }
            return Ok(Amounts::of(&all));
        }
        let found = list(name, given)?;
        let room = all.get_mut(..found.len());
        let room = room
            .ok_or_else(|| value!("{name} is {}, and 8 quantities are the most", shown(given)))?;
        room.copy_from_slice(&found);
        Ok(Amounts::of(&all))
    }

    /// The first quantities, those that have a name; all of them without names.
    fn shown<'py>(&self, py: Python<'py>, amounts: &Amounts) -> PyResult<Bound<'py, PyAny>> {
        if self.0.is_empty() {
            return Ok(amounts.all().into_pyobject(py)?.into_any());
        }
        Ok(self.0.iter().zip(amounts.all()).into_py_dict(py)?.into_any())
    }
}

/// All amounts of these, and the names in the order in which they come, if they have some.
fn named(name: &str, all: &[Bound<'_, PyAny>]) -> PyResult<(Names, Vec<Amounts>)> {
    let mut names = Names(vec![]);
    for key in all.iter().filter_map(|it| it.cast::<PyDict>().ok()).flat_map(|it| it.keys()) {
        let key =
            key.cast::<PyString>().map_err(|_| wrong(name, &key, "by names of quantities"))?;
        let key: String = key.extract()?;
        if !names.0.contains(&key) {
            names.0.push(key);
        }
    }
    if names.0.len() > Amounts::MOST {
        return Err(value!("{name} has the quantities {:?}, and 8 are the most", names.0));
    }
    let amounts = all.iter().map(|it| names.amounts(name, it)).collect::<PyResult<Vec<_>>>()?;
    // So that a request for more than any number is never for what there is.
    if amounts.iter().any(|it| it.all().contains(&u32::MAX)) {
        return Err(value!("{name} has an amount beyond {}", u32::MAX - 1));
    }
    Ok((names, amounts))
}

/// Classes, and that of each node, for as long as the program runs, as a pool has no end that is known to what borrows them.
/// Pools of the same nodes have the same ones.
fn kept(classes: Vec<Amounts>, class_of: Vec<u8>) -> (&'static [Amounts], &'static [u8]) {
    static ALL: Mutex<Vec<(&[Amounts], &[u8])>> = Mutex::new(vec![]);
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.iter().copied().find(|it| *it == (&*classes, &*class_of));
    known.unwrap_or_else(|| {
        let new: (&[_], &[_]) = (classes.leak(), class_of.leak());
        all.push(new);
        new
    })
}

/// A pool of the kernel's, and what its quantities are called.
struct Named {
    pool: KernelPool<'static, W, Vec<NodeRow<W>>, Vec<u32>>,
    quantities: Names,
    common: Names,
}

impl Deref for Named {
    type Target = KernelPool<'static, W, Vec<NodeRow<W>>, Vec<u32>>;

    fn deref(&self) -> &Self::Target {
        &self.pool
    }
}

impl DerefMut for Named {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pool
    }
}

/// A number from 1 on.
fn some(name: &str, given: &Bound<'_, PyAny>) -> PyResult<u32> {
    match count(name, given)? {
        0 => Err(value!("{name} is 0, and must be 1 or more")),
        number => Ok(number),
    }
}

/// A request, and the set of nodes that it names, if it does.
struct Asked {
    request: NodeRequest<'static>,
    only: Option<[Word; W]>,
}

impl Asked {
    fn of(
        pool: &Named,
        amounts: &Bound<'_, PyAny>,
        how: Option<&Bound<'_, PyDict>>,
    ) -> Result<Self> {
        let amounts = pool.quantities.amounts("amounts", amounts)?;
        let (mut kinds, mut only, mut common) = (vec![], None, Amounts::NONE);
        let (mut classes, mut exclusive) = (u64::MAX, false);
        for (key, given) in how.into_iter().flatten() {
            match &*key.extract::<String>()? {
                "nodes" => kinds.push(match given.extract::<[Bound<'_, PyAny>; 2]>() {
                    Ok([least, most]) => NodeRequest::of(some("nodes[0]", &least)?, amounts)
                        .up_to(count("nodes[1]", &most)?),
                    Err(_) => NodeRequest::of(some("nodes", &given)?, amounts),
                }),
                "tasks" => kinds.push(NodeRequest::tasks(some("tasks", &given)?, amounts)),
                "part" => kinds.push(NodeRequest::part(some("part", &given)?, amounts)),
                "classes" => classes = Self::classes(&given)?,
                "only" => only = Some(Self::set(pool, &given)?),
                "common" => common = pool.common.amounts("common", &given)?,
                "exclusive" => exclusive = argument::exclusive(&given)?,
                other => {
                    let text = format!("unexpected keyword argument {other:?}");
                    return Err(PyTypeError::new_err(text).into());
                }
            }
        }
        let request = match kinds[..] {
            [] => NodeRequest::of(1, amounts),
            [one] => one,
            _ => return Err(value!("name one of nodes, tasks and part").into()),
        };
        let request = request.in_classes(classes).with_common(common);
        Ok(Self { request: if exclusive { request.exclusive() } else { request }, only })
    }

    /// Classes that no pool has are left out.
    fn classes(given: &Bound<'_, PyAny>) -> PyResult<u64> {
        let all = list("classes", given)?;
        Ok(all
            .into_iter()
            .filter_map(|class| 1u64.checked_shl(class))
            .fold(0, |all, bit| all | bit))
    }

    fn set(pool: &Named, given: &Bound<'_, PyAny>) -> Result<[Word; W]> {
        let mut set = [0; W];
        for node in list("only", given)? {
            if node >= pool.machine().nodes() {
                return Err(NoSuchNode(Node(node)).into());
            }
            set[(node / Word::BITS) as usize] |= 1 << (node % Word::BITS);
        }
        Ok(set)
    }

    fn request(&self) -> NodeRequest<'_> {
        self.only.as_ref().map_or(self.request, |set| self.request.among(set))
    }
}

leases! {
    /// Nodes with cores, memory, GPUs and whatever else there is of them, shared by jobs.
    ///
    /// What a node of a class has is a dict of up to eight quantities, or a list of amounts. The first quantity are the processors.
    ///
    /// >>> classes = [{"cores": 64, "memory": 256}, {"cores": 32, "memory": 512, "gpus": 4}]
    /// >>> pool = locox.NodePool(classes, [3, 1], parts=("gpus", 100))
    /// >>> half = pool.allocate({"cores": 4, "memory": 16}, part=50)
    /// >>> half, half.part, pool.free(3)
    /// (<locox.NodeLease 3>, (0, 50), {'cores': 28, 'memory': 496, 'gpus': 3})
    ///
    /// :param classes: what a node of each class has.
    /// :param counts: how many nodes there are of each; nodes are numbered class by class.
    /// :param placement: ``"first"``, ``"best"`` (where the least is left) or ``"fewest"`` (where the least is lost for
    ///     requests like those learnt).
    /// :param parts: a quantity that is devices, and how many parts each has, of which jobs may have some.
    /// :param keep: the quantity for which ``"fewest"`` keeps room; that of ``parts`` or else processors if not given.
    /// :param common: what the nodes have in common, such as licences.
    /// :param room: how many leases there can be.
    NodePool over Named,
    /// Nodes that a pool granted, or some of what they have. As a context manager it is released at the end.
    NodeLease of KernelLease<W>,
    taken: { nodes: NodeList } => &nodes.0, &[Node],
    holds: |pool, lease| pool.lease(lease.handle()) == Ok(lease),
    words: "nodes", "", "it", "its",
    pool {
        #[new]
        #[pyo3(
            signature = (classes, counts, *, placement="best".into(), parts=None, keep=None, common=None, room=1000),
            text_signature = "(classes, counts, *, placement='best', parts=None, keep=None, common=None, room=1000)"
        )]
        fn new(
            classes: &Bound<'_, PyAny>,
            counts: &Bound<'_, PyAny>,
            #[pyo3(from_py_with = argument::placement)] placement: String,
            parts: Option<&Bound<'_, PyAny>>,
            keep: Option<&Bound<'_, PyAny>>,
            common: Option<&Bound<'_, PyAny>>,
            #[pyo3(from_py_with = argument::room)] room: u32,
        ) -> Result<Self> {
            let given = items(classes)?.ok_or_else(|| wrong("classes", classes, "a list of classes"))?;
            let (quantities, classes) = named("classes", &given.collect::<PyResult<Vec<_>>>()?)?;
            let counts = list("counts", counts)?;
            if counts.len() != classes.len() {
                return Err(value!("counts has {} numbers, and there are {} classes", counts.len(), classes.len()).into());
            }
            if counts.iter().fold(0, |sum: u32, it| sum.saturating_add(*it)) > MOST {
                return Err(BadNodes::Count { most: MOST }.into());
            }
            let class_of = (0..=u8::MAX).zip(&counts).flat_map(|(class, &count)| (0..count).map(move |_| class));
            let placement = match &*placement {
                "first" => Placement::First,
                "best" => Placement::Best,
                "fewest" => Placement::Fewest,
                _ => return Err(value!("placement is {placement:?}, and must be \"first\", \"best\" or \"fewest\"").into()),
            };
            let (classes, class_of) = kept(classes, class_of.collect());
            let mut machine = Nodes::new(classes, class_of, placement)?;
            let (common, amounts) = named("common", common.map_or(&[], std::slice::from_ref))?;
            machine = machine.with_common(amounts.first().copied().unwrap_or_default());
            if let Some(parts) = parts {
                let pair = || wrong("parts", parts, "a quantity and a number, as (\"gpus\", 100)");
                let [quantity, number]: [Bound<'_, PyAny>; 2] = parts.extract().map_err(|_| pair())?;
                let quantity = quantities.place("parts", &quantity)?;
                machine = machine.with_parts(quantity, count("parts[1]", &number)?)?;
            }
            if let Some(keep) = keep {
                machine = machine.keeping(quantities.place("keep", keep)?);
            }
            let words = vec![0; machine.pool_words()];
            let pool = KernelPool::new(next_id(), machine, vec![NodeRow::EMPTY; room as usize], words)?;
            Ok(Self { it: Shared::new(Named { pool, quantities, common }) })
        }

        /// Grants nodes, now, as a lease.
        ///
        /// :param amounts: how much on each node, for each task, or next to a part of a device.
        /// :param nodes: how many nodes, or ``(least, most)``; one if not given.
        /// :param tasks: how many tasks, on the fewest nodes that have equally many of them.
        /// :param part: how many parts of one device.
        /// :param classes: the classes of which nodes will do, by their places.
        /// :param only: the nodes that will do.
        /// :param common: how much of what nodes have in common.
        /// :param exclusive: whether nobody else may have anything on these nodes.
        /// :raises Refused: ``no-place``, ``faulty``, ``too-few-free``, ``fragmented`` or, without room, ``full``.
        #[pyo3(
            signature = (amounts, **how),
            text_signature = "($self, amounts, *, nodes=1, tasks=None, part=None, classes=None, only=None, common=None, exclusive=False)"
        )]
        fn allocate(this: &Bound<'_, Self>, amounts: &Bound<'_, PyAny>, how: Option<&Bound<'_, PyDict>>) -> Result<NodeLease> {
            let mut pool = this.get().it.get()?;
            let asked = Asked::of(&pool, amounts, how)?;
            Ok(Self::lend(this, pool.allocate(&asked.request())?))
        }

        /// Whether ``allocate`` would grant it now.
        #[pyo3(
            signature = (amounts, **how),
            text_signature = "($self, amounts, *, nodes=1, tasks=None, part=None, classes=None, only=None, common=None, exclusive=False)"
        )]
        fn fits(&self, amounts: &Bound<'_, PyAny>, how: Option<&Bound<'_, PyDict>>) -> Result<bool> {
            let mut pool = self.it.get()?;
            let asked = Asked::of(&pool, amounts, how)?;
            Ok(pool.would_fit(&asked.request()).is_ok())
        }

        /// From now on placement ``"fewest"`` keeps room for requests like this one, too.
        #[pyo3(
            signature = (amounts, **how),
            text_signature = "($self, amounts, *, nodes=1, tasks=None, part=None, classes=None, only=None, common=None, exclusive=False)"
        )]
        fn learn(&self, amounts: &Bound<'_, PyAny>, how: Option<&Bound<'_, PyDict>>) -> Result<()> {
            let mut pool = self.it.get()?;
            let asked = Asked::of(&pool, amounts, how)?;
            pool.learn(&asked.request());
            Ok(())
        }

        /// What is free of a node: nothing if it is out of service. Devices of which somebody has a part are not in it.
        fn free<'py>(&self, py: Python<'py>, node: NodeNumber) -> Result<Bound<'py, PyAny>> {
            let mut pool = self.it.get()?;
            let free = pool.free(node.0)?;
            Ok(pool.quantities.shown(py, &free)?)
        }

        /// The parts that are free of each device of a node.
        fn free_parts(&self, node: NodeNumber) -> Result<Vec<u32>> {
            let mut pool = self.it.get()?;
            Ok((0..16).map(|device| pool.free_parts(node.0, device)).collect::<Result<_, _>>()?)
        }

        /// What is free of what nodes have in common.
        #[getter]
        fn free_common<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
            let mut pool = self.it.get()?;
            let free = pool.free_common();
            Ok(pool.common.shown(py, &free)?)
        }

        /// What a node is doing: ``"free"``, ``"leased"``, ``"failed"``, ``"leased, drained"`` and the like. It is leased if any
        /// lease has something of it.
        fn state(&self, node: NodeNumber) -> Result<String> {
            Ok(self.it.get()?.state(node.0)?.to_string())
        }

        fn __repr__(&self) -> Result<String> {
            let pool = self.it.get()?;
            Ok(format!("<locox.NodePool: {} leases on {} nodes>", pool.leases().count(), pool.machine().nodes()))
        }
    }
    lease {
        /// Its nodes, as an array.
        #[getter]
        fn nodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
            PyArray1::from_iter(py, self.lease.place().nodes().map(|node| node.0))
        }

        /// What it has of each node; None for all that there is.
        #[getter]
        fn amounts<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
            let pool = self.pool.get().it.get()?;
            let amounts = self.lease.place().amounts();
            Ok(amounts.map(|amounts| pool.quantities.shown(py, amounts)).transpose()?)
        }

        /// The number of a device on its node, and how many parts of it it has; None if it has none.
        #[getter]
        fn part(&self) -> Option<(u32, u32)> {
            self.lease.place().part().map(|(parts, device)| (device, parts))
        }

        fn __len__(&self) -> usize {
            self.lease.place().nodes().count()
        }

        fn __contains__(&self, node: NodeNumber) -> bool {
            self.lease.place().nodes().any(|it| it == node.0)
        }

        fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>> {
            let nodes: Vec<u32> = self.lease.place().nodes().map(|node| node.0).collect();
            Ok(nodes.into_pyobject(py)?.try_iter()?)
        }
    }
}
