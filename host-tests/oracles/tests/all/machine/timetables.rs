//! Timetables against one tick after the other.

use super::Draws;
use locox::accelerator::Table;
use locox::grid::Placement;
use locox::machine::{BadTimetable, Count, Held, Timetable};
use locox::reserve::Interval;
use locox::subcube::{Buddy, Complete};
use locox::time::{Duration, Instant};
use locox_oracles::machine::{
    Cubes, Naive, PlaceOf, Racks, Shaped, Slices, by_all, by_blocks, earliest, free,
};

/// Nothing is held from this tick on, but what is held for ever.
const END: u64 = 24;

fn interval(draws: &mut Draws) -> Interval {
    let start = draws.below(16);
    let end = if draws.below(12) == 0 { u64::MAX } else { start + 1 + draws.below(7) };
    Interval { start: Instant::from_ticks(start), end: Instant::from_ticks(end) }
}

/// Several places, some of them held at once, as that of a job that has gone out of service.
fn held<N: Naive>(naive: &N, draws: &mut Draws) -> Vec<Held<PlaceOf<N>>> {
    let requests = naive.requests();
    let mut held = vec![];
    for _ in 0..draws.below(7) {
        let of = &requests[draws.below(requests.len() as u64) as usize];
        let among = naive.all() & (draws.below(1 << 16) | draws.below(1 << 16));
        let Some(place) = naive.find(among, of) else { continue };
        held.push(Held::new(place, interval(draws)));
    }
    held.sort_by_key(|it| it.at.end);
    held
}

fn is_exact<N: Naive>(naive: &N, seed: u64) {
    let machine = naive.machine();
    let requests = naive.requests();
    let mut draws = Draws(seed);
    let mut later = 0;
    for case in 0..400 {
        let held = held(naive, &mut draws);
        let mut words = vec![Default::default(); Timetable::words(&machine)];
        let mut timetable = Timetable::new(&machine, &held, &mut words).unwrap();
        for _ in 0..4 {
            let of = requests[draws.below(requests.len() as u64) as usize];
            let (ready, duration) = (draws.below(12), 1 + draws.below(9));
            let fits = |tick| naive.fits(free(naive, &held, tick..tick + duration), &of);
            let expected = earliest(ready, END, fits);
            let time = Duration::from_ticks(duration);
            let found = timetable.earliest(&of, Instant::from_ticks(ready), time);
            let start = found.map(|(start, _)| start.ticks());
            assert_eq!(
                start, expected,
                "case {case}: {of:?} from {ready} for {duration} beside {held:?}"
            );
            let Some((start, place)) = found else { continue };
            later += u32::from(start.ticks() > ready);
            let during = start.ticks()..start.ticks() + duration;
            assert_eq!(naive.set(&place) & !free(naive, &held, during), 0, "case {case}");
        }
    }
    assert!(later > 100, "only {later} had to wait");
}

#[test]
fn the_earliest_place_is_that_of_a_search_tick_by_tick() {
    is_exact(&Cubes::<Buddy>::new(3, by_blocks), 1);
    is_exact(&Cubes::<Complete>::new(3, by_all), 2);
    let torus = |machine: &str, placement| Shaped {
        grid: machine.parse().unwrap(),
        placement,
        isolating: false,
    };
    is_exact(&torus("torus:3x3", Placement::First), 3);
    is_exact(&torus("mesh:4x2", Placement::Fewest), 4);
    is_exact(&Slices(Table::A100), 5);
    is_exact(&Racks { nodes: 8, levels: &[&[0, 2, 3, 6], &[0, 3]] }, 6);
}

/// Where nodes are counted two jobs may have the same ones, one after the other.
#[test]
fn the_earliest_start_on_a_count_is_that_of_a_search_tick_by_tick() {
    const PES: u32 = 6;
    let mut draws = Draws(9);
    for case in 0..2_000 {
        let mut held: Vec<_> = (0..draws.below(7))
            .map(|_| Held::new(1 + draws.below(4) as u32, interval(&mut draws)))
            .collect();
        held.sort_by_key(|it| it.at.end);
        let free_at = |tick| {
            let holds =
                held.iter().filter(|it| (it.at.start.ticks()..it.at.end.ticks()).contains(&tick));
            holds.fold(PES, |free, it| free.saturating_sub(it.place))
        };
        let (of, ready, duration) =
            (1 + draws.below(7) as u32, draws.below(12), 1 + draws.below(9));
        let fits = |tick| (tick..tick + duration).all(|tick| of <= free_at(tick));
        let expected = earliest(ready, END, fits);
        let mut words = [0; 2];
        let mut timetable = Timetable::new(&Count(PES), &held, &mut words).unwrap();
        let found =
            timetable.earliest(&of, Instant::from_ticks(ready), Duration::from_ticks(duration));
        let start = found.map(|(start, _)| start.ticks());
        assert_eq!(
            start, expected,
            "case {case}: {of} from {ready} for {duration} beside {held:?}"
        );
    }
}

#[test]
fn words_and_the_order_of_rows_are_checked() {
    let machine = Count(4);
    let row = |end| Held::new(1, Interval { start: Instant::ZERO, end: Instant::from_ticks(end) });
    let unsorted = [row(2), row(1)];
    assert_eq!(
        Timetable::new(&machine, &unsorted, &mut [0; 2]).err(),
        Some(BadTimetable::Unsorted)
    );
    let needed = BadTimetable::StorageTooSmall { needed: 2 };
    assert_eq!(Timetable::new(&machine, &[], &mut [0; 1]).err(), Some(needed));
}

/// At the end of time.
#[test]
fn what_would_end_beyond_the_end_of_time_has_no_place() {
    let machine = Count(4);
    let held = [Held::new(3, Interval { start: Instant::ZERO, end: Instant::MAX })];
    let mut words = [0; 2];
    let mut timetable = Timetable::new(&machine, &held, &mut words).unwrap();
    let mut at = |of, ready, duration| {
        let (ready, duration) = (Instant::from_ticks(ready), Duration::from_ticks(duration));
        timetable.earliest(&of, ready, duration).map(|(start, _)| start.ticks())
    };
    assert_eq!(at(1, u64::MAX - 3, 3), Some(u64::MAX - 3));
    assert_eq!(at(1, u64::MAX - 3, 4), None);
    assert_eq!(at(2, 0, 1), None);
    assert_eq!(at(1, 0, u64::MAX), Some(0));
}
