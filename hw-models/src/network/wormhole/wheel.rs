//! What is on its way for a few cycles.

use std::mem;

/// Things by the cycle in which they arrive.
///
/// - Nothing is on its way for more cycles than there are slots, and whoever takes comes in every
///   cycle in which something arrives: so a slot holds what arrives in one cycle.
pub(super) struct Wheel<T> {
    slots: Vec<Vec<T>>,
    spare: Vec<T>,
}

impl<T> Wheel<T> {
    /// For things that take at most `longest` cycles.
    pub(super) fn new(longest: u64) -> Self {
        let slots = (longest as usize + 1).next_power_of_two();
        Self { slots: (0..slots).map(|_| Vec::new()).collect(), spare: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.iter().all(Vec::is_empty)
    }

    pub(super) fn put(&mut self, due: u64, thing: T) {
        self.slot(due).push(thing);
    }

    /// All that arrive now, in the order in which they were put in.
    pub(super) fn take(&mut self, now: u64) -> Vec<T> {
        let spare = mem::take(&mut self.spare);
        mem::replace(self.slot(now), spare)
    }

    /// The memory of what was taken will be used again.
    pub(super) fn give_back(&mut self, taken: Vec<T>) {
        debug_assert!(taken.is_empty());
        self.spare = taken;
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().flatten()
    }

    fn slot(&mut self, cycle: u64) -> &mut Vec<T> {
        let last = self.slots.len() - 1;
        &mut self.slots[cycle as usize & last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_arrive_in_their_cycle_in_the_order_in_which_they_were_put_in() {
        let mut wheel = Wheel::new(3);
        for (due, thing) in [(8, 'a'), (10, 'b'), (8, 'c'), (9, 'd')] {
            wheel.put(due, thing);
        }
        let mut seen = Vec::new();
        for now in 8..14 {
            let mut taken = wheel.take(now);
            seen.extend(taken.drain(..).map(|thing| (now, thing)));
            wheel.give_back(taken);
            if now == 9 {
                wheel.put(12, 'e');
            }
        }
        assert_eq!(seen, [(8, 'a'), (8, 'c'), (9, 'd'), (10, 'b'), (12, 'e')]);
        assert!(wheel.is_empty());
    }
}
