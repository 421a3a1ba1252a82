//! Clusters from files.
//!
//! A file is a table with commas between its columns and a line for each class of nodes. The first line names the columns:
//! `count`, how many nodes there are of the class, and `cores` are needed. `memory`, in MiB, is what jobs ask for beside
//! cores. Each other column is one more quantity, such as `gpus`, of which jobs of a log ask for none; but `class`, the name of the class,
//! and `features`, words with `|` between, are for readers. What follows `#` is a comment. An empty cell is 0.
//!
//! ```text
//! class,count,cores,memory,gpus
//! thin, 100,  64,  256000,     # bought first
//! gpu,  8,    32,  512000, 4
//! ```

use super::Cluster;
use crate::file;
use crate::swf::MOST_PROCESSORS;
use crate::text;
use locox::nodes::Amounts;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const COUNT: &str = "count";
const CORES: &str = "cores";
const MEMORY: &str = "memory";
/// For readers.
const WORDS: [&str; 2] = ["class", "features"];

/// A file that describes no cluster, in one line: what, where, what to do.
#[derive(Debug)]
pub struct BadCluster {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, if it is one.
    pub line: Option<u64>,
    /// The column, by its name.
    pub column: Option<String>,
    /// What is wrong.
    pub kind: BadClusterKind,
}

/// What is wrong with the file of a cluster.
#[derive(Debug, thiserror::Error)]
pub enum BadClusterKind {
    /// The file cannot be read.
    #[error("cannot be read ({0}); check the name, and that it is a text file")]
    Read(io::Error),
    /// There is no line of names.
    #[error(
        "it is empty; write a line of names, such as count,cores,memory, and one for each class"
    )]
    Empty,
    /// A column that is needed is missing.
    #[error("no such column; name it in the first line, such as count,cores,memory")]
    Missing,
    /// Two columns have one name.
    #[error("it is named twice; leave one of them out")]
    Twice,
    /// A column has no name.
    #[error("column {0} has no name; name it, or leave it out")]
    Unnamed(usize),
    /// More columns of quantities than a node can have.
    #[error("{0} quantities are more than {most}; leave some out", most = Amounts::MOST)]
    Quantities(usize),
    /// A line has too few values, or too many.
    #[error("{found} values where {columns} belong; give each column one, which may be empty")]
    Values {
        /// In the line.
        found: usize,
        /// That are named.
        columns: usize,
    },
    /// A value is no number.
    #[error("`{0}` is not a whole number from 0 to {most}; correct it", most = u32::MAX)]
    NotWhole(String),
    /// More classes than there can be.
    #[error("these are more than {most} classes; join some", most = Cluster::MOST_CLASSES)]
    Classes,
    /// More nodes than a model can have.
    #[error("these are more than {most} nodes; leave some out", most = Cluster::MOST)]
    Nodes,
    /// More cores than a model can have.
    #[error("these are more than {MOST_PROCESSORS} cores; leave some nodes out")]
    Cores,
    /// No cores at all.
    #[error("no node has a core; write a line for each class of nodes, such as 100,64,256000")]
    NoCores,
}

impl fmt::Display for BadCluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
        let column = self.column.as_ref();
        column.map_or(Ok(()), |column| write!(f, ": column \"{column}\""))?;
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for BadCluster {}

impl Cluster {
    /// Reads a file: plain, gzip or xz, as its content says.
    ///
    /// # Errors
    ///
    /// [`BadCluster`] says what is wrong, and where.
    pub fn open(path: &Path) -> Result<Self, BadCluster> {
        let file = file::open(path).map_err(|error| unread(path, error))?;
        Self::read(path, file)
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
        let text = text::whole(input).map_err(|error| unread(path, error))?;
        parse(&path.display().to_string(), &text).map_err(|(line, column, kind)| BadCluster {
            path: path.into(),
            line,
            column,
            kind,
        })
    }
}

fn unread(path: &Path, error: io::Error) -> BadCluster {
    BadCluster { path: path.into(), line: None, column: None, kind: BadClusterKind::Read(error) }
}

/// The line and the column, and what is wrong there.
type Fault = (Option<u64>, Option<String>, BadClusterKind);

fn parse(name: &str, text: &str) -> Result<Cluster, Fault> {
    let lines = (1..).zip(text.lines()).map(|(line, text)| (line, values(text)));
    let mut lines = lines.filter(|(_, values)| values.iter().any(|it| !it.is_empty()));
    let (line, names) = lines.next().ok_or((None, None, BadClusterKind::Empty))?;
    let columns = Columns::of(&names).map_err(|(column, kind)| (Some(line), column, kind))?;
    let mut classes = vec![];
    let (mut nodes, mut cores) = (0, 0);
    for (line, values) in lines {
        let at = |(column, kind)| (Some(line), column, kind);
        let (count, has) = columns.class(&values).map_err(at)?;
        nodes += u64::from(count);
        cores += u64::from(count) * u64::from(has.get(0));
        classes.push((count, has));
        let too_many = [
            (classes.len() > Cluster::MOST_CLASSES, None, BadClusterKind::Classes),
            (nodes > u64::from(Cluster::MOST), Some(COUNT), BadClusterKind::Nodes),
            (cores > u64::from(MOST_PROCESSORS), Some(CORES), BadClusterKind::Cores),
        ];
        if let Some((_, column, kind)) = too_many.into_iter().find(|it| it.0) {
            return Err(at((column.map(Into::into), kind)));
        }
    }
    if cores == 0 {
        return Err((None, None, BadClusterKind::NoCores));
    }
    Ok(Cluster::new(name, &classes, columns.memory()))
}

/// The values of a line without its comment.
fn values(line: &str) -> Vec<&str> {
    let content = line.split('#').next().unwrap_or_default();
    content.split(',').map(str::trim).collect()
}

/// The columns by name.
struct Columns<'t> {
    names: Vec<&'t str>,
    /// Where the count is.
    count: usize,
    /// Where each quantity is; cores are the first.
    quantities: Vec<usize>,
}

type ColumnFault = (Option<String>, BadClusterKind);

impl<'t> Columns<'t> {
    fn of(names: &[&'t str]) -> Result<Self, ColumnFault> {
        for (at, &name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err((None, BadClusterKind::Unnamed(at + 1)));
            }
            if names[..at].contains(&name) {
                return Err((Some(name.into()), BadClusterKind::Twice));
            }
        }
        let of = |name: &str| names.iter().position(|it| *it == name);
        let needed = |name: &str| of(name).ok_or((Some(name.into()), BadClusterKind::Missing));
        let (count, cores) = (needed(COUNT)?, needed(CORES)?);
        let is_other = |at: &usize| ![count, cores].contains(at) && !WORDS.contains(&names[*at]);
        let quantities: Vec<usize> =
            [cores].into_iter().chain((0..names.len()).filter(is_other)).collect();
        if quantities.len() > Amounts::MOST {
            return Err((None, BadClusterKind::Quantities(quantities.len())));
        }
        Ok(Self { names: names.to_vec(), count, quantities })
    }

    /// Which quantity is memory.
    fn memory(&self) -> Option<usize> {
        self.quantities.iter().position(|&at| self.names[at] == MEMORY)
    }

    /// How many nodes a line is about, and what each has.
    fn class(&self, values: &[&str]) -> Result<(u32, Amounts), ColumnFault> {
        let (found, columns) = (values.len(), self.names.len());
        if found != columns {
            return Err((None, BadClusterKind::Values { found, columns }));
        }
        let number = |at: usize| {
            let wrong =
                || (Some(self.names[at].into()), BadClusterKind::NotWhole(values[at].into()));
            whole(values[at]).ok_or_else(wrong)
        };
        let has = self.quantities.iter().map(|&at| number(at));
        let has = has.collect::<Result<Vec<u32>, ColumnFault>>()?;
        Ok((number(self.count)?, Amounts::of(&has)))
    }
}

/// A number of digits alone; 0 of nothing.
fn whole(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|it| it.is_ascii_digit());
    if text.is_empty() { Some(0) } else { text.parse().ok().filter(|_| is_plain) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Cluster, String> {
        let bytes = io::Cursor::new(text.to_owned());
        Cluster::read(Path::new("site.csv"), bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn classes_are_read_in_any_order_of_columns_with_comments_and_empty_cells() {
        let text = "# Bought in spring.\n\nclass, memory ,count,gpus,features,cores\n\
                    thin, 256000, 100,, avx2|ib, 64 # most\n gpu,512000,8,4,,32\n,,2,,,16\n,,,,,\n";
        let classes = [
            (100, Amounts::of(&[64, 256_000])),
            (8, Amounts::of(&[32, 512_000, 4])),
            (2, Amounts::of(&[16])),
        ];
        let expected = Cluster::new("site.csv", &classes, Some(1));
        assert_eq!(read(text), Ok(expected));
        assert_eq!(expected.to_string(), "nodes:site.csv");
        let without = read("cores,licences,count\n4,1,2").unwrap();
        assert_eq!(without, Cluster::new("site.csv", &[(2, Amounts::of(&[4, 1]))], None));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_column() {
        let many = |line: &str, times| format!("count,cores\n{}", line.repeat(times));
        for (text, told) in [
            (String::new(), "site.csv: it is empty; "),
            ("# nothing\n".into(), "site.csv: it is empty; "),
            ("count,memory\n1,2".into(), "site.csv:1: column \"cores\": no such column; "),
            ("cores\n2".into(), "site.csv:1: column \"count\": no such column; "),
            ("count,cores,cores\n".into(), "site.csv:1: column \"cores\": it is named twice; "),
            ("\ncount,,cores\n".into(), "site.csv:2: column 2 has no name; "),
            ("count,cores,a,b,c,d,e,f,g,h\n".into(), "site.csv:1: 9 quantities are more than 8; "),
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
