//! What jobs of a trace ask for of a cluster, from files.
//!
//! A file is a table with commas between its columns and a line for each job. The first line names the columns: `job`, its number in the
//! trace, and `cores` are needed. `nodes` is on how many nodes it runs, of which it takes the same each; 1 if that is empty.
//! `cores` and all other columns are quantities of the [cluster](super::Cluster), so much on each node; what the nodes have in common, such as
//! licences, is so much for the whole job. `gpu_milli` is a part of one GPU in thousandths, on one node. `features` are words with `|` between: its
//! nodes are of classes that have one of them. What follows `#` is a comment.
//!
//! ```text
//! job,nodes,cores,memory,gpu,gpu_milli,features
//! 1,  2,    16,   64000, 4,  ,         A100
//! 2,  ,     4,    16000, ,   500,
//! ```

use super::Cluster;
use super::cluster::words;
use super::columns::{FEATURES, GPU_MILLI, JOB, NODES};
use crate::file;
use crate::table::{self, BadTable, BadTableKind, Fault, Row, Table};
use crate::workload::{Demand, Job};
use locox::nodes::Amounts;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

const EXAMPLE: &str = "job,nodes,cores,memory,gpu";

/// What is wrong with the file of what jobs ask for.
pub type BadDemands = BadTable<BadDemandKind>;

/// What is wrong with what a file says that jobs ask for.
#[derive(Debug, thiserror::Error)]
pub enum BadDemandKind {
    /// The nodes have no such quantity.
    #[error("the nodes of {0} have no such quantity; add it there, or leave it out")]
    NoQuantity(String),
    /// The nodes have no GPUs that could be shared.
    #[error("the nodes of {0} have no gpu that jobs could share; give each 1 to 16 of them there")]
    NotShared(String),
    /// A job takes no core.
    #[error("job {0} takes no core, and each job takes at least one on each node; correct it")]
    NoCore(u64),
    /// A part of a GPU is a whole one, or more.
    #[error("a part of a gpu is 0 to {most}; write whole ones as gpu", most = Cluster::PARTS - 1)]
    Part,
    /// A part of a GPU on several nodes.
    #[error("a part of a gpu lies on one node, and job {0} has several; correct it")]
    PartOfMany(u64),
    /// No node has any of these features.
    #[error("no node of {cluster} has a feature of `{features}`; correct it, or add it there")]
    NoFeature {
        /// As a job names them.
        features: String,
        /// The name of the cluster.
        cluster: String,
    },
    /// An idle cluster does not hold what a job asks for.
    #[error(
        "job {job} asks for {asked}, and {cluster} has no such nodes; correct it, choose larger ones, or reject such jobs with --lenient"
    )]
    TooLarge {
        /// Its number.
        job: u64,
        /// What it asks for, in words.
        asked: String,
        /// The name of the cluster.
        cluster: String,
    },
    /// A job is there twice.
    #[error("job {0} has a line already; leave one of them out")]
    Repeated(u64),
}

/// What jobs ask for, by their numbers in the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandFile {
    cluster: Cluster,
    /// With their lines.
    demands: HashMap<u64, (u64, Demand)>,
}

impl DemandFile {
    /// Reads a file for the nodes of a cluster: plain, gzip or xz, as its content says.
    ///
    /// # Errors
    ///
    /// [`BadDemands`] says what is wrong, and where.
    pub fn open(path: &Path, cluster: Cluster) -> Result<Self, BadDemands> {
        table::read(path, file::open(path), |text| parse(text, cluster))
    }

    /// Reads a file from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`DemandFile::open`].
    ///
    /// ```
    /// use locox_models::machine::{Cluster, DemandFile};
    /// let cluster = &b"count,cores,memory,gpu\n4,32,64000,2\n"[..];
    /// let cluster = Cluster::read("site.csv".as_ref(), cluster)?;
    /// let file = &b"job,nodes,cores,memory,gpu\n7,2,16,32000,2\n"[..];
    /// let demands = DemandFile::read("jobs.csv".as_ref(), file, cluster)?;
    /// let asked = demands.of(7).unwrap();
    /// assert_eq!((asked.nodes, asked.processors(), asked.each.get(2)), (2, 32, 2));
    /// let error = DemandFile::read("jobs.csv".as_ref(), &b"job,cores,tpu\n"[..], cluster).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "jobs.csv:1: column \"tpu\": the nodes of nodes:site.csv have no such quantity; add it there, or leave it out"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(
        path: &Path,
        input: impl Read + Send + 'static,
        cluster: Cluster,
    ) -> Result<Self, BadDemands> {
        table::read(path, Ok(input), |text| parse(text, cluster))
    }

    /// What a job asks for, by its number in the trace.
    pub fn of(&self, job: u64) -> Option<&Demand> {
        self.demands.get(&job).map(|(_, demand)| demand)
    }

    /// That an idle cluster holds what each of these jobs asks for that the file names; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// [`BadDemandKind::TooLarge`] of the first of them that it does not hold.
    pub fn check(&self, path: &Path, jobs: &[Job]) -> Result<(), BadDemands> {
        let mut named = jobs.iter().filter_map(|job| Some((self.demands.get(&job.id)?.0, job)));
        let Some((line, job)) = named.find(|(_, job)| self.cluster.tasks(job).is_none()) else {
            return Ok(());
        };
        let (asked, cluster) = (self.cluster.told(job), self.cluster.to_string());
        let kind = BadTableKind::Content(BadDemandKind::TooLarge { job: job.id, asked, cluster });
        Err(BadTable { path: path.into(), line: Some(line), column: None, kind })
    }

    /// Gives jobs what they ask for, and so many processors as that has cores; to how many.
    pub fn give(&self, jobs: &mut [Job]) -> usize {
        let named = jobs.iter_mut().filter_map(|job| Some((self.of(job.id)?, job)));
        named
            .map(|(demand, job)| {
                job.processors = demand.processors();
                job.demand = Some(Box::new(*demand));
            })
            .count()
    }
}

fn parse(text: &str, cluster: Cluster) -> Result<DemandFile, Fault<BadDemandKind>> {
    let table = Table::of(text, EXAMPLE)?;
    let columns = Columns::of(&table, cluster)?;
    let mut demands = HashMap::new();
    for row in table.rows() {
        let row = row?;
        let (job, demand) = columns.demand(&row, cluster)?;
        if demands.insert(job, (row.line(), demand)).is_some() {
            return Err(row.wrong(Some(columns.job), BadDemandKind::Repeated(job)));
        }
    }
    Ok(DemandFile { cluster, demands })
}

/// Where the columns are.
struct Columns {
    job: usize,
    nodes: Option<usize>,
    cores: usize,
    part: Option<usize>,
    features: Option<usize>,
    /// The classes of each feature of the cluster.
    classes: HashMap<&'static str, u64>,
    /// Which quantity of the cluster each of the others is.
    quantities: Vec<(usize, usize)>,
}

impl Columns {
    fn of(table: &Table<'_>, cluster: Cluster) -> Result<Self, Fault<BadDemandKind>> {
        let (job, cores) = (table.needed(JOB)?, table.needed(Cluster::CORES)?);
        let [nodes, part, features] = [NODES, GPU_MILLI, FEATURES].map(|it| table.column(it));
        if part.is_some() && cluster.shared().is_none() {
            let not_shared = BadDemandKind::NotShared(cluster.to_string());
            return Err(table.wrong(Some(GPU_MILLI), not_shared));
        }
        let no_other = [Some(job), nodes, part, features];
        let named = table.names().iter().enumerate();
        let others = named.filter(|(at, _)| !no_other.contains(&Some(*at)));
        let quantity = |(at, name): (usize, &&str)| match cluster.quantity(name) {
            Some(quantity) => Ok((at, quantity)),
            None => Err(table.wrong(Some(*name), BadDemandKind::NoQuantity(cluster.to_string()))),
        };
        let quantities = others.map(quantity).collect::<Result<_, _>>()?;
        let classes = cluster.classes_of_features();
        Ok(Self { job, nodes, cores, part, features, classes, quantities })
    }

    /// The number of a job, and what it asks for.
    fn demand(
        &self,
        row: &Row<'_, '_>,
        cluster: Cluster,
    ) -> Result<(u64, Demand), Fault<BadDemandKind>> {
        let job = row.number(self.job)?;
        let (mut each, mut common) = ([0; Amounts::MOST], [0; Amounts::MOST]);
        for &(at, quantity) in &self.quantities {
            let is_common = cluster.common().get(quantity) > 0;
            let of = if is_common { &mut common } else { &mut each };
            of[quantity] = row.number(at)?;
        }
        let number = |at: Option<usize>| at.map_or(Ok(0), |at| row.number(at));
        let (nodes, part): (u32, u32) = (number(self.nodes)?.max(1), number(self.part)?);
        let features = self.features.map_or("", |at| row.text(at));
        let named = words(features).filter_map(|word| self.classes.get(word));
        let classes =
            if features.is_empty() { u64::MAX } else { named.fold(0, |all, of| all | of) };
        let wrong = [
            (each[0] == 0, Some(self.cores), BadDemandKind::NoCore(job)),
            (part >= Cluster::PARTS, self.part, BadDemandKind::Part),
            (part > 0 && nodes > 1, self.part, BadDemandKind::PartOfMany(job)),
        ];
        if let Some((_, column, kind)) = wrong.into_iter().find(|it| it.0) {
            return Err(row.wrong(column, kind));
        }
        if classes == 0 {
            let (features, cluster) = (features.into(), cluster.to_string());
            return Err(row.wrong(self.features, BadDemandKind::NoFeature { features, cluster }));
        }
        let (each, common) = (Amounts::of(&each), Amounts::of(&common));
        Ok((job, Demand { nodes, each, part, common, classes }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes with two and with four GPUs, and ten licences.
    fn cluster() -> Cluster {
        let file = "count,cores,memory,gpu,features,licences\n2,8,64,2,A100|ib,\n1,16,128,4,T4,\n\
                    all,,,,,10\n";
        Cluster::read(Path::new("site.csv"), file.as_bytes()).unwrap()
    }

    fn read(text: &str) -> Result<DemandFile, String> {
        let input = std::io::Cursor::new(text.to_owned());
        DemandFile::read(Path::new("jobs.csv"), input, cluster()).map_err(|bad| bad.to_string())
    }

    #[test]
    fn demands_are_read_by_the_names_of_quantities_and_features() {
        let text = "licences,job,gpu,cores,nodes,gpu_milli,features\n3,7,2,8,2,,ib\n,9,,1,,250,A100 | T4\n";
        let demands = read(text).unwrap();
        let (each, common) = (Amounts::of(&[8, 0, 2]), Amounts::of(&[0, 0, 0, 3]));
        let seven = Demand { common, classes: 0b01, ..Demand::of(2, each) };
        let nine = Demand { part: 250, classes: 0b11, ..Demand::of(1, Amounts::of(&[1])) };
        assert_eq!(
            (demands.of(7), demands.of(9), demands.of(8)),
            (Some(&seven), Some(&nine), None)
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_column() {
        for (text, told) in [
            ("", "jobs.csv: it is empty; "),
            ("cores\n", "jobs.csv:1: column \"job\": no such column; "),
            ("job\n", "jobs.csv:1: column \"cores\": no such column; "),
            ("job,cores,tpu\n", "jobs.csv:1: column \"tpu\": the nodes of nodes:site.csv have no "),
            ("job,cores\n1,0\n", "jobs.csv:2: column \"cores\": job 1 takes no core, "),
            (
                "job,cores\nx,1\n",
                "jobs.csv:2: column \"job\": `x` is not a whole number from 0 to 18446744073709551615; ",
            ),
            ("job,cores\n1,1\n1,2\n", "jobs.csv:3: column \"job\": job 1 has a line already; "),
            (
                "job,cores,gpu_milli\n1,1,1000\n",
                "jobs.csv:2: column \"gpu_milli\": a part of a gpu is 0 to 999; ",
            ),
            (
                "job,cores,nodes,gpu_milli\n1,1,2,5\n",
                "jobs.csv:2: column \"gpu_milli\": a part of a gpu lies on one node, ",
            ),
            (
                "job,cores,features\n1,1,|\n",
                "jobs.csv:2: column \"features\": no node of nodes:site.csv has a feature of `|`; ",
            ),
            (
                "job,cores,features\n1,1,H100\n",
                "jobs.csv:2: column \"features\": no node of nodes:site.csv has a feature of `H100`; ",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(told) && error.lines().count() == 1, "{text:?}: {error}");
        }
        let many = Cluster::new("many", &[(1, Amounts::of(&[4, 17]))], &["cores", "gpu"]);
        let parts = &b"job,cores,gpu_milli\n"[..];
        let error = DemandFile::read(Path::new("jobs.csv"), parts, many).unwrap_err().to_string();
        assert!(
            error.contains("column \"gpu_milli\": the nodes of nodes:many have no gpu that"),
            "{error}"
        );
    }
}
