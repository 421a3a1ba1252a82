//! The section `[addresses]`.

use super::error::{Fault, Wrong};
use super::numbers::in_range;
use crate::cube::{ADDRESSES, Cube};
use crate::names;
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
