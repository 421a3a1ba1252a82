//! Reservations of Slurm: maintenance and others. What is planned for some of the nodes the agent does not plan with.

use super::hostlist;
use std::collections::BTreeSet;

/// A reservation of some of the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) name: String,
    /// In seconds since 1970.
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) is_active: bool,
    pub(super) nodes: BTreeSet<String>,
}

/// Those of `scontrol -o show reservation` that have some of these nodes.
pub(super) fn read(text: &str, nodes: &BTreeSet<String>) -> Result<Vec<Window>, String> {
    let lines = text.lines().filter(|line| line.starts_with("ReservationName="));
    let read = lines.map(|line| window(line, nodes)).collect::<Result<Vec<_>, _>>()?;
    Ok(read.into_iter().flatten().collect())
}

fn window(line: &str, nodes: &BTreeSet<String>) -> Result<Option<Window>, String> {
    let value = |name: &str| {
        let found = line.split_whitespace().find_map(|word| word.strip_prefix(name));
        found.and_then(|rest| rest.strip_prefix('='))
    };
    let time = |name: &str| {
        let time = value(name).and_then(|text| text.parse().ok());
        time.ok_or_else(|| format!("no {name} in `{}`", hostlist::short(line)))
    };
    let list = value("Nodes").filter(|list| *list != "(null)").unwrap_or_default();
    let list = if list.is_empty() { vec![] } else { hostlist::expand(list)? };
    let ours: BTreeSet<String> = list.into_iter().filter(|node| nodes.contains(node)).collect();
    let name = value("ReservationName").unwrap_or("?").to_owned();
    let (from, to) = (time("StartTime")?, time("EndTime")?);
    let window =
        Window { name, from, to, is_active: value("State") == Some("ACTIVE"), nodes: ours };
    Ok(Some(window).filter(|window| !window.nodes.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::{Window, read};

    #[test]
    fn reservations_of_our_nodes_are_read() {
        let nodes = ["node0", "node1"].map(String::from).into();
        let line = |name: &str, list: &str| {
            format!(
                "ReservationName={name} StartTime=100 EndTime=220 Duration=00:02:00 Nodes={list} NodeCnt=2 State={}\n",
                if name == "a" { "ACTIVE" } else { "INACTIVE" }
            )
        };
        let text = line("a", "node[1-3]") + &line("b", "node[2-3]") + &line("c", "(null)");
        let text = text + &line("d", "node0");
        let window = |name: &str, node: &str| Window {
            name: name.into(),
            from: 100,
            to: 220,
            is_active: name == "a",
            nodes: [node.to_owned()].into(),
        };
        assert_eq!(read(&text, &nodes), Ok(vec![window("a", "node1"), window("d", "node0")]));
        assert_eq!(read("No reservations in the system\n", &nodes), Ok(vec![]));
        assert!(read("ReservationName=a StartTime=x EndTime=2 Nodes=node1\n", &nodes).is_err());
    }
}
