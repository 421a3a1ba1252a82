//! Up-Down over 64 stations: a light user takes a processor from a heavy one.

use board::println;
use core::cell::RefCell;
use critical_section::Mutex;
use locox::fair::{
    Capacity, Condor, Contender, Decision, Demand, Fairness, Round, ScheduleIndex, StationId,
    UpDown,
};

const STATIONS: usize = 64;

struct Network {
    ranking: UpDown<[ScheduleIndex; STATIONS]>,
    demand: [Demand; STATIONS],
}

static NETWORK: Mutex<RefCell<Network>> = Mutex::new(RefCell::new(Network {
    ranking: UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::study()),
    demand: [Demand::NONE; STATIONS],
}));

const HEAVY: StationId = StationId(7);
const LIGHT: StationId = StationId(40);

pub(crate) fn walk_through() -> Option<()> {
    println!("shares of {STATIONS} stations, {} bytes", size_of_val(&NETWORK));
    critical_section::with(|cs| {
        let network = &mut *NETWORK.borrow_ref_mut(cs);
        network.demand[HEAVY.0 as usize].wants = 3;
        network.tick(1)?;
        network.tick(1)?;
        network.demand[LIGHT.0 as usize].wants = 1;
        network.tick(0)?;
        network.tick(0)?;
        (network.holds(HEAVY) == 1 && network.holds(LIGHT) == 1).then_some(())
    })
}

impl Network {
    /// One scheduling interval, at the end of which so many processors are free.
    fn tick(&mut self, free: u32) -> Option<()> {
        self.ranking.update(&self.demand).ok()?;
        let mut scratch = [Contender::EMPTY; 8];
        let capacity = Capacity { nodes: 2, free };
        let mut round =
            Round::new(&mut self.ranking, &self.demand, capacity, (), &mut scratch).ok()?;
        while let Some(decision) = round.next(&mut self.ranking, &self.demand) {
            println!("  {:?}", decision);
            match decision {
                Decision::Grant { to, .. } => self.demand[to.0 as usize].holds += 1,
                Decision::Preempt { from, to, .. } => {
                    self.demand[from.0 as usize].holds -= 1;
                    self.demand[to.0 as usize].holds += 1;
                    self.demand[to.0 as usize].wants -= 1;
                }
            }
        }
        let index = |station| self.ranking.index_of(station);
        println!("indices: heavy {}, light {}", index(HEAVY)?, index(LIGHT)?);
        Some(())
    }

    fn holds(&self, station: StationId) -> u16 {
        self.demand[station.0 as usize].holds
    }
}
