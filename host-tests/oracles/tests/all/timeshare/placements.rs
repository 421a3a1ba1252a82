//! What a placement of one's own sees of a table, and what a table takes from it; names and numbers.

use locox::error::Error;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Arrays, Choice, FirstLevel, HostId, JobNumber, Level, Load, Misuse, NonInterfering, Placement,
    PlacementView, Refusal, Request, Speed, Table, Threshold, UserId, Why, words,
};
use std::cell::RefCell;

const HOSTS: u32 = 5;
type Five = Arrays<10, 5, 4, { words(5, 2) }>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// Picks these hosts, each as often as it is named, for this level; before and after that it looks.
struct Own<'o> {
    picks: &'o [u32],
    level: u8,
    seen: RefCell<Vec<Seen>>,
}

/// Of a host: at which levels it is free, whether it is idle, its reading, speed, synchronising jobs and owner.
type Seen = (Vec<bool>, bool, Option<(u16, u64)>, Option<u8>, u16, Option<u32>);

fn seen(view: &PlacementView, host: HostId) -> Seen {
    let free = (0..Level::COUNT).map_while(Level::new).map(|level| view.is_free(host, level));
    let reading = view.reading(host).map(|(load, age)| (load.thousandths(), age.ticks()));
    let speed = view.speed(host).map(|speed| speed.0);
    let owner = view.owner(host).map(|job| job.0);
    (free.collect(), view.is_idle(host), reading, speed, view.synchronising(host), owner)
}

impl Placement for Own<'_> {
    type Draw = ();

    fn name(&self) -> &'static str {
        "own"
    }

    fn check(&self, _: u8) -> Result<(), Misuse> {
        Ok(())
    }

    fn choose(&self, view: &mut PlacementView<'_>, _: &Request, (): ()) -> Result<Choice, Refusal> {
        assert_eq!((view.hosts(), view.levels()), (HOSTS, 2));
        self.picks.iter().for_each(|&host| view.pick(HostId(host)));
        self.seen.borrow_mut().extend((0..=HOSTS).map(|host| seen(view, HostId(host))));
        let level = Level::new(self.level).unwrap();
        Ok(Choice { level: Some(level), why: Why::Level(level) })
    }
}

fn own(picks: &[u32], level: u8) -> Own<'_> {
    Own { picks, level, seen: RefCell::default() }
}

/// Hosts 0 to 3, of which job 0 has 0 and 1 at level 0, and job 1 host 1 at level 1. Host 4 was never there.
fn table() -> Table<Five> {
    let mut table = Table::new(2, Five::EMPTY).unwrap();
    for host in 0..4 {
        let (load, speed) = (Load::from_thousandths(100 * host as u16), Speed(10 + host as u8));
        table.report(at(u64::from(host)), HostId(host), load, speed).unwrap();
    }
    let mut place = |job, picks: &[u32], level, request: Request| {
        table.place(at(5), &own(picks, level), JobNumber(job), request, ()).unwrap();
    };
    place(0, &[0, 1], 0, Request { synchronising: true, ..Request::new(UserId(1), 2) });
    place(1, &[1], 1, Request::new(UserId(2), 1));
    table
}

#[test]
fn a_placement_sees_each_host_as_it_is() {
    let mut table = table();
    let asked = own(&[3, 3], 0);
    let request = Request::new(UserId(3), 1);
    let level = Level::TOP;
    assert_eq!(table.would_place(at(9), &asked, request, ()), Ok(Why::Level(level)));
    let free = |levels: [bool; 2]| [&levels[..], &[false; 6]].concat();
    let host = |host: u64, free_at, is_idle, leads, owner| -> Seen {
        let reading = Some((100 * host as u16, 9 - host));
        (free(free_at), is_idle, reading, Some(10 + host as u8), leads, owner)
    };
    let gone: Seen = (free([false; 2]), false, None, None, 0, None);
    let expected = [
        host(0, [false, true], false, 1, Some(0)),
        host(1, [false, false], false, 0, Some(0)),
        host(2, [true, true], true, 0, None),
        host(3, [true, true], true, 0, None),
        gone.clone(),
        gone,
    ];
    assert_eq!(*asked.seen.borrow(), expected);
}

#[test]
fn a_host_that_is_picked_twice_is_picked() {
    let mut table = table();
    let request = Request::new(UserId(3), 2);
    table.place(at(9), &own(&[2, 3, 3], 0), JobNumber(2), request, ()).unwrap();
    assert_eq!(table.places(JobNumber(2)).map(|(host, _)| host.0).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn what_a_placement_picks_must_be_free_at_a_level_that_there_is() {
    let mut table = table();
    let mut of = |picks: &[u32], level| {
        let request = Request::new(UserId(3), 1);
        table.would_place(at(9), &own(picks, level), request, ()).map(|_| ())
    };
    let wrong = Err(Error::Misused(Misuse::Placement));
    assert_eq!(of(&[2], 0), Ok(()));
    assert_eq!(of(&[0], 1), Ok(()));
    assert_eq!(of(&[2, 4, 5], 0), Ok(()), "who is not there is not picked");
    assert_eq!(of(&[0], 0), wrong, "it is not free there");
    assert_eq!(of(&[2], 2), wrong, "there are two levels");
    assert_eq!(of(&[2], 7), wrong);
    assert_eq!(of(&[4], 0), wrong, "it is not there");
    assert_eq!(of(&[], 0), wrong, "too few");
    assert_eq!(of(&[2, 3], 0), wrong, "too many");
}

#[test]
fn loads_are_thousandths_and_thresholds_between_none_and_all() {
    let load = |thousandths| Load::from_thousandths(thousandths).thousandths();
    assert_eq!([0, 1, 999, 1000, 1001, u16::MAX].map(load), [0, 1, 999, 1000, 1000, 1000]);
    let threshold =
        |thousandths| Threshold::from_thousandths(thousandths).map(|it| it.load().thousandths());
    assert_eq!([1, 999].map(threshold), [Ok(1), Ok(999)]);
    for thousandths in [0, 1000, u16::MAX] {
        assert_eq!(threshold(thousandths), Err(Misuse::Threshold { thousandths }));
    }
}

#[test]
fn a_request_is_of_processes_that_are_all_alike() {
    let request = Request::new(UserId(3), 7);
    assert_eq!(request, Request { user: UserId(3), hosts: 7, synchronising: false });
}

#[test]
fn each_placement_has_a_name() {
    let threshold = Threshold::from_thousandths(500).unwrap();
    let first = FirstLevel::new(2);
    let calm = first.on_calm_hosts(threshold, Duration::MAX);
    let (believed, settled) = (Duration::MAX, Duration::ZERO);
    let non = NonInterfering { degree: 2, threshold, believed, settled };
    let names = [first.name(), first.shuffled().name(), calm.name(), non.name()];
    assert_eq!(names, ["first-level", "first-level", "first-calm-level", "non-interfering"]);
}
