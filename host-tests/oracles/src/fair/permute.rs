//! Random: by lot.

use super::{Ranking, Rule};
use locox::fair::{Decision, Demand, Random, Reason, StationId};

/// Each station that wants draws a lot; the smallest are served.
#[derive(Clone, Copy, Debug)]
pub struct Lots;

impl Ranking for Lots {
    fn update(&mut self, _: &[Demand]) {}

    fn round(&mut self, demand: &[Demand], free: u32, draw: u32, most: usize) -> Vec<Decision> {
        let stations = 0..demand.len() as u32;
        let mut wanting: Vec<u32> = stations.filter(|&it| demand[it as usize].wants > 0).collect();
        wanting.sort_by_key(|&station| permute(draw, station));
        wanting.truncate(most.min(free as usize));
        let grant = |to| Decision::Grant { to: StationId(to), reason: Reason::Lot };
        wanting.into_iter().map(grant).collect()
    }
}

impl Rule<Random> for Lots {
    fn compare(&self, _: &Random) -> Result<(), String> {
        Ok(())
    }
}

/// The lot of a station, in numbers that are wide enough. A recorded run is only the same again if
/// lots fall as they did.
pub(crate) fn permute(draw: u32, station: u32) -> u32 {
    let mixed = u64::from(mix((station ^ draw).into()));
    mix(mixed + u64::from(draw.rotate_left(16)))
}

/// The finaliser of MurmurHash3.
fn mix(bits: u64) -> u32 {
    let rounds: [(u32, u64); 3] = [(16, 0x85EB_CA6B), (13, 0xC2B2_AE35), (16, 1)];
    let round = |bits: u64, (shift, factor)| (bits ^ bits >> shift) * factor % (1 << 32);
    rounds.into_iter().fold(bits % (1 << 32), round) as u32
}
