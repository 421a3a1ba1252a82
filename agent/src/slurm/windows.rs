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
}

/// Those of `scontrol -o show reservation` that have some of these nodes, or nobody can tell.
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
    let has_ours = match value("Nodes") {
        None | Some("(null)") => false,
        Some(list) => match hostlist::expand(list) {
            Ok(list) => list.iter().any(|node| nodes.contains(node)),
            Err(_) => true,
        },
    };
    let name = value("ReservationName").unwrap_or("?").to_owned();
    let (from, to) = (time("StartTime")?, time("EndTime")?);
    Ok(has_ours.then_some(Window { name, from, to }))
}

#[cfg(test)]
mod tests {
    use super::{Window, read};

    #[test]
    fn reservations_of_our_nodes_are_read() {
        let nodes = ["node0", "node1"].map(String::from).into();
        let line = |name: &str, list: &str| {
            format!(
                "ReservationName={name} StartTime=100 EndTime=220 Duration=00:02:00 Nodes={list} NodeCnt=2 State=INACTIVE\n"
            )
        };
        let text = line("a", "node[1-3]") + &line("b", "node[2-3]") + &line("c", "(null)");
        let a = Window { name: "a".into(), from: 100, to: 220 };
        assert_eq!(read(&text, &nodes), Ok(vec![a]));
        assert_eq!(read("No reservations in the system\n", &nodes), Ok(vec![]));
        assert!(read("ReservationName=a StartTime=x EndTime=2 Nodes=node1\n", &nodes).is_err());
    }
}
