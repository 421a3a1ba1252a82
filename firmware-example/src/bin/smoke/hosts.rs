//! A cluster of 64 hosts that up to four jobs share in time, with its rows in a static of zeros.

use board::println;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{HostId, Load, NonInterfering, Speed, Threshold, UserId};
use locox_coordinators::cluster::{
    Arrays, Command, Config, Coordinator, Effect, JobId, Terms, words,
};
use static_cell::ConstStaticCell;

const HOSTS: usize = 64;
const LEVELS: u8 = 4;
const JOBS: usize = 32;

type Rows = Arrays<{ HOSTS * LEVELS as usize }, HOSTS, JOBS, { words(HOSTS, LEVELS) }>;
type Elmer = Coordinator<'static, NonInterfering>;

static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);

pub(crate) fn walk_through() -> Option<()> {
    let placement = NonInterfering {
        degree: LEVELS,
        threshold: Threshold::from_thousandths(700).ok()?,
        believed: Duration::from_ticks(60),
        settled: Duration::from_ticks(1),
    };
    let columns = ROWS.try_take()?.columns();
    let mut elmer =
        Coordinator::new(Config::new(PoolId(6)), LEVELS, columns, placement, Instant::ZERO).ok()?;
    println!(
        "cluster of {HOSTS} hosts, {} bytes of rows, {} of header",
        size_of::<Rows>(),
        size_of::<Elmer>()
    );
    report(&mut elmer, 1, 0)?;
    let first = submit(&mut elmer, 48, true)?;
    let second = submit(&mut elmer, 32, false)?;
    println!("job {second}: {:?}", elmer.status(second).ok()?);
    tell(&mut elmer);
    report(&mut elmer, 5, 300)?;
    println!("job {second}: {:?}", elmer.status(second).ok()?);
    println!(
        "cancel job {second}: refused, {}",
        elmer.apply(at(6), Command::Cancel { job: second }).err()?
    );
    tell(&mut elmer);
    elmer.apply(at(7), Command::Ended { job: first }).ok()?;
    tell(&mut elmer);
    elmer.apply(at(8), Command::HostLost { host: HostId(10) }).ok()?;
    println!("host 10 is lost; job {second}: {:?}", elmer.status(second).ok()?);
    tell(&mut elmer);
    let sound = elmer.check_invariants();
    println!("passed: {:?}, invariants: {:?}", elmer.table().passed(), sound);
    sound.ok()
}

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn report(elmer: &mut Elmer, now: u64, thousandths: u16) -> Option<()> {
    let load = Load::from_thousandths(thousandths);
    (0..HOSTS as u32).map(HostId).try_for_each(|host| {
        let (speed, heard) = (Speed::NOMINAL, elmer.batch(host));
        let report = Command::HostReport { host, load, speed, heard };
        elmer.apply(at(now), report).ok().map(|_| ())
    })
}

fn submit(elmer: &mut Elmer, hosts: u32, synchronising: bool) -> Option<JobId> {
    let submit = Command::Submit { user: UserId(1), hosts, synchronising, terms: Terms::default() };
    elmer.apply(at(2), submit).ok()?
}

/// Counts who is told what, and shows the first of each kind.
fn tell(elmer: &mut Elmer) {
    let (mut assignments, mut hosts) = (0, 0);
    while let Some(effect) = elmer.take_effect() {
        match effect {
            Effect::Assign { host, assignment, .. } => {
                if assignments == 0 {
                    println!(
                        "host {host} is to run job {} at level {}",
                        assignment.job,
                        assignment.level.number()
                    );
                }
                assignments += 1;
            }
            Effect::AssignmentsEnd { .. } => hosts += 1,
        }
    }
    println!("{hosts} hosts told of {assignments} assignments");
}
