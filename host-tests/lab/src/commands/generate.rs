//! `locox generate`: a workload made up, or requests for reservations.

use super::delivery::tell;
use crate::cli::{
    Generate, GenerateElmerHosts, GenerateElmerJobs, GenerateLublin, GenerateReservations,
    ResultFile,
};
use crate::input;
use crate::memory;
use crate::output::write_result;
use crate::shell::quoted;
use locox_models::swf::{self, Strictness};
use locox_models::timeshare::lists::{Mix, generate_hosts, write_hosts, write_jobs};
use locox_models::workload::lublin::Lublin;
use locox_models::workload::request_file::write_requests;
use locox_models::workload::reservations::{Flexibility, requests};
use locox_models::workload::{Selection, Workload, cm5};
use locox_report::failure::Failure;
use locox_report::report::counted;

pub(super) fn run(model: &Generate) -> Result<(), Failure> {
    let (told, to, next) = match model {
        Generate::Lublin(options) => (lublin(options)?, &options.result.out, "replay FILE"),
        Generate::Reservations(options) => {
            (reservations(options)?, &options.result.out, "reserve FILE --pes N")
        }
        Generate::ElmerJobs(options) => {
            (elmer_jobs(options)?, &options.result.out, "elmer FILE --count N")
        }
        Generate::ElmerHosts(options) => {
            (elmer_hosts(options)?, &options.result.out, "elmer JOBS --hosts FILE")
        }
    };
    let file = quoted(&to.display().to_string());
    tell(&told, &format!("locox {}", next.replace("FILE", &file)), to)
}

fn lublin(options: &GenerateLublin) -> Result<String, Failure> {
    let &GenerateLublin { jobs, machine_size: processors, kind, estimates, seed, .. } = options;
    let recipe = Lublin { kind, jobs: jobs as usize, processors, estimates };
    let workload = recipe.generate(seed, 0).map_err(|error| Failure::Usage(error.to_string()))?;
    let ResultFile { out, force } = &options.result;
    write_result(out, *force, |out| swf::write(&workload, out))?;
    Ok(format!(
        "{}: {} jobs for {} processors, offered load {:.3}",
        out.display(),
        counted(workload.jobs.len() as u64),
        counted(processors.into()),
        workload.offered_load(processors).unwrap_or(0.0),
    ))
}

fn reservations(options: &GenerateReservations) -> Result<String, Failure> {
    let &GenerateReservations { artime, deadline, arrival_factor, seed, .. } = options;
    let mut jobs = jobs(options)?;
    jobs.scale_load(arrival_factor)
        .map_err(|error| Failure::Usage(format!("--arrival-factor: {error}")))?;
    let requests = requests(&jobs, Flexibility { artime, deadline }, seed, 0);
    let ResultFile { out, force } = &options.result;
    write_result(out, *force, |out| {
        writeln!(out, "# Requests from {}, seed {seed}", jobs.name)?;
        writeln!(out, "# artime {artime}, deadline {deadline}, arrival factor {arrival_factor}")?;
        jobs.notes.iter().try_for_each(|note| writeln!(out, "# {note}"))?;
        write_requests(&requests, out)
    })?;
    let pes = jobs.processors.map_or("an unknown number of".into(), |pes| counted(pes.into()));
    Ok(format!("{}: {} requests for {pes} PEs", out.display(), counted(requests.len() as u64)))
}

fn elmer_jobs(options: &GenerateElmerJobs) -> Result<String, Failure> {
    let &GenerateElmerJobs { jobs, hosts, load, alone, seed, .. } = options;
    let mix = Mix { jobs: jobs as usize, hosts: hosts as usize, load, alone };
    let made = mix.generate(seed, 0);
    let ResultFile { out, force } = &options.result;
    write_result(out, *force, |out| write_jobs(&made, out))?;
    let told = [counted(jobs.into()), counted(hosts.into())];
    Ok(format!("{}: {} jobs for {} hosts, offered load {load}", out.display(), told[0], told[1]))
}

fn elmer_hosts(options: &GenerateElmerHosts) -> Result<String, Failure> {
    let made = generate_hosts(options.hosts as usize, !options.unlike, options.seed);
    let ResultFile { out, force } = &options.result;
    write_result(out, *force, |out| write_hosts(&made, out))?;
    Ok(format!("{}: {} hosts", out.display(), counted(options.hosts.into())))
}

/// The jobs that requests are made of.
fn jobs(options: &GenerateReservations) -> Result<Workload, Failure> {
    let count = options.jobs as usize;
    let Some(trace) = &options.trace else {
        return Ok(cm5::generate(count, options.med, options.seed, 0));
    };
    let selection = Selection { limit: Some(count), room: memory::jobs(1), ..Selection::default() };
    let read = input::trace(trace, Strictness::Strict, &selection);
    let mut workload = read.map_err(|error| Failure::Input(error.to_string()))?.0;
    for job in &mut workload.jobs {
        job.run = job.requested.unwrap_or(job.run);
    }
    Ok(workload)
}
