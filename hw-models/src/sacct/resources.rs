//! What a job asks for of its nodes, from lists such as `cpu=64,mem=256G,node=4,gres/gpu:a100=8,license/matlab=2`.

use super::value::{count, mebibytes};
use crate::machine::is_quantity;
use crate::memory::{Full, Room};
use crate::table::is_value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};

/// What a job asks for: lists are of the whole job, and this is of each of its nodes, rounded up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Resources {
    nodes: u32,
    cores: u32,
    /// Memory in MiB and generic resources on each node, and licences in all, by name.
    others: BTreeMap<String, u32>,
    /// Types of GPUs.
    types: BTreeSet<String>,
}

impl Resources {
    /// Those of a list; none of an empty one. What else is in it, such as `billing`, is left out. Cores that it does not say are the
    /// processors of the job.
    ///
    /// Returns `None` if it cannot be read.
    pub(super) fn of(list: &str, processors: u32) -> Option<Option<Self>> {
        if list.is_empty() {
            return Some(None);
        }
        let entries = list.split(',').map(|entry| entry.split_once('='));
        let entries = entries.collect::<Option<Vec<(&str, &str)>>>()?;
        let of = |name: &str| entries.iter().find(|it| it.0 == name).map_or("", |it| it.1);
        let nodes = count(of("node"))?.max(1);
        let cores = Some(count(of("cpu"))?).filter(|&cores| cores > 0).unwrap_or(processors);
        let cores = cores.div_ceil(nodes).max(1);
        let mut all = Self { nodes, cores, ..Self::default() };
        all.add("memory", mebibytes(of("mem"))?.div_ceil(nodes));
        let mut typed: BTreeMap<&str, u32> = BTreeMap::new();
        for (name, amount) in &entries {
            match name.split_once('/') {
                Some(("license", name)) => all.add(name, count(amount)?),
                Some(("gres", name)) => match name.split_once(':') {
                    None => all.add(name, count(amount)?.div_ceil(nodes)),
                    Some((name, of_type)) => {
                        let sum = typed.entry(name).or_default();
                        *sum = sum.saturating_add(count(amount)?);
                        if name == "gpu" && *sum > 0 {
                            all.types.insert(of_type.into());
                        }
                    }
                },
                _ => {}
            }
        }
        // Without types they are there once more, if Slurm was told so.
        for (name, amount) in typed {
            if !all.others.contains_key(name) {
                all.add(name, amount.div_ceil(nodes));
            }
        }
        Some(Some(all))
    }

    fn add(&mut self, name: &str, amount: u32) {
        if amount > 0 {
            self.others.insert(name.into(), amount);
        }
    }
}

/// Whether the names in a list can be columns and features of a [`DemandFile`](crate::machine::DemandFile), each with one meaning.
pub(super) fn has_usable_names(list: &str) -> bool {
    let mut kinds = HashMap::new();
    let names = list.split(',').filter_map(|entry| entry.split('=').next()?.split_once('/'));
    let mut known = names.filter(|(kind, _)| matches!(*kind, "gres" | "license"));
    known.all(|(kind, name)| {
        let (name, of_type) = match kind {
            "gres" => name.split_once(':').map_or((name, None), |it| (it.0, Some(it.1))),
            _ => (name, None),
        };
        let is_taken = matches!(name, "cores" | "memory") || (kind, name) == ("license", "gpu");
        let is_one = kinds.insert(name, kind).is_none_or(|other| other == kind);
        is_quantity(name) && of_type.is_none_or(is_value) && !is_taken && is_one
    })
}

/// Bytes that are kept of all lists together at most, and what a list takes beside its text.
pub(super) const MOST_OF_LISTS: u64 = 1 << 28;
const OF_LIST: u64 = 256;

/// What jobs ask for, each once, by numbers from 1 on.
#[derive(Debug, Default)]
pub(super) struct Lists {
    numbers: HashMap<Resources, u32>,
    all: Vec<Resources>,
}

impl Lists {
    /// The number of what a list says, whose text is so long; 0 if it says nothing.
    ///
    /// # Errors
    ///
    /// That there is no room for a new one.
    pub(super) fn number(
        &mut self,
        resources: Option<Resources>,
        length: usize,
        room: &mut Room,
    ) -> Result<u32, Full> {
        let Some(resources) = resources else { return Ok(0) };
        if let Some(&number) = self.numbers.get(&resources) {
            return Ok(number);
        }
        room.take(2 * (OF_LIST + length as u64))?;
        self.all.push(resources.clone());
        self.numbers.insert(resources, self.all.len() as u32);
        Ok(self.all.len() as u32)
    }

    /// The list of this number; `None` of 0.
    fn of(&self, number: u32) -> Option<&Resources> {
        self.all.get((number as usize).checked_sub(1)?)
    }

    /// The quantities beside cores in lists of these numbers.
    pub(super) fn quantities(&self, numbers: impl Iterator<Item = u32>) -> BTreeSet<&String> {
        numbers.filter_map(|it| self.of(it)).flat_map(|it| it.others.keys()).collect()
    }

    /// Writes what jobs ask for, each by its own number and that of its list, as a [`DemandFile`](crate::machine::DemandFile).
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub(super) fn write(
        &self,
        jobs: impl Iterator<Item = (u64, u32)> + Clone,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let of = |list| self.of(list);
        let names = self.quantities(jobs.clone().map(|it| it.1));
        let has_types = jobs.clone().filter_map(|it| of(it.1)).any(|it| !it.types.is_empty());
        let named: String = names.iter().map(|name| format!(",{name}")).collect();
        writeln!(out, "job,nodes,cores{named}{}", if has_types { ",features" } else { "" })?;
        for (job, list) in jobs.clone() {
            let Some(Resources { nodes, cores, others, types }) = of(list) else { continue };
            write!(out, "{job},{nodes},{cores}")?;
            for name in &names {
                write!(out, ",{}", others.get(*name).copied().unwrap_or(0))?;
            }
            if has_types {
                let types: Vec<&str> = types.iter().map(|it| &it[..]).collect();
                write!(out, ",{}", types.join("|"))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(list: &str) -> Resources {
        Resources::of(list, 3).unwrap().unwrap()
    }

    fn others(list: &str) -> Vec<(String, u32)> {
        of(list).others.into_iter().collect()
    }

    #[test]
    fn lists_of_a_job_are_divided_among_its_nodes_but_for_licences() {
        let list = "billing=9,cpu=65,gres/gpu:a100=8,gres/gpu=8,gres/shard=3,license/matlab=2,mem=256G,node=4";
        let all = of(list);
        assert_eq!((all.nodes, all.cores), (4, 17));
        let expected = [("gpu", 2), ("matlab", 2), ("memory", 65_536), ("shard", 1)];
        assert_eq!(others(list), expected.map(|(name, amount)| (name.to_owned(), amount)));
        assert_eq!(all.types, BTreeSet::from(["a100".to_owned()]));
        assert_eq!(others("cpu=1,gres/gpu:a=1,gres/gpu:b=2"), [("gpu".into(), 3)]);
        // Without cores it is the processors of the job.
        assert_eq!((of("mem=1M").nodes, of("mem=1M,node=2").cores), (1, 2));
    }

    #[test]
    fn names_that_a_file_of_demands_cannot_hold_are_told_apart() {
        for usable in
            ["", "cpu=1,mem=4G", "gres/gpu:a100=8,gres/gpu=8,license/matlab@here=2,fs/#=1"]
        {
            assert!(has_usable_names(usable), "{usable}");
        }
        for wrong in [
            "gres/job=1",
            "gres/count=1",
            "gres/memory=1",
            "gres/a#b=1",
            "gres/=1",
            "gres/a =1",
            "gres/gpu:=1",
            "gres/gpu:a#1=1",
            "license/gpu=1",
            "license/cores=1",
            "gres/a:b=1,license/a=1",
        ] {
            assert!(!has_usable_names(wrong), "{wrong}");
        }
    }

    #[test]
    fn many_lists_have_room_of_their_own_and_more_quantities_than_nodes_have_are_refused() {
        use crate::sacct::{Options, import};
        let imported = |lists: &[String]| {
            let line = |list: &String| format!("7|u|COMPLETED|0|5|65|4|{list}\n");
            let lines = lists.iter().map(line).collect::<String>();
            let text = format!("JobID|User|State|Submit|Start|End|AllocCPUS|AllocTRES\n{lines}");
            let options = Options { demands: true, ..Options::default() };
            let read = import("day", io::Cursor::new(text), &options);
            read.map(|it| it.report.lines).map_err(|error| error.to_string())
        };
        let many: Vec<String> = (1..=40_000).map(|it| format!("cpu=4,mem={it}M")).collect();
        assert_eq!(imported(&many), Ok(40_000));
        let names = |most| (0..most).map(|it| format!("license/l{it}=1")).collect::<Vec<_>>();
        assert_eq!(imported(&[names(7).join(",")]), Ok(1));
        let told = imported(&[names(8).join(",")]).unwrap_err();
        assert!(told.starts_with("day: jobs ask for 8 quantities beside cores, "), "{told}");
    }

    #[test]
    fn a_list_may_be_empty_and_may_be_wrong() {
        assert_eq!(Resources::of("", 3), Some(None));
        for wrong in ["cpu", "cpu=many", "cpu=1,mem=4X", "gres/gpu=-1", "license/a=x"] {
            assert_eq!(Resources::of(wrong, 3), None, "{wrong}");
        }
    }
}
