//! What worlds met: counts, summed over all of them.

use crate::time::YEAR;
use std::fmt;

macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// Counts of one world or of several.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Figures {
            $($(#[$doc])* pub $name: u64,)+
        }

        impl Figures {
            /// Adds those of another world.
            pub fn add(&mut self, other: &Self) {
                $(self.$name += other.$name;)+
            }
        }
    };
}

figures! {
    /// Worlds.
    worlds,
    /// Simulated milliseconds.
    time,
    /// Jobs, leases and reservations that were asked for.
    jobs,
    /// Commands that coordinators took.
    commands,
    /// Effects that they told.
    effects,
    /// Jobs that began somewhere.
    starts,
    /// Subcubes and reservations that were granted.
    granted,
    /// Holders of these who were told that they are hit.
    hits,
    /// Packets that were sent.
    packets,
    /// Of these lost,
    lost,
    /// doubled,
    doubled,
    /// late by minutes or hours,
    late,
    /// damaged on the way,
    damaged,
    /// and sent where nothing arrived.
    parted,
    /// Old messages that somebody said again.
    replayed,
    /// Messages that somebody made up.
    forged,
    /// Machines that lost their power.
    machines,
    /// Owners that came back.
    owners,
    /// Leases that ended.
    leases,
    /// Services that were killed,
    kills,
    /// and went on from what they had stored,
    recoveries,
    /// or from what was left behind a disk that had lied.
    went_back,
    /// Writes that failed.
    stores_failed,
    /// Bits of a history that turned,
    bits,
    /// and were found to be more than can be mended.
    refused,
    /// Clocks that were set.
    clocks,
    /// What users said of their jobs, and operators of machines.
    users,
    /// What went wrong with the manager of the agent.
    troubles,
}

impl Figures {
    /// All faults.
    pub const fn faults(&self) -> u64 {
        self.lost
            + self.doubled
            + self.late
            + self.damaged
            + self.parted
            + self.replayed
            + self.forged
            + self.machines
            + self.owners
            + self.leases
            + self.kills
            + self.stores_failed
            + self.bits
            + self.clocks
            + self.troubles
    }
}

/// A number with a comma between thousands.
struct Long(u64);

impl fmt::Display for Long {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, what: &str, count: u64| {
            writeln!(f, "  {:>15}  {what}", Long(count).to_string())
        };
        writeln!(
            f,
            "{} worlds, {:.1} simulated years",
            Long(self.worlds),
            self.time as f64 / YEAR as f64
        )?;
        line(f, "jobs, leases and reservations asked for", self.jobs)?;
        line(f, "commands taken", self.commands)?;
        line(f, "effects told", self.effects)?;
        line(f, "jobs begun", self.starts)?;
        line(f, "subcubes and reservations granted", self.granted)?;
        line(f, "holders of these told that they are hit", self.hits)?;
        line(f, "packets sent", self.packets)?;
        writeln!(f, "{} faults:", Long(self.faults()))?;
        line(f, "packets lost", self.lost)?;
        line(f, "packets doubled", self.doubled)?;
        line(f, "packets late", self.late)?;
        line(f, "packets and frames damaged", self.damaged)?;
        line(f, "packets sent into a cut network", self.parted)?;
        line(f, "old messages said again", self.replayed)?;
        line(f, "messages made up", self.forged)?;
        line(f, "machines without power", self.machines)?;
        line(f, "owners back", self.owners)?;
        line(f, "leases ended", self.leases)?;
        line(f, "services killed", self.kills)?;
        line(f, "writes failed", self.stores_failed)?;
        line(f, "bits turned in a history", self.bits)?;
        line(f, "clocks set", self.clocks)?;
        line(f, "snapshots and acts of the manager gone wrong for a while", self.troubles)?;
        writeln!(f, "of these and besides:")?;
        line(f, "recoveries", self.recoveries)?;
        line(f, "histories behind a disk that lied", self.went_back)?;
        line(f, "histories refused as damaged", self.refused)?;
        line(f, "words of users and operators", self.users)
    }
}
