//! An act and its reason.

use crate::backend::Act;
use locox_coordinators::manager::Key;
use std::fmt;

/// An act and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What is to be done.
    pub act: Act,
    /// With which job; that of [`Act::Mark`] means nothing.
    pub key: Key,
    /// Why.
    pub why: String,
}

/// One line: what, and why.
impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { act, why, .. } = self;
        match act {
            Act::Start { job, nodes } => write!(f, "start {job} on {}: {why}", few(nodes)),
            Act::Stop { job } => write!(f, "stop {job}: {why}"),
            Act::Gate { job } => write!(f, "gate {job}: {why}"),
            Act::Prioritise { job, rank } => write!(f, "rank {job} {rank}: {why}"),
            Act::Release { job } => write!(f, "release {job}: {why}"),
            Act::Mark { text } => write!(f, "mark `{text}`: {why}"),
        }
    }
}

/// So many nodes, in words.
pub fn count(nodes: u32) -> String {
    let unit = if nodes == 1 { "node" } else { "nodes" };
    format!("{nodes} {unit}")
}

/// The first names, and how many more there are.
pub fn few(nodes: &[String]) -> String {
    const MOST: usize = 4;
    let named = nodes.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(",");
    match nodes.len().saturating_sub(MOST) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
