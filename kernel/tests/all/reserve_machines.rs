//! PEs of unlike speed, and one of several machines.

use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{
    AlignedSubcube, Contiguous, Error, Fit, Interval, Limits, Lowest, Mask, Masked, Misuse,
    Profile, Refusal, Request, ReservationId, SpeedClass, Speeds, Timeline, reserve_on_one_of,
};
use locox::time::{Duration, Instant};

const LIMITS: Limits = Limits { pes: 8, reservations: 4 };

type Plain = Timeline<Vec<Word>>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

fn request(ready: u64, length: u64, pes: u32) -> Request {
    Request::new(at(ready), Duration::from_ticks(length), pes)
}

fn set(members: impl IntoIterator<Item = u32>) -> BitSet<[Word; 1]> {
    let mut set = BitSet::empty([0], LIMITS.pes).unwrap();
    members.into_iter().for_each(|pe| assert_eq!(set.insert(pe), Ok(true)));
    set
}

fn timeline(pool: u16, limits: Limits) -> Plain {
    Timeline::new(PoolId(pool), limits, vec![0; Timeline::words(limits)]).unwrap()
}

/// What a request gets on a machine whose PEs 0 to 3 are slow and 4 to 7 fast.
fn placed(
    timeline: &mut Plain,
    (standard, fast, slow): (u32, u32, u32),
    request: &Request,
    fit: Fit,
) -> Result<(Interval, Vec<u32>), Error> {
    let (upper, all) = (set(4..8), set(0..8));
    let classes = [SpeedClass::new(fast, &upper), SpeedClass::new(slow, &all)];
    let speeds = Speeds::new(standard, &classes)?;
    let would = timeline.would_reserve_at_speeds(request, speeds, &fit, &Lowest);
    let held = timeline.reserve_at_speeds(request, speeds, &fit, &Lowest);
    assert_eq!(would, held.map(|(_, at)| at));
    timeline.check_invariants().unwrap();
    let (id, at) = held?;
    Ok((at, timeline.pes_of(id).unwrap().iter().collect()))
}

#[test]
fn a_job_runs_at_the_speed_of_its_slowest_pe_for_whole_ticks() {
    for (standard, length, expected) in [(1, 10, 4), (2, 10, 7), (3, 1, 1), (3, 2, 2), (6, 5, 10)] {
        let mut timeline = timeline(0, LIMITS);
        let (at, pes) =
            placed(&mut timeline, (standard, 3, 1), &request(0, length, 4), Fit::First).unwrap();
        assert_eq!((at, pes), (interval(0, expected), vec![4, 5, 6, 7]));
        // One more than there are fast ones.
        let five = placed(&mut timeline, (standard, 3, 1), &request(50, length, 5), Fit::First);
        let (at, pes) = five.unwrap();
        let end = 50 + length * u64::from(standard);
        assert_eq!((at, pes), (interval(50, end), vec![0, 1, 2, 3, 4]));
    }
}

#[test]
fn of_two_classes_the_one_that_ends_first_is_taken_of_equal_ones_the_faster() {
    // The fast ones are busy until 5, 6, or 4; they take 5, the slow ones 10.
    for (busy, expected, pes) in [(5, (5, 10), [4, 5]), (6, (0, 10), [0, 1]), (4, (4, 9), [4, 5])] {
        let mut timeline = timeline(0, LIMITS);
        timeline.add(interval(0, busy), &set(4..8)).unwrap();
        let found = placed(&mut timeline, (1, 2, 1), &request(0, 10, 2), Fit::First).unwrap();
        assert_eq!(found, (interval(expected.0, expected.1), pes.to_vec()));
    }
}

#[test]
fn what_a_policy_finds_among_slow_pes_lasts_as_long_as_those_it_gets_take() {
    let mut timeline = timeline(0, LIMITS);
    // Slow ones are busy until 50, and fast ones by half until 30: PE_W waits for all fast ones until 30, for
    // all PEs until 50.
    timeline.add(interval(0, 50), &set(0..4)).unwrap();
    timeline.add(interval(0, 30), &set(4..6)).unwrap();
    let until = request(0, 10, 2).by(at(20));
    // In time only fast ones are free, and the search among all PEs gets these.
    let found = placed(&mut timeline, (1, 2, 1), &until, Fit::PeWorst).unwrap();
    assert_eq!(found, (interval(0, 5), vec![6, 7]));
    let waits = placed(&mut timeline, (1, 2, 1), &request(0, 10, 2), Fit::PeWorst).unwrap();
    assert_eq!(waits, (interval(30, 35), vec![4, 5]));
}

#[test]
fn one_class_at_the_standard_speed_answers_as_reserve_does() {
    let all = set(0..8);
    let classes = [SpeedClass::new(7, &all)];
    let speeds = Speeds::new(7, &classes).unwrap();
    let (mut by_speed, mut plain) = (timeline(0, LIMITS), timeline(0, LIMITS));
    let mut number = 1_u64;
    for round in 0..3000_u64 {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digit = |shift: u32, below: u64| (number >> shift) % below;
        let (ready, length) = (round / 4 + digit(20, 20), digit(26, 12));
        let ask = request(ready, length, digit(32, 10) as u32);
        // A deadline that is too early is another answer.
        let ask =
            if digit(38, 2) == 0 { ask } else { ask.by(at(ready + length.max(1) + digit(40, 20))) };
        let fit = Fit::ALL[digit(46, 7) as usize];
        let required = set((0..8).filter(|pe| number >> (50 + pe) & 3 == 0));
        let mask = if digit(60, 2) == 0 { Mask::ANY } else { Mask::ANY.with(&required) };
        let expected = match digit(61, 3) {
            0 => (
                by_speed.reserve_at_speeds(&ask, speeds, &fit, &Masked { mask, choice: Lowest }),
                plain.reserve(&ask, &fit, &Masked { mask, choice: Lowest }),
            ),
            1 => (
                by_speed.reserve_at_speeds(
                    &ask,
                    speeds,
                    &fit,
                    &Masked { mask, choice: Contiguous },
                ),
                plain.reserve(&ask, &fit, &Masked { mask, choice: Contiguous }),
            ),
            _ => (
                by_speed.reserve_at_speeds(&ask, speeds, &fit, &AlignedSubcube),
                plain.reserve(&ask, &fit, &AlignedSubcube),
            ),
        };
        assert_eq!(expected.0, expected.1, "{ask:?} {fit:?}");
        if let Ok((id, _)) = expected.0 {
            assert!(by_speed.pes_of(id).unwrap().iter().eq(plain.pes_of(id).unwrap().iter()));
        }
        by_speed.advance(at(round / 4)).unwrap();
        plain.advance(at(round / 4)).unwrap();
    }
    let image = |timeline: &Plain| {
        let mut words = vec![];
        timeline.export(|word| words.push(word));
        words
    };
    assert_eq!(image(&by_speed), image(&plain));
}

#[test]
fn the_nearest_reason_of_all_speeds_is_told() {
    let refused = |timeline: &mut Plain, speeds, ask: Request| {
        placed(timeline, speeds, &ask, Fit::PeWorst).unwrap_err()
    };
    let mut free = timeline(0, LIMITS);
    let late = |finish| Error::from(Refusal::Late { finish: at(finish) });
    // Four fast ones could be done by 5, five PEs by 10.
    assert_eq!(refused(&mut free, (1, 2, 1), request(0, 10, 4).by(at(4))), late(5));
    assert_eq!(refused(&mut free, (1, 2, 1), request(0, 10, 5).by(at(9))), late(10));
    assert_eq!(
        refused(&mut free, (1, 2, 1), request(9, 10, 5).by(at(9))),
        Misuse::DeadlineTooEarly.into()
    );
    assert_eq!(
        refused(&mut free, (1, 2, 1), request(0, 10, 9)),
        Refusal::TooLarge { pes: 8 }.into()
    );
    assert_eq!(refused(&mut free, (1, 2, 1), request(0, 10, 0)), Misuse::NoPes.into());
    assert_eq!(refused(&mut free, (1, 2, 1), request(0, 0, 1)), Misuse::NoTime.into());
    // Times that no clock has, at the lower speed or at both.
    let long = u64::MAX - 1;
    assert_eq!(
        placed(&mut free, (2, 4, 1), &request(0, long, 2), Fit::First).unwrap().0,
        interval(0, long / 2)
    );
    assert_eq!(refused(&mut free, (2, 4, 1), request(0, long, 5)), Refusal::Overflow.into());
    assert_eq!(refused(&mut free, (9, 4, 1), request(0, long, 1)), Misuse::Overflow.into());

    let mut faulty = timeline(0, LIMITS);
    (2..8).for_each(|pe| faulty.withdraw(pe).unwrap());
    // The fast class is too small for six, but all PEs are not.
    let serving = Error::from(Refusal::Faulty { serving: 2 });
    assert_eq!(refused(&mut faulty, (1, 2, 1), request(0, 10, 6)), serving);
    assert_eq!(refused(&mut faulty, (1, 2, 1), request(0, 10, 3)), serving);
    // Two slow ones serve yet.
    assert_eq!(refused(&mut faulty, (1, 2, 1), request(0, 10, 2).by(at(9))), late(10));

    let mut full = timeline(0, LIMITS);
    (0..4).for_each(|n| _ = full.add(interval(n, 90), &set([n as u32])).unwrap());
    assert_eq!(
        refused(&mut full, (1, 2, 1), request(0, 10, 1)),
        Refusal::Full { reservations: 4 }.into()
    );
    assert_eq!(refused(&mut full, (1, 2, 1), request(0, 10, 0)), Misuse::NoPes.into());
}

#[test]
fn pes_in_no_class_are_not_reserved_by_speed_and_required_ones_are() {
    let mut timeline = timeline(0, LIMITS);
    let (fast, both) = (set(2..4), set(1..6));
    let classes = [SpeedClass::new(4, &fast), SpeedClass::new(1, &both)];
    let speeds = Speeds::new(1, &classes).unwrap();
    let masked = Refusal::Masked { allowed: 5 };
    let six = timeline.reserve_at_speeds(&request(0, 8, 6), speeds, &Fit::First, &Lowest);
    assert_eq!(six, Err(masked.into()));
    // PE 5 is required, and slow.
    let five = set([5]);
    let choice = Masked { mask: Mask::ANY.with(&five), choice: Lowest };
    let (id, at) =
        timeline.reserve_at_speeds(&request(0, 8, 2), speeds, &Fit::First, &choice).unwrap();
    assert_eq!(at, interval(0, 8));
    assert!(timeline.pes_of(id).unwrap().iter().eq([1, 5]));
    let seven = set([7]);
    for choice in [
        Masked { mask: Mask::ANY.with(&seven), choice: Lowest },
        // The classes say which.
        Masked { mask: Mask::only(&both), choice: Lowest },
    ] {
        let wrong = timeline.reserve_at_speeds(&request(0, 8, 2), speeds, &Fit::First, &choice);
        assert_eq!(wrong, Err(Misuse::WrongMask.into()));
    }
}

#[test]
fn speeds_that_contradict_each_other_are_a_misuse() {
    let (fast, all, other) = (set(4..8), set(0..8), set(0..4));
    let wider = BitSet::empty([0 as Word; 2], 9).unwrap();
    let class = |speed, pes| SpeedClass::new(speed, pes);
    let wrong = |standard, classes: &[SpeedClass<'_>]| {
        assert_eq!(Speeds::new(standard, classes).err(), Some(Misuse::WrongSpeeds));
    };
    wrong(1, &[]);
    wrong(0, &[class(1, &all)]);
    wrong(1, &[class(0, &all)]);
    wrong(1, &[class(2, &fast), class(2, &all)]);
    wrong(1, &[class(1, &fast), class(2, &all)]);
    wrong(1, &[class(2, &fast), class(1, &other)]);
    wrong(1, &[class(2, &fast), SpeedClass::new(1, &wider)]);
    // Of another machine.
    let classes = [SpeedClass::new(1, &wider)];
    let speeds = Speeds::new(1, &classes).unwrap();
    let asked =
        timeline(0, LIMITS).reserve_at_speeds(&request(0, 8, 2), speeds, &Fit::First, &Lowest);
    assert_eq!(asked, Err(Misuse::WrongSet.into()));
}

/// Asks timelines for the earliest place.
fn broker(
    machines: &mut [&mut Plain],
    ask: &Request,
) -> Result<(usize, ReservationId, Interval), Error> {
    reserve_on_one_of(
        machines,
        |machine| machine.would_reserve(ask, &Fit::First, &Lowest),
        |machine| machine.reserve(ask, &Fit::First, &Lowest),
    )
}

#[test]
fn a_broker_takes_the_machine_that_is_done_first_and_leaves_the_others_alone() {
    let mut small = timeline(1, LIMITS);
    let mut large = timeline(2, Limits { pes: 20, reservations: 4 });
    let ask = |pes| request(0, 10, pes);
    let mut take = |pes| {
        let (which, id, at) = broker(&mut [&mut small, &mut large], &ask(pes)).unwrap();
        assert_eq!(id.handle().pool(), PoolId(which as u16 + 1));
        let held = [small.reservations().count(), large.reservations().count()];
        (which, at, held)
    };
    assert_eq!(take(8), (0, interval(0, 10), [1, 0]));
    assert_eq!(take(8), (1, interval(0, 10), [1, 1]));
    // Too large for the first machine; the other has 12 PEs until 10.
    assert_eq!(take(13), (1, interval(10, 20), [1, 2]));
    // Both would begin at 10.
    assert_eq!(take(6), (1, interval(0, 10), [1, 3]));
    assert_eq!(take(7), (0, interval(10, 20), [2, 3]));
}

#[test]
fn a_broker_says_what_is_nearest_to_a_place_of_all_machines() {
    let one = Limits { pes: 8, reservations: 1 };
    let mut machines = [timeline(1, one), timeline(2, Limits { pes: 4, reservations: 3 })];
    let refused = |machines: &mut [Plain], ask: Request| {
        broker(&mut machines.iter_mut().collect::<Vec<_>>(), &ask).unwrap_err()
    };
    assert_eq!(refused(&mut machines, request(0, 10, 9)), Refusal::TooLarge { pes: 8 }.into());
    assert_eq!(refused(&mut [], request(0, 10, 9)), Misuse::NoRequest.into());
    assert_eq!(refused(&mut machines, request(0, 0, 1)), Misuse::NoTime.into());
    machines[0].withdraw(1).unwrap();
    assert_eq!(refused(&mut machines, request(0, 10, 8)), Refusal::Faulty { serving: 7 }.into());
    machines[0].repair(1).unwrap();
    machines[0].add(interval(0, 30), &set([0])).unwrap();
    assert_eq!(refused(&mut machines, request(0, 10, 8)), Refusal::Full { reservations: 1 }.into());
    // The second machine could by 20.
    let all = BitSet::from_words([0b1111_usize], 4).unwrap();
    machines[1].add(interval(0, 10), &all).unwrap();
    let late = Error::from(Refusal::Late { finish: at(20) });
    assert_eq!(refused(&mut machines, request(0, 10, 3).by(at(15))), late);
}

#[test]
fn a_broker_asks_machines_of_unlike_speed_and_profiles() {
    // A machine at half speed, one at double speed that is busy until 4.
    let (mut slow, mut fast) = (timeline(1, LIMITS), timeline(2, LIMITS));
    fast.add(interval(0, 4), &set(0..8)).unwrap();
    let all = set(0..8);
    let classes = [1, 4].map(|speed| [SpeedClass::new(speed, &all)]);
    let speeds = |n: usize| Speeds::new(2, &classes[n]).unwrap();
    let mut machines = [(&mut slow, speeds(0)), (&mut fast, speeds(1))];
    let mut take = |ask: &Request| {
        let placed = reserve_on_one_of(
            &mut machines,
            |(machine, speeds)| machine.would_reserve_at_speeds(ask, *speeds, &Fit::First, &Lowest),
            |(machine, speeds)| machine.reserve_at_speeds(ask, *speeds, &Fit::First, &Lowest),
        );
        placed.map(|(which, _, at)| (which, at))
    };
    assert_eq!(take(&request(0, 6, 8)), Ok((1, interval(4, 7))));
    // By 12 on the slow one, by 10 on the fast one; a deadline that only the fast one can keep is no misuse.
    assert_eq!(take(&request(0, 6, 8).by(at(10))), Ok((1, interval(7, 10))));
    assert_eq!(take(&request(0, 6, 8)), Ok((0, interval(0, 12))));

    let limits = Limits { pes: 3, reservations: 2 };
    let profile =
        |pool| Profile::new(PoolId(pool), limits, vec![0; Profile::words(limits)]).unwrap();
    let mut profiles = [profile(1), profile(2)];
    for expected in [0, 1] {
        let ask = request(5, 6, 2);
        let (which, id, at) = reserve_on_one_of(
            &mut profiles,
            |machine| machine.would_reserve(&ask, &Fit::First),
            |machine| machine.reserve(&ask, &Fit::First),
        )
        .unwrap();
        assert_eq!((which, at), (expected, interval(5, 11)));
        assert_eq!(profiles[which].reservation(id).unwrap().pes, 2);
    }
}

/// Every window but those behind the last reservation has a PE too few.
#[test]
fn a_crowded_machine_of_many_speeds_is_placed_behind_all_that_is_reserved() {
    const PES: u32 = 64;
    let limits = Limits { pes: PES, reservations: 400 };
    let mut timeline = timeline(0, limits);
    for n in 0..399_u64 {
        let mut pes = BitSet::empty([0 as Word; 2], PES).unwrap();
        pes.insert((n % 64) as u32).unwrap();
        timeline.add(interval(2 * n, 2 * n + 2), &pes).unwrap();
    }
    let sets: Vec<_> = (1..=32_u32)
        .map(|class| {
            let mut pes = BitSet::empty([0 as Word; 2], PES).unwrap();
            pes.insert_range(0, 2 * class).unwrap();
            pes
        })
        .collect();
    let classes: Vec<_> = (0..32).map(|n| SpeedClass::new(64 - n, &sets[n as usize])).collect();
    let speeds = Speeds::new(32, &classes).unwrap();
    let ask = request(0, 100, PES);
    let (id, at) = timeline.reserve_at_speeds(&ask, speeds, &Fit::First, &Lowest).unwrap();
    // 100 * 32 / 33.
    assert_eq!(at, interval(798, 798 + 97));
    assert_eq!(timeline.pes_of(id).unwrap().count(), PES);
    timeline.check_invariants().unwrap();
}
