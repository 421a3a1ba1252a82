//! Nodes by name, and the numbers that the kernel knows them by.

use crate::lines;
use locox_coordinators::manager::{NodeId, NodeRange};
use locox_storage::Folder;
use std::collections::HashMap;
use std::io;

/// The file of the folder that has them: a name a line, in the order of their numbers.
pub const FILE: &str = "nodes";
const THINGS: &str = "nodes";

/// Nodes by name, and their numbers, which they keep as long as the folder is there.
///
/// - Numbers are given from 0 on without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    names: Vec<String>,
    numbers: HashMap<String, NodeId>,
}

impl Names {
    /// The names of these bytes; `None` if they are not what was stored.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut all = Self::default();
        lines::parse(bytes, THINGS)?.into_iter().for_each(|name| all.push(name));
        (all.numbers.len() == all.names.len()).then_some(all)
    }

    /// The nodes of these numbers, from 0 on. A number without a node has the name `#` and the number.
    pub fn numbered(nodes: &[Option<String>]) -> Self {
        let mut all = Self::default();
        for (number, name) in nodes.iter().enumerate() {
            all.push(name.as_ref().unwrap_or(&format!("#{number}")));
        }
        all
    }

    /// The names that a folder has; `None` if it has none, or what it has is damaged.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn load(folder: &mut impl Folder) -> io::Result<Option<Self>> {
        Ok(folder.read(FILE)?.and_then(|bytes| Self::parse(&bytes)))
    }

    /// Stores them in a folder. When this returns they are durable; cut at any point, the one or the other is there.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn store(&self, folder: &mut impl Folder) -> io::Result<()> {
        lines::store(folder, FILE, &self.names, THINGS)
    }

    /// These and those that are new and [can be stored](is_name), up to `most`; `None` if none is or there is no room.
    pub fn with<'a>(&self, names: impl IntoIterator<Item = &'a str>, most: u32) -> Option<Self> {
        let room = (most as usize).saturating_sub(self.names.len());
        let is_new = |name: &&str| is_name(name) && !self.numbers.contains_key(*name);
        let mut new = names.into_iter().filter(is_new).take(room).peekable();
        new.peek()?;
        let mut all = self.clone();
        new.for_each(|name| all.push(name));
        Some(all)
    }

    fn push(&mut self, name: &str) {
        let number = NodeId(self.names.len() as u32);
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of a node.
    pub fn number(&self, name: &str) -> Option<NodeId> {
        self.numbers.get(name).copied()
    }

    /// The name of a node; that of one that nobody has told of is its number.
    pub fn name(&self, node: NodeId) -> String {
        self.names.get(node.0 as usize).cloned().unwrap_or_else(|| format!("#{node}"))
    }

    /// The names of ranges.
    pub fn of_ranges(&self, ranges: impl IntoIterator<Item = NodeRange>) -> Vec<String> {
        let one = |range: NodeRange| {
            let first = range.first.0;
            (first..first.saturating_add(range.nodes)).map(|node| self.name(NodeId(node)))
        };
        ranges.into_iter().flat_map(one).collect()
    }
}

/// Whether this can be a line of the file, and is not what a number without a node is called.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('#') && !name.contains(char::is_control)
}

/// Nodes as ranges, from the lowest on. Each is there once.
pub fn ranges(mut nodes: Vec<NodeId>) -> Vec<NodeRange> {
    nodes.sort_unstable_by_key(|node| node.0);
    nodes.dedup();
    let mut ranges: Vec<NodeRange> = vec![];
    for first in nodes {
        match ranges.last_mut() {
            Some(last) if last.first.0 + last.nodes == first.0 => last.nodes += 1,
            _ => ranges.push(NodeRange { first, nodes: 1 }),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_keep_their_numbers_when_others_come() {
        let first = Names::default().with(["b", "a"], 4).unwrap();
        let second = first.with(["a", "c", "b"], 4).unwrap();
        let numbers = ["b", "a", "c", "d"].map(|name| second.number(name));
        assert_eq!(numbers, [Some(NodeId(0)), Some(NodeId(1)), Some(NodeId(2)), None]);
        assert_eq!(second.with(["c", "a"], 4), None);
        assert_eq!(second.with(["d", "e"], 4).map(|names| names.len()), Some(4));
        assert_eq!(second.with(["d", "e"], 3), None);
        assert_eq!(second.with(["a\nb", "#3", "", "d\r"], 9), None, "no line of a list");
    }

    #[test]
    fn what_was_cut_or_changed_is_not_taken() {
        let names = Names::default().with(["a", "b"], 2).unwrap();
        let text = "a\nb\n# 2 nodes\n";
        assert_eq!(Names::parse(text.as_bytes()), Some(names));
        assert_eq!(Names::parse(b"# 0 nodes\n"), Some(Names::default()));
        for cut in 0..text.len() {
            assert_eq!(Names::parse(&text.as_bytes()[..cut]), None, "{cut}");
        }
        assert_eq!(Names::parse(b"a\na\n# 2 nodes\n"), None);
        assert_eq!(Names::parse(b"a\n# 2 nodes\n"), None);
    }

    #[test]
    fn nodes_that_follow_each_other_are_a_range() {
        let nodes = [7, 3, 4, 7, 5, 9].map(NodeId);
        let ranges: Vec<_> =
            ranges(nodes.to_vec()).iter().map(|it| (it.first.0, it.nodes)).collect();
        assert_eq!(ranges, [(3, 3), (7, 1), (9, 1)]);
    }
}
