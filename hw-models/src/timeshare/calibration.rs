//! Which figures of the source were printed, and what was fitted to them.
//!
//! Printed times alone, in seconds: version 1 of the barrier program 31.4 on 6 hosts; version 2 37.7
//! on 5 (38.3 on the preemptive kernel); EP 33.9 on 5 (31.5). Version 3 takes longer on 6 hosts than
//! on 5. Printed are also phases and work of a phase of each version. Everything else here is
//! fitted to these, or assumed where they say nothing:
//!
//! | figure | is | because |
//! |---|---|---|
//! | work of versions 2 and 3 on one host | fitted, 130 s | with it version 3 takes longer on 6 hosts than on 5, and EP, of about the same work, has at most a linear speed-up |
//! | delay of a phase on P hosts | fitted, 0.64 ms + 2.18 ms (P - 1) | the two times of versions 1 and 2 under that work |
//! | more of it for each message on the preemptive kernel | fitted, 0.12 ms | the second time of version 2 |
//! | time that EP takes to share out its work, in which it does not compute | fitted, 7.9 s and 5.5 s | its two times |
//! | when EP shares it out | assumed, 2 s after its start | the source says: after an initial computation |
//! | that a message is handled by the process of the barrier, but for 0.1 ms | assumed | the source draws that processor as hardly ever idle |
//! | when a barrier program begins to compute | assumed, at once | the source names a set-up, and no time of it |
//! | work of a daemon with a message, if messages are not routed directly | fitted, 0.74 ms | version 1 then takes 34.4 s on 6 hosts |
//! | quantum | assumed, 1/1024 s | one tick of the clock of those machines; the source gives none |
//! | when a process sinks a level | assumed, after 32 ticks without a wait | programs that never wait are shared out equally by that kernel, those that wait every 30 ms are not |
//! | switch of processes | assumed, 10 us | |
//!
//! The work cannot be told from the printed times alone: exactly equal work of versions 1 and 2
//! gives 164 s with a delay that grows as P - 1, the printed one (version 1 has 0.7 % more) gives
//! 58 s. At 164 s version 3 would fall from 5 to 6 hosts unless the delay grew faster than linearly;
//! at 130 s it rises, and the delay need not.

use super::cpu::{Kernel, Quanta};
use super::program::{Daemon, Network, Priority, Program};

/// Iterations of a phase and phases of versions 1 to 3, as printed.
pub const VERSIONS: [(f64, u32); 3] = [(1_350_000.0, 830), (890_000.0, 1250), (445_000.0, 2500)];

/// Work of versions 2 and 3 on one host, in seconds: fitted.
pub const WORK: f64 = 130.0;

/// Work of an iteration, in microseconds.
const ITERATION: f64 = WORK * 1e6 / (445_000.0 * 2500.0);

/// A tick of the clock: assumed.
pub const QUANTUM: u64 = 977;

/// Times alone that are printed: program, hosts, seconds.
pub const PRINTED: [(&str, bool, usize, f64); 5] = [
    ("v1", false, 6, 31.4),
    ("v2", false, 5, 37.7),
    ("v2", true, 5, 38.3),
    ("EP", false, 5, 33.9),
    ("EP", true, 5, 31.5),
];

/// A version of the barrier program: 1 to 3; another number means 3.
pub fn barrier(version: usize) -> Program {
    let (iterations, phases) = VERSIONS[version.clamp(1, 3) - 1];
    Program::Barrier { work: iterations * ITERATION, phases, setup: 0 }
}

/// When EP shares its work out, in seconds after its start: assumed.
pub const BALANCE: f64 = 2.0;

/// The program EP.
pub fn ep(kernel: &Kernel) -> Program {
    ep_of(kernel, WORK, BALANCE)
}

/// The same, if its work and the time when it shares this out were others: its times alone on 5 hosts
/// stay as printed.
pub fn ep_of(kernel: &Kernel, work: f64, balance: f64) -> Program {
    let (_, _, hosts, alone) = PRINTED[if kernel.is_preemptive() { 4 } else { 3 }];
    let sharing = super::seconds((alone - work / hosts as f64).max(0.0));
    Program::Ep { work: work * 1e6, balance: super::seconds(balance), sharing }
}

/// Round robin with multilevel feedback, no process ever taken off before its quantum ends.
pub fn non_preemptive() -> Kernel {
    Kernel::NonPreemptive { quanta: Quanta { high: QUANTUM, low: QUANTUM }, sinks_after: Some(32) }
}

/// Fixed priorities, first in first out.
pub fn preemptive() -> Kernel {
    Kernel::Preemptive { round_robin: None }
}

/// The network under a kernel.
pub fn network(kernel: &Kernel) -> Network {
    let handling = if kernel.is_preemptive() { 2_200.0 } else { 2_080.0 };
    Network { latency: 320, wait: 100, handling, growth: 0.0, loss: None, daemon: None }
}

/// Work of a daemon with a message, in microseconds: fitted.
pub const RELAY: f64 = 740.0;

/// The network under a kernel if each message is handed on by a daemon of this priority: each job's own,
/// or one that jobs share.
pub fn relayed(kernel: &Kernel, priority: Priority, shared: bool) -> Network {
    Network { daemon: Some(Daemon { priority, work: RELAY, shared }), ..network(kernel) }
}
