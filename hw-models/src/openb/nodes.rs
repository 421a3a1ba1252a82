//! The list of nodes as a cluster.

use super::cores;
use crate::file;
use crate::table::{self, BadTable, Fault, Table};
use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::path::Path;

const EXAMPLE: &str = "sn,cpu_milli,memory_mib,gpu,model";

/// What is wrong with a list of nodes.
pub type BadNodes = BadTable<Infallible>;

/// Nodes that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    cores: u32,
    memory: u32,
    gpus: u32,
    model: String,
}

/// How many nodes there are of which kind, in the order in which these are met first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeList {
    classes: Vec<(u32, Class)>,
}

impl NodeList {
    /// Reads a list: plain, gzip or xz, as its content says. Columns that are not needed are ignored.
    ///
    /// # Errors
    ///
    /// [`BadNodes`] says what is wrong, and where.
    pub fn open(path: &Path) -> Result<Self, BadNodes> {
        table::read(path, file::open(path), parse)
    }

    /// Reads a list from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`NodeList::open`].
    pub fn read(path: &Path, input: impl Read + Send + 'static) -> Result<Self, BadNodes> {
        table::read(path, Ok(input), parse)
    }

    /// Nodes.
    pub fn nodes(&self) -> u64 {
        self.classes.iter().map(|it| u64::from(it.0)).sum()
    }

    /// GPUs of all nodes.
    pub fn gpus(&self) -> u64 {
        self.classes.iter().map(|(count, class)| u64::from(*count) * u64::from(class.gpus)).sum()
    }

    /// Writes it as the file of a [`Cluster`](crate::machine::Cluster): nodes are numbered class by class.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "count,cores,memory,gpu,features")?;
        self.classes.iter().try_for_each(|(count, Class { cores, memory, gpus, model })| {
            writeln!(out, "{count},{cores},{memory},{gpus},{model}")
        })
    }
}

fn parse(text: &str) -> Result<NodeList, Fault<Infallible>> {
    let table = Table::of(text, EXAMPLE)?;
    let [cpu, memory, gpu, model] =
        ["cpu_milli", "memory_mib", "gpu", "model"].map(|it| table.needed(it));
    let (cpu, memory, gpu, model) = (cpu?, memory?, gpu?, model?);
    let mut list = NodeList::default();
    for row in table.rows() {
        let row = row?;
        let class = Class {
            cores: cores(row.number(cpu)?),
            memory: row.number(memory)?,
            gpus: row.number(gpu)?,
            model: row.text(model).into(),
        };
        match list.classes.iter_mut().find(|it| it.1 == class) {
            Some((count, _)) => *count += 1,
            None => list.classes.push((1, class)),
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Cluster, DemandFile};

    #[test]
    fn nodes_that_are_alike_are_one_class_of_a_cluster() {
        let text = "sn,cpu_milli,memory_mib,gpu,model\na,64000,256,2,P100\nb,8500,64,0,\nc,64000,256,2,P100\n";
        let list = NodeList::read(Path::new("nodes.csv"), text.as_bytes()).unwrap();
        assert_eq!((list.nodes(), list.gpus()), (3, 4));
        let mut out = vec![];
        list.write(&mut out).unwrap();
        let expected = "count,cores,memory,gpu,features\n2,64,256,2,P100\n1,9,64,0,\n";
        assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
        let cluster = Cluster::read(Path::new("cluster.csv"), io::Cursor::new(out)).unwrap();
        assert_eq!((cluster.nodes(), cluster.processors()), (3, 137));
        let demands = "job,cores,features\n1,1,T4|P100\n";
        let demands = DemandFile::read(Path::new("jobs.csv"), demands.as_bytes(), cluster).unwrap();
        assert_eq!(demands.of(1).unwrap().classes, 0b1);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_column() {
        for (text, told) in [
            ("sn,cpu_milli\n", "nodes.csv:1: column \"memory_mib\": no such column; "),
            (
                "cpu_milli,memory_mib,gpu,model\n1,2,x,T4\n",
                "nodes.csv:2: column \"gpu\": `x` is not a whole number",
            ),
        ] {
            let bad = NodeList::read(Path::new("nodes.csv"), text.as_bytes()).unwrap_err();
            assert!(bad.to_string().starts_with(told), "{bad}");
        }
    }
}
