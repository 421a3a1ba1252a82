//! Lists of jobs and of hosts: text files, and generators of both.
//!
//! A line of a list of jobs is a job: when it is submitted, in seconds; how many hosts it needs; how
//! many seconds it takes alone; the share of a processor that each of its processes uses then; and
//! `ep` or `barrier`. Behind that it may say `set=N`, on which set of hosts it runs; `memory=N`, how much
//! each of its processes needs; and `key=N`, where it stands in the queue. A line of a list of hosts is
//! a host: its name and its speed, of which 1 is nominal, and perhaps its memory. A line of a set of
//! hosts is the name of one. Values are separated by blanks or commas, and what follows `#` or `;` is a
//! comment.

use super::fluid::Arrival;
use crate::streams::stream;
use crate::workload::request_file::words;
use locox::timeshare::Speed;
use locox_coordinators::cluster::Terms;
use rand::RngExt;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A host of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// How fast it is.
    pub speed: Speed,
    /// How much memory it has for jobs, in the unit of the list of jobs.
    pub memory: Option<u32>,
}

/// What is wrong with a list, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError {
    /// The file.
    pub path: PathBuf,
    /// Line and column of the first character, both from 1, if it is a place in the file.
    pub place: Option<(u64, usize)>,
    /// What it is, and what to do.
    pub what: String,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.what)
    }
}

impl std::error::Error for ListError {}

/// A column from 1, and what is wrong there.
type Fault = (usize, String);
type Words<'t> = Vec<(usize, &'t str)>;

/// The jobs of a list, by time, each on so many hosts at most. `path` is its name in errors.
///
/// # Errors
///
/// [`ListError`].
pub fn read_jobs(path: &Path, text: &str, most: u32) -> Result<Vec<Arrival>, ListError> {
    let job = |words: &Words<'_>| job(words, most);
    let line_is = "submit hosts alone demand ep|barrier [set=N] [memory=N] [key=N]";
    let mut jobs = read(path, text, line_is, job)?;
    jobs.sort_by(|one: &Arrival, next| one.at.total_cmp(&next.at));
    Ok(jobs)
}

/// The hosts of a list.
///
/// # Errors
///
/// [`ListError`].
pub fn read_hosts(path: &Path, text: &str) -> Result<Vec<Host>, ListError> {
    read(path, text, "name speed [memory]", host)
}

/// The set of the hosts that a list names, by number.
///
/// # Errors
///
/// [`ListError`].
pub fn read_set(path: &Path, text: &str, hosts: &[Host]) -> Result<Vec<usize>, ListError> {
    read(path, text, "name", |words| {
        let (column, name) = words[0];
        let found = hosts.iter().position(|host| host.name == name);
        found.ok_or_else(|| (column, format!("there is no host `{name}`; name one of the list")))
    })
}

fn read<T>(
    path: &Path,
    text: &str,
    line_is: &str,
    parse: impl Fn(&Words<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, ListError> {
    let most = line_is.split(' ').count();
    let least = line_is.split(' ').filter(|word| !word.starts_with('[')).count();
    let mut all = vec![];
    for (line, text) in (1..).zip(text.lines()) {
        let words = words(text);
        let Some(&(first, _)) = words.first() else { continue };
        let parsed = if (least..=most).contains(&words.len()) {
            parse(&words)
        } else {
            Err((first, format!("{} values where {least} belong; write {line_is}", words.len())))
        };
        let fault =
            |(column, what)| ListError { path: path.into(), place: Some((line, column)), what };
        all.push(parsed.map_err(fault)?);
    }
    if all.is_empty() {
        let what = format!("the list is empty; write a line of {line_is} for each");
        return Err(ListError { path: path.into(), place: None, what });
    }
    Ok(all)
}

/// The longest time in seconds: some thirty years.
const LONGEST: f64 = 1e9;

fn job(words: &Words<'_>, most: u32) -> Result<Arrival, Fault> {
    let (column, kind) = words[4];
    let barrier = match kind {
        "barrier" => true,
        "ep" => false,
        other => return Err((column, format!("`{other}` is no kind of job; write ep or barrier"))),
    };
    Ok(Arrival {
        at: number(words[0], "submit", 0.0, LONGEST)?,
        hosts: whole(words[1], "hosts", most)?,
        alone: number(words[2], "alone", 0.001, LONGEST)?,
        demand: number(words[3], "demand", 0.01, 1.0)?,
        barrier,
        terms: terms(&words[5..])?,
    })
}

fn terms(words: &[(usize, &str)]) -> Result<Terms, Fault> {
    let mut terms = Terms::default();
    for &(column, word) in words {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let value = (column, value);
        match name {
            "set" => terms.set = whole(value, name, u16::MAX.into())? as u16,
            "memory" => terms.memory = whole(value, name, u32::MAX)?,
            "key" => terms.key = whole(value, name, u16::MAX.into())? as u16,
            _ => {
                let what = format!("`{word}` is no term; write set=N, memory=N or key=N");
                return Err((column, what));
            }
        }
    }
    Ok(terms)
}

/// Sixteenths: what the kernel takes for the nominal speed.
const UNIT: f64 = Speed::NOMINAL.0 as f64;

fn host(words: &Words<'_>) -> Result<Host, Fault> {
    let speed = number(words[1], "speed", 1.0 / UNIT, 255.0 / UNIT)?;
    let memory = words.get(2).map(|&word| whole(word, "memory", u32::MAX)).transpose()?;
    Ok(Host { name: words[0].1.into(), speed: Speed((speed * UNIT).round() as u8), memory })
}

fn number((column, text): (usize, &str), name: &str, least: f64, most: f64) -> Result<f64, Fault> {
    let value = text.parse().ok().filter(|value| (least..=most).contains(value));
    value.ok_or_else(|| {
        (column, format!("{name}: `{text}` is not a number from {least} to {most}; correct it"))
    })
}

fn whole((column, text): (usize, &str), name: &str, most: u32) -> Result<u32, Fault> {
    let value = text.parse().ok().filter(|value| (1..=most).contains(value));
    let what = || format!("{name}: `{text}` is not a whole number from 1 to {most}; correct it");
    value.ok_or_else(|| (column, what()))
}

/// Writes a list of jobs.
///
/// # Errors
///
/// Those of `out`.
pub fn write_jobs(jobs: &[Arrival], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# submit hosts alone demand kind")?;
    jobs.iter().try_for_each(|&Arrival { at, hosts, alone, demand, barrier, terms }| {
        let kind = if barrier { "barrier" } else { "ep" };
        write!(out, "{at:.3} {hosts} {alone:.3} {demand:.3} {kind}")?;
        let Terms { set, key, memory } = terms;
        for (name, value) in [("set", set.into()), ("memory", memory), ("key", key.into())] {
            if value > 0 {
                write!(out, " {name}={value}")?;
            }
        }
        writeln!(out)
    })
}

/// Writes a list of hosts.
///
/// # Errors
///
/// Those of `out`.
pub fn write_hosts(hosts: &[Host], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# name speed")?;
    hosts.iter().try_for_each(|Host { name, speed, memory }| {
        let memory = memory.map_or(String::new(), |memory| format!(" {memory}"));
        writeln!(out, "{name} {}{memory}", f64::from(speed.0) / UNIT)
    })
}

/// A stream of jobs to be made up: half of them with a barrier, arrivals by a Poisson process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// How many jobs.
    pub jobs: usize,
    /// Hosts that there are; a job needs up to half of them.
    pub hosts: usize,
    /// Work offered, in the time of all processors.
    pub load: f64,
    /// Mean time of a job alone, in seconds.
    pub alone: f64,
}

impl Mix {
    /// The jobs by time. Same mix and numbers, same jobs.
    pub fn generate(&self, seed: u64, replication: u64) -> Vec<Arrival> {
        const DEMAND: [f64; 2] = [0.3, 1.0];
        let mut random = stream(seed, "jobs", replication);
        let most = (self.hosts / 2).clamp(1, 1 << 30) as u32;
        let mean_hosts = f64::from(1 + most) / 2.0;
        let mean_demand = (DEMAND[0] + DEMAND[1]) / 2.0;
        let gap = self.alone * mean_hosts * mean_demand / (self.load * self.hosts as f64);
        let mut exponential = |mean: f64| -mean * (1.0 - random.random::<f64>()).ln();
        let times: Vec<(f64, f64)> =
            (0..self.jobs).map(|_| (exponential(gap), exponential(self.alone).max(1.0))).collect();
        let mut at = 0.0;
        let job = |(gap, alone)| {
            at += gap;
            Arrival {
                at,
                hosts: random.random_range(1..=most),
                alone,
                demand: random.random_range(DEMAND[0]..DEMAND[1]),
                barrier: random.random::<bool>(),
                terms: Terms::default(),
            }
        };
        times.into_iter().map(job).collect()
    }
}

/// So many hosts, all alike or with speeds from a half to twice the nominal one.
pub fn generate_hosts(count: usize, are_alike: bool, seed: u64) -> Vec<Host> {
    let mut random = stream(seed, "hosts", 0);
    let mut speed = || match are_alike {
        true => Speed::NOMINAL,
        false => Speed(random.random_range(Speed::NOMINAL.0 / 2..=2 * Speed::NOMINAL.0)),
    };
    let host = |at| Host { name: format!("host{at}"), speed: speed(), memory: None };
    (0..count).map(host).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        read_jobs(Path::new("j"), text, 8).unwrap_err().to_string()
    }

    #[test]
    fn lists_read_back_as_written() {
        let mix = Mix { jobs: 40, hosts: 12, load: 0.8, alone: 300.0 };
        let jobs = mix.generate(1, 0);
        let mut text = vec![];
        write_jobs(&jobs, &mut text).unwrap();
        let read = read_jobs(Path::new("j"), str::from_utf8(&text).unwrap(), 12).unwrap();
        let rounded = |value: f64| (value * 1000.0).round();
        assert!(jobs.iter().zip(&read).all(|(one, next)| {
            (one.hosts, one.barrier, rounded(one.at))
                == (next.hosts, next.barrier, rounded(next.at))
        }));
        assert!(jobs.iter().all(|job| (1..=6).contains(&job.hosts)));
        for are_alike in [true, false] {
            let (hosts, mut text) = (generate_hosts(9, are_alike, 1), vec![]);
            write_hosts(&hosts, &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(read_hosts(Path::new("h"), &text), Ok(hosts));
        }
    }

    #[test]
    fn terms_and_memory_read_back_as_written() {
        let text =
            "# submit hosts alone demand kind\n0.000 2 10.000 1.000 ep set=2 memory=7 key=3\n";
        let jobs = read_jobs(Path::new("j"), text, 2).unwrap();
        assert_eq!(jobs[0].terms, Terms { set: 2, key: 3, memory: 7 });
        let mut again = vec![];
        write_jobs(&jobs, &mut again).unwrap();
        assert_eq!(str::from_utf8(&again), Ok(text));
        let text = "# name speed\na 1 64\nb 0.5\n";
        let hosts = read_hosts(Path::new("h"), text).unwrap();
        assert_eq!(hosts.iter().map(|it| it.memory).collect::<Vec<_>>(), [Some(64), None]);
        let mut again = vec![];
        write_hosts(&hosts, &mut again).unwrap();
        assert_eq!(str::from_utf8(&again), Ok(text));
        assert_eq!(read_set(Path::new("s"), "b # the slow one\n", &hosts), Ok(vec![1]));
        let unknown = read_set(Path::new("s"), "b\nc\n", &hosts).unwrap_err().to_string();
        assert_eq!(unknown, "s:2:1: there is no host `c`; name one of the list");
    }

    #[test]
    fn jobs_come_by_time_whatever_their_order() {
        let jobs =
            read_jobs(Path::new("j"), "5 1 10 .5 ep # late\n\n0,2,10,1,barrier\n", 2).unwrap();
        assert_eq!(jobs.iter().map(|job| job.at).collect::<Vec<_>>(), [0.0, 5.0]);
        assert!(jobs[0].barrier && !jobs[1].barrier);
    }

    #[test]
    fn faults_are_told_with_line_and_column() {
        for (text, said) in [
            ("0 2 10 1 ep\n0 2 1o 1 ep", "j:2:5: alone: `1o` is not a number from 0.001"),
            ("0 0 10 1 ep", "j:1:3: hosts: `0` is not a whole number from 1 to 8"),
            ("0 2 10 1.5 ep", "j:1:8: demand: `1.5` is not a number from 0.01 to 1"),
            ("0 2 10 1 bsp", "j:1:10: `bsp` is no kind of job; write ep or barrier"),
            ("  0 2 10 1", "j:1:3: 4 values where 5 belong; write submit hosts alone"),
            ("0 2 10 1 ep set=0", "j:1:13: set: `0` is not a whole number from 1 to 65535"),
            ("0 2 10 1 ep memory", "j:1:13: memory: `` is not a whole number from 1 to 4294967295"),
            ("0 2 10 1 ep disk=1", "j:1:13: `disk=1` is no term; write set=N, memory=N or key=N"),
            ("# none\n", "j: the list is empty; write a line of submit"),
            ("nan 2 10 1 ep", "j:1:1: submit: `nan`"),
        ] {
            assert!(told(text).starts_with(said), "{}", told(text));
        }
        let hosts = read_hosts(Path::new("h"), "a 1\nb 99\n").unwrap_err().to_string();
        assert!(
            hosts.starts_with("h:2:3: speed: `99` is not a number from 0.0625 to 15.9"),
            "{hosts}"
        );
    }
}
