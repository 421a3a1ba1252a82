//! What a ranking does that says no more than it must.

use locox::fair::{Demand, Fairness, Misuse, Reason, StationId};

/// A ranking of three stations by a number of each.
struct ByNumber([u32; 3]);

impl Fairness for ByNumber {
    type Draw = ();

    fn check(&self, stations: usize) -> Result<(), Misuse> {
        let (table, demand) = (3, stations as u32);
        if stations == 3 { Ok(()) } else { Err(Misuse::Stations { table, demand }) }
    }

    fn key(&self, station: StationId) -> u32 {
        self.0.get(station.0 as usize).copied().unwrap_or(u32::MAX)
    }

    fn reason(&self, _: StationId, _: Option<StationId>) -> Reason {
        Reason::Turn
    }
}

#[test]
fn it_takes_demand_of_those_stations_that_it_covers_and_of_no_others() {
    let mut fair = ByNumber([0; 3]);
    assert_eq!(fair.update(&[Demand::NONE; 3]), Ok(()));
    for demand in [2, 4] {
        let refused = fair.update(&vec![Demand::NONE; demand as usize]);
        assert_eq!(refused, Err(Misuse::Stations { table: 3, demand }));
    }
}

#[test]
fn among_equal_keys_the_smallest_number_is_served_first_whoever_asks_first() {
    let fair = ByNumber([7, 5, 5]);
    assert_eq!([0, 1, 2, 9].map(|at| fair.tie(StationId(at))), [0, 1, 2, 9]);
    assert_eq!(fair.first_of([2, 1, 0].map(StationId)), Some(StationId(1)));
    assert_eq!(fair.first_of([2, 0].map(StationId)), Some(StationId(2)));
    assert_eq!(fair.first_of([]), None);
}

#[test]
fn it_names_no_claimant_and_no_exchange_and_preempts_nobody() {
    let fair = ByNumber([1, 2, 3]);
    assert_eq!((fair.next_claimant(), fair.exchange(), fair.preempts()), (None, None, false));
}
