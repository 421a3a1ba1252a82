//! Reservations of Slurm: maintenance and others, as outages of their nodes. Of one that comes daily or weekly Slurm tells the
//! next time, and of one of some processors of a node the node, which is given whole.

use super::hostlist;
use crate::backend::OutageSeen;
use std::collections::BTreeSet;

/// A reservation of some of the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) outage: OutageSeen,
    pub(super) is_active: bool,
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
    let nodes: Vec<String> = list.into_iter().filter(|node| nodes.contains(node)).collect();
    let name = value("ReservationName").unwrap_or("?").to_owned();
    let (from, to) = (time("StartTime")?, time("EndTime")?);
    let floats = value("Flags").is_some_and(|flags| flags.split(',').any(|it| it == "TIME_FLOAT"));
    let is_active = value("State") == Some("ACTIVE");
    let window = Window { outage: OutageSeen { name, nodes, from, to, floats }, is_active };
    Ok(Some(window).filter(|window| !window.outage.nodes.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::{OutageSeen, Window, read};

    #[test]
    fn reservations_of_our_nodes_are_read() {
        let nodes = ["node0", "node1"].map(String::from).into();
        let line = |name: &str, list: &str| {
            format!(
                "ReservationName={name} StartTime=100 EndTime=220 Duration=00:02:00 Nodes={list} NodeCnt=2 CoreCnt=4 Features=(null) PartitionName=main Flags={} TRES=cpu=4 Users=root State={}\n",
                if name == "d" { "FLEX,TIME_FLOAT" } else { "MAINT,SPEC_NODES" },
                if name == "a" { "ACTIVE" } else { "INACTIVE" }
            )
        };
        let text = line("a", "node[1-3]") + &line("b", "node[2-3]") + &line("c", "(null)");
        let text = text + &line("d", "node0");
        let window = |name: &str, node: &str| Window {
            outage: OutageSeen {
                name: name.into(),
                nodes: vec![node.to_owned()],
                from: 100,
                to: 220,
                floats: name == "d",
            },
            is_active: name == "a",
        };
        assert_eq!(read(&text, &nodes), Ok(vec![window("a", "node1"), window("d", "node0")]));
        assert_eq!(read("No reservations in the system\n", &nodes), Ok(vec![]));
        assert!(read("ReservationName=a StartTime=x EndTime=2 Nodes=node1\n", &nodes).is_err());
    }
}
