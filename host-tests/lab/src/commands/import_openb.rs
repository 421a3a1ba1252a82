//! `locox import openb`: tasks and nodes with GPUs, as what replays read.

use super::delivery::tell;
use crate::cli::ImportOpenb;
use crate::output::{is_standard_output, write_files};
use crate::shell::quoted;
use locox_models::machine::{Cluster, DemandFile};
use locox_models::openb::{NodeList, Report, TaskList};
use locox_report::failure::Failure;
use locox_report::report::counted;
use std::fmt::Write as _;
use std::io::{self, Cursor, Write};
use std::path::Path;

const TRACE: &str = "jobs.swf";
const DEMANDS: &str = "jobs.demands.csv";
const CLUSTER: &str = "cluster.csv";

pub(super) fn run(ImportOpenb { tasks, nodes, out }: &ImportOpenb) -> Result<(), Failure> {
    if is_standard_output(out) {
        let fault = "--out: these are three files; name a directory for them";
        return Err(Failure::Usage(fault.into()));
    }
    let list = TaskList::open(tasks).map_err(|bad| Failure::Input(bad.to_string()))?;
    let cluster = NodeList::open(nodes).map_err(|bad| Failure::Input(bad.to_string()))?;
    if cluster.nodes() == 0 {
        let fault =
            format!("{}: it lists no node; check that it is the list of nodes", nodes.display());
        return Err(Failure::Input(fault));
    }
    let source = tasks.file_name().unwrap_or(tasks.as_os_str()).to_string_lossy();
    let machine = written(|to| cluster.write(to));
    let demands = written(|to| list.write_demands(to));
    replayable(&machine, nodes, &demands, tasks, &list)?;
    let files =
        [(TRACE, written(|to| list.write(&source, to))), (DEMANDS, demands), (CLUSTER, machine)];
    write_files(out, &files.map(|(name, content)| (name.into(), content)))?;
    let [trace, demands, machine] =
        [TRACE, DEMANDS, CLUSTER].map(|name| quoted(&out.join(name).display().to_string()));
    let next = format!("locox replay {trace} --demands {demands} --machine nodes:{machine}");
    tell(&told(&out.display().to_string(), &list.report, &cluster), &next, out)
}

/// That a replay can read the cluster and the demands. Faults are of the lists that these are made of.
fn replayable(
    machine: &[u8],
    nodes: &Path,
    demands: &[u8],
    tasks: &Path,
    list: &TaskList,
) -> Result<(), Failure> {
    let read = Cluster::read(nodes, Cursor::new(machine.to_vec()));
    let cluster = read.map_err(|bad| {
        Failure::Input(format!(
            "{}: a cluster of it cannot be replayed: {}",
            nodes.display(),
            bad.kind
        ))
    })?;
    let read = DemandFile::read(tasks, Cursor::new(demands.to_vec()), cluster);
    read.map(|_| ()).map_err(|bad| {
        // Before the jobs there is a line of names.
        let line = bad.line.and_then(|line| list.line(line - 1));
        let place = line.map_or_else(String::new, |line| format!(":{line}"));
        Failure::Input(format!(
            "{}{place}: demands of it cannot be replayed: {}",
            tasks.display(),
            bad.kind
        ))
    })
}

fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Vec<u8> {
    let mut content = vec![];
    write(&mut content).expect("memory takes all that is written");
    content
}

fn told(out: &str, report: &Report, cluster: &NodeList) -> String {
    let mut text = format!(
        "{out}: {} jobs; {} nodes with {} GPUs",
        counted(report.jobs),
        counted(cluster.nodes()),
        counted(cluster.gpus()),
    );
    let kept = [
        (report.with_gpu, "with GPUs or a part of one"),
        (report.with_part, "with a part of one GPU"),
        (report.bound, "bound to models of GPUs"),
        (report.rounded, "with CPUs rounded up to whole cores"),
    ];
    let dropped = [
        (report.never_ran, "never scheduled"),
        (report.bad_times, "scheduled before they came, or deleted before that"),
    ];
    for (count, what) in kept.into_iter().filter(|it| it.0 > 0) {
        _ = write!(text, "\n  kept {:>9}  {what}", counted(count));
    }
    for (count, why) in dropped.into_iter().filter(|it| it.0 > 0) {
        _ = write!(text, "\n  dropped {:>6}  {why}", counted(count));
    }
    text
}
