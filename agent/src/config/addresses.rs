//! The section `[addresses]`.

use super::error::{Fault, Wrong};
use super::numbers::in_range;
use crate::boxes::Boxes;
use crate::cube::{ADDRESSES, Cube};
use crate::names;
use locox::cube::Node;
use locox::grid::Grid;
use std::collections::{BTreeMap, HashSet};
use toml::{Spanned, Value};

/// The section: the address of each node by its name.
pub(super) type Addresses = BTreeMap<Spanned<String>, Spanned<Value>>;

/// Nodes at numbers from 0 on. `manager` is the place of an error that has no other.
pub(super) fn cube(manager: usize, said: &Addresses) -> Result<Cube, Wrong> {
    if said.is_empty() {
        let why = "places other than \"any\" need a section [addresses] with a line for each node, as in node1 = 0b0001";
        return Err((manager, Fault::Section(why)));
    }
    let number =
        |address: &_| Ok(in_range("address", address, 0..=u64::from(ADDRESSES) - 1)? as u32);
    Ok(Cube::new(nodes(said, number, u32::to_string)?))
}

/// Nodes at coordinates in a machine. `manager` is the place of an error that has no other.
pub(super) fn boxes(
    manager: usize,
    machine: Option<&Spanned<String>>,
    said: &Addresses,
) -> Result<Boxes, Wrong> {
    let Some(machine) = machine else {
        let why = "places = \"boxes\" needs a machine, as in machine = \"torus:8x8x8\"";
        return Err((manager, Fault::Together(why)));
    };
    let (at, text) = (machine.span().start, machine.get_ref());
    let bad = |why| (at, Fault::Machine { found: text.clone(), why });
    let grid: Grid = text.parse().map_err(bad)?;
    if said.is_empty() {
        let why = "places = \"boxes\" needs a section [addresses] with a line for each node, as in node1 = [0, 3, 1]";
        return Err((manager, Fault::Section(why)));
    }
    // Also those of one node at the end, which the machine leaves out.
    let sides = text.split('x').count();
    let shown = |node: &u32| {
        let at = grid.coordinates(Node(*node)).unwrap_or_default();
        format!("{:?}", &at[..sides])
    };
    let number = |address: &Spanned<Value>| {
        let found = coordinates(address.get_ref()).filter(|found| found.len() == sides);
        let node = found.and_then(|found| grid.node_at(&found));
        node.map(|node| node.0).ok_or_else(|| {
            let (least, most) = (shown(&0), shown(&(grid.nodes() - 1)));
            (address.span().start, Fault::Address { grid, least, most })
        })
    };
    let nodes = nodes(said, number, shown)?.into_iter();
    Ok(Boxes::new(grid, nodes.map(|(name, number)| (name, Node(number)))))
}

/// A list of small numbers.
fn coordinates(said: &Value) -> Option<Vec<u8>> {
    let number = |it: &Value| u8::try_from(it.as_integer()?).ok();
    said.as_array()?.iter().map(number).collect()
}

/// The name and the number of each node; `shown` says how an address that is there twice is written.
fn nodes(
    said: &Addresses,
    number: impl Fn(&Spanned<Value>) -> Result<u32, Wrong>,
    shown: impl Fn(&u32) -> String,
) -> Result<Vec<(String, u32)>, Wrong> {
    let mut seen = HashSet::new();
    let node = |(name, address): (&Spanned<String>, &Spanned<Value>)| {
        let (at, number) = (address.span().start, number(address)?);
        if !seen.insert(number) {
            return Err((at, Fault::Twice { what: format!("address {}", shown(&number)) }));
        }
        let name = name.get_ref().clone();
        if !names::is_name(&name) {
            return Err((at, Fault::node_name(name)));
        }
        Ok((name, number))
    };
    said.iter().map(node).collect()
}
