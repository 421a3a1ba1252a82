//! What an owner does, and what the system's load average makes of it.

use super::{BadPool, Lengths};
use crate::streams::Stream;
use locox::node::OwnerRule;

/// An owner who is at the station for a while, now and then, and works in short bursts.
///
/// The source says what a detector made of its owners, not what these did: the lengths are the
/// caller's choice.
#[derive(Clone, Debug)]
pub struct Activity {
    /// How long the owner stays.
    pub presence: Lengths,
    /// How long the owner is away.
    pub absence: Lengths,
    /// From the end of one burst to the begin of the next while the owner is there.
    pub pause: Lengths,
    /// Processor time of a burst.
    pub burst: Lengths,
    /// Processor time to draw all windows anew when a screen saver goes; zero without one. The
    /// saver comes when the station becomes available.
    pub redraw: f64,
    /// How the station is watched; ticks are seconds.
    pub rule: OwnerRule,
}

/// Seconds in which the system's load average forgets all but 1/e.
pub const MEMORY: f64 = 60.0;

impl Activity {
    /// Owners who type something every half minute on average, with a redraw of two seconds, which
    /// lifts the load average to 3 %; lengths of stays and absences as given.
    pub fn office(presence: Lengths, absence: Lengths, rule: OwnerRule) -> Self {
        Self {
            presence,
            absence,
            pause: Lengths::Exponential(30.0),
            burst: Lengths::Exponential(1.0),
            redraw: 2.0,
            rule,
        }
    }

    pub(super) fn check(&self) -> Result<(), BadPool> {
        self.presence.check("presence")?;
        self.absence.check("absence")?;
        self.pause.check("pause")?;
        self.burst.check("burst")?;
        let zero = |parameter| Err(BadPool::NotPositive { parameter });
        match (self.redraw >= 0.0, &self.rule) {
            (false, _) => zero("redraw"),
            (_, rule) if rule.sample_present.ticks() == 0 => zero("sample_present"),
            (_, rule) if rule.sample_away.ticks() == 0 => zero("sample_away"),
            _ => Ok(()),
        }
    }

    /// Begin and processor time of each burst, in seconds, one after the other. The owner comes at
    /// the begin of the first.
    pub(super) fn bursts(&self, mut random: Stream) -> impl Iterator<Item = (f64, f64)> + '_ {
        let (mut at, mut leaves) = (0.0, 0.0);
        std::iter::repeat_with(move || {
            if at >= leaves {
                at = leaves + self.absence.sample(&mut random);
                leaves = at + self.presence.sample(&mut random);
            }
            let burst = (at, self.burst.sample(&mut random));
            at += burst.1 + self.pause.sample(&mut random);
            burst
        })
    }
}

/// The decaying average of a processor's use, as Unix computes it: while the processor is used
/// it tends to 1, else to 0, by 1/e in each [`MEMORY`].
#[derive(Clone, Copy, Debug)]
pub struct LoadAverage {
    value: f64,
    at: f64,
}

impl LoadAverage {
    /// An idle processor at time 0.
    pub const IDLE: Self = Self { value: 0.0, at: 0.0 };

    /// The average at `time` if the processor is used, or not, since the last call; as it stands if
    /// that was for a later time.
    pub fn advance(&mut self, time: f64, used: bool) -> f64 {
        if time <= self.at {
            return self.value;
        }
        let target = f64::from(u8::from(used));
        self.value = target + (self.value - target) * (-(time - self.at) / MEMORY).exp();
        self.at = time;
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_rises_and_decays_exponentially() {
        let mut load = LoadAverage::IDLE;
        assert!((load.advance(60.0, true) - (1.0 - (-1.0f64).exp())).abs() < 1e-12);
        let high = load.advance(60.0, true);
        let low = load.advance(180.0, false);
        assert!((low - high * (-2.0f64).exp()).abs() < 1e-12);
        assert_eq!(load.advance(100.0, true), low, "the past is past");
    }
}
