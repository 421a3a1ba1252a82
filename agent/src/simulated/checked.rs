//! Whether what a file says can be a simulated manager: somebody may have edited it.

use super::Simulated;
use super::cluster::Cluster;
use super::job::{Doing, Job};
use super::world::LATEST;

impl Simulated {
    /// Whether all numbers are in their ranges: nothing that is done later leaves them.
    ///
    /// # Errors
    ///
    /// What is wrong, and where: one line.
    pub(super) fn check(&self) -> Result<(), String> {
        if let Some((field, found, least, most)) = self.world.fault() {
            return Err(format!("world.{field} = {found}; it is a number from {least} to {most}"));
        }
        let nodes = self.world.nodes as usize;
        length("names", self.names.len(), nodes)?;
        for (at, job) in &self.to_come {
            time("to_come", *at)?;
            check_job("to_come", job, nodes)?;
        }
        check_cluster("cluster", &self.cluster, nodes)?;
        self.stored.iter().try_for_each(|stored| check_cluster("stored", stored, nodes))
    }
}

fn check_cluster(what: &str, cluster: &Cluster, nodes: usize) -> Result<(), String> {
    time(&format!("{what}.now"), cluster.now)?;
    length(&format!("{what}.out"), cluster.out.len(), nodes)?;
    length(&format!("{what}.owner"), cluster.owner.len(), nodes)?;
    cluster.out.iter().try_for_each(|until| time(&format!("{what}.out"), *until))?;
    cluster.due.iter().try_for_each(|(at, _)| time(&format!("{what}.due"), *at))?;
    cluster.free.iter().try_for_each(|free| node(&format!("{what}.free"), *free, nodes))?;
    for (id, job) in &cluster.jobs {
        check_job(&format!("{what}.jobs: job {id}"), job, nodes)?;
    }
    Ok(())
}

fn check_job(what: &str, job: &Job, nodes: usize) -> Result<(), String> {
    [job.born, job.limit, job.runtime, job.patience.unwrap_or(0)]
        .iter()
        .try_for_each(|it| time(what, *it))?;
    match job.doing {
        Doing::Waits => {}
        Doing::Runs { since, until, .. } => {
            [since, until].iter().try_for_each(|it| time(what, *it))?
        }
        Doing::Ends { until, .. } => time(what, until)?,
    }
    let has = job.has().iter().chain(&job.chosen);
    has.copied().try_for_each(|has| node(what, has, nodes))
}

fn time(what: &str, found: u64) -> Result<(), String> {
    if found <= LATEST {
        return Ok(());
    }
    Err(format!("{what}: {found} is no time; one is at most {LATEST}"))
}

fn node(what: &str, found: u32, nodes: usize) -> Result<(), String> {
    if (found as usize) < nodes {
        return Ok(());
    }
    Err(format!("{what}: there is no node {found}; the last one is {}", nodes - 1))
}

fn length(what: &str, found: usize, nodes: usize) -> Result<(), String> {
    if found == nodes {
        return Ok(());
    }
    Err(format!("{what} has {found} entries; world.nodes says {nodes}"))
}
