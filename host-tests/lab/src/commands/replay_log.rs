//! `locox replay-log`: what a recorded run leads to.

use super::delivery::{notice, unprintable};
use crate::cli::ReplayLog;
use crate::input::shown;
use crate::output::Stdout;
use locox_models::recorded::replay;
use locox_report::failure::Failure;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

pub(super) fn run(ReplayLog { file }: &ReplayLog) -> Result<(), Failure> {
    let wrong = |what: String| Failure::Input(format!("{}: {what}", shown(file).display()));
    let bytes = read(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let digest = replay(&bytes).map_err(|bad| wrong(bad.to_string()))?;
    if digest.mended() > 0 {
        notice(&format!("{} records had a bit turned, which was turned back", digest.mended()));
    }
    let mut out = Stdout::lock();
    write!(out, "{digest}").and_then(|()| out.flush()).map_err(unprintable)
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return fs::read(file);
    }
    let mut bytes = vec![];
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
