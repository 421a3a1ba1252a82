//! A site from a file in TOML:
//!
//! ```toml
//! [[machine]]
//! name = "sun1"
//! class = "ultra"        # a column of the table may name the class; left out: none
//! free = 12.5            # busy until then; left out: 0
//! away = false           # takes no job; left out: false
//! speed = 1.5            # of a nominal machine; needed where a time is computed by a kind of jobs
//! processors = 2         # with memory, storage and system: what kinds of jobs may need
//! memory = 256           # in any unit
//! storage = 4000         # in any unit
//! system = "solaris"
//!
//! [[interconnect]]
//! name = "myrinet"
//! down = false           # clusters that it serves take no job; left out: false
//! latency = 0.00002      # of a message, in units of time; left out: 0
//! bandwidth = 100e6      # bytes a unit of time; left out: bytes take no time
//! traffic = 20e6         # of them, those of others; left out: 0
//! switched = true        # members do not share the bandwidth; left out: they do
//!
//! [[cluster]]
//! name = "suns"
//! members = ["sun1", "sun2"]
//! least = 2              # so many must be present; left out: all
//! interconnect = "myrinet"
//!
//! [[kind]]               # of jobs, named in the column `kind` of a table of times
//! name = "sort"
//! work = 120             # time on a machine of speed 1
//! memory = 128           # needed of each machine; also processors, storage, system
//! parallel = true        # runs on clusters, too; left out: false
//! messages = 1000        # that each process sends there, one behind the other; left out: 0
//! bytes = 4e6            # of all of them; left out: 0
//! ```

use super::specification::{Abilities, Kind, Wire};
use super::{Decimal, Fault, FileError};
use crate::file;
use crate::text;
use locox::mapping::Traffic;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use toml::Spanned;

/// Bytes of a file: room for tens of thousands of machines. Its reader takes thirty times as many.
const LONGEST: u64 = 1 << 22;
/// The most machines of a site.
pub const MOST_MACHINES: usize = 65_536;

/// A site as its file describes it.
#[derive(Clone, Debug, Default)]
pub struct SiteFile {
    /// The machines in the order of the file.
    pub machines: Vec<Machine>,
    /// The clusters in the order of the file.
    pub clusters: Vec<Group>,
    /// Interconnects that are down, by number.
    pub down: Vec<u32>,
    /// The interconnects in the order of the file.
    pub wires: Vec<Wire>,
    /// Kinds of jobs.
    pub kinds: Vec<Kind>,
}

/// A machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Machines of a class run the same jobs in the same times.
    pub class: Option<String>,
    /// Busy until then; `None`: it is away.
    pub free: Option<Decimal>,
    /// Of a nominal machine.
    pub speed: Option<Decimal>,
    /// What jobs may need.
    pub abilities: Abilities,
}

/// Machines that run one job together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Numbers of machines.
    pub members: Vec<u32>,
    /// So many of them must be present.
    pub least: usize,
    /// The number of the interconnect that serves it.
    pub interconnect: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    machine: Vec<MachineText>,
    #[serde(default)]
    cluster: Vec<ClusterText>,
    #[serde(default)]
    interconnect: Vec<InterconnectText>,
    #[serde(default)]
    kind: Vec<KindText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineText {
    name: Spanned<String>,
    class: Option<String>,
    free: Option<Spanned<Number>>,
    #[serde(default)]
    away: bool,
    speed: Option<Spanned<Number>>,
    processors: Option<Spanned<Number>>,
    memory: Option<Spanned<Number>>,
    storage: Option<Spanned<Number>>,
    system: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClusterText {
    name: Spanned<String>,
    members: Vec<Spanned<String>>,
    least: Option<Spanned<usize>>,
    interconnect: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InterconnectText {
    name: Spanned<String>,
    #[serde(default)]
    down: bool,
    latency: Option<Spanned<Number>>,
    bandwidth: Option<Spanned<Number>>,
    traffic: Option<Spanned<Number>>,
    #[serde(default)]
    switched: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindText {
    name: Spanned<String>,
    work: Option<Spanned<Number>>,
    processors: Option<Spanned<Number>>,
    memory: Option<Spanned<Number>>,
    storage: Option<Spanned<Number>>,
    system: Option<String>,
    #[serde(default)]
    parallel: bool,
    messages: Option<Spanned<u64>>,
    bytes: Option<Spanned<Number>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    fn text(&self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
        }
    }
}

/// What is wrong, and from which byte on.
type Wrong = (usize, Fault);

impl SiteFile {
    /// So many machines, named by numbers from 0 on.
    pub fn of_machines(count: usize) -> Self {
        Self::of_names((0..count).map(|number| number.to_string()))
    }

    /// Machines of these names.
    pub fn of_names(names: impl IntoIterator<Item = String>) -> Self {
        let free = Some(Decimal::ZERO);
        let machine = |name| Machine { name, free, ..Machine::default() };
        Self { machines: names.into_iter().map(machine).collect(), ..Self::default() }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let text = file::open(path).and_then(|file| text::bounded(file, LONGEST));
        Self::parse(path, &text.map_err(|error| FileError::whole(path, Fault::Read(error)))?)
    }

    /// Reads a site from text; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`SiteFile::open`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let file: Text = toml::from_str(text).map_err(|error| {
            let fault = Fault::Toml(error.message().trim().replace('\n', "; "));
            match error.span() {
                Some(span) => FileError::at(path, place(text, span.start), fault),
                None => FileError::whole(path, fault),
            }
        })?;
        if file.machine.is_empty() {
            let fault = Fault::Empty("no machine; add [[machine]] with a name for each");
            return Err(FileError::whole(path, fault));
        }
        if file.machine.len() > MOST_MACHINES {
            let (found, most) = (file.machine.len(), MOST_MACHINES);
            return Err(FileError::whole(path, Fault::Machines { found, most }));
        }
        file.site().map_err(|(at, fault)| FileError::at(path, place(text, at), fault))
    }

    /// Machines and clusters, by name.
    pub fn resources(&self) -> impl Iterator<Item = &str> {
        let machines = self.machines.iter().map(|machine| machine.name.as_str());
        machines.chain(self.clusters.iter().map(|cluster| cluster.name.as_str()))
    }
}

impl Text {
    fn site(&self) -> Result<SiteFile, Wrong> {
        self.all_names_differ()?;
        let machines = self.machine.iter().map(MachineText::machine).collect::<Result<_, _>>()?;
        let numbers: HashMap<&str, u32> =
            self.machine.iter().map(|it| it.name.get_ref().as_str()).zip(0..).collect();
        let clusters = self.cluster.iter().map(|cluster| self.group(cluster, &numbers));
        let clusters = clusters.collect::<Result<_, _>>()?;
        let down = (0..).zip(&self.interconnect).filter(|(_, link)| link.down).map(|(at, _)| at);
        let wires =
            self.interconnect.iter().map(InterconnectText::wire).collect::<Result<_, _>>()?;
        let kinds = self.kind.iter().map(KindText::kind).collect::<Result<_, _>>()?;
        Ok(SiteFile { machines, clusters, down: down.collect(), wires, kinds })
    }

    fn all_names_differ(&self) -> Result<(), Wrong> {
        let mut seen: HashSet<&str> =
            self.machine.iter().filter_map(|it| it.class.as_deref()).collect();
        let machines = self.machine.iter().map(|machine| &machine.name);
        for name in machines.chain(self.cluster.iter().map(|cluster| &cluster.name)) {
            if !seen.insert(name.get_ref()) {
                return Err((name.span().start, Fault::Twice(name.get_ref().clone())));
            }
        }
        // Kinds have a column of their own.
        let mut kinds: Vec<&str> = Vec::new();
        for name in self.kind.iter().map(|kind| &kind.name) {
            if kinds.contains(&name.get_ref().as_str()) {
                return Err((name.span().start, Fault::Twice(name.get_ref().clone())));
            }
            kinds.push(name.get_ref());
        }
        Ok(())
    }

    fn group(&self, text: &ClusterText, numbers: &HashMap<&str, u32>) -> Result<Group, Wrong> {
        let name = text.name.get_ref().clone();
        let mut members: Vec<u32> = Vec::new();
        let mut seen = HashSet::new();
        for member in &text.members {
            let (at, cluster, machine) = (member.span().start, name.clone(), member.get_ref());
            let Some(&number) = numbers.get(machine.as_str()) else {
                return Err((at, Fault::UnknownMachine { cluster, machine: machine.clone() }));
            };
            if !seen.insert(number) {
                return Err((at, Fault::MemberTwice { cluster, machine: machine.clone() }));
            }
            members.push(number);
        }
        let least = text.least.as_ref().map_or(members.len(), |least| *least.get_ref());
        if least == 0 || least > members.len() {
            let at = text.least.as_ref().map_or(text.name.span(), Spanned::span).start;
            return Err((at, Fault::Members(name)));
        }
        let interconnect = text.interconnect.as_ref().map(|link| self.link(link)).transpose()?;
        Ok(Group { name, members, least, interconnect })
    }

    fn link(&self, name: &Spanned<String>) -> Result<u32, Wrong> {
        let mut links = (0..).zip(&self.interconnect);
        let found = links.find(|(_, link)| link.name.get_ref() == name.get_ref());
        let unknown = || (name.span().start, Fault::Interconnect(name.get_ref().clone()));
        found.map(|(number, _)| number).ok_or_else(unknown)
    }
}

impl MachineText {
    fn machine(&self) -> Result<Machine, Wrong> {
        let name = self.name.get_ref().clone();
        let number = |field: &Option<_>, what| number(field, || format!("machine {name}, {what}"));
        let free = number(&self.free, "free")?.unwrap_or(Decimal::ZERO);
        let speed = number(&self.speed, "speed")?;
        let abilities = Abilities {
            processors: number(&self.processors, "processors")?,
            memory: number(&self.memory, "memory")?,
            storage: number(&self.storage, "storage")?,
            system: self.system.clone(),
        };
        let (class, free) = (self.class.clone(), (!self.away).then_some(free));
        Ok(Machine { name, class, free, speed, abilities })
    }
}

impl InterconnectText {
    fn wire(&self) -> Result<Wire, Wrong> {
        let name = self.name.get_ref();
        let number =
            |field: &Option<_>, what| number(field, || format!("interconnect {name}, {what}"));
        Ok(Wire {
            latency: number(&self.latency, "latency")?,
            bandwidth: number(&self.bandwidth, "bandwidth")?,
            taken: number(&self.traffic, "traffic")?,
            is_switched: self.switched,
        })
    }
}

impl KindText {
    fn kind(&self) -> Result<Kind, Wrong> {
        let name = self.name.get_ref().clone();
        let number = |field: &Option<_>, what| number(field, || format!("kind {name}, {what}"));
        let work = number(&self.work, "work")?;
        let needs = Abilities {
            processors: number(&self.processors, "processors")?,
            memory: number(&self.memory, "memory")?,
            storage: number(&self.storage, "storage")?,
            system: self.system.clone(),
        };
        let messages = self.messages.as_ref().map_or(0, |messages| *messages.get_ref());
        let bytes = number(&self.bytes, "bytes")?.unwrap_or(Decimal::ZERO).ticks(1);
        let traffic = Traffic { messages, bytes: bytes.unwrap_or(u64::MAX) };
        Ok(Kind { name, work, needs, traffic: self.parallel.then_some(traffic) })
    }
}

/// A number from 0 on.
fn number(
    field: &Option<Spanned<Number>>,
    what: impl FnOnce() -> String,
) -> Result<Option<Decimal>, Wrong> {
    let Some(field) = field else { return Ok(None) };
    let text = field.get_ref().text();
    let parsed = text.parse::<Decimal>();
    parsed.map(Some).map_err(|why| (field.span().start, Fault::NoTime { what: what(), text, why }))
}

/// Line and column, from 1, of the byte at `at`.
fn place(text: &str, at: usize) -> (u64, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SiteFile, String> {
        SiteFile::parse(Path::new("s.toml"), text).map_err(|error| error.to_string())
    }

    const TWO: &str =
        "[[machine]]\nname = \"a\"\nclass = \"fast\"\n[[machine]]\nname = \"b\"\nfree = 2.5\n";

    #[test]
    fn a_site_with_all_that_there_is() {
        let more = "[[interconnect]]\nname = \"net\"\ndown = true\n[[cluster]]\nname = \"both\"\n\
                    members = [\"b\", \"a\"]\nleast = 1\ninterconnect = \"net\"\n";
        let site = parse(&format!("{TWO}{more}")).unwrap();
        assert_eq!(site.resources().collect::<Vec<_>>(), ["a", "b", "both"]);
        assert_eq!(site.machines[0].class.as_deref(), Some("fast"));
        assert_eq!(site.machines[1].free.unwrap().ticks(10), Some(25));
        assert_eq!((&site.clusters[0].members[..], site.clusters[0].least), (&[1, 0][..], 1));
        assert_eq!((site.clusters[0].interconnect, &site.down[..]), (Some(0), &[0][..]));
    }

    #[test]
    fn faults_have_their_places() {
        let wrong = |more: &str| parse(&format!("{TWO}{more}")).unwrap_err();
        let cluster = |rest: &str| wrong(&format!("[[cluster]]\nname = \"c\"\n{rest}\n"));
        let unknown = cluster("members = [\"a\",\n  \"z\"]");
        assert_eq!(
            unknown,
            "s.toml:10:3: cluster c names machine `z`, which the site does not have"
        );
        assert!(cluster("members = [\"a\", \"a\"]").starts_with("s.toml:9:17: cluster c names"));
        assert!(cluster("members = []").starts_with("s.toml:8:8: cluster c needs 1"));
        assert!(
            cluster("members = [\"a\"]\nleast = 2").starts_with("s.toml:10:9: cluster c needs")
        );
        assert!(
            cluster("members = [\"a\"]\ninterconnect = \"x\"").starts_with("s.toml:10:16: `x`")
        );
        assert!(wrong("[[machine]]\nname = \"a\"\n").starts_with("s.toml:8:8: `a` is there twice"));
        assert!(wrong("[[machine]]\nname = \"fast\"\n").starts_with("s.toml:8:8: `fast` is there"));
        let negative = wrong("[[machine]]\nname = \"d\"\nfree = -1\n");
        assert!(
            negative.starts_with("s.toml:9:8: machine d, free: `-1` is negative"),
            "{negative}"
        );
        assert!(wrong("[[machine]]\nname = \"d\"\nfree = nan\n").contains("is not finite"));
        assert!(wrong("[[machine]]\nnam = \"d\"\n").starts_with("s.toml:8:1: "));
        assert!(wrong("[[machine\n").starts_with("s.toml:7:"));
        assert!(parse("").unwrap_err().starts_with("s.toml: no machine"));
    }
}
