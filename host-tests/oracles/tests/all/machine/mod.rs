//! Machines: the law that halving relies on, what is found against all places that there are, timetables tick by tick, who
//! makes room against all sets of holders, and who moves against all sequences of moves.

mod law;
mod moves;
mod node_pool;
mod nodes;
mod room;
mod timetables;

/// Numbers from a seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) % end
    }
}
