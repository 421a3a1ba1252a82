//! The section `[domains]`.

use super::error::{Fault, Wrong};
use crate::names;
use crate::slurm::expand;
use crate::tree::{LEVELS, Tree};
use std::collections::{BTreeMap, HashSet};
use toml::{Spanned, Value};

/// The section: the nodes of each domain of the lowest level by its path.
pub(super) type Domains = BTreeMap<Spanned<String>, Spanned<Value>>;

/// A tree with numbers for so many nodes. `manager` is the place of an error that has no other.
pub(super) fn tree(manager: usize, said: &Domains, numbers: u32) -> Result<Tree, Wrong> {
    let Some((first, _)) = said.first_key_value() else {
        let why = "places = \"tree\" needs a section [domains] with a line for each domain of the lowest level, as in \"block1/rack1\" = \"n[1-16]\"";
        return Err((manager, Fault::Section(why)));
    };
    let first = first.get_ref();
    let mut seen = HashSet::new();
    let domain = |(path, nodes): (&Spanned<String>, &Spanned<Value>)| {
        is_path(path, first)?;
        let at = nodes.span().start;
        let nodes = named(nodes.get_ref()).map_err(|fault| (at, fault))?;
        for name in &nodes {
            if !seen.insert(name.clone()) {
                return Err((at, Fault::Twice { what: format!("node `{name}`") }));
            }
        }
        if seen.len() > numbers as usize {
            return Err((at, Fault::Nodes { most: numbers }));
        }
        Ok((path.get_ref().clone(), nodes))
    };
    Ok(Tree::new(said.iter().map(domain).collect::<Result<_, _>>()?, numbers))
}

/// Whether it is a path, and as long as the first one.
fn is_path(path: &Spanned<String>, first: &str) -> Result<(), Wrong> {
    let (at, found) = (path.span().start, path.get_ref());
    let levels = |path: &str| path.split('/').count();
    let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_control);
    if !found.split('/').all(is_name) || levels(found) > LEVELS {
        let wanted = "its path from the highest level down, as in \"block1/rack1\"";
        let (field, found) = ("a domain", found.clone());
        return Err((at, Fault::Word { field, found, wanted }));
    }
    if levels(found) != levels(first) {
        return Err((at, Fault::Levels { found: found.clone(), first: first.into() }));
    }
    Ok(())
}

/// The nodes of a domain: a list as Slurm writes it, or their names.
fn named(said: &Value) -> Result<Vec<String>, Fault> {
    let bad = |found: &str| Fault::Domain { found: found.into() };
    let nodes: Vec<String> = match said {
        Value::String(list) => expand(list).map_err(|why| bad(&why))?,
        Value::Array(names) => {
            let name = |name: &Value| name.as_str().map(String::from);
            let names = names.iter().map(name).collect::<Option<_>>();
            names.ok_or_else(|| bad("not all of these are names"))?
        }
        _ => return Err(bad("this is no list of nodes")),
    };
    if nodes.is_empty() {
        return Err(bad("a domain has a node"));
    }
    match nodes.iter().find(|name| !names::is_name(name)) {
        Some(name) => Err(Fault::node_name(name.clone())),
        None => Ok(nodes),
    }
}
