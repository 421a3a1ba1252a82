//! So many decisions of a placement, or so many jobs placed and removed, for a counter of
//! instructions around this process: run twice, the difference leaves out what is not measured.
//!
//! Arguments: `first-level`, `first-calm-level` or `non-interfering`, hosts, the size of the job, `decide` or `place`, and how often.
//! There are four levels. Half of the hosts have a job, and hosts of a job follow each other; with
//! `scattered` behind the arguments nearly all have one, scattered as they are after a long time,
//! with `unlike` hosts are of four speeds, and with `turns` version 2 with another threshold decides
//! before each decision, so that both have to look at all readings.

use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, FirstLevel, HostId, HostRow, JobNumber, JobRow, Load, NonInterfering,
    Placement, Request, Speed, Table, Threshold, UserId, words,
};
use std::hint::black_box;

const LEVELS: u8 = 4;
const NOW: Instant = Instant::ZERO;

type Boxed = Table<Columns<Vec<Entry>, Vec<HostRow>, Vec<JobRow>, Vec<usize>>>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let [placement, hosts, wanted, what, times, states @ ..] = arguments.as_slice() else {
        println!(
            "first-level|first-calm-level|non-interfering HOSTS SIZE decide|place TIMES [scattered] [unlike] [turns], under callgrind"
        );
        return;
    };
    let is = |state: &str| states.iter().any(|it| it == state);
    let number = |text: &String| text.parse::<u32>().expect("a number");
    let (hosts, wanted, times) = (number(hosts), number(wanted), number(times));
    let threshold = Threshold::from_thousandths(700).expect("between 0 and 1");
    let non_interfering = NonInterfering {
        degree: LEVELS,
        threshold,
        believed: Duration::MAX,
        settled: Duration::ZERO,
    };
    let mut table = table(hosts, &non_interfering, is("scattered"), is("unlike"));
    let places = what == "place";
    let what = What { wanted, places, turns: is("turns"), times };
    match placement.as_str() {
        "first-level" => run(&mut table, &FirstLevel::new(LEVELS), &what),
        "first-calm-level" => {
            run(&mut table, &FirstLevel::new(LEVELS).on_calm_hosts(threshold, Duration::MAX), &what)
        }
        _ => run(&mut table, &non_interfering, &what),
    }
}

fn table(
    hosts: u32,
    non_interfering: &NonInterfering,
    is_scattered: bool,
    are_unlike: bool,
) -> Boxed {
    let columns = Columns {
        entries: vec![Entry::EMPTY; hosts as usize * usize::from(LEVELS)],
        hosts: vec![HostRow::EMPTY; hosts as usize],
        jobs: vec![JobRow::EMPTY; 32],
        words: vec![0; words(hosts as usize, LEVELS)],
    };
    let mut table = Table::new(LEVELS, columns).expect("the columns fit");
    for host in (0..hosts).map(HostId) {
        let speed = if are_unlike { Speed(12 + (host.0 % 4) as u8 * 4) } else { Speed::NOMINAL };
        table.report(NOW, host, Load::IDLE, speed).expect("the host is known");
    }
    let each = if is_scattered { hosts / 16 } else { (hosts / 2).div_ceil(8) };
    let jobs = if is_scattered { 16 } else { hosts / 2 / each };
    for job in 1..=jobs {
        let request = Request::new(UserId(0), each);
        let placed = if is_scattered {
            table.place(NOW, &FirstLevel::new(1).shuffled(), JobNumber(job), request, job * 77_777)
        } else {
            table.place(NOW, non_interfering, JobNumber(job), request, ())
        };
        placed.expect("there is room");
    }
    table
}

struct What {
    wanted: u32,
    places: bool,
    turns: bool,
    times: u32,
}

fn run<P: Placement<Draw = ()>>(table: &mut Boxed, placement: &P, what: &What) {
    let threshold = Threshold::from_thousandths(500).expect("between 0 and 1");
    let other = FirstLevel::new(LEVELS).on_calm_hosts(threshold, Duration::MAX);
    for _ in 0..what.times {
        if what.turns {
            let one = Request::new(UserId(0), 1);
            black_box(table.would_place(NOW, &other, one, ())).expect("there is room");
        }
        let request = black_box(Request::new(UserId(0), what.wanted));
        if what.places {
            table.place(NOW, placement, JobNumber(0), request, ()).expect("there is room");
            table.remove(NOW, JobNumber(0), &mut |host| _ = black_box(host)).expect("it is placed");
        } else {
            black_box(table.would_place(NOW, placement, request, ())).expect("there is room");
        }
    }
}
