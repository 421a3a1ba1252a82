//! What jobs of a trace ask for of nodes: `--demands`.

use crate::cli::MachineSpec;
use crate::input;
use locox_models::machine::BadDemands;
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_report::failure::Failure;
use std::path::Path;

/// That there are nodes of which jobs could ask for something.
pub(super) fn suit(path: Option<&Path>, machine: MachineSpec) -> Result<(), Failure> {
    match machine {
        MachineSpec::Nodes(_) => Ok(()),
        _ if path.is_none() => Ok(()),
        _ => Err(Failure::Usage(format!(
            "--demands: a {machine} has no nodes that jobs could share; leave it out, or use --machine nodes:FILE"
        ))),
    }
}

/// Gives jobs what the file says that they ask for. Strictly, the nodes hold each of these.
pub(super) fn demands(
    path: Option<&Path>,
    machine: MachineSpec,
    strictness: Strictness,
    workload: &mut Workload,
) -> Result<(), Failure> {
    let (Some(path), MachineSpec::Nodes(cluster)) = (path, machine) else { return Ok(()) };
    let read = input::demands(path, cluster);
    let told = |bad: BadDemands| Failure::Input(bad.to_string());
    let demands = read.map_err(told)?;
    if demands.give(&mut workload.jobs) == 0 {
        return Err(Failure::Input(format!(
            "{}: none of its jobs is in {}; check that they belong together",
            input::shown(path).display(),
            workload.name,
        )));
    }
    match strictness {
        Strictness::Strict => demands.check(input::shown(path), &workload.jobs).map_err(told),
        Strictness::Lenient => Ok(()),
    }
}
