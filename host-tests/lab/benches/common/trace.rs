//! The recorded traces of operations that every allocator of the benchmarks runs.

use locox_models::streams::stream;
use rand::RngExt;

/// One operation. Sizes are log2 of the nodes; a release names a live grant by its place in a
/// list from which released ones are swapped out.
#[derive(Clone, Copy)]
pub(crate) enum Op {
    Allocate(u8),
    Release(usize),
}

/// Operations on 2^`dims` nodes, of which at most `percent` per cent are in use: sizes 2^0 to 2^7
/// with equal chances, allocate and release with equal chances where both are possible.
pub(crate) fn trace(dims: u8, percent: u64, count: usize) -> Vec<Op> {
    let mut random = stream(1, "operations", 0);
    let most = (1u64 << dims) * percent / 100;
    let (mut used, mut live, mut ops) = (0, Vec::new(), Vec::new());
    while ops.len() < count {
        let size: u8 = random.random_range(0..8);
        if used + (1 << size) <= most && (live.is_empty() || random.random()) {
            used += 1 << size;
            live.push(size);
            ops.push(Op::Allocate(size));
        } else if !live.is_empty() {
            let at = random.random_range(0..live.len());
            used -= 1u64 << live.swap_remove(at);
            ops.push(Op::Release(at));
        }
    }
    ops
}
