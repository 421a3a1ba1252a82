//! One host's processor.

/// How long a process has the processor before another one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quanta {
    /// At the upper level.
    pub high: u64,
    /// At those below.
    pub low: u64,
}

/// Who has the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Round robin with multilevel feedback: the more urgent first, but nobody is taken off before
    /// his quantum ends.
    NonPreemptive {
        /// Lower levels may have longer ones.
        quanta: Quanta,
        /// After how many quanta without a wait a process sinks to the level below the first, until it
        /// waits. `None` if levels do not drift.
        sinks_after: Option<u64>,
    },
    /// Fixed priorities: the more urgent one takes the processor at once.
    Preemptive {
        /// Quantum among equals; `None` for first in, first out.
        round_robin: Option<u64>,
    },
}

impl Kernel {
    /// Whether the more urgent process takes the processor at once.
    pub const fn is_preemptive(&self) -> bool {
        matches!(self, Self::Preemptive { .. })
    }
}

/// Time in which a processor changes from one process to another: assumed.
const SWITCH: u64 = 10;

/// The level to which a process sinks.
const SUNK: u8 = 1;

/// A process as its processor sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    /// Its level by request.
    pub(super) base: u8,
    level: u8,
    /// What it has to compute until it waits.
    pub(super) left: f64,
    /// What it computed since it last waited.
    burst: f64,
    /// What it computed in all.
    pub(super) done: f64,
    /// Its turn among equals.
    turn: u64,
}

impl Process {
    pub(super) const fn new(base: u8) -> Self {
        Self { base, level: base, left: 0.0, burst: 0.0, done: 0.0, turn: 0 }
    }

    /// Moves it to another level.
    pub(super) const fn set_base(&mut self, base: u8) {
        (self.base, self.level) = (base, base);
    }
}

/// A processor: who has it and who wants it, by the numbers of processes.
#[derive(Clone, Debug, Default)]
pub(super) struct Cpu {
    ready: Vec<usize>,
    pub(super) current: Option<usize>,
    last: Option<usize>,
    /// From when on the current one computes, as far as is accounted for.
    from: u64,
    /// When its quantum began.
    quantum_from: u64,
    turns: u64,
    /// Counts plans; an event of an older one is void.
    pub(super) plan: u64,
}

impl Cpu {
    /// Accounts for what the current process computed; returns from when to when.
    pub(super) fn account(
        &mut self,
        now: u64,
        kernel: &Kernel,
        processes: &mut [Process],
    ) -> Option<(usize, u64, u64)> {
        let current = self.current?;
        let from = self.from;
        if now <= from {
            return None;
        }
        let process = &mut processes[current];
        let used = ((now - from) as f64).min(process.left);
        process.left -= used;
        process.burst += used;
        process.done += used;
        // What is less than a tick is no work.
        if process.left < 0.5 {
            process.left = 0.0;
        }
        if let Kernel::NonPreemptive { quanta, sinks_after: Some(quanta_used) } = kernel
            && process.burst >= (quanta_used * quanta.high) as f64
        {
            process.level = process.level.max(SUNK);
        }
        self.from = now;
        Some((current, from, now))
    }

    /// The current process waits.
    pub(super) fn block(&mut self, processes: &mut [Process]) {
        if let Some(current) = self.current.take() {
            let process = &mut processes[current];
            (process.burst, process.level) = (0.0, process.base);
        }
    }

    /// A process wants the processor no more, whether it had it or not.
    pub(super) fn withdraw(&mut self, process: usize, processes: &mut [Process]) {
        if self.current == Some(process) {
            self.block(processes);
        }
        self.ready.retain(|&it| it != process);
    }

    /// A process wants the processor.
    pub(super) fn want(&mut self, process: usize, processes: &mut [Process]) {
        self.turns += 1;
        processes[process].turn = self.turns;
        self.ready.push(process);
    }

    fn best(&self, processes: &[Process]) -> Option<usize> {
        let key = |&at: &usize| (processes[self.ready[at]].level, processes[self.ready[at]].turn);
        (0..self.ready.len()).min_by_key(key)
    }

    fn quantum(&self, kernel: &Kernel, level: u8) -> Option<u64> {
        match kernel {
            Kernel::NonPreemptive { quanta, .. } => {
                Some(if level == 0 { quanta.high } else { quanta.low })
            }
            Kernel::Preemptive { round_robin } => *round_robin,
        }
    }

    /// Gives the processor to whom it is due, and says when to look again.
    pub(super) fn decide(
        &mut self,
        now: u64,
        kernel: &Kernel,
        processes: &mut [Process],
    ) -> Option<u64> {
        if let (Some(current), Some(best)) = (self.current, self.best(processes)) {
            let (mine, other) = (processes[current].level, processes[self.ready[best]].level);
            let used = now - self.quantum_from.min(now);
            let quantum = self.quantum(kernel, mine);
            let at_end = quantum.is_some_and(|quantum| used > 0 && used.is_multiple_of(quantum));
            if kernel.is_preemptive() && other < mine {
                // It goes on as the first of its level.
                self.ready.push(current);
                self.current = None;
            } else if at_end && other <= mine {
                self.want(current, processes);
                self.current = None;
            }
        }
        if self.current.is_none()
            && let Some(best) = self.best(processes)
        {
            let next = self.ready.swap_remove(best);
            self.current = Some(next);
            let switch = if self.last == Some(next) { 0 } else { SWITCH };
            self.last = Some(next);
            self.quantum_from = now;
            self.from = now + switch;
        }
        self.plan += 1;
        let current = self.current?;
        let done = self.from + processes[current].left.ceil() as u64;
        if self.ready.is_empty() {
            return Some(done);
        }
        let level = processes[current].level;
        let ends = self.quantum(kernel, level).map(|quantum| {
            let passed = (now - self.quantum_from.min(now)) / quantum;
            self.quantum_from + (passed + 1) * quantum
        });
        Some(ends.map_or(done, |ends| done.min(ends)))
    }
}
