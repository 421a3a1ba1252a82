//! Numbers taken apart into smaller ones, and how often each kind of command is drawn.

/// A number taken apart, as digits to changing bases. Spent, it gives zeros.
pub(crate) struct Digits(pub(crate) u64);

impl Digits {
    /// The next digit to base `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let digit = self.0 % bound;
        self.0 /= bound;
        digit
    }

    /// Whether a coin with `sides` sides falls on its last.
    pub(crate) fn one_in(&mut self, sides: u64) -> bool {
        self.below(sides) == sides - 1
    }

    /// A place in `weights`, each as often as its weight says.
    pub(crate) fn weighted(&mut self, weights: &[u8]) -> u8 {
        let mut at = self.below(weights.iter().map(|&weight| u64::from(weight)).sum());
        let here = weights.iter().position(|&weight| {
            let here = at < u64::from(weight);
            at = at.wrapping_sub(u64::from(weight));
            here
        });
        here.unwrap_or(0) as u8
    }

    pub(crate) fn pick(&mut self) -> usize {
        self.below(1 << 16) as usize
    }
}

/// Any bytes as numbers, eight bytes each; what is left over is left out.
pub fn numbers(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|&number| u64::from_le_bytes(number)).collect()
}

/// After which of its commands a run looks at the whole state, not at the answer alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Looks {
    /// After each: for states that are small.
    Always,
    /// After one in so many, which the commands' own numbers choose, and after the last.
    OneIn(u64),
}

impl Looks {
    /// Takes a step for each number, with whether a look belongs to it.
    pub(crate) fn steps<E>(
        self,
        numbers: &[u64],
        mut step: impl FnMut(u64, bool) -> Result<(), E>,
    ) -> Result<(), E> {
        let mixed = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let looks = |at: usize, number: u64| match self {
            Self::OneIn(count) if at + 1 < numbers.len() => mixed(number) % count == 0,
            _ => true,
        };
        let mut numbered = numbers.iter().enumerate();
        numbered.try_for_each(|(at, &number)| step(number, looks(at, number)))
    }
}

/// How often commands of each kind are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights<const KINDS: usize>([u8; KINDS]);

impl<const KINDS: usize> Weights<KINDS> {
    /// One weight a kind of command, in their order.
    pub const fn new(weights: [u8; KINDS]) -> Self {
        Self(weights)
    }

    /// The mixture with some kinds left out, another choice for each number: a defect that needs
    /// many releases, or no repair at all, is found sooner that way. The first kind stays.
    pub fn swarm(mut self, number: u32) -> Self {
        for (kind, weight) in self.0.iter_mut().enumerate().skip(1) {
            *weight *= u8::from(number.rotate_right(kind as u32) & 1 == 0);
        }
        self
    }

    /// The kind that the next digit stands for.
    pub(crate) fn kind(&self, digits: &mut Digits) -> usize {
        digits.weighted(&self.0).into()
    }
}
