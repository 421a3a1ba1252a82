//! `locox replay-log`: what a recorded run leads to.

use super::delivery::notice;
use crate::cli::{MOST_COMMANDS, ReplayLog};
use crate::input::{is_standard_input, shown};
use crate::output::{Stdout, unprintable};
use locox_models::file;
use locox_models::recorded::replay;
use locox_models::text::bytes;
use locox_report::failure::Failure;
use std::io::{self, Write};
use std::path::Path;

/// Bytes of the longest recording that `locox record` writes: 64 a command, and a head.
const LONGEST: u64 = 64 * MOST_COMMANDS + (1 << 20);

pub(super) fn run(ReplayLog { file }: &ReplayLog) -> Result<(), Failure> {
    let wrong = |what: String| Failure::Input(format!("{}: {what}", shown(file).display()));
    let bytes = read(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let digest = replay(&bytes).map_err(|bad| wrong(bad.to_string()))?;
    if digest.mended() > 0 {
        notice(&format!("{} records had a bit turned, which was turned back", digest.mended()));
    }
    let mut out = Stdout::lock();
    write!(out, "{digest}").and_then(|()| out.flush()).map_err(|error| unprintable(&error))
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    if is_standard_input(file) {
        return bytes(io::stdin().lock(), LONGEST);
    }
    bytes(file::open(file)?, LONGEST)
}
