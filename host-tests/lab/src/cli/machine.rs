//! Machines and strategies, as options name them.

use super::numbers::part;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use locox::cube::Dim;
use locox::grid::{Axis, Placement};
use locox::nodes;
use locox_models::machine::{
    BadLayout, BadRacks, BoxStrategy, Cluster, Layout, Nearness, NodeStrategy, Racks, StrategyKind,
};
use locox_models::swf::MOST_PROCESSORS;
use locox_report::failure::Failure;
use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// A machine to replay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineSpec {
    Cube(Dim),
    Pool(u32),
    Boxes(Layout),
    Tree(Racks),
    Nodes(Cluster),
}

impl MachineSpec {
    /// A cube if the number of processors is that of one, else a pool.
    pub fn of(processors: u32) -> Self {
        let cube = Dim::holding(processors).filter(|dims| dims.nodes() == processors);
        cube.map_or(Self::Pool(processors), Self::Cube)
    }

    pub fn processors(self) -> u32 {
        match self {
            Self::Cube(dims) => dims.nodes(),
            Self::Pool(processors) => processors,
            Self::Boxes(layout) => layout.processors(),
            Self::Tree(racks) => racks.processors(),
            Self::Nodes(cluster) => cluster.processors(),
        }
    }

    /// By whose numbers outages name them.
    pub fn nodes(self) -> u32 {
        match self {
            Self::Nodes(cluster) => cluster.nodes(),
            _ => self.processors(),
        }
    }
}

/// The numbers of a machine.
pub(super) fn machines() -> String {
    let (most, side) = (Dim::MAX.get(), Axis::MAX);
    format!("N 0 to {most}, P 1 to {MOST_PROCESSORS}, sides and B and M 1 to {side}")
}

impl fmt::Display for MachineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cube(dims) => write!(f, "{dims}-cube"),
            Self::Pool(processors) => write!(f, "pool of {processors}"),
            Self::Boxes(layout) => {
                let text = layout.to_string();
                match text.split_once(':').unwrap_or_default() {
                    ("blocks", numbers) => {
                        write!(f, "row of {}", numbers.replace('x', " blocks of "))
                    }
                    (kind, sides) => write!(f, "{sides} {kind}"),
                }
            }
            Self::Tree(racks) => {
                write!(f, "{} tree", racks.to_string().trim_start_matches("tree:"))
            }
            Self::Nodes(cluster) => write!(f, "cluster of {} nodes", cluster.nodes()),
        }
    }
}

/// The kinds of machines that a name is enough for.
const NAMED: &str = "write cube:N, pool:P, torus:XxYxZ, mesh:XxY, blocks:BxM";

impl MachineSpec {
    /// The machine of this name; `None` if it is of no kind that a name is enough for.
    fn named(text: &str) -> Option<Result<Self, String>> {
        let (kind, size) = text.split_once(':').unwrap_or((text, ""));
        Some(match kind {
            "cube" => {
                let dims = size.parse().ok().and_then(Dim::new);
                let most = Dim::MAX.get();
                dims.map(Self::Cube).ok_or_else(|| format!("write cube:N with N from 0 to {most}"))
            }
            "pool" => {
                let wrong = || format!("write pool:P with P from 1 to {MOST_PROCESSORS}");
                part(size, &(1..=MOST_PROCESSORS)).map(Self::Pool).ok_or_else(wrong)
            }
            "torus" | "mesh" | "blocks" => {
                text.parse().map(Self::Boxes).map_err(|bad: BadLayout| bad.to_string())
            }
            "tree" => text.parse().map(Self::Tree).map_err(|bad: BadRacks| bad.to_string()),
            _ => return None,
        })
    }
}

impl FromStr for MachineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::named(text).unwrap_or_else(|| Err(format!("{NAMED} or tree:RxN")))
    }
}

/// What a machine to replay on is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineName {
    Spec(MachineSpec),
    /// The file of a cluster.
    Nodes(PathBuf),
}

impl MachineName {
    /// The machine.
    ///
    /// # Errors
    ///
    /// What is wrong with its file, as [`Cluster::open`] says.
    pub fn open(&self) -> Result<MachineSpec, Failure> {
        match self {
            Self::Spec(machine) => Ok(*machine),
            Self::Nodes(path) => {
                let cluster = Cluster::open(path).map_err(|bad| Failure::Input(bad.to_string()))?;
                Ok(MachineSpec::Nodes(cluster))
            }
        }
    }
}

impl FromStr for MachineName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("nodes:") {
            Some(file) if !file.is_empty() => Ok(Self::Nodes(file.into())),
            _ => {
                let wrong = || Err(format!("{NAMED}, tree:RxN or nodes:FILE"));
                MachineSpec::named(text).unwrap_or_else(wrong).map(Self::Spec)
            }
        }
    }
}

/// One strategy, or all that the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategies {
    All,
    Subcubes(StrategyKind),
    Boxes(BoxStrategy),
    Domains(Nearness),
    Nodes(NodeStrategy),
}

impl Strategies {
    /// All that have a name, and the name. On nodes, `first` and `fewest` are the strategies of boxes by these names.
    fn named() -> Vec<(String, Self)> {
        let subcubes = StrategyKind::NAMED.map(|it| (it.to_string(), Self::Subcubes(it)));
        let boxes = Placement::ALL.map(|it| (it.to_string(), Self::Boxes(it.into())));
        let domains = Nearness::ALL.map(|it| (it.to_string(), Self::Domains(it)));
        let best = NodeStrategy::shared(nodes::Placement::Best);
        let nodes = [(best.to_string(), Self::Nodes(best))];
        let all = subcubes.into_iter().chain(boxes).chain(domains).chain(nodes);
        all.chain([("all".into(), Self::All)]).collect()
    }
}

impl fmt::Display for Strategies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::Subcubes(kind) => kind.fmt(f),
            Self::Boxes(strategy) => strategy.fmt(f),
            Self::Domains(nearness) => nearness.fmt(f),
            Self::Nodes(strategy) => strategy.fmt(f),
        }
    }
}

/// Reads one of the names, which errors and shells list, or boxes at steps.
#[derive(Clone)]
pub(super) struct StrategyParser;

impl StrategyParser {
    fn names() -> impl Iterator<Item = PossibleValue> {
        Strategies::named().into_iter().map(|(name, _)| PossibleValue::new(name))
    }

    fn named() -> impl TypedValueParser<Value = Strategies> {
        PossibleValuesParser::new(Self::names()).map(|name| {
            let named = Strategies::named().into_iter().find(|it| it.0 == name);
            named.map_or(Strategies::All, |(_, strategies)| strategies)
        })
    }

    fn at_steps() -> impl TypedValueParser<Value = Strategies> {
        StringValueParser::new().try_map(|text| text.parse().map(Strategies::Boxes))
    }
}

impl TypedValueParser for StrategyParser {
    type Value = Strategies;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Strategies, clap::Error> {
        let text = value.as_encoded_bytes();
        match text.contains(&b'@') || text.ends_with(b"+lent") {
            true => Self::at_steps().parse_ref(command, argument, value),
            false => Self::named().parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_read_as_written() {
        let seven = Dim::new(7).unwrap();
        assert_eq!("cube:7".parse(), Ok(MachineSpec::Cube(seven)));
        assert_eq!("pool:100".parse(), Ok(MachineSpec::Pool(100)));
        for (text, told) in [
            ("torus:16x16x16", "16x16x16 torus"),
            ("mesh:16x4r", "16x4r mesh"),
            ("blocks:18x4", "row of 18 blocks of 4"),
            ("tree:4x16x32", "4x16x32 tree"),
        ] {
            assert_eq!(text.parse::<MachineSpec>().unwrap().to_string(), told);
        }
        for wrong in [
            "",
            "cube",
            "cube:",
            "cube:25",
            "cube:-1",
            "pool:0",
            "pool:16777217",
            "pool:x",
            "mesh:4x",
            "torus:65",
            "blocks:4",
            "ring:4",
            "tree:16",
        ] {
            let told = wrong.parse::<MachineSpec>().unwrap_err();
            assert!(told.starts_with("write "), "{wrong}: {told}");
            assert!(wrong.parse::<MachineName>().unwrap_err().starts_with("write "), "{wrong}");
        }
    }

    #[test]
    fn nodes_are_named_by_their_file() {
        let file = MachineName::Nodes("a:b.csv".into());
        assert_eq!("nodes:a:b.csv".parse(), Ok(file));
        assert_eq!("pool:8".parse(), Ok(MachineName::Spec(MachineSpec::Pool(8))));
        for wrong in ["nodes", "nodes:", "node:a.csv"] {
            let told = wrong.parse::<MachineName>().unwrap_err();
            assert!(told.ends_with("tree:RxN or nodes:FILE"), "{wrong}: {told}");
            assert!(wrong.parse::<MachineSpec>().unwrap_err().ends_with("or tree:RxN"));
        }
    }
}
