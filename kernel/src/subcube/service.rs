//! Which nodes are in service, and which of the others have failed.

use super::{InvariantViolation, NoSuchNode, Outage};
use crate::bits::{WORD_LOG2, Word, bit, fill, padding_is_clear, set_bit, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::invariant::ensure;

/// Two bit vectors over the nodes of a machine.
///
/// - `out` counts the nodes out of service.
/// - A failed node is out of service.
/// - Bits beyond the last node are clear, since searches fold whole words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    dims: Dim,
    pub(crate) out: u32,
    pub(crate) in_service: usize,
    failed: usize,
}

impl Service {
    /// Words for an n-cube.
    pub(crate) const fn words(dims: Dim) -> usize {
        2 * words_for(dims.nodes() as usize)
    }

    /// In the words from `start` on, which are as [`Service::serve_all`] leaves them.
    pub(crate) const fn new(dims: Dim, start: usize) -> Self {
        let failed = start + words_for(dims.nodes() as usize);
        Self { dims, out: 0, in_service: start, failed }
    }

    /// Puts all nodes of zeroed words in service.
    pub(crate) const fn serve_all(&self, words: &mut [Word]) {
        fill(words, self.in_service << WORD_LOG2, self.dims.nodes() as usize, true);
    }

    /// The word after its last.
    pub(crate) const fn end(&self) -> usize {
        self.in_service + Self::words(self.dims)
    }

    /// Names the first of `nodes` that lies outside the machine.
    pub(crate) fn check_nodes(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let stranger = nodes.iter().find(|node| node.0 >= self.dims.nodes());
        stranger.map_or(Ok(()), |&stranger| Err(NoSuchNode(stranger)))
    }

    pub(crate) fn serves(&self, words: &[Word], node: Node) -> bool {
        bit(words, self.in_service, node.0)
    }

    /// Visits the nodes of `cube` that are out of service.
    pub(crate) fn visit_out(
        &self,
        words: &mut [Word],
        cube: &Subcube,
        visit: &mut dyn FnMut(&mut [Word], Node),
    ) {
        if self.out > 0 {
            cube.visit_marked(words, self.in_service, Word::MAX, visit);
        }
    }

    /// Why `node` is out of service; `None` if it serves.
    pub(crate) fn outage(&self, words: &[Word], node: Node) -> Option<Outage> {
        match (self.serves(words, node), bit(words, self.failed, node.0)) {
            (true, _) => None,
            (false, true) => Some(Outage::Failed),
            (false, false) => Some(Outage::Drained),
        }
    }

    /// Takes `node` out of service, or puts it back into it; whether it was otherwise until now.
    pub(crate) fn change(&mut self, words: &mut [Word], node: Node, to: Option<Outage>) -> bool {
        // A failed node stays failed if it is drained.
        if to != Some(Outage::Drained) {
            set_bit(words, self.failed, node.0, to.is_some());
        }
        if self.serves(words, node) == to.is_none() {
            return false;
        }
        set_bit(words, self.in_service, node.0, to.is_none());
        self.out = match to {
            Some(_) => self.out.wrapping_add(1),
            None => self.out.wrapping_sub(1),
        };
        true
    }

    pub(crate) fn check(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let mut out = 0u32;
        for node in (0..self.dims.nodes()).map(Node) {
            let serves = self.serves(words, node);
            let failed = bit(words, self.failed, node.0);
            ensure(!(serves && failed), "a failed node is out of service")?;
            out = out.wrapping_add(u32::from(!serves));
        }
        let in_service = words.get(self.in_service..).unwrap_or_default();
        let clear = padding_is_clear(in_service, self.dims.nodes() as usize);
        ensure(clear, "what is no node does no service")?;
        ensure(out == self.out, "the count of nodes out of service")
    }
}
