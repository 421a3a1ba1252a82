//! What the source computes by hand: run times of the barrier program, in whatever unit of time.
//!
//! Source: Turner's thesis (1995), section 5.3.

/// What the equations are about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrier {
    /// Start.
    pub start: f64,
    /// Phases.
    pub phases: f64,
    /// Computation of a process in a phase.
    pub compute: f64,
    /// Delay of messages in a phase.
    pub delay: f64,
}

impl Barrier {
    /// Alone (5.1), and so above others under preemption.
    pub fn alone(&self) -> f64 {
        self.start + self.phases * (self.compute + self.delay)
    }

    /// Beside EP at the same level (5.2); `extra` until it gets the processor back.
    pub fn beside_equal(&self, extra: f64) -> f64 {
        2.0 * self.start + self.phases * (2.0 * self.compute + self.delay + extra)
    }

    /// Beside EP at the same level, where the process of the barrier hardly waits (5.3).
    pub fn doubled(&self) -> f64 {
        2.0 * (self.start + self.phases * self.compute)
    }

    /// Above EP without preemption (5.4); `extra` until it gets the processor back.
    pub fn above(&self, extra: f64) -> f64 {
        self.start + self.phases * (self.compute + self.delay + extra)
    }

    /// Above another barrier program without preemption, if both barriers share one of so many
    /// processors (5.5), which the other one has for a quantum with each message.
    pub fn above_barrier(&self, hosts: f64, quantum: f64) -> f64 {
        self.start + self.phases * (self.compute + (hosts - 1.0) * quantum)
    }
}
