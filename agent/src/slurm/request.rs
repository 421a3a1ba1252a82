//! What of a job's request the agent cannot place: it gives whole nodes, any of those that are governed.

use super::queue::{Request, Row, is_none};
use crate::backend::OutageSeen;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes that are governed, as far as jobs can ask for more than a number of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cluster {
    /// The nodes of each partition, and whether it gives them whole.
    pub(super) partitions: BTreeMap<String, Partition>,
    /// All of them.
    pub(super) nodes: BTreeSet<String>,
    /// The fewest processors of a node, and the most.
    pub(super) cpus: u64,
    pub(super) most_cpus: u64,
    /// The least memory of a node, in megabytes.
    pub(super) memory: u64,
    /// Reservations of some of them that are to come or go on.
    pub(super) outages: Vec<OutageSeen>,
}

/// A partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) nodes: BTreeSet<String>,
    pub(super) is_exclusive: bool,
}

impl Cluster {
    /// Why a job is left to Slurm, if it is. It may run in the partitions `elsewhere`, which are not governed, and on
    /// `least` nodes if its processors have room there.
    pub(super) fn beyond(
        &self,
        row: &Row,
        elsewhere: &[&str],
        least: Option<u64>,
    ) -> Option<String> {
        let Request { places, without, gres, reservation, licences, features, .. } = &row.request;
        if row.name.contains('+') {
            return Some("its parts start together".into());
        }
        if let Some(other) = elsewhere.first() {
            return Some(format!("it may run in partition {other} too, which is not governed"));
        }
        let asked = [
            (places, "nodes"),
            (without, "no node of"),
            (gres, "gres"),
            (reservation, "reservation"),
            (licences, "licences"),
            (features, "features"),
        ];
        if let Some((value, what)) = asked.iter().find(|(value, _)| !is_none(value)) {
            return Some(format!("it asks for {what} {}", one_line(value)));
        }
        let more = || self.range(row, least).or_else(|| self.too_much(row));
        self.unlike(row).or_else(more)
    }

    /// A partition whose nodes are others, or are shared.
    fn unlike(&self, row: &Row) -> Option<String> {
        row.partitions.iter().find_map(|name| {
            let partition = self.partitions.get(name)?;
            match (partition.is_exclusive, partition.nodes == self.nodes) {
                (false, _) => Some(format!("partition {name} shares nodes between jobs")),
                (true, false) => {
                    Some(format!("partition {name} has not all nodes that are governed"))
                }
                (true, true) => None,
            }
        })
    }

    /// One number of nodes or another.
    fn range(&self, row: &Row, least: Option<u64>) -> Option<String> {
        let (nodes, cpus) = (u64::from(row.nodes), row.request.cpus);
        let fits_on_fewer = cpus <= nodes.saturating_sub(1) * self.most_cpus;
        let least = least.filter(|least| *least < nodes && fits_on_fewer)?;
        Some(format!("it asks for {least} to {nodes} nodes"))
    }

    /// More than the smallest node has.
    fn too_much(&self, row: &Row) -> Option<String> {
        let Request { memory, cpus_of_node, cpus, .. } = row.request;
        let nodes = u64::from(row.nodes.max(1));
        let each = cpus.div_ceil(nodes).max(cpus_of_node);
        if each > self.cpus {
            return Some(format!("it asks for {each} processors of a node, and not all have them"));
        }
        // `squeue` does not say whether that is of a node or of a processor.
        let most = memory.saturating_mul(each);
        (most > self.memory).then(|| {
            format!("it asks for {memory} MB of memory of a node or of a processor, and not all have them")
        })
    }
}

fn one_line(text: &str) -> String {
    const MOST: usize = 60;
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let cut = text.chars().count() > MOST;
    text.chars().map(plain).take(MOST).chain(if cut { "..." } else { "" }.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::queue::read;

    const NOW: u64 = 1000;

    fn cluster() -> Cluster {
        let all: BTreeSet<String> = ["a", "b", "c"].map(String::from).into();
        let some: BTreeSet<String> = ["a", "b"].map(String::from).into();
        let part = |nodes: &BTreeSet<String>, is_exclusive| Partition {
            nodes: nodes.clone(),
            is_exclusive,
        };
        let partitions =
            [("main", part(&all, true)), ("gpu", part(&some, true)), ("any", part(&all, false))];
        Cluster {
            partitions: partitions.map(|(name, it)| (name.into(), it)).into(),
            nodes: all,
            cpus: 4,
            most_cpus: 4,
            memory: 4000,
            outages: vec![],
        }
    }

    /// As `squeue` prints it: partition, nodes, limit, and what stands behind the dependency.
    fn why(cluster: &Cluster, name: &str, head: (&str, &str, &str), rest: &str) -> Option<String> {
        let (partition, nodes, limit) = head;
        let text = format!(
            "last_update_time={NOW} records=1\n{name}|7|N/A|0|root|{partition}|PD|9|0|{nodes}|{limit}|1|N/A||(null)|{rest}\n"
        );
        let (_, rows) = read(&text).unwrap();
        let elsewhere: Vec<&str> = partition.split(',').filter(|name| *name == "other").collect();
        cluster.beyond(&rows[0], &elsewhere, Some(2))
    }

    const PLAIN: &str = "||N/A|(null)|0|1|16|(null)|(null)|(null)|None|(null)";

    #[test]
    fn whole_nodes_of_any_kind_are_placed() {
        let cluster = cluster();
        for rest in [
            PLAIN,
            "||N/A|(null)|1000M|1|16|a|b|(null)|None|(null)",
            "(null)|(null)|N/A||900M|1|13|||(null)|None|(null)",
        ] {
            assert_eq!(why(&cluster, "7", ("main", "4", "7:00"), rest), None, "{rest}");
        }
        assert_eq!(
            why(
                &cluster,
                "7",
                ("main", "1", "7:00"),
                "||N/A|(null)|1000M|2|4|a|b|(null)|None|(null)"
            ),
            None,
            "one node"
        );
    }

    #[test]
    fn whatever_else_is_asked_for_is_left_alone() {
        let cluster = cluster();
        let main = ("main", "4", "7:00");
        for (rest, says) in [
            ("node5||N/A|(null)|0|1|16|(null)|(null)|(null)|None|(null)", "nodes node5"),
            (
                "|node[1-2]|N/A|(null)|0|1|16|(null)|(null)|(null)|None|(null)",
                "no node of node[1-2]",
            ),
            ("||gres:gpu:2|(null)|0|1|16|(null)|(null)|(null)|None|(null)", "gres gres:gpu:2"),
            ("||N/A|maint|0|1|16|(null)|(null)|(null)|None|(null)", "reservation maint"),
            ("||N/A|(null)|0|1|16|(null)|(null)|lic:1|None|(null)", "licences lic:1"),
            ("||N/A|(null)|0|1|16|(null)|(null)|(null)|None|big|fast", "features big|fast"),
            ("||N/A|(null)|0|1|12|(null)|(null)|(null)|None|(null)", "2 to 4 nodes"),
            ("||N/A|(null)|0|5|16|(null)|(null)|(null)|None|(null)", "5 processors"),
            ("||N/A|(null)|0|1|20|(null)|(null)|(null)|None|(null)", "5 processors"),
            ("||N/A|(null)|4001M|1|13|(null)|(null)|(null)|None|(null)", "4001 MB"),
            ("||N/A|(null)|2G|1|13|(null)|(null)|(null)|None|(null)", "2048 MB"),
        ] {
            let why = why(&cluster, "7", main, rest).unwrap_or_default();
            assert!(why.contains(says), "{rest}: {why:?}");
        }
        let told = |name, head| why(&cluster, name, head, PLAIN).unwrap_or_default();
        assert!(told("7+0", main).contains("parts"));
        assert!(told("7", ("gpu", "1", "7:00")).contains("not all nodes"));
        assert!(told("7", ("any", "1", "7:00")).contains("shares nodes"));
        assert!(told("7", ("main,gpu", "1", "7:00")).contains("partition gpu"));
        assert!(told("7", ("main,other", "1", "7:00")).contains("partition other too"));
    }
}
