//! Clusters from files.
//!
//! A file is a table with commas between its columns and a line for each class of nodes. The first line names the columns:
//! `count`, how many nodes there are of the class, and `cores` are needed. `memory` is in MiB. Each other column is one more
//! quantity, such as `gpu`; but `class`, the name of the class, is for readers, and `features` are words with `|` between, by which
//! [jobs](super::DemandFile) may ask for classes. A line whose count is `all` has what all nodes have in common, such as licences.
//! What follows `#` is a comment. An empty cell is 0.
//!
//! ```text
//! class,count,cores,memory,gpu,features,licences
//! thin, 100,  64,  256000, ,   ,
//! fat,  8,    32,  512000, 4,  A100|ib,           # bought last
//! ,     all,  ,    ,       ,   ,        20
//! ```

use super::Cluster;
use super::columns::{CLASS, COUNT, FEATURES, is_quantity};
use crate::file;
use crate::swf::MOST_PROCESSORS;
use crate::table::{self, BadTable, Fault, Row, Table};
use locox::nodes::Amounts;
use std::io::Read;
use std::path::Path;

/// In the column of counts: what all nodes have in common.
const ALL: &str = "all";
const EXAMPLE: &str = "count,cores,memory";

/// What is wrong with the file of a cluster.
pub type BadCluster = BadTable<BadClusterKind>;

/// What is wrong with a cluster that a file describes.
#[derive(Debug, thiserror::Error)]
pub enum BadClusterKind {
    /// More columns of quantities than a node can have.
    #[error("{0} quantities are more than {most}; leave some out", most = Amounts::MOST)]
    Quantities(usize),
    /// A quantity with the name of another column of demands.
    #[error(
        "jobs cannot ask for it, because their file has another column of this name; rename it"
    )]
    Taken,
    /// More classes than there can be.
    #[error("these are more than {most} classes; join some", most = Cluster::MOST_CLASSES)]
    Classes,
    /// More nodes than a model can have.
    #[error("these are more than {most} nodes; leave some out", most = Cluster::MOST)]
    Nodes,
    /// More cores than a model can have.
    #[error("these are more than {MOST_PROCESSORS} cores; leave some nodes out")]
    Cores,
    /// More GPUs than a model can have.
    #[error("these are more than {most} GPUs; leave some nodes out", most = Cluster::MOST_GPUS)]
    Gpus,
    /// Two lines of what all nodes have in common.
    #[error("a line before this one says what all nodes have in common; join the two")]
    Common,
    /// Features in a line of what all nodes have in common.
    #[error(
        "features are of classes, and this line is of all nodes; write them in the lines of classes"
    )]
    CommonFeatures,
    /// No cores at all.
    #[error("no node has a core; write a line for each class of nodes, such as 100,64,256000")]
    NoCores,
    /// Nodes have some of it each, and all have some in common.
    #[error("nodes have it, and all of them have it in common; leave one of these out")]
    Both,
}

impl Cluster {
    /// Reads a file: plain, gzip or xz, as its content says.
    ///
    /// # Errors
    ///
    /// [`BadCluster`] says what is wrong, and where.
    pub fn open(path: &Path) -> Result<Self, BadCluster> {
        table::read(path, file::open(path), |text| parse(&path.display().to_string(), text))
    }

    /// Reads a file from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`Cluster::open`].
    ///
    /// ```
    /// use locox_models::machine::Cluster;
    /// let file = "count,cores,memory\n100,64,256000\n8,32,512000\n";
    /// let cluster = Cluster::read("site.csv".as_ref(), file.as_bytes())?;
    /// assert_eq!((cluster.nodes(), cluster.processors()), (108, 6_656));
    /// let error = Cluster::read("site.csv".as_ref(), &b"count,cores\n4,many\n"[..]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "site.csv:2: column \"cores\": `many` is not a whole number from 0 to 4294967295; correct it"
    /// );
    /// # Ok::<(), locox_models::machine::BadCluster>(())
    /// ```
    pub fn read(path: &Path, input: impl Read + Send + 'static) -> Result<Self, BadCluster> {
        table::read(path, Ok(input), |text| parse(&path.display().to_string(), text))
    }
}

fn parse(name: &str, text: &str) -> Result<Cluster, Fault<BadClusterKind>> {
    let table = Table::of(text, EXAMPLE)?;
    let columns = Columns::of(&table)?;
    let (mut classes, mut features, mut common) = (vec![], vec![], Amounts::NONE);
    let gpu = columns.quantities.iter().position(|&at| table.names()[at] == Cluster::GPU);
    let (mut nodes, mut cores, mut gpus, mut is_common) = (0, 0, 0, false);
    for row in table.rows() {
        let row = row?;
        let has = columns.amounts(&row)?;
        let of_class = columns.features.map_or("", |at| row.text(at));
        if row.text(columns.count) == ALL {
            if is_common {
                return Err(row.wrong(Some(columns.count), BadClusterKind::Common));
            }
            if !of_class.is_empty() {
                return Err(row.wrong(columns.features, BadClusterKind::CommonFeatures));
            }
            (common, is_common) = (has, true);
        } else {
            let count = row.number(columns.count)?;
            nodes += u64::from(count);
            cores += u64::from(count) * u64::from(has.get(0));
            gpus += u64::from(count) * u64::from(gpu.map_or(0, |at| has.get(at)));
            classes.push((count, has));
            features.push(of_class);
        }
        let both = columns.both(&classes, &common);
        let too_many = [
            (classes.len() > Cluster::MOST_CLASSES, None, BadClusterKind::Classes),
            (nodes > u64::from(Cluster::MOST), Some(columns.count), BadClusterKind::Nodes),
            (cores > u64::from(MOST_PROCESSORS), Some(columns.cores()), BadClusterKind::Cores),
            (gpus > u64::from(Cluster::MOST_GPUS), None, BadClusterKind::Gpus),
            (both.is_some(), both, BadClusterKind::Both),
        ];
        if let Some((_, column, kind)) = too_many.into_iter().find(|it| it.0) {
            return Err(row.wrong(column, kind));
        }
    }
    if cores == 0 {
        return Err((None, None, table::BadTableKind::Content(BadClusterKind::NoCores)));
    }
    let names: Vec<&str> = columns.quantities.iter().map(|&at| table.names()[at]).collect();
    Ok(Cluster::new(name, &classes, &names).with_features(&features).with_common(common))
}

/// Where the columns are.
struct Columns {
    count: usize,
    features: Option<usize>,
    /// Of each quantity; cores are the first.
    quantities: Vec<usize>,
}

impl Columns {
    fn of(table: &Table<'_>) -> Result<Self, Fault<BadClusterKind>> {
        let (count, cores) = (table.needed(COUNT)?, table.needed(Cluster::CORES)?);
        let (features, class) = (table.column(FEATURES), table.column(CLASS));
        let no_other = [Some(count), Some(cores), features, class];
        let others = (0..table.names().len()).filter(|at| !no_other.contains(&Some(*at)));
        let quantities: Vec<usize> = [cores].into_iter().chain(others).collect();
        let mut names = quantities.iter().map(|&at| table.names()[at]);
        if let Some(name) = names.find(|name| !is_quantity(name)) {
            return Err(table.wrong(Some(name), BadClusterKind::Taken));
        }
        match quantities.len() > Amounts::MOST {
            true => Err(table.wrong(None, BadClusterKind::Quantities(quantities.len()))),
            false => Ok(Self { count, features, quantities }),
        }
    }

    fn cores(&self) -> usize {
        self.quantities[0]
    }

    /// How much of each quantity.
    fn amounts(&self, row: &Row<'_, '_>) -> Result<Amounts, Fault<BadClusterKind>> {
        let amounts = self.quantities.iter().map(|&at| row.number(at));
        amounts.collect::<Result<Vec<u32>, _>>().map(|all| Amounts::of(&all))
    }

    /// The first quantity of which a node has some, and of which there is some in common.
    fn both(&self, classes: &[(u32, Amounts)], common: &Amounts) -> Option<usize> {
        let of_nodes = |at: &usize| classes.iter().any(|it| it.1.get(*at) > 0);
        let both = (0..self.quantities.len()).find(|at| common.get(*at) > 0 && of_nodes(at));
        both.map(|at| self.quantities[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn read(text: &str) -> Result<Cluster, String> {
        let bytes = io::Cursor::new(text.to_owned());
        Cluster::read(Path::new("site.csv"), bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn classes_are_read_in_any_order_of_columns_with_comments_and_empty_cells() {
        let text = "# Bought in spring.\n\nclass, memory ,count,gpu,features,cores\n\
                    thin, 256000, 100,, avx2|ib, 64 # most\n gpu,512000,8,4,,32\n,,2,,,16\n,,,,,\n";
        let classes = [
            (100, Amounts::of(&[64, 256_000])),
            (8, Amounts::of(&[32, 512_000, 4])),
            (2, Amounts::of(&[16])),
        ];
        let expected = Cluster::new("site.csv", &classes, &["cores", "memory", "gpu"]);
        let expected = expected.with_features(&["avx2|ib", "", ""]);
        assert_eq!(read(text), Ok(expected));
        assert_eq!(expected.to_string(), "nodes:site.csv");
        let without = read("cores,licences,count\n4,,2\n,9,all").unwrap();
        let expected = Cluster::new("site.csv", &[(2, Amounts::of(&[4]))], &["cores", "licences"]);
        assert_eq!(without, expected.with_common(Amounts::of(&[0, 9])));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_column() {
        let many = |line: &str, times| format!("count,cores\n{}", line.repeat(times));
        for (text, told) in [
            (String::new(), "site.csv: it is empty; "),
            ("# nothing\n".into(), "site.csv: it is empty; "),
            ("count,memory\n1,2".into(), "site.csv:1: column \"cores\": no such column; "),
            (
                "count,cores,a\n2,1,\nall,,5\nall,,6".into(),
                "site.csv:4: column \"count\": a line before this one",
            ),
            (
                "count,cores,features\n2,1,\nall,,ib".into(),
                "site.csv:3: column \"features\": features are of classes, ",
            ),
            ("count,cores,gpu\n2,1,2097153".into(), "site.csv:2: these are more than 4194304 GPUs"),
            ("cores\n2".into(), "site.csv:1: column \"count\": no such column; "),
            ("count,cores,cores\n".into(), "site.csv:1: column \"cores\": it is named twice; "),
            ("\ncount,,cores\n".into(), "site.csv:2: column 2 has no name; "),
            ("count,cores,a,b,c,d,e,f,g,h\n".into(), "site.csv:1: 9 quantities are more than 8; "),
            (
                "count,cores,gpu_milli\n1,2,3\n".into(),
                "site.csv:1: column \"gpu_milli\": jobs cannot ask for it, ",
            ),
            (
                "nodes,count,cores\n".into(),
                "site.csv:1: column \"nodes\": jobs cannot ask for it, ",
            ),
            ("count,cores,job\n".into(), "site.csv:1: column \"job\": jobs cannot ask for it, "),
            ("count,cores\n1\n".into(), "site.csv:2: 1 values where 2 belong; "),
            ("count,cores\n1,2,3\n".into(), "site.csv:2: 3 values where 2 belong; "),
            ("count,cores\n\n1,-2\n".into(), "site.csv:3: column \"cores\": `-2` is not a whole "),
            ("count,cores\n1,+2\n".into(), "site.csv:2: column \"cores\": `+2` is not a whole "),
            ("count,cores\n1.5,2\n".into(), "site.csv:2: column \"count\": `1.5` is not a whole "),
            ("count,cores\n1,4294967296".into(), "site.csv:2: column \"cores\": `4294967296` is "),
            (many("1,1\n", 65), "site.csv:66: these are more than 64 classes; "),
            (
                many("5121,1\n", 2),
                "site.csv:3: column \"count\": these are more than 10240 nodes; ",
            ),
            (
                many("1,16777217\n", 1),
                "site.csv:2: column \"cores\": these are more than 16777216 ",
            ),
            (many("4294967295,4294967295\n", 2), "site.csv:2: column \"count\": these are more "),
            (
                "count,cores,a\n1,2,3\nall,,4\n".into(),
                "site.csv:3: column \"a\": nodes have it, and all of them have it in common; ",
            ),
            ("count,cores\nall,4\n".into(), "site.csv: no node has a core; "),
            ("count,cores\n".into(), "site.csv: no node has a core; "),
            ("count,cores\n0,4\n4,0\n".into(), "site.csv: no node has a core; "),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.starts_with(told) && error.lines().count() == 1, "{text:?}: {error}");
        }
        let missing = Cluster::open(Path::new("no such file")).unwrap_err().to_string();
        assert!(missing.starts_with("no such file: cannot be read ("), "{missing}");
    }

    #[test]
    fn the_most_of_all_is_read() {
        let text = format!("count,cores,a,b,c,d,e,f,g\n{}", "160,10,1,2,3,4,5,6,7\n".repeat(64));
        assert_eq!(read(&text).map(Cluster::nodes), Ok(10_240));
    }
}
