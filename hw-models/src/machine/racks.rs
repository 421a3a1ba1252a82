//! Racks of nodes, and blocks of racks.

use locox::machine::{Domain, Tree};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex};

/// A machine whose nodes lie in equal racks, and these perhaps in equal blocks, numbered rack by rack.
///
/// As text `tree:16x32`, 16 racks of 32 nodes, or `tree:4x16x32`, four blocks of such.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Racks {
    blocks: u32,
    /// Of a block.
    pub(super) racks: u32,
    /// Of a rack.
    pub(super) nodes: u32,
}

/// Where jobs run on racks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// In one rack or one block if there is room, else anywhere.
    Preferred,
    /// In one rack, or, if that is larger than a rack, in one block; anywhere only if it is larger than a block.
    Required,
}

impl Nearness {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Preferred, Self::Required];

    /// What users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Preferred => "preferred",
            Self::Required => "required",
        }
    }
}

/// A name of no [`Nearness`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("on racks use \"preferred\" or \"required\"")]
pub struct BadNearness;

impl FromStr for Nearness {
    type Err = BadNearness;

    fn from_str(name: &str) -> Result<Self, BadNearness> {
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or(BadNearness)
    }
}

impl fmt::Display for Nearness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Text that is no [`Racks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write tree:RACKSxNODES or tree:BLOCKSxRACKSxNODES, numbers from 1 on, with at most {most} nodes", most = Racks::MOST)]
pub struct BadRacks;

impl Racks {
    /// The most nodes.
    pub const MOST: u32 = 10_240;

    /// Nodes of the machine.
    pub const fn processors(self) -> u32 {
        self.blocks * self.racks * self.nodes
    }

    /// What a job of so many nodes asks for.
    pub const fn domain(self, nearness: Nearness, nodes: u32) -> Domain {
        let any = Domain::of(nodes);
        match nearness {
            Nearness::Required if nodes <= self.nodes => any.within(0),
            Nearness::Required if nodes <= self.nodes * self.racks => any.within(1),
            _ => any,
        }
    }

    /// The kernel's machine, for places of so many words, which are enough. Its levels are kept for as long as the program runs,
    /// once for all that are alike.
    pub(crate) fn tree<const W: usize>(self) -> Tree<'static, W> {
        static LEVELS: LazyLock<Mutex<BTreeMap<Racks, Levels>>> = LazyLock::new(Default::default);
        let mut kept = LEVELS.lock().expect("nobody panics with it");
        let levels = *kept.entry(self).or_insert_with(|| self.levels());
        Tree::new(self.processors(), levels).expect("racks in blocks")
    }

    /// Where racks begin, and blocks.
    pub fn domains(self) -> Vec<Vec<u32>> {
        let level = |nodes: u32| (0..self.processors()).step_by(nodes as usize).collect();
        [self.nodes, self.nodes * self.racks].map(level).into()
    }

    fn levels(self) -> Levels {
        let levels = self.domains().into_iter();
        let levels: Vec<&'static [u32]> =
            levels.map(|firsts| -> &'static [u32] { firsts.leak() }).collect();
        levels.leak()
    }
}

type Levels = &'static [&'static [u32]];

impl fmt::Display for Racks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blocks, racks, nodes } = self;
        match blocks {
            1 => write!(f, "tree:{racks}x{nodes}"),
            _ => write!(f, "tree:{blocks}x{racks}x{nodes}"),
        }
    }
}

impl FromStr for Racks {
    type Err = BadRacks;

    fn from_str(text: &str) -> Result<Self, BadRacks> {
        let number = |text: &str| {
            let is_plain = text.bytes().all(|it| it.is_ascii_digit());
            text.parse().ok().filter(|it| is_plain && (1..=Self::MOST).contains(it))
        };
        let numbers = text.strip_prefix("tree:").ok_or(BadRacks)?.split('x').map(number);
        let numbers: Vec<u32> = numbers.collect::<Option<_>>().ok_or(BadRacks)?;
        let (blocks, racks, nodes) = match numbers[..] {
            [racks, nodes] => (1, racks, nodes),
            [blocks, racks, nodes] => (blocks, racks, nodes),
            _ => return Err(BadRacks),
        };
        let all = [blocks, racks, nodes].map(u64::from).iter().product::<u64>();
        let fits = all <= u64::from(Self::MOST);
        fits.then_some(Self { blocks, racks, nodes }).ok_or(BadRacks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn racks_read_as_they_print() {
        for text in ["tree:16x32", "tree:1x1", "tree:4x16x32", "tree:10240x1"] {
            assert_eq!(text.parse::<Racks>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "tree:",
            "tree:16",
            "tree:0x4",
            "tree:4x",
            "tree:+4x4",
            "tree:1x2x3x4",
            "tree:10241x1",
            "tree:10240x10240x10240",
            "16x32",
        ] {
            assert_eq!(wrong.parse::<Racks>(), Err(BadRacks), "{wrong}");
        }
        assert_eq!("tree:1x16x32".parse::<Racks>().unwrap().to_string(), "tree:16x32");
    }

    #[test]
    fn a_job_is_required_to_lie_in_the_smallest_domain_that_can_hold_it() {
        let racks: Racks = "tree:2x3x4".parse().unwrap();
        let required = |nodes| racks.domain(Nearness::Required, nodes).within;
        assert_eq!(
            [1, 4, 5, 12, 13, 24].map(required),
            [Some(0), Some(0), Some(1), Some(1), None, None]
        );
        assert_eq!(racks.domain(Nearness::Preferred, 1).within, None);
    }
}
