//! So many decisions of a placement, or so many jobs placed and removed, for a counter of
//! instructions around this process: run twice, the difference leaves out what is not measured.
//!
//! Arguments: `v1`, `v2` or `v3`, hosts, the size of the job, `decide` or `place`, and how often.
//! Half of the hosts have a job; there are four levels.

use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, HostId, HostRow, JobNumber, JobRow, Load, Placement, Request, Speed, Table,
    Threshold, UserId, V1, V2, V3, words,
};
use std::hint::black_box;

const LEVELS: u8 = 4;
const NOW: Instant = Instant::ZERO;

type Boxed = Table<Columns<Vec<Entry>, Vec<HostRow>, Vec<JobRow>, Vec<usize>>>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let [placement, hosts, wanted, what, times] = arguments.as_slice() else {
        println!("v1|v2|v3 HOSTS SIZE decide|place TIMES, under valgrind --tool=callgrind");
        return;
    };
    let number = |text: &String| text.parse::<u32>().expect("a number");
    let (hosts, wanted, times) = (number(hosts), number(wanted), number(times));
    let threshold = Threshold::from_thousandths(700).expect("between 0 and 1");
    let v3 = V3 { degree: LEVELS, threshold, believed: Duration::MAX, settled: Duration::ZERO };
    let mut table = table(hosts, &v3);
    let places = what == "place";
    match placement.as_str() {
        "v1" => run(&mut table, &V1::new(LEVELS), wanted, places, times),
        "v2" => run(&mut table, &V2::new(LEVELS, threshold, Duration::MAX), wanted, places, times),
        _ => run(&mut table, &v3, wanted, places, times),
    }
}

fn table(hosts: u32, v3: &V3) -> Boxed {
    let columns = Columns {
        entries: vec![Entry::EMPTY; hosts as usize * usize::from(LEVELS)],
        hosts: vec![HostRow::EMPTY; hosts as usize],
        jobs: vec![JobRow::EMPTY; 16],
        words: vec![0; words(hosts as usize, LEVELS)],
    };
    let mut table = Table::new(LEVELS, columns).expect("the columns fit");
    for host in (0..hosts).map(HostId) {
        table.report(NOW, host, Load::IDLE, Speed::NOMINAL).expect("the host is known");
    }
    let each = (hosts / 2).div_ceil(8);
    for job in 1..=hosts / 2 / each {
        let request = Request::new(UserId(0), each);
        table.place(NOW, v3, JobNumber(job), request, ()).expect("there is room");
    }
    table
}

fn run<P: Placement<Draw = ()>>(
    table: &mut Boxed,
    placement: &P,
    wanted: u32,
    places: bool,
    times: u32,
) {
    for _ in 0..times {
        let request = black_box(Request::new(UserId(0), wanted));
        if places {
            table.place(NOW, placement, JobNumber(0), request, ()).expect("there is room");
            table.remove(NOW, JobNumber(0), &mut |host| _ = black_box(host)).expect("it is placed");
        } else {
            black_box(table.would_place(NOW, placement, request, ())).expect("there is room");
        }
    }
}
