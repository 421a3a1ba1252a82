//! Nodes by the racks, blocks and other domains in which they lie.

use locox::bits::Word;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Words of the nodes of a job.
pub const WORDS: usize = 1024;
/// The most nodes.
pub const NODES: u32 = Word::BITS * WORDS as u32;
/// The most levels.
pub const LEVELS: usize = u8::MAX as usize;

/// Of each level, from the lowest on, at which numbers its domains begin.
type Levels = &'static [&'static [u32]];

/// Nodes by the domains in which they lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// By number; the last ones may have no node.
    names: Vec<Option<String>>,
    /// Of each level, from the lowest on, at which numbers its domains begin.
    levels: Vec<Vec<u32>>,
}

impl Tree {
    /// The nodes of each domain of the lowest level by its path: the names of the domains in which it lies, from the highest level
    /// down, and its own, with `/` between them. All paths have as many names, all domains have nodes, and each node is in one
    /// of them. There are numbers for `numbers` nodes, or for as many as there are.
    pub fn new(domains: BTreeMap<String, Vec<String>>, numbers: u32) -> Self {
        let mut names: Vec<Option<String>> = vec![];
        let mut levels: Vec<Vec<u32>> = vec![];
        let mut last: Vec<String> = vec![];
        for (path, nodes) in domains {
            let path: Vec<String> = path.split('/').map(str::to_string).collect();
            levels.resize(path.len(), vec![]);
            // From the first name that differs on, a domain of each level begins. Sorted paths have none twice.
            let same = path.iter().zip(&last).take_while(|(one, other)| one == other).count();
            let begin = levels.iter_mut().rev().skip(same);
            begin.for_each(|level| level.push(names.len() as u32));
            names.extend(nodes.into_iter().map(Some));
            last = path;
        }
        names.resize(names.len().max(numbers as usize), None);
        Self { names, levels }
    }

    /// The names of the nodes by their numbers: the nodes of each domain have numbers one after the other.
    pub fn numbered(&self) -> &[Option<String>] {
        &self.names
    }

    /// Of each level, from the lowest on, at which numbers its domains begin. Numbers without a node belong to the last ones.
    pub fn levels(&self) -> &[Vec<u32>] {
        &self.levels
    }

    /// The same for a coordinator, which borrows them. They are kept for as long as the program runs, once for all trees that
    /// are alike: there are as few as configurations.
    pub(crate) fn kept_levels(&self) -> Levels {
        static KEPT: Mutex<Vec<Levels>> = Mutex::new(vec![]);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(levels) = kept.iter().find(|levels| self.levels == **levels) {
            return levels;
        }
        let level = |level: &Vec<u32>| -> &'static [u32] { level.clone().leak() };
        let levels = self.levels.iter().map(level).collect::<Vec<_>>().leak();
        kept.push(levels);
        levels
    }

    /// How many nodes have names: the most that a job can have.
    pub fn most(&self) -> u32 {
        self.names.iter().flatten().count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::machine;

    fn tree(domains: &[(&str, u32)], numbers: u32) -> Tree {
        let nodes = |(path, nodes): &(&str, u32)| {
            let names = (0..*nodes).map(|node| format!("{path}-{node}"));
            ((*path).to_string(), names.collect())
        };
        Tree::new(domains.iter().map(nodes).collect(), numbers)
    }

    #[test]
    fn each_domain_is_a_range_of_numbers() {
        // A name that begins as another one does, and comes before its `/`.
        let racks = [("b/r2", 2), ("b-1/r1", 4), ("b/r1", 3), ("a/r1", 1)];
        let tree = tree(&racks, 16);
        assert_eq!(tree.levels(), [vec![0, 1, 5, 8], vec![0, 1, 5]]);
        assert_eq!((tree.numbered().len(), tree.most()), (16, 10));
        let named = [0, 1, 5, 8].map(|at: usize| tree.numbered()[at].as_deref());
        assert_eq!(named, [Some("a/r1-0"), Some("b-1/r1-0"), Some("b/r1-0"), Some("b/r2-0")]);
        assert!(tree.numbered()[10..].iter().all(Option::is_none));
        let levels: Vec<&[u32]> = tree.levels().iter().map(Vec::as_slice).collect();
        machine::Tree::<WORDS>::new(16, &levels).unwrap();
    }

    #[test]
    fn levels_are_kept_once_for_trees_that_are_alike() {
        let [one, same, other] = [2, 2, 3].map(|nodes| tree(&[("a", nodes), ("b", 1)], 0));
        assert!(std::ptr::eq(one.kept_levels(), same.kept_levels()));
        assert_eq!(one.kept_levels(), one.levels());
        assert_eq!(other.kept_levels(), other.levels());
    }

    #[test]
    fn racks_of_the_same_name_in_two_blocks_are_two_racks() {
        assert_eq!(tree(&[("a/r", 2), ("b/r", 2)], 0).levels(), [vec![0, 2], vec![0, 2]]);
        let deep = tree(&[("a/x/r", 1), ("a/y/r", 1), ("b/y/r", 1)], 0);
        assert_eq!(deep.levels(), [vec![0, 1, 2], vec![0, 1, 2], vec![0, 2]]);
        assert_eq!(tree(&[("r1", 2), ("r2", 1)], 0).levels(), [vec![0, 2]]);
    }
}
