//! Numbers as nodes and what is asked of them, extreme amounts included.

use crate::digits::Digits;
use crate::machine::nodes::{Cluster, Rule, Wish};

/// Nodes, which of them a wish gets, the wishes, and for how many leases there is room.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The nodes.
    pub cluster: Cluster,
    /// Which of them a wish gets.
    pub rule: Rule,
    /// What is asked for.
    pub wishes: Vec<Wish>,
    /// For how many leases there is room.
    pub rows: usize,
}

/// Devices that a node has at most.
const DEVICES: u32 = 16;

impl Digits {
    /// Small, or, among `extremes`, about as large as a number can be.
    fn amount(&mut self, below: u64, extremes: bool) -> u32 {
        let drawn = self.below(below + 3 * u64::from(extremes));
        match drawn.checked_sub(below) {
            None => drawn as u32,
            Some(0) => u32::MAX,
            Some(1) => u32::MAX - self.below(5) as u32,
            Some(_) => 1 << self.below(32),
        }
    }
}

impl Setup {
    /// Takes the first of the numbers: one for what is common to all, one for each node, and one for each wish. `None` if there are
    /// too few.
    pub fn decode(numbers: &[u64]) -> Option<(Self, &[u64])> {
        let (&first, rest) = numbers.split_first()?;
        let mut digits = Digits(first);
        let (nodes, wishes) = (1 + digits.below(4) as usize, 1 + digits.below(6) as usize);
        let quantities = 1 + digits.below(4) as usize;
        let extremes = digits.one_in(4);
        let parts = |it: &mut Digits| (it.below(4) as usize, it.amount(5, extremes).max(1));
        let devices = digits.one_in(2).then(|| parts(&mut digits));
        let common = (0..digits.below(3)).map(|_| digits.amount(5, extremes)).collect();
        let counts = digits.below(4) as usize;
        let rule = match digits.below(3) {
            0 => Rule::First,
            1 => Rule::Best,
            _ => Rule::Fewest(devices.map_or(counts, |it| it.0), vec![]),
        };
        let rows = 1 + digits.below(5) as usize;
        let (own, rest) = rest.split_at_checked(nodes)?;
        let (asked, rest) = rest.split_at_checked(wishes)?;
        let nodes = own.iter().map(|&it| node(it, quantities, devices)).collect();
        let cluster = Cluster { nodes, common, devices };
        let wishes = asked.iter().map(|&it| wish(it, quantities, &cluster)).collect();
        Some((Self { cluster, rule, wishes, rows }, rest))
    }
}

fn node(number: u64, quantities: usize, devices: Option<(usize, u32)>) -> Vec<u32> {
    let mut digits = Digits(number);
    let extremes = digits.one_in(4);
    let is_devices = |at| devices.is_some_and(|it| it.0 == at);
    let amount = |at| {
        let amount = digits.amount(7, extremes);
        if is_devices(at) { amount.min(DEVICES) } else { amount }
    };
    (0..quantities).map(amount).collect()
}

fn wish(number: u64, quantities: usize, cluster: &Cluster) -> Wish {
    let mut digits = Digits(number);
    let extremes = digits.one_in(4);
    let amounts = (0..quantities).map(|_| digits.amount(3, extremes)).collect();
    let kind = digits.below(6);
    let tasks = kind == 0;
    // A part stays on one node.
    let is_part = kind == 1;
    let least = if is_part { 1 } else { 1 + digits.below(2) as usize };
    let nodes = match kind {
        0 => digits.amount(13, extremes).max(1) as usize,
        1 => 1,
        _ => least + digits.below(3) as usize,
    };
    let excluded = digits.below(cluster.nodes.len() as u64 + 3) as usize;
    Wish {
        nodes: if tasks { nodes..=nodes } else { least..=nodes },
        tasks,
        amounts,
        part: if is_part { digits.amount(4, extremes).max(1) } else { 0 },
        common: cluster.common.iter().map(|_| digits.amount(2, extremes)).collect(),
        allowed: (0..cluster.nodes.len()).filter(|it| *it != excluded).collect(),
        exclusive: digits.one_in(5),
    }
}
