//! Tables 3 and 4 of Mutka and Livny (1987) and the text around them, one rule a test.

use locox::draw::Draw;
use locox::fair::{
    Amount, Capacity, Condor, Contender, Decision, Demand, Fairness, Line, Linear, Misuse, Random,
    Reason, Round, RoundRobin, ScheduleIndex, StationId, UpDown,
};

const F: i32 = 7;
const G: i32 = 5;
const H: i32 = 3;
const L: i32 = 2;

/// A whole round in a scratch buffer of `room` contenders.
fn round_in<F: Fairness>(
    fair: &mut F,
    demand: &[Demand],
    free: u32,
    draw: F::Draw,
    room: usize,
) -> Vec<Decision> {
    let held: u32 = demand.iter().map(|one| u32::from(one.holds)).sum();
    let capacity = Capacity { nodes: held + free, free };
    let mut scratch = vec![Contender::EMPTY; room];
    let mut round = Round::new(fair, demand, capacity, draw, &mut scratch).unwrap();
    std::iter::from_fn(|| round.next(fair, demand)).collect()
}

/// Who yields, if anybody, and who gets.
fn stations(decisions: &[Decision]) -> Vec<(Option<u32>, u32)> {
    decisions
        .iter()
        .map(|decision| match *decision {
            Decision::Grant { to, .. } => (None, to.0),
            Decision::Preempt { from, to, .. } => (Some(from.0), to.0),
        })
        .collect()
}

/// Four different amounts, so that no rule can pass with another's function.
const FUNCTIONS: Linear = Linear {
    f: Line::flat(Amount::from_int(F as u32)),
    g: Line::flat(Amount::from_int(G as u32)),
    h: Line::flat(Amount::from_int(H as u32)),
    l: Line::flat(Amount::from_int(L as u32)),
};

fn table<const N: usize>(whole: [i32; N]) -> UpDown<[ScheduleIndex; N], Linear> {
    UpDown::new(whole.map(ScheduleIndex::from_int), FUNCTIONS)
}

fn after_update(index: i32, wants: u16, holds: u16) -> ScheduleIndex {
    let mut fair = table([index]);
    fair.update(&demand([(wants, holds)])).unwrap();
    fair.indices()[0]
}

/// Demand from pairs of wants and holdings.
fn demand<const N: usize>(pairs: [(u16, u16); N]) -> [Demand; N] {
    pairs.map(|(wants, holds)| Demand { wants, holds })
}

/// A whole round with ample scratch and any draw.
fn round<F: Fairness>(fair: &mut F, demand: &[Demand], free: u32) -> Vec<Decision> {
    round_in(fair, demand, free, F::Draw::from_source(|| 12_345), 64)
}

fn int(whole: i32) -> ScheduleIndex {
    ScheduleIndex::from_int(whole)
}

// Table 4: modification of the schedule index table.

#[test]
fn the_index_of_a_station_with_nodes_rises_by_f_for_each() {
    for index in [-100, 0, 100] {
        assert_eq!(after_update(index, 0, 1), int(index + F));
        assert_eq!(after_update(index, 4, 1), int(index + F), "wanting more does not matter");
        assert_eq!(after_update(index, 0, 6), int(index + 6 * F));
    }
}

#[test]
fn the_index_of_a_station_that_wants_and_has_none_falls_by_g() {
    for index in [-100, 0, 100] {
        assert_eq!(after_update(index, 1, 0), int(index - G));
        assert_eq!(after_update(index, 30, 0), int(index - G), "once, however many it wants");
    }
}

#[test]
fn a_positive_index_without_demand_falls_by_h_to_zero_at_most() {
    assert_eq!(after_update(100, 0, 0), int(100 - H));
    assert_eq!(after_update(H, 0, 0), ScheduleIndex::ZERO);
    assert_eq!(after_update(1, 0, 0), ScheduleIndex::ZERO);
}

#[test]
fn a_negative_index_without_demand_rises_by_l_to_zero_at_most() {
    assert_eq!(after_update(-100, 0, 0), int(-100 + L));
    assert_eq!(after_update(-L, 0, 0), ScheduleIndex::ZERO);
    assert_eq!(after_update(-1, 0, 0), ScheduleIndex::ZERO);
}

#[test]
fn an_index_at_zero_stays_there_until_the_station_asks_for_a_node() {
    assert_eq!(after_update(0, 0, 0), ScheduleIndex::ZERO);
}

#[test]
fn the_worked_example_walks_as_the_text_says() {
    let step = 10;
    let mut fair = UpDown::new([ScheduleIndex::ZERO], Condor::default());
    let mut walk = |wants, holds| {
        fair.update(&demand([(wants, holds)])).unwrap();
        fair.indices()[0]
    };
    assert_eq!(walk(1, 0), int(-step), "a job arrives and waits: falls by g");
    assert_eq!(walk(0, 1), int(0), "one allocation: rises by f");
    assert_eq!(walk(0, 2), int(2 * step), "two allocations: twice as fast");
    assert_eq!(walk(0, 1), int(3 * step), "one job completes: rises by f again");
    assert_eq!(walk(0, 0), int(2 * step), "the second completes: falls by h");
    assert_eq!(walk(0, 0), int(step));
    assert_eq!(walk(0, 0), int(0), "down to zero");
    assert_eq!(walk(0, 0), int(0), "where it stays");
}

#[test]
fn each_entry_is_initially_zero_and_the_table_can_be_read() {
    let fair = UpDown::new([ScheduleIndex::default(); 3], Condor::default());
    assert_eq!(fair.indices(), [ScheduleIndex::ZERO; 3]);
    assert_eq!(fair.index_of(StationId(2)), Some(ScheduleIndex::ZERO));
    assert_eq!(fair.index_of(StationId(3)), None);
}

#[test]
fn an_index_saturates_instead_of_wrapping() {
    let mut fair = UpDown::new([ScheduleIndex::WORST, ScheduleIndex::BEST], FUNCTIONS);
    fair.update(&demand([(0, u16::MAX), (1, 0)])).unwrap();
    assert_eq!(fair.indices(), [ScheduleIndex::WORST, ScheduleIndex::BEST]);
}

// Table 3: allocation of remote processing nodes.

#[test]
fn free_nodes_go_to_wanting_stations_by_smallest_index() {
    let mut fair = table([5, -8, 0, -9]);
    let demand = demand([(1, 0), (1, 0), (1, 0), (0, 0)]);
    assert_eq!(
        round(&mut fair, &demand, 2),
        [
            Decision::Grant { to: StationId(1), reason: Reason::BestIndex(int(-8)) },
            Decision::Grant { to: StationId(2), reason: Reason::BestIndex(int(0)) },
        ]
    );
}

#[test]
fn a_free_node_may_go_to_a_station_that_holds_others() {
    let mut fair = table([-1, 50]);
    assert_eq!(stations(&round(&mut fair, &demand([(1, 3), (0, 0)]), 1)), [(None, 0)]);
}

#[test]
fn a_station_gets_at_most_one_node_in_a_round() {
    let mut fair = table([0, 1]);
    let given = round(&mut fair, &demand([(9, 0), (9, 0)]), 5);
    assert_eq!(stations(&given), [(None, 0), (None, 1)]);
}

#[test]
fn a_station_that_waits_takes_a_node_from_the_holder_of_the_largest_index() {
    let mut fair = table([-4, 10, 30, 20]);
    assert_eq!(
        round(&mut fair, &demand([(1, 0), (0, 1), (0, 1), (0, 1)]), 0),
        [Decision::Preempt {
            from: StationId(2),
            to: StationId(0),
            reason: Reason::BetterIndex { to: int(-4), from: int(30) },
        }]
    );
}

#[test]
fn preemption_stops_where_the_indices_meet() {
    let mut fair = table([-4, 0, 6, 5, 6, 30]);
    let demand = demand([(1, 0), (1, 0), (1, 0), (0, 1), (0, 1), (0, 1)]);
    // The third waits with 6: it is not better than the holder of 6 that would be next.
    assert_eq!(stations(&round(&mut fair, &demand, 0)), [(Some(5), 0), (Some(4), 1)]);
}

#[test]
fn equal_indices_do_not_preempt() {
    let mut fair = table([3, 3]);
    assert_eq!(round(&mut fair, &demand([(1, 0), (0, 1)]), 0), []);
}

#[test]
fn a_holder_of_several_nodes_can_lose_several_in_a_round() {
    let mut fair = table([-1, -2, -3, 40, 20]);
    let demand = demand([(1, 0), (1, 0), (1, 0), (5, 2), (0, 1)]);
    let taken = [(Some(3), 2), (Some(3), 1), (Some(4), 0)];
    assert_eq!(stations(&round(&mut fair, &demand, 0)), taken);
}

#[test]
fn a_station_that_holds_nodes_already_may_not_preempt() {
    let mut fair = table([-50, 40]);
    assert_eq!(round(&mut fair, &demand([(1, 1), (0, 1)]), 0), []);
}

#[test]
fn no_node_is_taken_while_one_is_free() {
    let mut fair = table([-50, 40]);
    assert_eq!(stations(&round(&mut fair, &demand([(1, 0), (0, 1)]), 1)), [(None, 0)]);
}

#[test]
fn ties_go_to_the_lowest_number_by_default() {
    let mut fair = table([0; 6]);
    let given = round(&mut fair, &demand([(1, 0); 6]), 3);
    assert_eq!(stations(&given), [(None, 0), (None, 1), (None, 2)]);
}

#[test]
fn ties_are_drawn_if_asked_for_and_each_tied_station_wins_equally_often() {
    let mut fair = table([0, 0, 0, 0, 1]).shuffled();
    let demand = demand([(1, 0); 5]);
    let mut wins = [0u32; 5];
    for draw in 0..4000 {
        let mut scratch = [Contender::EMPTY; 4];
        let capacity = Capacity { nodes: 5, free: 1 };
        let mut round = Round::new(&mut fair, &demand, capacity, draw, &mut scratch).unwrap();
        let Some(Decision::Grant { to, .. }) = round.next(&mut fair, &demand) else { panic!() };
        wins[to.0 as usize] += 1;
    }
    // 1000 expected, 5 standard deviations are 137.
    assert!(wins[..4].iter().all(|wins| wins.abs_diff(1000) < 137), "{wins:?}");
    assert_eq!(wins[4], 0, "a draw never beats an index");
}

// The rivals.

#[test]
fn round_robin_gives_each_station_its_turn_and_never_preempts() {
    let mut fair = RoundRobin::new();
    assert_eq!(fair.next_turn(), StationId(0));
    let wanting = demand([(9, 0), (9, 0), (0, 0), (9, 0)]);
    assert_eq!(stations(&round(&mut fair, &wanting, 2)), [(None, 0), (None, 1)]);
    assert_eq!(fair.next_turn(), StationId(2));
    assert_eq!(stations(&round(&mut fair, &wanting, 2)), [(None, 3), (None, 0)]);
    assert_eq!(fair.next_turn(), StationId(1));
    assert_eq!(round(&mut fair, &demand([(9, 0), (9, 4), (0, 0), (0, 0)]), 0), []);
    assert_eq!(fair.next_turn(), StationId(1), "a round that gives nothing moves no turn");
    let [Decision::Grant { reason, .. }] = round(&mut fair, &wanting, 1)[..] else { panic!() };
    assert_eq!(reason, Reason::Turn);
}

#[test]
fn random_serves_each_wanting_station_equally_often_and_never_preempts() {
    let mut fair = Random::new();
    let wanting = demand([(1, 0), (13, 0), (0, 0), (2, 5)]);
    let mut wins = [0u32; 4];
    for draw in 0..3000 {
        let mut scratch = [Contender::EMPTY; 4];
        let capacity = Capacity { nodes: 6, free: 1 };
        let mut round = Round::new(&mut fair, &wanting, capacity, draw, &mut scratch).unwrap();
        let Some(Decision::Grant { to, reason }) = round.next(&mut fair, &wanting) else {
            panic!()
        };
        assert_eq!(reason, Reason::Lot);
        wins[to.0 as usize] += 1;
    }
    assert_eq!(wins[2], 0);
    // 1000 expected, 5 standard deviations are 129.
    assert!([0, 1, 3].iter().all(|&one| wins[one].abs_diff(1000) < 129), "{wins:?}");
    assert_eq!(round(&mut fair, &demand([(9, 0), (9, 4)]), 0), []);
}

#[test]
fn the_table_is_a_plain_ranking_for_other_queues() {
    let fair = table([4, -2, -2]);
    let all = (0..3).map(StationId);
    assert_eq!(fair.first_of(all), Some(StationId(1)));
    assert_eq!(fair.first_of([]), None);
    assert_eq!(fair.first_of([StationId(77), StationId(0)]), Some(StationId(0)));
}

// Bad parameters.

#[test]
fn demand_of_another_number_of_stations_is_refused_and_changes_nothing() {
    let mut fair = table([1, 2]);
    let three = demand([(1, 0), (1, 0), (1, 0)]);
    let refused = Misuse::Stations { table: 2, demand: 3 };
    assert_eq!(fair.update(&three), Err(refused));
    assert_eq!(fair.indices(), [int(1), int(2)]);
    assert_eq!(fair.update(&three[..1]), Err(Misuse::Stations { table: 2, demand: 1 }));
    let mut scratch = [Contender::EMPTY; 4];
    let capacity = Capacity { nodes: 3, free: 3 };
    assert_eq!(Round::new(&mut fair, &three, capacity, (), &mut scratch).err(), Some(refused));
    assert!(refused.to_string().starts_with("demand"));
}

#[test]
fn more_holdings_than_capacity_are_refused_and_move_no_turn() {
    let mut fair = RoundRobin::starting_at(StationId(1));
    let held = demand([(1, 3), (1, 2)]);
    let mut scratch = [Contender::EMPTY; 4];
    let mut begin = |nodes, free| {
        Round::new(&mut fair, &held, Capacity { nodes, free }, (), &mut scratch).err()
    };
    let refused = Misuse::HoldingsExceedCapacity { held: 5, free: 0, nodes: 4 };
    assert_eq!(begin(4, 0), Some(refused));
    let too_free = Misuse::HoldingsExceedCapacity { held: 5, free: 2, nodes: 6 };
    assert_eq!(begin(6, 2), Some(too_free));
    assert_eq!(begin(6, 1), None);
    assert_eq!(refused.to_string(), "holds add up to 5, with 0 free, but there are 4 nodes");
}

#[test]
fn a_round_without_room_for_four_contenders_is_refused() {
    for size in [0, 1, 2, 3] {
        let mut scratch = vec![Contender::EMPTY; size];
        let begun = Round::new(
            &mut Random::new(),
            &[Demand::default()],
            Capacity::default(),
            0,
            &mut scratch,
        );
        assert_eq!(begun.err(), Some(Misuse::Scratch));
    }
    assert!(Misuse::Scratch.to_string().starts_with("scratch"));
}

#[test]
fn sixty_four_stations_fit_in_a_few_hundred_bytes() {
    let table = size_of::<UpDown<[ScheduleIndex; 64], Condor>>();
    let demand = size_of::<[Demand; 64]>();
    let scratch = size_of::<[Contender; 8]>();
    assert!(table + demand + scratch <= 700, "{table} + {demand} + {scratch} bytes");
}
