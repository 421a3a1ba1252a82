//! `locox import`: what other programs recorded, as a trace.

use super::delivery::tell;
use crate::cli::{Import, ImportSacct, ResultFile};
use crate::input;
use crate::memory;
use crate::output::{Prepared, check_result, is_standard_output, is_stream, prepare_result};
use crate::shell::quoted;
use locox_models::sacct::{Accounting, Kept, Options};
use locox_report::failure::Failure;
use locox_report::report::counted;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Jobs at most, if there is memory for them.
const MOST_JOBS: usize = 5_000_000;

pub(super) fn run(import: &Import) -> Result<(), Failure> {
    match import {
        Import::Sacct(options) => of_sacct(options),
        Import::Openb(options) => super::import_openb::run(options),
    }
}

fn of_sacct(options: &ImportSacct) -> Result<(), Failure> {
    let ImportSacct { file, unit, machine_size, anonymous, demands, result } = options;
    let ResultFile { out, force } = result;
    if !is_standard_output(out) {
        check_result(out, *force)?;
    }
    if let Some(demands) = demands {
        if is_same(demands, out) {
            let fault = "--demands and --out cannot both be one file; name another for one of them";
            return Err(Failure::Usage(fault.into()));
        }
        check_result(demands, *force).map_err(of_demands)?;
    }
    let room = memory::accounted(MOST_JOBS);
    let how = Options { unit: (*unit).into(), room, demands: demands.is_some() };
    let accounting = input::sacct(file, &how).map_err(|error| Failure::Input(error.to_string()))?;
    if demands.is_some() && accounting.demands() == 0 {
        return Err(Failure::Input(format!(
            "{}: no job has a list of what it was given or asked for; ask sacct for AllocTRES and ReqTRES, or leave --demands out",
            input::shown(file).display()
        )));
    }
    let source = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let trace = || {
        let write = |to: &mut dyn Write| accounting.write(&source, *machine_size, !anonymous, to);
        prepare_result(out, *force, write)
    };
    match demands {
        Some(demands) => {
            let write = |to: &mut dyn Write| accounting.write_demands(to);
            let demands = || prepare_result(demands, *force, write).map_err(of_demands);
            write_both(trace, demands, is_stream(out))?;
        }
        None => trace()?.put()?,
    }
    let mut next = format!("locox replay {}", quoted(&out.display().to_string()));
    if let Some(demands) = demands {
        let demands = quoted(&demands.display().to_string());
        _ = write!(next, " --demands {demands} --machine nodes:FILE");
    }
    // Beside data on standard output there is no room for words.
    let data = demands.as_ref().filter(|it| is_standard_output(it)).unwrap_or(out);
    tell(&told(&out.display().to_string(), &accounting, *machine_size), &next, data)
}

/// Writes a trace and its demands, or none of them. What is written at once comes last.
fn write_both(
    trace: impl FnOnce() -> Result<Prepared, Failure>,
    demands: impl FnOnce() -> Result<Prepared, Failure>,
    is_trace_last: bool,
) -> Result<(), Failure> {
    let both = match is_trace_last {
        true => demands().and_then(|demands| Ok((trace()?, demands))),
        false => trace().and_then(|trace| Ok((trace, demands()?))),
    };
    let (trace, demands) = both?;
    trace.put()?;
    demands.put().map_err(of_demands)
}

fn of_demands(failure: Failure) -> Failure {
    failure.of_option("--demands")
}

/// Whether two results are one file, whatever the ways there.
fn is_same(one: &Path, other: &Path) -> bool {
    let folder = |it: &Path| {
        let folder = it.parent().filter(|it| !it.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    let whole = |it: &Path| it.canonicalize().ok();
    one == other
        || whole(one).is_some() && whole(one) == whole(other)
        || one.file_name() == other.file_name() && folder(one) == folder(other)
}

fn told(out: &str, accounting: &Accounting, size: Option<u32>) -> String {
    let report = &accounting.report;
    let kept = report.kept;
    let peak = accounting.peak();
    let mut text = format!(
        "{out}: {} jobs (users: {}, partitions: {}) from {} lines; {} processors in use at once",
        counted(kept.jobs),
        counted(accounting.users() as u64),
        counted(accounting.partitions() as u64),
        counted(report.lines),
        counted(peak),
    );
    if let Some(size) = size.filter(|&size| u64::from(size) < peak) {
        _ = write!(text, ", more than the machine's {}", counted(size.into()));
    }
    let Kept { tasks, requeued, heterogeneous, components, suspended, unlimited, .. } = kept;
    let line = |count: u64, what: &str| match count {
        0 => String::new(),
        _ => format!("\n  kept {:>9}  {what}", counted(count)),
    };
    text += &line(tasks, "tasks of arrays");
    text += &line(requeued, "further runs of jobs that were requeued, or numbers used again");
    let joined = format!("heterogeneous jobs (of {} components)", counted(components));
    text += &line(heterogeneous, &joined);
    text += &line(suspended, "suspended for a time, which is not in their run time");
    text += &line(unlimited, "without a time limit");
    text += &line(accounting.demands() as u64, "with what they ask for of nodes");
    for (why, dropped) in &report.dropped {
        let (lines, first) = (counted(dropped.lines), dropped.first);
        _ = write!(text, "\n  dropped {lines:>6}  {why} (the first in line {first})");
    }
    text
}
