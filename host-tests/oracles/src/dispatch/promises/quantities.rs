//! Nodes with quantities: what is free of them as one number.

use super::ground::Nodes;
use locox::cube::Node;
use locox::machine::Machine;
use locox::nodes::{self, Amounts, NodePlace, NodeRequest, Placement};

/// Two unlike nodes: cores, and devices of two parts on the first; and a licence for both.
///
/// The number has a digit for each count: the cores of both nodes, the devices of the first that can be had as a whole, what is
/// free of each of them, and the licence.
pub struct Quantities(pub Placement);

/// How many values each digit has.
const RADIX: [u64; 6] = [4, 3, 3, 3, 3, 2];
const CORES: [usize; 2] = [0, 1];
const WHOLE: usize = 2;
const DEVICES: [usize; 2] = [3, 4];
const LICENCE: usize = 5;
/// All of a device.
const PARTS: u64 = 2;

type Counts = [u64; 6];

fn counts(mut number: u64) -> Counts {
    RADIX.map(|radix| {
        let digit = number % radix;
        number /= radix;
        digit
    })
}

fn number(counts: Counts) -> u64 {
    counts.iter().zip(RADIX).rev().fold(0, |number, (digit, radix)| number * radix + digit)
}

/// A device of which nobody has a part cannot be had where all are held.
fn settled(mut counts: Counts) -> Counts {
    for device in DEVICES {
        if counts[WHOLE] == 0 && counts[device] == PARTS {
            counts[device] = 0;
        }
    }
    counts
}

impl Nodes for Quantities {
    type Machine = nodes::Nodes<'static, 1>;

    fn machine(&self) -> Self::Machine {
        let classes = vec![Amounts::of(&[3, 2]), Amounts::of(&[2])].leak();
        let machine = nodes::Nodes::new(classes, &[0, 1], self.0).expect("two nodes");
        let machine = machine.with_common(Amounts::of(&[1]));
        machine.with_parts(1, PARTS as u32).expect("two devices")
    }

    fn nodes(&self) -> u32 {
        5
    }

    fn requests(&self) -> Vec<NodeRequest<'static>> {
        let of = |nodes, amounts: &[u32]| NodeRequest::of(nodes, Amounts::of(amounts));
        vec![
            of(1, &[1]),
            of(1, &[2]),
            of(1, &[1, 1]),
            NodeRequest::part(1, Amounts::of(&[1])),
            of(1, &[1]).exclusive(),
            of(1, &[1]).up_to(2),
            of(2, &[2]),
            NodeRequest::tasks(4, Amounts::of(&[1])).with_common(Amounts::of(&[1])),
            of(1, &[1]).in_classes(0b10),
            of(1, &[3, 2]),
            of(3, &[1]),
        ]
    }

    fn all(&self) -> u64 {
        number(RADIX.map(|radix| radix - 1))
    }

    fn of(&self, place: &NodePlace<1>) -> u64 {
        let mut taken = [0; 6];
        for Node(node) in place.nodes() {
            let Some(amounts) = place.amounts() else {
                // Everything is more than there may be: see `without`.
                let all = RADIX.map(|radix| radix - 1);
                let digits = if node == 0 { &[0, 2, 3, 4][..] } else { &[1] };
                digits.iter().for_each(|&digit| taken[digit] = all[digit]);
                continue;
            };
            taken[CORES[node as usize]] = amounts.get(0).into();
            if node == 0 {
                taken[WHOLE] = amounts.get(1).into();
            }
            if let Some((parts, device)) = place.part() {
                taken[DEVICES[device as usize]] = parts.into();
            }
        }
        taken[LICENCE] = place.common().get(0).into();
        number(taken)
    }

    fn without(&self, free: u64, taken: u64) -> u64 {
        let (mut free, taken) = (counts(free), counts(taken));
        for device in DEVICES {
            let opened = taken[device] > 0 && free[device] == PARTS;
            free[WHOLE] = free[WHOLE].saturating_sub(opened.into());
        }
        for (free, taken) in free.iter_mut().zip(taken) {
            *free = free.saturating_sub(taken);
        }
        number(free)
    }

    fn both(&self, one: u64, other: u64) -> u64 {
        let (mut one, other) = (settled(counts(one)), settled(counts(other)));
        for (one, other) in one.iter_mut().zip(other) {
            *one = other.min(*one);
        }
        number(one)
    }

    fn has(&self, free: u64, of: u64) -> bool {
        let (free, of) = (counts(free), counts(of));
        // A part of a device that nobody has any of needs one that can be had; who has the whole node has them all.
        let whole = of[WHOLE] == PARTS;
        let opens = DEVICES.iter().any(|&it| of[it] > 0 && free[it] == PARTS && !whole);
        let needed = of[WHOLE] + u64::from(opens);
        free[WHOLE] >= needed && free.iter().zip(of).all(|(free, of)| *free >= of)
    }

    fn choices(&self, of: &NodeRequest<'static>) -> Vec<u64> {
        let at = self.requests().iter().position(|it| it == of).expect("one of the requests");
        let cores = |one, two| [one, two, 0, 0, 0, 0];
        let choices: Vec<Counts> = match at {
            0 => vec![cores(1, 0), cores(0, 1)],
            1 => vec![cores(2, 0), cores(0, 2)],
            2 => vec![[1, 0, 1, 0, 0, 0]],
            3 => vec![[1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 0]],
            4 => vec![[3, 0, 2, 2, 2, 0], cores(0, 2)],
            5 => vec![cores(1, 0), cores(0, 1), cores(1, 1)],
            6 => vec![cores(2, 2)],
            7 => vec![[2, 2, 0, 0, 0, 1]],
            8 => vec![cores(0, 1)],
            9 => vec![[3, 0, 2, 0, 0, 0]],
            _ => vec![],
        };
        choices.into_iter().map(number).collect()
    }

    fn fits(&self, free: u64, of: &NodeRequest<'static>) -> bool {
        self.choices(of).iter().any(|&it| self.has(free, it))
    }

    fn find(&self, free: u64, of: &NodeRequest<'static>) -> Option<NodePlace<1>> {
        let machine = self.machine();
        let free = counts(free);
        // By nodes: cores, devices as a whole, parts of each; then what they have in common.
        let map = [free[0], free[2], free[3], free[4], free[1], 0, 0, 0, free[5]];
        let map = map.map(|it| it as u32);
        machine.find(&map, of, &mut vec![0; machine.words().room])
    }
}
