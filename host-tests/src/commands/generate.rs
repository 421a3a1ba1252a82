//! `locox generate`: a workload made up, written as a trace.

use crate::cli::{Generate, GenerateLublin};
use crate::failure::Failure;
use crate::output::{Stdout, write_whole};
use crate::report::counted;
use locox_models::swf;
use locox_models::workload::Workload;
use locox_models::workload::lublin::Lublin;
use std::io::Write;

pub(super) fn run(model: &Generate) -> Result<(), Failure> {
    let Generate::Lublin(options) = model;
    let workload = lublin(options)?;
    write_whole(&options.out, |out| swf::write(&workload, out))?;
    let told = format!(
        "{}: {} jobs for {} processors, offered load {:.3}",
        options.out.display(),
        counted(workload.jobs.len() as u64),
        counted(options.machine_size.into()),
        workload.offered_load(options.machine_size).unwrap_or(0.0),
    );
    let mut out = Stdout::lock();
    writeln!(out, "{told}")
        .and_then(|()| out.flush())
        .map_err(|error| Failure::Input(format!("standard output: {error}")))
}

fn lublin(options: &GenerateLublin) -> Result<Workload, Failure> {
    let &GenerateLublin { jobs, machine_size: processors, kind, estimates, seed, .. } = options;
    let recipe = Lublin { kind, jobs: jobs as usize, processors, estimates };
    recipe.generate(seed, 0).map_err(|error| Failure::Usage(error.to_string()))
}
