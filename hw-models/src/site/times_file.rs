//! Expected times from a file: a row for each job, in it a number for each resource, with blanks or
//! commas between; `-` where a job cannot run. What follows `#` or `;` is a comment.
//!
//! - With a first line of names: of machines, clusters, or classes of machines, in any order. If the
//!   first of them is `job`, rows begin with the name of their job. With a column `kind` they name
//!   kinds of jobs of the site file, and resources without a column get their times by that; `-`: none.
//! - Without: a column for each machine in the order of the site, or for each machine and cluster.
//! - Or, by a size of jobs x machines, the numbers in this order, as many a line as there are: the
//!   form of the public matrices. A first line may repeat the size.

use super::computed::complete;
use super::site_file::MOST_MACHINES;
use super::{Decimal, Fault, FileError, SiteFile};
use crate::file;
use crate::text;
use crate::workload::request_file::words;
use std::io::Read;
use std::path::Path;

/// What jobs are expected to take.
#[derive(Clone, Debug)]
pub struct TimesFile {
    /// The name of each job: its own, or its number from 0 on.
    pub jobs: Vec<String>,
    /// A row for each job, in it a cell for each resource of the site; `None`: it cannot run there.
    pub cells: Vec<Option<Decimal>>,
}

/// The name of the column of kinds of jobs.
const KIND: &str = "kind";

/// What a file of times is laid out for.
#[derive(Clone, Copy, Debug)]
pub enum Layout<'s> {
    /// Rows for this site.
    Site(&'s SiteFile),
    /// Rows for machines alone, which its first line names, or numbers.
    Machines,
    /// So many jobs by so many machines, whatever the lines.
    Size(usize, usize),
}

/// A column from 1, and what is wrong there.
type Wrong = (usize, Fault);
type Words<'t> = Vec<(usize, &'t str)>;

impl TimesFile {
    /// Reads a file, plain, gzip or xz, and the site that it is for.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub fn open(path: &Path, layout: Layout) -> Result<(Self, SiteFile), FileError> {
        let file = file::open(path).map_err(|error| FileError::whole(path, Fault::Read(error)))?;
        Self::read(path, file, layout)
    }

    /// Reads times from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`TimesFile::open`].
    pub fn read(
        path: &Path,
        input: impl Read + Send + 'static,
        layout: Layout,
    ) -> Result<(Self, SiteFile), FileError> {
        let text =
            text::whole(input).map_err(|error| FileError::whole(path, Fault::Read(error)))?;
        let lines = (1..).zip(text.lines().map(words)).filter(|(_, words)| !words.is_empty());
        let lines: Vec<(u64, Words)> = lines.collect();
        if lines.is_empty() {
            let fault = Fault::Empty("no times; write a row of them for each job");
            return Err(FileError::whole(path, fault));
        }
        match layout {
            Layout::Size(jobs, machines) => by_size(path, &lines, jobs, machines),
            Layout::Site(site) => by_rows(path, &lines, Some(site)),
            Layout::Machines => by_rows(path, &lines, None),
        }
    }
}

fn by_size(
    path: &Path,
    lines: &[(u64, Words)],
    jobs: usize,
    machines: usize,
) -> Result<(TimesFile, SiteFile), FileError> {
    let first: Vec<_> = lines[0].1.iter().map(|(_, word)| word.parse().ok()).collect();
    let repeats = first == [Some(jobs), Some(machines)];
    let numbers: usize = lines.iter().map(|(_, words)| words.len()).sum();
    let wanted = jobs.saturating_mul(machines);
    let lines = if repeats && numbers == wanted.saturating_add(2) { &lines[1..] } else { lines };
    let found: usize = lines.iter().map(|(_, words)| words.len()).sum();
    if found != wanted {
        return Err(FileError::whole(path, Fault::Size { found, jobs, machines }));
    }
    let mut cells = Vec::with_capacity(found);
    for (line, words) in lines {
        for &(column, word) in words {
            let what = || format!("job {}", cells.len() / machines.max(1));
            let cell = cell(column, word, what);
            cells
                .push(cell.map_err(|(column, fault)| FileError::at(path, (*line, column), fault))?);
        }
    }
    if let Some(job) = cells.chunks(machines.max(1)).position(|row| row.iter().all(Option::is_none))
    {
        return Err(FileError::whole(path, Fault::NoMachine(job.to_string())));
    }
    let jobs = (0..jobs).map(|job| job.to_string()).collect();
    Ok((TimesFile { jobs, cells }, SiteFile::of_machines(machines)))
}

fn by_rows(
    path: &Path,
    lines: &[(u64, Words)],
    site: Option<&SiteFile>,
) -> Result<(TimesFile, SiteFile), FileError> {
    let at = |line: u64| move |(column, fault)| FileError::at(path, (line, column), fault);
    let (line, first) = &lines[0];
    let is_named = first.iter().any(|(_, word)| is_name(word));
    let has_jobs = is_named && first[0].1 == "job";
    if site.is_none() && first.len() > MOST_MACHINES {
        let (found, most) = (first.len(), MOST_MACHINES);
        return Err(FileError::at(path, (*line, 1), Fault::Machines { found, most }));
    }
    let names = if is_named { &first[usize::from(has_jobs)..] } else { &[] };
    let site = site.cloned().unwrap_or_else(|| match is_named {
        true => SiteFile::of_names(names.iter().map(|(_, word)| (*word).to_owned())),
        false => SiteFile::of_machines(first.len()),
    });
    let columns = if is_named { named(&site, names) } else { numbered(&site, first) };
    let columns = columns.map_err(at(*line))?;
    let mut file = TimesFile { jobs: Vec::new(), cells: Vec::new() };
    for (line, words) in &lines[usize::from(is_named)..] {
        file.add(&site, &columns, has_jobs, words).map_err(at(*line))?;
    }
    if file.jobs.is_empty() {
        let fault = Fault::Empty("no times; write a row of them for each job");
        return Err(FileError::whole(path, fault));
    }
    Ok((file, site))
}

fn is_name(word: &str) -> bool {
    word != "-" && word.starts_with(|c: char| c.is_alphabetic() || c == '_') && {
        let lower = word.to_ascii_lowercase();
        !["inf", "infinity", "nan"].contains(&lower.as_str())
    }
}

/// The resources that each column is of; none of that which names kinds of jobs.
type Columns = Vec<Vec<usize>>;

fn named(site: &SiteFile, names: &[(usize, &str)]) -> Result<Columns, Wrong> {
    let mut columns: Columns = Vec::new();
    for &(column, name) in names {
        let mut of: Vec<usize> = site
            .machines
            .iter()
            .enumerate()
            .filter(|(_, machine)| machine.class.as_deref() == Some(name))
            .map(|(number, _)| number)
            .collect();
        of.extend(site.resources().position(|resource| resource == name));
        if name == KIND && of.is_empty() && !site.kinds.is_empty() && !columns.contains(&of) {
            columns.push(of);
            continue;
        }
        let is_twice =
            of.iter().any(|number| columns.iter().flatten().any(|other| other == number));
        if of.is_empty() || is_twice {
            return Err((column, Fault::Column(name.into())));
        }
        columns.push(of);
    }
    let has_none = |number: &usize| !columns.iter().flatten().any(|other| other == number);
    let resources: Vec<&str> = site.resources().collect();
    match (0..resources.len()).find(has_none) {
        Some(missing) if !columns.iter().any(Vec::is_empty) => {
            Err((1, Fault::NoColumn(resources[missing].into())))
        }
        _ => Ok(columns),
    }
}

fn numbered(site: &SiteFile, first: &[(usize, &str)]) -> Result<Columns, Wrong> {
    let (machines, clusters) = (site.machines.len(), site.clusters.len());
    if first.len() == machines || first.len() == machines + clusters {
        return Ok((0..first.len()).map(|column| vec![column]).collect());
    }
    let wanted = match clusters {
        0 => machines.to_string(),
        _ => format!("{machines} (machines) or {} (and clusters)", machines + clusters),
    };
    Err((1, Fault::Values { found: first.len(), wanted }))
}

impl TimesFile {
    fn add(
        &mut self,
        site: &SiteFile,
        columns: &Columns,
        has_jobs: bool,
        words: &[(usize, &str)],
    ) -> Result<(), Wrong> {
        let wanted = columns.len() + usize::from(has_jobs);
        if words.len() != wanted {
            let wanted = wanted.to_string();
            return Err((words[0].0, Fault::Values { found: words.len(), wanted }));
        }
        let job = if has_jobs { words[0].1.to_owned() } else { self.jobs.len().to_string() };
        let resources: Vec<&str> = site.resources().collect();
        let (mut row, mut kind) = (vec![None; resources.len()], None);
        let mut has_column = vec![false; resources.len()];
        for (of, &(column, word)) in columns.iter().zip(&words[usize::from(has_jobs)..]) {
            let Some(&first) = of.first() else {
                kind = Some((column, word)).filter(|_| word != "-");
                continue;
            };
            let what = || format!("job {job} on {}", resources[first]);
            let cell = cell(column, word, what)?;
            of.iter().for_each(|&resource| (row[resource], has_column[resource]) = (cell, true));
        }
        if let Some((column, kind)) = kind {
            complete(site, kind, &mut row, &has_column).map_err(|fault| (column, fault))?;
        }
        if row[..site.machines.len()].iter().all(Option::is_none) {
            return Err((words[0].0, Fault::NoMachine(job)));
        }
        self.jobs.push(job);
        self.cells.extend(row);
        Ok(())
    }
}

fn cell(
    column: usize,
    word: &str,
    what: impl FnOnce() -> String,
) -> Result<Option<Decimal>, Wrong> {
    if word == "-" {
        return Ok(None);
    }
    let wrong = |why| (column, Fault::NoTime { what: what(), text: word.into(), why });
    word.parse().map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, layout: Layout) -> Result<(TimesFile, SiteFile), String> {
        let input = std::io::Cursor::new(text.to_owned().into_bytes());
        TimesFile::read(Path::new("t"), input, layout).map_err(|error| error.to_string())
    }

    fn ticks(file: &TimesFile) -> Vec<Option<u64>> {
        file.cells.iter().map(|cell| cell.and_then(|cell| cell.ticks(10))).collect()
    }

    fn site() -> SiteFile {
        let text = "[[machine]]\nname = \"a\"\n[[machine]]\nname = \"b1\"\nclass = \"b\"\n\
                    [[machine]]\nname = \"b2\"\nclass = \"b\"\n[[cluster]]\nname = \"c\"\n\
                    members = [\"b1\", \"b2\"]\n";
        SiteFile::parse(Path::new("s"), text).unwrap()
    }

    #[test]
    fn columns_by_name_or_class_in_any_order() {
        let site = site();
        let text = "job,c,b,a\n# two\nsort,1.5,2,3\ncg,-,4,5\n";
        let (file, _) = read(text, Layout::Site(&site)).unwrap();
        assert_eq!(file.jobs, ["sort", "cg"]);
        let [row, other] = [[30, 20, 20, 15], [50, 40, 40, 0]].map(|row| row.map(Some));
        assert_eq!(ticks(&file), [row, [other[0], other[1], other[2], None]].concat());
    }

    #[test]
    fn bare_rows_and_lists_of_numbers() {
        let (file, site) = read("1 2\n3 -\n", Layout::Machines).unwrap();
        assert_eq!(
            (ticks(&file), site.machines.len()),
            (vec![Some(10), Some(20), Some(30), None], 2)
        );
        let all: Vec<_> = [10, 20, 30, 40, 50, 60].map(Some).to_vec();
        for text in ["1\n2\n3\n4\n5\n6\n", "3 2\n1 2 3\n4 5 6\n"] {
            assert_eq!(ticks(&read(text, Layout::Size(3, 2)).unwrap().0), all);
        }
    }

    #[test]
    fn faults_have_their_places() {
        let site = site();
        let wrong = |text: &str| read(text, Layout::Site(&site)).unwrap_err();
        assert!(wrong("a b c\n1 2\n").starts_with("t:2:1: 2 values where 3 belong"));
        assert!(wrong("a b d\n").starts_with("t:1:5: column `d` is no machine"));
        assert!(wrong("a b b1 c\n").starts_with("t:1:5: column `b1`"));
        assert!(wrong("a b\n1 2\n").starts_with("t:1:1: no column for `c`"));
        assert!(wrong("job a b c\nx 1 -2 3\n").starts_with("t:2:5: job x on b1: `-2` is negative"));
        assert!(wrong("1 2 inf 3\n").starts_with("t:1:5: job 0 on b2: `inf` is not finite"));
        assert!(wrong("1 2 three 3\n").contains("column"), "{}", wrong("1 2 three 3\n"));
        assert!(wrong("1 2 3 4\n5 6 x7 8\n").starts_with("t:2:5: job 1 on b2: `x7` is no number"));
        assert!(wrong("1 2\n").starts_with("t:1:1: 2 values where 3 (machines) or 4"));
        assert!(wrong("1 2 3 4\n- - - 5\n").starts_with("t:2:1: no machine can run job 1"));
        assert!(wrong("a b c\n").starts_with("t: no times"));
        let size = read("1 2 3\n", Layout::Size(2, 2)).unwrap_err();
        assert!(size.starts_with("t: 3 numbers where 2 x 2 belong"), "{size}");
    }
}
