//! `locox record`: what a model tells its coordinator, as a file.

use super::elmer::Input;
use super::notice;
use super::stations::{pool, refused};
use crate::cli::{OneRanking, Record, RecordElmer, RecordStations, ResultFile};
use crate::failure::Failure;
use crate::output::{Stdout, is_standard_output, write_result};
use crate::printable::printable;
use locox_models::recorded::{record_stations, replay};
use locox_models::workstation::Policy;
use std::io::Write;

pub(super) fn run(of: &Record) -> Result<(), Failure> {
    match of {
        Record::Stations(options) => stations(options),
        Record::Elmer(options) => elmer(options),
    }
}

fn elmer(options: &RecordElmer) -> Result<(), Failure> {
    let RecordElmer { of, placement, commands, result } = options;
    deliver(&Input::read(of)?.record(*placement, *commands), result)
}

fn stations(options: &RecordStations) -> Result<(), Failure> {
    let RecordStations { pool: of_pool, commands, result, .. } = options;
    let policy = match options.policy {
        OneRanking::UpdownTime => Policy::TimedUpDown,
        OneRanking::UpdownTable => Policy::UpDown(of_pool.functions),
        OneRanking::RoundRobin => Policy::RoundRobin,
        OneRanking::Random => Policy::Random,
    };
    let bytes = record_stations(&pool(of_pool)?, policy, of_pool.seed, *commands);
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
    let mut out = Stdout::lock();
    write!(out, "{}:\n{digest}", printable(&to.display().to_string()))
        .and_then(|()| out.flush())
        .map_err(|error| Failure::Input(format!("standard output: {error}")))
}
