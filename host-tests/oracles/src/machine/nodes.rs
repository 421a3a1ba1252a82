//! Nodes with quantities, by who holds what: nothing is counted but at an instant, by going through all holders.

use locox::bits::Word;
use locox::cube::Node;
use locox::machine::Machine;
use locox::nodes::{Amounts, NodePlace, NodeRequest, Nodes, Placement};

/// What somebody holds: nodes, how much of each quantity on each, a part of a device, and something of all nodes together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// On which nodes.
    pub nodes: Vec<usize>,
    /// How much on each; `None` for everything.
    pub amounts: Option<Vec<u32>>,
    /// So many parts, of this device.
    pub part: Option<(u32, usize)>,
    /// How much of what the nodes have in common.
    pub common: Vec<u32>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// How many nodes, or tasks.
    pub nodes: std::ops::RangeInclusive<usize>,
    /// Whether these are tasks.
    pub tasks: bool,
    /// How much on each, or for each.
    pub amounts: Vec<u32>,
    /// Parts of a device.
    pub part: u32,
    /// How much of what the nodes have in common.
    pub common: Vec<u32>,
    /// On which nodes.
    pub allowed: Vec<usize>,
    /// Whether nobody else may be there.
    pub exclusive: bool,
}

/// A machine, and who holds what of it at some instants.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// What each node has.
    pub nodes: Vec<Vec<u32>>,
    /// What they have in common.
    pub common: Vec<u32>,
    /// Which quantity are devices that can be held in parts, and of how many.
    pub devices: Option<(usize, u32)>,
}

/// Which of the nodes where a wish fits it gets.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The first.
    First,
    /// Those where the least is left.
    Best,
    /// Those that lose the least for these kinds of requests, by a quantity.
    Fewest(usize, Vec<Wish>),
}

/// What is free on a node at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Free {
    /// Of each quantity; of devices how many can be had as a whole.
    pub amounts: Vec<u32>,
    /// Parts of each device that can be had.
    pub parts: Vec<u32>,
}

impl Cluster {
    /// What a node has of a quantity.
    fn has(&self, node: usize, quantity: usize) -> u32 {
        self.nodes[node].get(quantity).copied().unwrap_or(0)
    }

    /// What is free on a node beside these. Devices held as a whole lie on any of which nobody has a part.
    pub fn free(&self, node: usize, holders: &[Holder]) -> Free {
        let here: Vec<&Holder> = holders.iter().filter(|it| it.nodes.contains(&node)).collect();
        if here.iter().any(|it| it.amounts.is_none()) {
            let none = |length| vec![0; length];
            return Free { amounts: none(8), parts: none(self.devices_of(node)) };
        }
        let held = |quantity: usize| -> u32 {
            let own = |it: &&Holder| it.amounts.as_ref().and_then(|it| it.get(quantity).copied());
            here.iter().filter_map(own).sum()
        };
        let left = |quantity| self.has(node, quantity).saturating_sub(held(quantity));
        let mut amounts: Vec<u32> = (0..8).map(left).collect();
        let Some((quantity, parts)) = self.devices else { return Free { amounts, parts: vec![] } };
        let of_device = |device: usize| -> u32 {
            here.iter().filter_map(|it| it.part).filter(|it| it.1 == device).map(|it| it.0).sum()
        };
        let count = self.devices_of(node);
        let touched = (0..count).filter(|&device| of_device(device) > 0).count() as u32;
        amounts[quantity] = amounts[quantity].saturating_sub(touched);
        let usable = |device: usize| match of_device(device) {
            0 if amounts[quantity] == 0 => 0,
            held => parts.saturating_sub(held),
        };
        let parts = (0..count).map(usable).collect();
        Free { amounts, parts }
    }

    /// Whether a holder has anything of a node.
    fn has_of(&self, node: usize, holder: &Holder) -> bool {
        let all = || self.nodes[node].iter().any(|&it| it > 0);
        let some = |it: &Vec<u32>| holder.part.is_some() || it.iter().any(|&it| it > 0);
        holder.nodes.contains(&node) && holder.amounts.as_ref().map_or_else(all, some)
    }

    fn devices_of(&self, node: usize) -> usize {
        self.devices.map_or(0, |(quantity, _)| self.has(node, quantity) as usize)
    }

    /// What is free on a node at all of these instants.
    fn throughout(&self, node: usize, instants: &[Vec<Holder>]) -> Free {
        let least = |one: &[u32], other: &[u32]| {
            one.iter().zip(other).map(|(one, other)| *one.min(other)).collect::<Vec<_>>()
        };
        let all = instants.iter().map(|holders| self.free(node, holders));
        let both = |one: Free, other: Free| Free {
            amounts: least(&one.amounts, &other.amounts),
            parts: least(&one.parts, &other.parts),
        };
        all.reduce(both).unwrap_or_else(|| self.free(node, &[]))
    }

    /// With which devices so much fits on a node at all of these instants.
    fn ways(&self, node: usize, wish: &Wish, each: &[u32], instants: &[Vec<Holder>]) -> Vec<usize> {
        let fits = |device: usize, holders: &[Holder]| {
            let free = self.free(node, holders);
            let here = holders.iter().any(|it| self.has_of(node, it));
            let beside = |quantity: usize| {
                let touches = self.devices.is_some_and(|(devices, parts)| {
                    devices == quantity && wish.part > 0 && free.parts[device] == parts
                });
                each.get(quantity).copied().unwrap_or(0).saturating_add(touches.into())
            };
            (0..8).all(|quantity| beside(quantity) <= free.amounts[quantity])
                && (wish.part == 0 || free.parts[device] >= wish.part)
                && !(wish.exclusive && here)
        };
        let devices = if wish.part > 0 { self.devices_of(node) } else { 1 };
        let free = |device: &usize| instants.iter().all(|holders| fits(*device, holders));
        (0..devices).filter(free).collect()
    }

    /// What is left of a node if so much is taken: the sum of shares of the most that a node has, a device in parts by what is
    /// left of it.
    fn left_over(&self, node: usize, wish: &Wish, each: &[u32], instants: &[Vec<Holder>]) -> u64 {
        let free = self.throughout(node, instants);
        let share = |quantity: usize| {
            let most = (0..self.nodes.len()).map(|node| self.has(node, quantity)).max();
            most.filter(|&most| most > 0).map_or(0, |most| (1 << 40) / u64::from(most))
        };
        let left = |quantity: usize| {
            let taken = each.get(quantity).copied().unwrap_or(0);
            share(quantity) * u64::from(free.amounts[quantity] - taken)
        };
        let whole: u64 = (0..8).map(left).sum();
        let Some((quantity, parts)) = self.devices else { return whole };
        let share = share(quantity) / u64::from(parts);
        let open =
            free.parts.iter().filter(|&&it| it < parts).map(|&it| u64::from(it)).sum::<u64>();
        (whole + share * open).saturating_sub(share * u64::from(wish.part))
    }

    /// By what wishes are told apart where room is kept for a quantity: of the others two digits in base 2, and the part of a device
    /// if these are the quantity.
    fn kind(&self, wish: &Wish, quantity: usize) -> ([u32; 8], u32) {
        let digits = |it: u32| 30u32.saturating_sub(it.leading_zeros());
        let amount = |at: usize| match wish.amounts.get(at).copied().unwrap_or(0) {
            it if at == quantity => it,
            it => it >> digits(it) << digits(it),
        };
        let counts = self.devices.is_some_and(|it| it.0 == quantity);
        (std::array::from_fn(amount), if counts { wish.part } else { 0 })
    }

    /// Whether room is kept for a wish that is not yet among these kinds: it takes of the quantity, unlike each of them.
    pub fn is_new_kind(&self, wish: &Wish, quantity: usize, kinds: &[Wish]) -> bool {
        let (amounts, part) = self.kind(wish, quantity);
        let is_new = kinds.iter().all(|it| self.kind(it, quantity) != (amounts, part));
        is_new && (amounts[quantity] > 0 || part > 0)
    }

    /// How much of a quantity could be used for kinds of requests on a node of which so much is free: for each kind alone what
    /// is on its devices, or free, where it fits, and no more than other quantities carry.
    fn worth(&self, free: &Free, quantity: usize, kinds: &[Wish]) -> u128 {
        let parts = self.devices.filter(|it| it.0 == quantity).map_or(0, |it| it.1);
        let unit = u128::from(parts.max(1));
        let of = |kind: &Wish| {
            let (amounts, part) = self.kind(kind, quantity);
            let (each, part) = (|at: usize| u128::from(amounts[at]), u128::from(part));
            let used = (each(quantity) * unit + part).min(u32::MAX.into());
            let open = free
                .parts
                .iter()
                .map(|&it| u128::from(it))
                .filter(|&it| part > 0 && it >= part && it > 0 && it < u128::from(parts));
            let usable = u128::from(free.amounts[quantity]) * unit + open.sum::<u128>();
            if (0..8).any(|at| each(at) > u128::from(free.amounts[at])) {
                return 0;
            }
            // A rate in 32 binary digits.
            let carried = |at: usize| {
                let mut rate = (used << 32).checked_div(each(at))?;
                let mut digits = 32;
                while rate >> 32 > 0 {
                    (rate, digits) = (rate >> 1, digits - 1);
                }
                Some((u128::from(free.amounts[at]) * rate) >> digits)
            };
            (0..8).filter_map(carried).fold(usable, u128::min)
        };
        kinds.iter().map(of).sum()
    }

    /// What a node loses by a wish, and what is left of it.
    fn loss(
        &self,
        node: usize,
        wish: &Wish,
        each: &[u32],
        device: usize,
        instants: &[Vec<Holder>],
        (quantity, kinds): (usize, &[Wish]),
    ) -> u64 {
        let before = self.throughout(node, instants);
        let mut after = before.clone();
        if wish.exclusive {
            after = Free { amounts: vec![0; 8], parts: vec![0; after.parts.len()] };
        } else {
            let taken = |at: usize| each.get(at).copied().unwrap_or(0);
            (0..8).for_each(|at| after.amounts[at] -= taken(at));
            if let Some((devices, parts)) = self.devices.filter(|_| wish.part > 0) {
                after.amounts[devices] -= u32::from(after.parts[device] == parts);
                after.parts[device] -= wish.part;
            }
        }
        let worth = |free| self.worth(free, quantity, kinds) as u64;
        let left = (self.left_over(node, wish, each, instants) >> 24).min((1 << 20) - 1);
        (worth(&before) - worth(&after)) << 20 | left
    }

    /// What a wish gets that is to be had at all of these instants.
    pub fn find(&self, wish: &Wish, rule: &Rule, instants: &[Vec<Holder>]) -> Option<Holder> {
        let enough = |holders: &Vec<Holder>| {
            (0..8).all(|at| {
                let held: u32 = holders.iter().filter_map(|it| it.common.get(at)).sum();
                let all = self.common.get(at).copied().unwrap_or(0);
                wish.common.get(at).copied().unwrap_or(0) <= all - held
            })
        };
        if !instants.iter().all(enough) {
            return None;
        }
        let counts: Vec<_> = match wish.tasks {
            false => vec![(wish.nodes.clone(), wish.amounts.clone())],
            true => {
                let all = *wish.nodes.end();
                let even = (1..=self.nodes.len()).filter(|nodes| all.is_multiple_of(*nodes));
                let each = |nodes: usize| -> Option<Vec<u32>> {
                    wish.amounts.iter().map(|it| it.checked_mul((all / nodes) as u32)).collect()
                };
                even.filter_map(|nodes| Some((nodes..=nodes, each(nodes)?))).collect()
            }
        };
        counts.into_iter().find_map(|(nodes, each)| {
            let mut fitting: Vec<(u64, usize, usize)> = vec![];
            for &node in &wish.allowed {
                let ways = self.ways(node, wish, &each, instants);
                let free = self.throughout(node, instants);
                let score = |device: usize| match rule {
                    Rule::First => (0, 0),
                    Rule::Best => (
                        self.left_over(node, wish, &each, instants),
                        free.parts.get(device).copied().unwrap_or(0),
                    ),
                    Rule::Fewest(quantity, kinds) => {
                        (self.loss(node, wish, &each, device, instants, (*quantity, kinds)), 0)
                    }
                };
                let way = ways.into_iter().min_by_key(|&device| score(device));
                fitting.extend(way.map(|device| (score(device).0, node, device)));
            }
            fitting.sort_unstable();
            if fitting.len() < *nodes.start() {
                return None;
            }
            fitting.truncate(*nodes.end());
            let part = (wish.part > 0).then(|| (wish.part, fitting[0].2));
            let mut nodes: Vec<usize> = fitting.into_iter().map(|it| it.1).collect();
            nodes.sort_unstable();
            let amounts = (!wish.exclusive).then_some(each);
            Some(Holder { nodes, amounts, part, common: wish.common.clone() })
        })
    }
}

/// A wish for the kernel.
pub fn request(wish: &Wish, sets: &'static [Word]) -> NodeRequest<'static> {
    let amounts = Amounts::of(&wish.amounts);
    let (least, most) = (*wish.nodes.start() as u32, *wish.nodes.end() as u32);
    let of = match (wish.tasks, wish.part) {
        (true, _) => NodeRequest::tasks(most, amounts),
        (false, 0) => NodeRequest::of(least, amounts).up_to(most),
        (false, part) => NodeRequest::part(part, amounts),
    };
    let of = of.with_common(Amounts::of(&wish.common)).among(sets);
    if wish.exclusive { of.exclusive() } else { of }
}

/// A place of the kernel.
pub fn place(holder: &Holder) -> NodePlace<1> {
    let nodes = || holder.nodes.iter().map(|&node| Node(node as u32));
    let place = match &holder.amounts {
        Some(amounts) => NodePlace::new(nodes(), Amounts::of(amounts)),
        None => NodePlace::whole(nodes()),
    };
    let (parts, device) = holder.part.unwrap_or((0, 0));
    place.with_part(parts, device as u32).with_common(Amounts::of(&holder.common))
}

/// A map of a machine in which these hold something.
pub fn map(machine: &Nodes<'_, 1>, holders: &[Holder]) -> Vec<u32> {
    let mut map = vec![u32::MAX; machine.words().map];
    machine.open(&mut map);
    holders.iter().for_each(|it| machine.take(&mut map, &place(it)));
    map
}

/// The kernel's machine, which has a class for each node.
///
/// # Panics
///
/// If the kernel refuses it.
pub fn machine(cluster: &Cluster, rule: &Rule) -> Nodes<'static, 1> {
    let classes: Vec<_> = cluster.nodes.iter().map(|it| Amounts::of(it)).collect();
    let class_of: Vec<u8> = (0..cluster.nodes.len() as u8).collect();
    let placement = match rule {
        Rule::First => Placement::First,
        Rule::Best => Placement::Best,
        Rule::Fewest(..) => Placement::Fewest,
    };
    let nodes = Nodes::new(classes.leak(), class_of.leak(), placement).expect("a small machine");
    let mut nodes = nodes.with_common(Amounts::of(&cluster.common));
    if let Some((quantity, parts)) = cluster.devices {
        nodes = nodes.with_parts(quantity, parts).expect("a few devices");
    }
    if let Rule::Fewest(quantity, kinds) = rule {
        nodes = nodes.keeping(*quantity);
        kinds.iter().for_each(|kind| nodes.learn(&request(kind, &[])));
    }
    nodes
}
