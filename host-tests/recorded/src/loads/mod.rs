//! Loads of the systems that nobody records: calls drawn from a seed, the same on every target.
//!
//! Some draw nothing and go into the states that cost most of those known. Whoever watches a load sees
//! each call: [`digest`] takes what they answer to a number, and a program that counts instructions
//! finds what they cost.

mod boxes;
mod clusters;
mod hosts;
mod journals;
mod maps;
mod meshes;
mod nodes;
mod pools;
mod quantities;
mod queues;
mod random;
mod reservations;
mod shares;
mod sites;
mod slices;
mod watch;
mod worst;

pub use watch::Watch;

use core::fmt::{self, Debug, Write};
use core::num::NonZeroU32;
use locox_storage::Fnv;

/// A system under load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load(&'static str);

impl Load {
    /// All of them.
    pub const ALL: [Self; 44] = [
        Self("buddy"),
        Self("gray-code"),
        Self("free-list"),
        Self("free-list-plain"),
        Self("complete"),
        Self("mesh"),
        Self("grid-corner"),
        Self("grid-fewest"),
        Self("slices"),
        Self("nodes-first"),
        Self("nodes-best"),
        Self("nodes-fewest"),
        Self("timeline-32"),
        Self("timeline-256"),
        Self("profile-32"),
        Self("profile-256"),
        Self("fcfs"),
        Self("scan"),
        Self("easy"),
        Self("conservative"),
        Self("conservative-bounded"),
        Self("promises-buddy"),
        Self("promises-torus"),
        Self("fair"),
        Self("station"),
        Self("station-bounded"),
        Self("station-durable"),
        Self("timeshare"),
        Self("cluster"),
        Self("mapping"),
        Self("site"),
        Self("node"),
        Self("timeline-32-stairs"),
        Self("timeline-32-slope"),
        Self("timeline-256-stairs"),
        Self("easy-crowd"),
        Self("conservative-crowd"),
        Self("promises-crowd"),
        Self("conservative-chain"),
        Self("station-crowd"),
        Self("free-list-crowd"),
        Self("complete-crowd"),
        Self("mesh-crowd"),
        Self("grid-crowd"),
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// Runs it. `None` if what it begins with cannot be.
    pub fn run(self, watch: &mut impl Watch) -> Option<()> {
        match self.0 {
            "buddy" => pools::run::<locox::subcube::Buddy>(watch),
            "gray-code" => pools::run::<locox::subcube::GrayCode>(watch),
            "free-list" => pools::run::<locox::subcube::FreeList>(watch),
            "free-list-plain" => pools::run::<locox::subcube::FreeListPlain>(watch),
            "complete" => pools::run::<locox::subcube::Complete>(watch),
            "mesh" => meshes::run(watch),
            "grid-corner" => boxes::run(locox::grid::Placement::Corner, watch),
            "grid-fewest" => boxes::run(locox::grid::Placement::Fewest, watch),
            "slices" => slices::run(watch),
            "nodes-first" => quantities::run(locox::nodes::Placement::First, watch),
            "nodes-best" => quantities::run(locox::nodes::Placement::Best, watch),
            "nodes-fewest" => quantities::run(locox::nodes::Placement::Fewest, watch),
            "timeline-32" => reservations::timeline(15, watch),
            "timeline-256" => reservations::timeline(127, watch),
            "profile-32" => reservations::profile(15, watch),
            "profile-256" => reservations::profile(127, watch),
            "fcfs" => queues::fcfs(watch),
            "scan" => queues::scan(watch),
            "easy" => queues::easy(watch),
            "conservative" => queues::conservative(watch),
            "conservative-bounded" => bounded_backfilling(watch),
            "promises-buddy" => queues::in_cube(watch),
            "promises-torus" => queues::in_torus(watch),
            "fair" => shares::fair(watch),
            "station" => shares::station(None, watch),
            "station-bounded" => bounded_stations(watch),
            "station-durable" => journals::run(watch),
            "timeshare" => hosts::run(watch),
            "cluster" => clusters::run(watch),
            "mapping" => maps::run(watch),
            "site" => sites::run(watch),
            "node" => nodes::run(watch),
            "timeline-32-stairs" => worst::stairs(15, watch),
            "timeline-32-slope" => worst::slope(watch),
            "timeline-256-stairs" => worst::stairs(127, watch),
            "easy-crowd" => worst::easy(watch),
            "conservative-crowd" => worst::conservative(watch),
            "promises-crowd" => worst::promises(watch),
            "conservative-chain" => worst::chain(watch),
            "station-crowd" => worst::crowd(None, watch),
            "free-list-crowd" => pools::crowd::<locox::subcube::FreeList>(watch),
            "complete-crowd" => pools::crowd::<locox::subcube::Complete>(watch),
            "mesh-crowd" => meshes::crowd(watch),
            "grid-crowd" => boxes::crowd(watch),
            _ => None,
        }
    }
}

/// Two loads of conservative backfilling, with two jobs moved in a call at the most.
fn bounded_backfilling(watch: &mut impl Watch) -> Option<()> {
    let most = NonZeroU32::new(2)?;
    queues::conservative_in_steps(most, watch)?;
    worst::chain_in_steps(most, watch)
}

/// Both loads of 64 stations, with two decisions a command.
fn bounded_stations(watch: &mut impl Watch) -> Option<()> {
    let decisions = NonZeroU32::new(2);
    shares::station(decisions, watch)?;
    worst::crowd(decisions, watch)
}

/// What a load answers, call by call, in a number (FNV-1a over the text of all answers).
///
/// `None` if what it begins with cannot be.
pub fn digest(load: Load) -> Option<u64> {
    let mut text = Text(Fnv::new());
    load.run(&mut text)?;
    Some(text.0.get())
}

struct Text(Fnv);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.0.add_byte(byte));
        Ok(())
    }
}

impl Watch for Text {
    fn call<T: Debug, E: Debug>(
        &mut self,
        what: &'static str,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let answer = call();
        let _ = writeln!(self, "{what} {answer:?}");
        answer
    }
}
