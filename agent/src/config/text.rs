//! A configuration as it is written, and what of it is checked.

use super::addresses::{self, Addresses};
use super::domains::{self, Domains};
use super::error::{Fault, Wrong};
use super::kinds::{Config, MINUTE, ManagerConfig, Mode, PlacesWord, Ranking};
use super::numbers::{in_range, number};
use super::{paths, words};
use crate::condor::CondorConfig;
use crate::places::Places;
use crate::simulated::{Trouble, World};
use crate::slurm::SlurmConfig;
use crate::tree;
use locox::time::Duration as Length;
use locox_coordinators::manager::Preemption;
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Spanned, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Text {
    manager: Spanned<String>,
    folder: Spanned<PathBuf>,
    #[serde(default, deserialize_with = "words::mode")]
    mode: Mode,
    #[serde(default)]
    partitions: Vec<Spanned<String>>,
    poll: Option<Spanned<Value>>,
    nodes: Option<Spanned<Value>>,
    jobs: Option<Spanned<Value>>,
    users: Option<Spanned<Value>>,
    #[serde(default, deserialize_with = "words::places")]
    places: PlacesWord,
    machine: Option<Spanned<String>>,
    #[serde(default)]
    addresses: Addresses,
    #[serde(default)]
    domains: Domains,
    #[serde(default, deserialize_with = "words::ranking")]
    ranking: Ranking,
    half_life: Option<Spanned<Value>>,
    preempt: Option<Spanned<bool>>,
    patience: Option<Spanned<Value>>,
    least_run: Option<Spanned<Value>>,
    protection: Option<Spanned<Value>>,
    notice: Option<Spanned<Value>>,
    advised: Option<Spanned<Value>>,
    #[serde(default)]
    share: Vec<Share>,
    simulated: Option<Simulated>,
    slurm: Option<Commands>,
    htcondor: Option<Commands>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Share {
    user: Spanned<Value>,
    weight: Spanned<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Simulated {
    file: Spanned<PathBuf>,
    seed: Option<Spanned<Value>>,
    nodes: Option<Spanned<Value>>,
    jobs: Option<Spanned<Value>>,
    users: Option<Spanned<Value>>,
    span: Option<Spanned<Value>>,
    longest: Option<Spanned<Value>>,
    gate: Option<bool>,
    deadlines: Option<Spanned<Value>>,
    meshes: Option<Spanned<Value>>,
    constraints: Option<Spanned<Value>>,
    hidden: Option<Spanned<Value>>,
    firm: Option<Spanned<Value>>,
    limit: Option<Spanned<Value>>,
    outage: Option<Spanned<Value>>,
    lasts: Option<Spanned<Value>>,
    trouble: Option<Trouble>,
}

/// Where a manager's commands are.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Commands {
    commands: Option<Spanned<PathBuf>>,
    conf: Option<Spanned<PathBuf>>,
    patience: Option<Spanned<Value>>,
}

const YEAR: u64 = 366 * 24 * 3600;

impl Text {
    /// The configuration; `from` is where its paths start.
    pub(super) fn checked(&self, from: &Path) -> Result<Config, Wrong> {
        let poll = number("poll", &self.poll, 5, 1..=3600)?;
        let folder = path("folder", &self.folder, from)?;
        let users = number("users", &self.users, 1000, 1..=1 << 20)? as u32;
        self.simulated.iter().try_for_each(|said| said.spares(from, &folder))?;
        let most = if self.places == PlacesWord::Tree { tree::NODES } else { 1 << 20 };
        let nodes = number("nodes", &self.nodes, 1000, 1..=most.into())? as u32;
        let places = self.places(nodes)?;
        Ok(Config {
            manager: self.manager(from, poll)?,
            folder,
            mode: self.mode,
            partitions: self.partitions()?,
            poll,
            nodes: places.numbers().unwrap_or(nodes),
            places,
            jobs: number("jobs", &self.jobs, 10_000, 1..=1 << 20)? as u32,
            users,
            ranking: self.ranking,
            half_life: number("half-life", &self.half_life, 1440, 1..=YEAR / 60)?,
            preempt: self.preempts()?,
            advised: number("advised", &self.advised, 100, 1..=1000)? as u32,
            shares: self.shares(users)?,
            idle: self.idle(),
        })
    }

    fn manager(&self, from: &Path, poll: u64) -> Result<ManagerConfig, Wrong> {
        let at = self.manager.span().start;
        match self.manager.get_ref().as_str() {
            "simulated" => {
                let missing = Fault::Section("add a section [simulated] with its file");
                self.simulated.as_ref().ok_or((at, missing))?.checked(from, poll)
            }
            "slurm" if self.partitions.is_empty() => {
                Err((at, Fault::Section("name what is governed, as in partitions = [\"batch\"]")))
            }
            "slurm" => {
                let (commands, conf, patience) = checked(&self.slurm, from)?;
                let partitions = self.partitions()?;
                Ok(ManagerConfig::Slurm(SlurmConfig { partitions, commands, conf, patience }))
            }
            "htcondor" => {
                let (commands, conf, patience) = checked(&self.htcondor, from)?;
                Ok(ManagerConfig::Condor(CondorConfig { commands, conf, patience }))
            }
            found => {
                let (field, found) = ("manager", found.into());
                let wanted = "`slurm`, `htcondor` or `simulated`";
                Err((at, Fault::Word { field, found, wanted }))
            }
        }
    }

    fn partitions(&self) -> Result<Vec<String>, Wrong> {
        let mut seen = HashSet::new();
        for name in &self.partitions {
            let (at, found) = (name.span().start, name.get_ref());
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            if found.is_empty() || !found.chars().all(is_plain) {
                let wanted = "the name of a partition: letters, digits, `_`, `-` and `.`";
                let (field, found) = ("partitions", found.clone());
                return Err((at, Fault::Word { field, found, wanted }));
            }
            if !seen.insert(found) {
                return Err((at, Fault::Twice { what: format!("partition `{found}`") }));
            }
        }
        Ok(self.partitions.iter().map(|name| name.get_ref().clone()).collect())
    }

    /// `nodes` is how many there may be.
    fn places(&self, nodes: u32) -> Result<Places, Wrong> {
        let at = self.manager.span().start;
        if self.places != PlacesWord::Any && self.mode == Mode::Advisory {
            let why = "places other than \"any\" need mode = \"authoritative\"";
            return Err((at, Fault::Together(why)));
        }
        let cube = || addresses::cube(at, &self.addresses);
        Ok(match self.places {
            PlacesWord::Any => Places::Any,
            PlacesWord::Subcubes => Places::Subcubes(cube()?),
            PlacesWord::Meshes => Places::Meshes(cube()?),
            PlacesWord::Boxes => {
                Places::Boxes(addresses::boxes(at, self.machine.as_ref(), &self.addresses)?)
            }
            PlacesWord::Tree => Places::Tree(domains::tree(at, &self.domains, nodes)?),
        })
    }

    fn preempts(&self) -> Result<Option<Preemption>, Wrong> {
        let usual = Preemption::standard(MINUTE);
        let times = [
            ("patience", &self.patience, usual.patience),
            ("least-run", &self.least_run, usual.least_run),
            ("protection", &self.protection, usual.protection),
            ("notice", &self.notice, usual.notice),
        ];
        let Some(preempt) = self.preempt.as_ref().filter(|preempt| *preempt.get_ref()) else {
            let alone = times.iter().find_map(|(field, said, _)| Some((*field, said.as_ref()?)));
            return alone.map_or(Ok(None), |(field, said)| {
                Err((said.span().start, Fault::Alone { field }))
            });
        };
        if self.mode == Mode::Advisory {
            let why = "preempt = true needs mode = \"authoritative\"";
            return Err((preempt.span().start, Fault::Together(why)));
        }
        let minute = MINUTE.ticks();
        let time = |(field, said, usual): (_, _, Length)| {
            let minutes = number(field, said, usual.ticks() / minute, 0..=YEAR / minute)?;
            Ok(Length::from_ticks(minutes * minute))
        };
        let [patience, least_run, protection, notice] = times.map(time);
        Ok(Some(Preemption {
            patience: patience?,
            least_run: least_run?,
            protection: protection?,
            notice: notice?,
        }))
    }

    /// What has no effect is said, and not refused: a configuration may be made for more than one mode.
    fn idle(&self) -> Vec<&'static str> {
        let manager = self.manager.get_ref().as_str();
        let by_users = self.ranking == Ranking::Users;
        let all = [
            (
                manager == "simulated" && !self.partitions.is_empty(),
                "partitions: a simulated manager has none",
            ),
            (manager == "htcondor" && !self.partitions.is_empty(), "partitions: HTCondor has none"),
            (
                manager != "simulated" && self.simulated.is_some(),
                "[simulated]: the manager is another",
            ),
            (manager != "slurm" && self.slurm.is_some(), "[slurm]: the manager is another"),
            (
                manager != "htcondor" && self.htcondor.is_some(),
                "[htcondor]: the manager is another",
            ),
            (
                self.places == PlacesWord::Any && !self.addresses.is_empty(),
                "[addresses]: places = \"any\" asks for none",
            ),
            (
                self.places == PlacesWord::Tree && !self.addresses.is_empty(),
                "[addresses]: places = \"tree\" asks for none",
            ),
            (
                self.places != PlacesWord::Tree && !self.domains.is_empty(),
                "[domains]: only places = \"tree\" needs it",
            ),
            (
                matches!(self.places, PlacesWord::Subcubes | PlacesWord::Meshes)
                    && self.nodes.is_some(),
                "nodes: [addresses] says how many",
            ),
            (
                self.places == PlacesWord::Boxes && self.nodes.is_some(),
                "nodes: machine says how many",
            ),
            (
                self.places != PlacesWord::Boxes && self.machine.is_some(),
                "machine: only places = \"boxes\" needs it",
            ),
            (
                !by_users && !self.share.is_empty(),
                "[[share]]: ranking = \"priority\" has no shares",
            ),
            (
                !by_users && self.half_life.is_some(),
                "half-life: ranking = \"priority\" forgets nothing",
            ),
            (
                self.mode == Mode::Authoritative && self.advised.is_some(),
                "advised: mode = \"authoritative\" puts nobody into order",
            ),
        ];
        all.into_iter().filter(|(is_idle, _)| *is_idle).map(|(_, what)| what).collect()
    }

    fn shares(&self, users: u32) -> Result<Vec<(u32, u16)>, Wrong> {
        if let Some(first) = self.share.get(users as usize) {
            let shares = self.share.len();
            return Err((first.user.span().start, Fault::Shares { shares, users }));
        }
        let mut seen = HashSet::new();
        let share = |share: &Share| {
            let user = in_range("user", &share.user, 0..=u32::MAX.into())? as u32;
            if !seen.insert(user) {
                let what = format!("the share of user {user}");
                return Err((share.user.span().start, Fault::Twice { what }));
            }
            let weight = in_range("weight", &share.weight, 1..=u16::MAX.into())?;
            Ok((user, weight as u16))
        };
        self.share.iter().map(share).collect()
    }
}

impl Simulated {
    /// Whether the history is safe from the file.
    fn spares(&self, from: &Path, folder: &Path) -> Result<(), Wrong> {
        let file = path("file", &self.file, from)?;
        match paths::is_of_history(&file, folder) {
            true => {
                let why = "file is the history's, or where it is stored; write another path";
                Err((self.file.span().start, Fault::Together(why)))
            }
            false => Ok(()),
        }
    }

    fn checked(&self, from: &Path, poll: u64) -> Result<ManagerConfig, Wrong> {
        let usual = World::default();
        let nodes = number("nodes", &self.nodes, usual.nodes.into(), 1..=1 << 20)?;
        let jobs = number("jobs", &self.jobs, usual.jobs.into(), 0..=1 << 20)?;
        let users = number("users", &self.users, usual.users.into(), 1..=1 << 20)?;
        let world = World {
            seed: number("seed", &self.seed, usual.seed, 0..=i64::MAX as u64)?,
            nodes: nodes as u32,
            jobs: jobs as u32,
            users: users as u32,
            span: number("span", &self.span, usual.span, 0..=YEAR)?,
            longest: number("longest", &self.longest, usual.longest, 1..=YEAR)?,
            poll,
            begin: usual.begin,
            gate: self.gate.unwrap_or(usual.gate),
            deadlines: number("deadlines", &self.deadlines, usual.deadlines.into(), 0..=1000)?
                as u16,
            meshes: number("meshes", &self.meshes, usual.meshes.into(), 0..=1000)? as u16,
            constraints: number("constraints", &self.constraints, 0, 0..=1000)? as u16,
            hidden: number("hidden", &self.hidden, 0, 0..=1000)? as u16,
            firm: number("firm", &self.firm, 0, 0..=1000)? as u16,
            limit: number("limit", &self.limit, 0, 0..=1 << 20)? as u32,
            outage: number("outage", &self.outage, 0, 0..=YEAR)?,
            lasts: number("lasts", &self.lasts, 0, 0..=YEAR)?,
            trouble: self.trouble.unwrap_or(usual.trouble),
        };
        Ok(ManagerConfig::Simulated { file: path("file", &self.file, from)?, world })
    }
}

/// The folder of a manager's commands, its configuration, and how long a command may take.
type Checked = (Option<PathBuf>, Option<PathBuf>, Duration);

fn checked(said: &Option<Commands>, from: &Path) -> Result<Checked, Wrong> {
    let usual = Commands::default();
    let said = said.as_ref().unwrap_or(&usual);
    let at = |field, said: &Option<Spanned<PathBuf>>| {
        said.as_ref().map(|said| path(field, said, from)).transpose()
    };
    let patience = number("patience", &said.patience, 10, 1..=600)?;
    let (commands, conf) = (at("commands", &said.commands)?, at("conf", &said.conf)?);
    Ok((commands, conf, Duration::from_secs(patience)))
}

fn path(field: &'static str, said: &Spanned<PathBuf>, from: &Path) -> Result<PathBuf, Wrong> {
    if said.get_ref().as_os_str().is_empty() {
        let (found, wanted) = (String::new(), "a path");
        return Err((said.span().start, Fault::Word { field, found, wanted }));
    }
    Ok(from.join(said.get_ref()))
}
