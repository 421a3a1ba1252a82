//! Which nodes a job gets, and whether it shares them.

use locox::nodes::Placement;
use std::fmt;
use std::str::FromStr;

/// Which of the nodes where it fits a job gets, and whether it shares them with others.
///
/// Under [`Placement::Fewest`] room is kept for jobs like those that have come so far: a replay does not know those that will.
///
/// As text `first`, `best` or `fewest`, and with whole nodes for each job `first+exclusive` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeStrategy {
    /// Which nodes.
    pub placement: Placement,
    /// Whether nobody else has anything of them.
    pub exclusive: bool,
}

/// A name of no [`NodeStrategy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("on nodes use \"first\", \"best\" or \"fewest\", or one of them with \"+exclusive\"")]
pub struct BadNodeStrategy;

impl NodeStrategy {
    /// Those that share nodes.
    pub const SHARED: [Self; 3] = [
        Self::shared(Placement::First),
        Self::shared(Placement::Best),
        Self::shared(Placement::Fewest),
    ];

    /// Jobs share the nodes that they get.
    pub const fn shared(placement: Placement) -> Self {
        Self { placement, exclusive: false }
    }

    /// Each job has its nodes to itself.
    pub const fn exclusive(self) -> Self {
        Self { exclusive: true, ..self }
    }

    fn name(self) -> &'static str {
        match (self.placement, self.exclusive) {
            (Placement::First, false) => "first",
            (Placement::First, true) => "first+exclusive",
            (Placement::Best, false) => "best",
            (Placement::Best, true) => "best+exclusive",
            (Placement::Fewest, false) => "fewest",
            (Placement::Fewest, true) => "fewest+exclusive",
        }
    }
}

impl fmt::Display for NodeStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for NodeStrategy {
    type Err = BadNodeStrategy;

    fn from_str(name: &str) -> Result<Self, BadNodeStrategy> {
        let all = Self::SHARED.into_iter().flat_map(|it| [it, it.exclusive()]);
        all.into_iter().find(|it| it.name() == name).ok_or(BadNodeStrategy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_reads_as_it_prints() {
        for shared in NodeStrategy::SHARED {
            for strategy in [shared, shared.exclusive()] {
                assert_eq!(strategy.to_string().parse(), Ok(strategy));
            }
        }
        for wrong in ["", "worst", "exclusive", "best+", "+exclusive"] {
            assert_eq!(wrong.parse::<NodeStrategy>(), Err(BadNodeStrategy), "{wrong}");
        }
    }
}
