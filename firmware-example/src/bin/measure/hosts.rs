//! The three placements on shared hosts, half of which have a job each.

use board::Counter;
use board::println;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Arrays, FirstLevel, HostId, JobNumber, Load, NonInterfering, Placement, Request, Speed, Table,
    Threshold, UserId, words,
};
use static_cell::ConstStaticCell;

const FEW: usize = 6;
const MANY: usize = 256;
const JOBS: usize = 16;
const LEVELS: u8 = 4;

type Six = Arrays<{ FEW * LEVELS as usize }, FEW, JOBS, { words(FEW, LEVELS) }>;
type More = Arrays<{ MANY * LEVELS as usize }, MANY, JOBS, { words(MANY, LEVELS) }>;

static SIX: ConstStaticCell<Six> = ConstStaticCell::new(Six::EMPTY);
static MORE: ConstStaticCell<More> = ConstStaticCell::new(More::EMPTY);

const ROWS: [&str; 4] =
    ["start a job of a sixth of the hosts", "end it", "start a job of two thirds", "end it"];
const NOW: Instant = Instant::ZERO;

pub(crate) fn print(counter: &mut Counter) -> Option<()> {
    let mut six = Table::new(LEVELS, SIX.try_take()?).ok()?;
    let mut more = Table::new(LEVELS, MORE.try_take()?).ok()?;
    println!("\nInstructions, shared hosts of 4 levels");
    of(&mut six, "6 hosts", counter)?;
    of(&mut more, "256 hosts", counter)
}

fn of<S: locox::timeshare::Storage>(
    table: &mut Table<S>,
    name: &str,
    counter: &mut Counter,
) -> Option<()> {
    let threshold = Threshold::from_thousandths(700).ok()?;
    let non_interfering =
        NonInterfering { degree: 2, threshold, believed: Duration::MAX, settled: Duration::ZERO };
    let first_calm_level = FirstLevel::new(2).on_calm_hosts(threshold, Duration::MAX);
    let hosts = table.hosts();
    for host in (0..hosts).map(HostId) {
        table.report(NOW, host, Load::IDLE, Speed::NOMINAL).ok()?;
    }
    let each = (hosts / 12).max(1);
    (1..=hosts / 2 / each).try_for_each(|job| {
        table.place(NOW, &non_interfering, JobNumber(job), request(each), ()).ok().map(|_| ())
    })?;
    let columns = [
        under(table, &FirstLevel::new(2), counter)?,
        under(table, &first_calm_level, counter)?,
        under(table, &non_interfering, counter)?,
    ];
    println!(
        "{:38} {:>16} {:>16} {:>16}",
        name, "first-level", "first-calm-level", "non-interfering"
    );
    for (at, name) in ROWS.iter().enumerate() {
        let [first_level, first_calm_level, non_interfering] = columns.map(|column| column[at]);
        println!(
            "{:38} {:>16} {:>16} {:>16}",
            name, first_level, first_calm_level, non_interfering
        );
    }
    Some(())
}

fn request(hosts: u32) -> Request {
    Request::new(UserId(0), hosts)
}

fn under<S: locox::timeshare::Storage, P: Placement<Draw = ()>>(
    table: &mut Table<S>,
    placement: &P,
    counter: &mut Counter,
) -> Option<[u64; ROWS.len()]> {
    let hosts = table.hosts();
    let mut figures = [0; ROWS.len()];
    for (at, wanted) in [(0, hosts / 6), (2, hosts * 2 / 3)] {
        let mut done = false;
        figures[at] = counter.count(&mut || {
            done = table.place(NOW, placement, JobNumber(0), request(wanted), ()).is_ok();
        });
        if !done {
            return None;
        }
        figures[at + 1] =
            counter.count(&mut || done = table.remove(NOW, JobNumber(0), &mut |_| ()).is_ok());
        if !done {
            return None;
        }
    }
    Some(figures)
}
