//! Operations on a pool of meshes, written down without knowledge of its state.

use crate::digits::Digits;
use crate::subcube::Pick;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Shape};
use locox::subcube::Outage;

/// An operation, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks whether a mesh would be granted, and for it.
    Allocate(Shape),
    /// Asks for this very mesh, which may lie in a larger machine.
    Claim(Embedding),
    /// Writes an image, and goes on from it in another epoch.
    Restart,
    /// Gives a lease back; nothing happens if there is none to pick.
    Release(Pick),
    /// Takes nodes out of service.
    Withdraw(Vec<Node>, Outage),
    /// Puts nodes back into service.
    Repair(Vec<Node>),
}

/// A mixture in which the machine fills up, fails now and then, and is misused sometimes.
pub const EVEN: Weights = Weights::new([10, 8, 1, 1, 1, 1, 2, 2, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<9>;

impl Command {
    /// The command for a machine of n dimensions that `number` stands for.
    pub fn decode(dims: Dim, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => Self::Allocate(shape(&mut digits, dims)),
            1 => Self::Release(Pick::Live(digits.pick())),
            2 => Self::Release(Pick::Gone(digits.pick())),
            3 => Self::Release(Pick::Foreign(digits.pick())),
            4 => Self::Withdraw(digits.nodes(dims), Outage::Failed),
            5 => Self::Withdraw(digits.nodes(dims), Outage::Drained),
            6 => Self::Repair(digits.nodes(dims)),
            7 => Self::Claim(embedding(&mut digits, dims)),
            _ => Self::Restart,
        }
    }
}

/// A mesh whose subcube has at most one dimension more than the machine.
fn shape(digits: &mut Digits, dims: Dim) -> Shape {
    let most = u64::from(dims.nodes());
    let [x, y] = [(); 2].map(|()| digits.below(most) as u32 + 1);
    let z = if digits.one_in(5) { digits.below(3) as u32 + 2 } else { 1 };
    let shrunk = [[x, y, z], [x, y, 1], [x, y.div_ceil(x), 1], [x, 1, 1]];
    let shapes = shrunk.into_iter().filter_map(|sides| Shape::try_from(sides).ok());
    let small = |shape: &Shape| shape.dim().get() <= dims.get() + 1;
    shapes.into_iter().find(small).expect("a line of at most all nodes is small")
}

/// A mesh in some subcube of the machine, or of one that has a dimension more if it needs that.
fn embedding(digits: &mut Digits, dims: Dim) -> Embedding {
    let shape = shape(digits, dims);
    let dims = dims.max(shape.dim());
    let base = Node(digits.below(dims.nodes().into()) as u32);
    // The run of ones, turned, may still have a gap made by the turn.
    let (ones, turn) = (shape.dim().nodes() - 1, digits.below(u64::from(dims.get()).max(1)) as u32);
    let wide = u64::from(ones) << turn;
    let mask = (wide | wide >> dims.get()) as u32 & (dims.nodes() - 1);
    Subcube::new(dims, base, mask).and_then(|cube| Embedding::new(cube, shape)).expect("it fits")
}
