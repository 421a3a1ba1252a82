//! Machines: each is a workstation or a processor of the bank, a host that is shared, nodes of a cube, PEs of a
//! timeline, a node of the manager's cluster and a machine of the site, all at once.

/// How many there are.
pub(crate) const MACHINES: usize = 16;

/// Until when each machine has no power; `None` if it has.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    down: [Option<u64>; MACHINES],
}

impl Machines {
    pub(crate) fn is_up(&self, machine: usize) -> bool {
        self.down[machine].is_none()
    }

    /// Has a machine be without power until then at least; when it is back, if nothing else happens.
    pub(crate) fn fail(&mut self, machine: usize, until: u64) -> u64 {
        let until = self.down[machine].unwrap_or(0).max(until);
        self.down[machine] = Some(until);
        until
    }

    /// When a machine comes back; `None` if it has power.
    pub(crate) fn down_until(&self, machine: usize) -> Option<u64> {
        self.down[machine]
    }

    /// The power of a machine is there.
    pub(crate) fn comes_back(&mut self, machine: usize) {
        self.down[machine] = None;
    }
}
