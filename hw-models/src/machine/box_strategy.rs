//! Which free boxes jobs get, by name.

use super::Layout;
use locox::grid::{Anchors, Axis, BadSides, Leftover, Placement, Sides};
use std::fmt;
use std::str::FromStr;

/// One of the kernel's placements of boxes, and where boxes may begin: anywhere, or at the corners of blocks. What boxes
/// leave over of their blocks waits for boxes that begin at a corner or, if it is lent, others may lie in it.
///
/// ```
/// use locox::grid::Leftover;
/// use locox_models::machine::BoxStrategy;
/// let anywhere: BoxStrategy = "corner".parse()?;
/// let in_blocks: BoxStrategy = "first@4x4x2+lent".parse()?;
/// assert_eq!(anywhere.blocks, None);
/// assert_eq!(in_blocks.blocks, Some(("4x4x2".parse()?, Leftover::Reused)));
/// assert_eq!(in_blocks.to_string(), "first@4x4x2+lent");
/// assert!(in_blocks.fits("torus:16x16x16".parse()?).is_ok());
/// // Seven is no number of blocks of two.
/// assert!(in_blocks.fits("torus:16x16x7".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxStrategy {
    /// Which of the free boxes a job gets.
    pub placement: Placement,
    /// The sides of blocks, and what becomes of what boxes leave over of them; without blocks boxes begin anywhere.
    pub blocks: Option<(Sides, Leftover)>,
}

/// Text that is no strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBoxStrategy {
    /// None of the placements.
    #[error(
        "write first, corner or fewest, where boxes begin at steps as first@4x4x2, where others use what these leave over as first@4x4x2+lent"
    )]
    Name,
    /// Behind `@` there are no sides.
    #[error("behind @: {0}")]
    Step(BadSides),
}

/// Why a machine has no such steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadStep {
    /// Jobs in blocks have their places.
    #[error("nodes behind switches are in blocks already; leave the step out")]
    Blocks,
    /// It has more of them than the axis.
    #[error("a step of {step} along an axis of {nodes}; write {nodes} or less there")]
    Long {
        /// The step.
        step: u8,
        /// Nodes along the axis.
        nodes: u8,
    },
    /// The last block would overlap the first.
    #[error("a step of {step} does not divide a ring of {nodes} nodes; write a divisor")]
    Uneven {
        /// The step.
        step: u8,
        /// Nodes of the ring.
        nodes: u8,
    },
}

impl BoxStrategy {
    /// Whether jobs may get boxes so on this machine.
    ///
    /// # Errors
    ///
    /// [`BadStep`] says what is wrong with its steps.
    pub fn fits(self, layout: Layout) -> Result<(), BadStep> {
        let Some((steps, _)) = self.blocks else { return Ok(()) };
        if layout.is_in_blocks() {
            return Err(BadStep::Blocks);
        }
        let (grid, one) = (layout.grid(), Axis::line(1).expect("a line of one node"));
        for (step, axis) in steps.all().into_iter().zip(grid.axes().iter().chain([&one; 3])) {
            let nodes = axis.nodes();
            if step > nodes {
                return Err(BadStep::Long { step, nodes });
            }
            if axis.is_ring() && nodes % step != 0 {
                return Err(BadStep::Uneven { step, nodes });
            }
        }
        Ok(())
    }

    /// Where boxes may begin, as the kernel has it.
    pub(super) fn anchors(self) -> Anchors {
        let Some((steps, leftover)) = self.blocks else { return Anchors::Any };
        Anchors::Steps { step: steps.all(), offset: [0; 4], leftover }
    }
}

impl From<Placement> for BoxStrategy {
    fn from(placement: Placement) -> Self {
        Self { placement, blocks: None }
    }
}

impl fmt::Display for BoxStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.blocks {
            None => self.placement.to_string(),
            Some((steps, Leftover::Kept)) => format!("{}@{steps}", self.placement),
            Some((steps, Leftover::Reused)) => format!("{}@{steps}+lent", self.placement),
        })
    }
}

impl FromStr for BoxStrategy {
    type Err = BadBoxStrategy;

    fn from_str(text: &str) -> Result<Self, BadBoxStrategy> {
        let (name, step) = text.split_once('@').map_or((text, None), |(name, it)| (name, Some(it)));
        let placements = Placement::ALL.into_iter();
        let placement = placements.into_iter().find(|it| it.to_string() == name);
        let placement = placement.ok_or(BadBoxStrategy::Name)?;
        let Some(step) = step else { return Ok(placement.into()) };
        let (sides, leftover) = match step.split_once('+') {
            None => (step, Leftover::Kept),
            Some((sides, "lent")) => (sides, Leftover::Reused),
            Some(_) => return Err(BadBoxStrategy::Name),
        };
        let sides = sides.parse().map_err(BadBoxStrategy::Step)?;
        Ok(Self { placement, blocks: Some((sides, leftover)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_read_as_they_print() {
        for text in ["first", "corner@4", "fewest@1x64+lent", "first@2x2x2"] {
            assert_eq!(text.parse::<BoxStrategy>().unwrap().to_string(), text);
        }
        for text in
            ["", "buddy", "@4", "first+lent", "first@4+loan", "first@4+lent+lent", "first@+2"]
        {
            assert_eq!(text.parse::<BoxStrategy>(), Err(BadBoxStrategy::Name), "{text}");
        }
        for text in ["first@", "first@+lent", "first@4x0", "first@4x65"] {
            assert_eq!(text.parse::<BoxStrategy>(), Err(BadBoxStrategy::Step(BadSides)), "{text}");
        }
    }

    #[test]
    fn steps_are_for_machines_that_they_divide() {
        let fits = |strategy: &str, layout: &str| {
            strategy.parse::<BoxStrategy>().unwrap().fits(layout.parse().unwrap())
        };
        for (strategy, layout) in
            [("first", "blocks:4x4"), ("first@3", "mesh:5x4"), ("first@2x4", "torus:4x4x4")]
        {
            assert_eq!(fits(strategy, layout), Ok(()), "{strategy} {layout}");
        }
        assert_eq!(fits("first@2", "blocks:4x4"), Err(BadStep::Blocks));
        assert_eq!(fits("first@1x1x2", "mesh:4x4"), Err(BadStep::Long { step: 2, nodes: 1 }));
        assert_eq!(fits("first@3", "torus:4x4"), Err(BadStep::Uneven { step: 3, nodes: 4 }));
    }
}
