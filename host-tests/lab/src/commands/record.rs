//! `locox record`: what a model tells its coordinator, as a file.

use super::delivery::{notice, tell};
use super::elmer::Input;
use super::stations::{pool, refused};
use crate::cli::{OneRanking, Record, RecordElmer, RecordSite, RecordStations, ResultFile};
use crate::output::{is_standard_output, write_result};
use crate::shell::quoted;
use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::site::{Claim, Config, Policy};
use locox_models::recorded::{record_site, record_stations, replay};
use locox_models::site::{Rules, SECOND, poisson};
use locox_models::workstation;
use locox_report::failure::Failure;

pub(super) fn run(of: &Record) -> Result<(), Failure> {
    match of {
        Record::Stations(options) => stations(options),
        Record::Elmer(options) => elmer(options),
        Record::Site(options) => site(options),
    }
}

/// Urgent jobs take the places of others, as in the study's last case.
fn site(options: &RecordSite) -> Result<(), Failure> {
    const QUANTUM: Duration = Duration::from_ticks(10 * SECOND);
    let RecordSite { jobs, rate, deviation, seed, commands, result } = options;
    let claims = [Claim::Takes, Claim::Neither, Claim::Loses];
    let queue = |(level, claim)| Policy { level, claim, ..Policy::EMPTY };
    let queues = (0..).zip(claims).map(queue).collect();
    let config = Config::new(QUANTUM, PoolId(0));
    let rules = Rules { queues, ..Rules::new(config, Policy::EMPTY) };
    let deviation = f64::from(*deviation) / 100.0;
    let jobs = poisson(*jobs as usize, f64::from(*rate), &[10, 10, 80], deviation, *seed, 0);
    deliver(&record_site(&rules, &jobs, *commands), result)
}

fn elmer(options: &RecordElmer) -> Result<(), Failure> {
    let RecordElmer { of, placement, commands, result } = options;
    deliver(&Input::read(of)?.record(*placement, *commands), result)
}

fn stations(options: &RecordStations) -> Result<(), Failure> {
    let RecordStations { pool: of_pool, commands, result, .. } = options;
    let policy = match options.policy {
        OneRanking::UpdownTime => workstation::Policy::TimedUpDown,
        OneRanking::UpdownTable => workstation::Policy::UpDown(of_pool.functions),
        OneRanking::RoundRobin => workstation::Policy::RoundRobin,
        OneRanking::Random => workstation::Policy::Random,
    };
    let bytes = record_stations(&pool(of_pool, 1)?, policy, of_pool.seed, *commands);
    deliver(&bytes.map_err(refused)?, result)
}

/// Writes it, and prints what it leads to.
fn deliver(bytes: &[u8], ResultFile { out: to, force }: &ResultFile) -> Result<(), Failure> {
    let digest =
        replay(bytes).map_err(|bad| Failure::Input(format!("what was recorded: {bad}")))?;
    write_result(to, *force, |out| out.write_all(bytes))?;
    if is_standard_output(to) {
        notice(&digest.to_string().replace('\n', "; "));
        return Ok(());
    }
    let name = to.display().to_string();
    let next = format!("on another machine: locox replay-log {}", quoted(&name));
    tell(&format!("{name}:\n{}", digest.to_string().trim_end()), &next, to)
}
