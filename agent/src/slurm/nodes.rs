//! The lines of `sinfo -N`, and the comment of a node.

use std::collections::BTreeMap;

use super::hostlist::{is_name, short, stem_and_number};
use super::request::Cluster;
use crate::backend::NodeSeen;

/// What is asked for.
pub(super) const FORMAT: &str = "%N|%T|%R|%h|%c|%m";

/// The nodes, by name and number, and what jobs can ask of them; a node that stands there for several partitions is one.
pub(super) fn read(text: &str) -> Result<(Vec<NodeSeen>, Cluster), String> {
    let mut nodes = BTreeMap::new();
    let mut cluster = Cluster { cpus: u64::MAX, memory: u64::MAX, ..Cluster::default() };
    for line in text.lines() {
        let wrong = || format!("no node in `{}`", short(line));
        let fields: Vec<&str> = line.split('|').collect();
        let &[name, state, partition, shares, cpus, memory] = fields.as_slice() else {
            return Err(wrong());
        };
        let least = |number: &str| number.trim_end_matches('+').parse::<u64>().map_err(|_| wrong());
        if !is_name(name) {
            return Err(wrong());
        }
        nodes.insert(place(name), serves(state));
        let cpus = least(cpus)?;
        cluster.cpus = cluster.cpus.min(cpus);
        cluster.most_cpus = cluster.most_cpus.max(cpus);
        cluster.memory = cluster.memory.min(least(memory)?);
        cluster.nodes.insert(name.into());
        let of = cluster.partitions.entry(partition.into()).or_default();
        of.is_exclusive = shares == "EXCLUSIVE";
        of.nodes.insert(name.into());
    }
    let seen =
        |((_, _, name), serves): ((&str, u64, &str), bool)| NodeSeen { name: name.into(), serves };
    Ok((nodes.into_iter().map(seen).collect(), cluster))
}

/// What nodes are ordered by, so that those beside each other in a machine are beside each other here: node2, node10.
fn place(name: &str) -> (&str, u64, &str) {
    let (stem, number) = stem_and_number(name);
    (stem, number.parse().unwrap_or(u64::MAX), name)
}

/// Whether a node in this state may be given jobs. Of marks behind a state, `-` says that Slurm plans something
/// for it, `+` that it is shared, `~` and `#` that it is woken first; all others keep jobs away.
fn serves(state: &str) -> bool {
    let base = state.trim_end_matches(['-', '+', '~', '#']);
    matches!(base, "idle" | "mixed" | "allocated" | "completing" | "planned")
}

const OURS: &str = "locox-agent:";

/// What a node's comment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Comment {
    #[default]
    Empty,
    /// The agent's mark.
    Mark(String),
    /// What somebody else wrote.
    Foreign,
}

/// The comment in what `scontrol show node` prints, one line for each.
pub(super) fn comment(text: &str) -> Result<Comment, String> {
    let mut lines = text.lines().map(str::trim);
    if !lines.clone().any(|line| line.starts_with("NodeName=")) {
        return Err("no node".into());
    }
    match lines.find_map(|line| line.strip_prefix("Comment=")) {
        None => Ok(Comment::Empty),
        Some(comment) => comment
            .strip_prefix(OURS)
            .map_or(Ok(Comment::Foreign), |mark| unpack(mark).map(Comment::Mark)),
    }
}

/// A mark as a comment: one word, so that it needs no quotes.
pub(super) fn pack(mark: &str) -> String {
    if mark.is_empty() {
        return String::new();
    }
    let mut packed = OURS.to_owned();
    for byte in mark.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b':' | b'/' | b'-' => {
                packed.push(byte.into())
            }
            _ => packed.push_str(&format!("%{byte:02X}")),
        }
    }
    packed
}

fn unpack(packed: &str) -> Result<String, String> {
    let wrong = || format!("the mark `{}` is damaged", short(packed));
    let mut parts = packed.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2).ok_or_else(wrong)?;
        bytes.push(u8::from_str_radix(code, 16).map_err(|_| wrong())?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::{Comment, comment, pack, read, serves};

    #[test]
    fn nodes_are_named_once_and_in_order() {
        let text = "node2|idle|main|EXCLUSIVE|4|4000\nnode10|down*|main|EXCLUSIVE|4|900+\n\
                    node1|allocated|main|EXCLUSIVE|2|4000\nnode2|idle|gpu|NO|4|4000\n";
        let (nodes, cluster) = read(text).unwrap();
        let told: Vec<_> = nodes.iter().map(|node| (node.name.as_str(), node.serves)).collect();
        assert_eq!(told, [("node1", true), ("node2", true), ("node10", false)]);
        assert_eq!((cluster.cpus, cluster.memory, cluster.nodes.len()), (2, 900, 3));
        let of = |name: &str| {
            let partition = &cluster.partitions[name];
            (partition.nodes.len(), partition.is_exclusive)
        };
        assert_eq!((of("main"), of("gpu")), ((3, true), (1, false)));
    }

    #[test]
    fn nodes_that_are_drained_reserved_or_silent_do_not_serve() {
        for state in [
            "idle",
            "mixed",
            "allocated",
            "completing",
            "idle-",
            "allocated+",
            "planned",
            "idle~",
            "idle#",
        ] {
            assert!(serves(state), "{state}");
        }
        for state in [
            "idle*",
            "allocated*",
            "down",
            "drained",
            "draining",
            "reserved",
            "maint",
            "mixed@",
            "idle%",
            "",
            "fail",
            "unknown",
        ] {
            assert!(!serves(state), "{state}");
        }
    }

    #[test]
    fn a_line_that_is_no_node_spoils_all() {
        assert!(
            [
                "\n",
                "|idle|m|NO|1|1\n",
                "node1\n",
                "a b|idle|m|NO|1|1\n",
                "n[1-2]|idle|m|NO|1|1\n",
                "n1|idle|m|NO|x|1\n"
            ]
            .iter()
            .all(|bad| read(bad).is_err())
        );
    }

    #[test]
    fn a_mark_comes_back_and_others_comments_are_not_taken_for_one() {
        let shown = |comment: &str| {
            format!("NodeName=node0 Arch=x86_64\n   Extra=a Comment=b\n{comment}\n")
        };
        for mark in ["agent 17 on head: /var/lib/locox", "50%", "a=b|c"] {
            assert!(!pack(mark).contains(' '));
            assert_eq!(
                comment(&shown(&format!("   Comment={}", pack(mark)))),
                Ok(Comment::Mark(mark.into()))
            );
        }
        assert_eq!(comment(&shown("   Comment=new disk since May")), Ok(Comment::Foreign));
        assert_eq!(comment(&shown("")), Ok(Comment::Empty));
        assert_eq!(pack(""), "");
        assert!(comment("").is_err());
        assert!(
            ["%", "%1", "%zz", "%FF"]
                .iter()
                .all(|bad| comment(&shown(&format!("   Comment=locox-agent:{bad}"))).is_err())
        );
    }
}
