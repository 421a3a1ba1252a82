//! Machines and strategies, as options name them.

use super::numbers::part;
use super::results::once;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use locox::cube::Dim;
use locox_models::machine::StrategyKind;
use locox_models::swf::MOST_PROCESSORS;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// A machine to replay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineSpec {
    Cube(Dim),
    Pool(u32),
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
        }
    }
}

/// The numbers of a machine.
pub(super) fn machines() -> String {
    format!("N 0 to {}, P 1 to {MOST_PROCESSORS}", Dim::MAX.get())
}

impl fmt::Display for MachineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cube(dims) => write!(f, "{dims}-cube"),
            Self::Pool(processors) => write!(f, "pool of {processors}"),
        }
    }
}

impl FromStr for MachineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, size) = text.split_once(':').unwrap_or((text, ""));
        match kind {
            "cube" => {
                let dims = size.parse().ok().and_then(Dim::new);
                let most = Dim::MAX.get();
                dims.map(Self::Cube).ok_or_else(|| format!("write cube:N with N from 0 to {most}"))
            }
            "pool" => {
                let wrong = || format!("write pool:P with P from 1 to {MOST_PROCESSORS}");
                part(size, &(1..=MOST_PROCESSORS)).map(Self::Pool).ok_or_else(wrong)
            }
            _ => Err("write cube:N or pool:P".into()),
        }
    }
}

/// One strategy or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategies {
    All,
    One(StrategyKind),
}

impl Strategies {
    /// Each of those that were asked for, once; all if none was.
    pub fn of(asked: &[Self]) -> Vec<StrategyKind> {
        let kinds = |asked: &Self| match *asked {
            Self::All => StrategyKind::ALL.to_vec(),
            Self::One(kind) => vec![kind],
        };
        let asked = if asked.is_empty() { &[Self::All] } else { asked };
        once(asked.iter().flat_map(kinds))
    }
}

pub(super) fn strategies() -> impl TypedValueParser<Value = Strategies> {
    let names = StrategyKind::NAMED.iter().map(|kind| kind.name()).chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let kind = StrategyKind::NAMED.iter().find(|kind| kind.name() == name);
        kind.map_or(Strategies::All, |&kind| Strategies::One(kind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_read_as_written() {
        let seven = Dim::new(7).unwrap();
        assert_eq!("cube:7".parse(), Ok(MachineSpec::Cube(seven)));
        assert_eq!("pool:100".parse(), Ok(MachineSpec::Pool(100)));
        for wrong in [
            "",
            "cube",
            "cube:",
            "cube:25",
            "cube:-1",
            "pool:0",
            "pool:16777217",
            "pool:x",
            "mesh:4",
        ] {
            let told = wrong.parse::<MachineSpec>().unwrap_err();
            assert!(told.starts_with("write "), "{wrong}: {told}");
        }
    }
}
