//! What `serde` reads is what could have been made: all public types that it reads, from any bytes. As a host sends them
//! to a bank, they are in postcard.

use crate::script::Numbers;
use locox::cube::{Dim, Subcube};
use locox::dispatch::{Patience, SizeClass};
use locox::fair::{Amount, Condor, IndexFunctions, ScheduleIndex};
use locox::grid::{BoxLease, Cuboid, Grid, Sides};
use locox::mesh::{Embedding, Shape};
use locox::timeshare::{Level, Load, Threshold};
use locox::{
    accelerator, cube, dispatch, error, fair, grid, handle, mapping, mesh, node, nodes, reserve,
    subcube, time, timeshare,
};
use locox_bank::{Command, Fault, Input, Line, Mode, Request, encode};
use locox_coordinators::{cluster, coordinate, manager, site, station};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::Path;

/// So many values of each type are looked at, read from at most so many byte strings.
const VALUES: usize = 200;
const STRINGS: usize = 200_000;

/// Bytes of which most are small, as numbers of variants are, or ones, as sides are, or that repeat, as fields of one type do.
fn bytes(numbers: &mut Numbers) -> [u8; 64] {
    let (mode, period) = (numbers.below(4), 1 + numbers.below(64) as usize);
    let mut bytes = [0; 64];
    for at in 0..bytes.len() {
        bytes[at] = match (numbers.below(8), mode) {
            _ if at >= period => bytes[at - period].into(),
            (0, _) | (_, 0) => numbers.below(256),
            (1, _) | (_, 1) => numbers.below(2),
            (_, 2) => numbers.below(12),
            _ => 1,
        } as u8;
    }
    bytes
}

/// What is read from any bytes is `good`, and what is written of it reads as the same.
fn read_from_any_bytes<T>(name: &str, good: impl Fn(&T) -> bool)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let (mut numbers, mut read) = (Numbers(name.len() as u64), 0);
    for _ in 0..STRINGS {
        let Ok(value) = postcard::from_bytes::<T>(&bytes(&mut numbers)) else { continue };
        assert!(good(&value), "{name}: {value:?}");
        let mut written = [0; 256];
        let written = postcard::to_slice(&value, &mut written).unwrap();
        assert_eq!(postcard::from_bytes::<T>(written).as_ref(), Ok(&value), "{name}");
        read += 1;
        if read == VALUES {
            return;
        }
    }
    assert!(read > 0, "no bytes are a {name}");
}

/// So many times, or as often as may be.
fn is_patience(it: &Patience) -> bool {
    let mut written = [0; 16];
    let written = postcard::to_slice(it, &mut written).unwrap();
    let times: u64 = postcard::from_bytes(written).unwrap();
    *it == Patience::ENDLESS || u32::try_from(times).is_ok_and(|times| *it == Patience::of(times))
}

macro_rules! types {
    ($($Type:ty $(=> $good:expr)?),+ $(,)?) => {
        /// The names of the types that are read here.
        const NAMES: &[&str] = &[$(stringify!($Type)),+];

        #[test]
        fn what_is_read_could_have_been_made() {
            $(types!(@read $Type $(=> $good)?);)+
        }
    };
    (@read $Type:ty => $good:expr) => {
        read_from_any_bytes::<$Type>(stringify!($Type), $good)
    };
    (@read $Type:ty) => {
        read_from_any_bytes::<$Type>(stringify!($Type), |_| true)
    };
}

// Those that have no rule of their own are sound if their fields are, or are numbers of which any will do.
types! {
    accelerator::SliceLease,
    accelerator::Refusal,
    accelerator::NoSuchSlice,
    accelerator::NotFree,
    accelerator::NoSuchPlacement,
    accelerator::SliceSet,
    accelerator::ProfileId,
    cluster::Command,
    cluster::Retry,
    cluster::Config,
    cluster::Effect,
    cluster::Batch,
    cluster::Assignment,
    cluster::Status,
    cluster::HostCommand,
    cluster::HostEffect,
    cluster::Terms,
    coordinate::JobId,
    coordinate::Run,
    cube::Dim => |it| Dim::new(it.get()) == Some(*it),
    cube::Node,
    cube::ecube::Channel,
    cube::Subcube => |it| Subcube::new(it.dims(), it.base(), it.mask()) == Some(*it),
    dispatch::Refusal,
    dispatch::Misuse,
    dispatch::Job,
    dispatch::Ticket,
    dispatch::Standing,
    dispatch::SizeClass => |it| usize::from(it.get()) < SizeClass::COUNT,
    dispatch::Patience => is_patience,
    error::Error<subcube::Refusal, handle::Misuse>,
    fair::Reason,
    fair::Decision,
    fair::Exchange,
    fair::StationId,
    fair::Demand,
    fair::Condor => |it| Condor::new(it.f(ScheduleIndex::ZERO)) == Ok(*it),
    fair::Line,
    fair::Linear,
    fair::Saturating => |it| it.f(ScheduleIndex::ZERO) != Amount::ZERO,
    fair::ScheduleIndex,
    fair::Amount,
    fair::Random,
    fair::Capacity,
    fair::RoundRobin,
    fair::DecayParams,
    grid::Placement,
    grid::Cuboid => |it| Cuboid::new(it.grid(), it.origin(), it.sides()) == Some(*it),
    grid::BoxLease => |it| BoxLease::from_parts(it.cuboid(), it.handle()) == Some(*it),
    grid::Anchors,
    grid::Grid => |it| Grid::try_from(<[(u8, bool); 4]>::from(*it)) == Ok(*it),
    grid::Move,
    grid::Plan,
    grid::Refusal,
    grid::Sides => |it| Sides::try_from(<[u8; 4]>::from(*it)) == Ok(*it),
    grid::Leftover,
    handle::PoolId,
    handle::Epoch,
    handle::Generation,
    handle::Handle,
    handle::Misuse,
    locox_bank::Answer,
    locox_bank::Command,
    locox_bank::Hit,
    locox_bank::Effect,
    locox_bank::Fault,
    locox_bank::Name,
    locox_bank::Reply,
    locox_bank::Reason,
    locox_bank::Figures,
    locox_bank::Request,
    locox_bank::Question,
    locox_bank::Board,
    manager::Command,
    manager::Ranking,
    manager::Places,
    manager::Preemption,
    manager::Config,
    manager::Effect,
    manager::StopReason,
    manager::Options,
    manager::Yields,
    manager::Promise,
    manager::NodeId,
    manager::UserId,
    manager::Key,
    manager::NodeRange,
    manager::Status,
    manager::Reason,
    manager::Job,
    manager::Node,
    manager::Outage,
    manager::User,
    mapping::Best,
    mapping::Refusal,
    mapping::Misuse,
    mapping::Expectation,
    mapping::Basis,
    mapping::Link,
    mapping::Traffic,
    mapping::Preemption,
    mesh::Embedding => |it| Embedding::new(it.cube(), it.shape()) == Some(*it),
    mesh::MeshLease => |it| Embedding::new(it.cube(), it.shape()) == Some(it.mesh()),
    mesh::Shape => |it| Shape::try_from(<[u32; 3]>::from(*it)) == Ok(*it),
    node::Probe,
    node::Refusal,
    node::OnReturn,
    node::LocalRule,
    node::Lease,
    node::Writing,
    node::Phase,
    node::Input,
    node::Action,
    node::OwnerLoad => |it| node::OwnerLoad::from_hundredths(it.hundredths()) == *it,
    node::Owner,
    node::OwnerRule,
    nodes::Amounts,
    nodes::Placement,
    nodes::Refusal,
    reserve::Rectangle,
    reserve::Candidate,
    reserve::ReservationId,
    reserve::Reservation,
    reserve::Limits,
    reserve::Fit,
    reserve::Refusal,
    reserve::Misuse,
    reserve::Request,
    reserve::Interval,
    reserve::Slot,
    site::Command,
    site::Remap,
    site::Learning,
    site::Config,
    site::Effect,
    site::UserStatus,
    site::Status,
    site::UserId,
    site::QueueId,
    site::JobClass,
    site::MachineId,
    site::ResourceId,
    site::Algorithm,
    site::Claim,
    site::Policy,
    station::NodeId,
    station::Checkpoint,
    station::Command,
    station::Nodes,
    station::Sender,
    station::Message,
    station::Trigger,
    station::Config,
    station::Effect,
    station::PreemptReason,
    station::StopReason,
    station::Status,
    subcube::Outage,
    subcube::NodeState,
    subcube::NoSuchNode,
    subcube::NotFree,
    subcube::Lease => |it| subcube::Lease::from_parts(it.cube(), it.handle()) == Some(*it),
    subcube::Refusal,
    time::Instant,
    time::Duration,
    timeshare::Refusal,
    timeshare::Load => |it| Load::from_thousandths(it.thousandths()) == *it,
    timeshare::Threshold => |it| Threshold::from_thousandths(it.load().thousandths()) == Ok(*it),
    timeshare::Speed,
    timeshare::HostId,
    timeshare::UserId,
    timeshare::JobNumber,
    timeshare::Level => |it| Level::new(it.number()) == Some(*it),
    timeshare::Why,
    timeshare::Choice,
    timeshare::NonInterfering,
    timeshare::Request,
}

/// The name of a type without its path and parameters.
fn plain(name: &str) -> String {
    let whole = name.split(" <").next().unwrap().split('<').next().unwrap();
    whole.rsplit("::").next().unwrap().trim().to_owned()
}

/// The public types of a file that derive `Deserialize`, by themselves or by a macro.
fn read_by_serde(text: &str, names: &mut Vec<String>) {
    let (mut derives, mut is_in_macro) = (false, false);
    for line in text.lines() {
        let declared =
            ["pub struct ", "pub enum "].iter().find_map(|it| line.trim().strip_prefix(it));
        match declared {
            Some(name) if derives || is_in_macro => {
                let end = name.find(|it: char| !it.is_alphanumeric()).unwrap_or(name.len());
                names.extend(Some(name[..end].to_owned()).filter(|name| !name.is_empty()));
            }
            _ => {}
        }
        derives = declared.is_none()
            && !line.trim().is_empty()
            && (derives || line.contains("Deserialize"));
        let opened = line.strip_suffix("! {").and_then(|it| it.rsplit("::").next());
        is_in_macro = match opened {
            Some(name) if !line.starts_with(' ') => {
                ["data", "cases", "ids", "variants"].contains(&name)
            }
            _ => is_in_macro && line != "}",
        };
    }
}

fn read_folder(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_folder(&path, names);
        } else if path.extension().is_some_and(|it| it == "rs") {
            read_by_serde(&std::fs::read_to_string(&path).unwrap(), names);
        }
    }
}

#[test]
fn no_public_type_is_left_out() {
    let bank = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut of_sources = vec![];
    read_folder(&bank.join("src"), &mut of_sources);
    read_folder(&bank.join("../kernel/src"), &mut of_sources);
    read_folder(&bank.join("../coordinators/src"), &mut of_sources);
    let mut read: Vec<_> = NAMES.iter().map(|name| plain(name)).collect();
    of_sources.sort();
    read.sort();
    assert_eq!(read, of_sources);
}

#[test]
fn a_load_that_no_host_has_is_refused_in_frames_and_in_words() {
    let report = |load| {
        let load = Load::from_thousandths(load);
        let (host, speed) = (timeshare::HostId(0), timeshare::Speed::NOMINAL);
        let heard = cluster::Batch { boot: 1, number: 5 };
        Request::Do(Command::Shared(cluster::Command::HostReport { host, load, speed, heard }))
    };
    let heard = |bytes: &[u8]| {
        let mut line = Line::new();
        bytes.iter().filter_map(|byte| line.take(*byte)).collect::<Vec<_>>()
    };
    // The fields of a report of 1000 as postcard has them, with another load.
    let mut fields = [0; 9];
    assert_eq!(postcard::to_slice(&report(1000), &mut fields).unwrap().len(), 9);
    let frame = |load: u16| {
        let [a, b, c, d, _, _, speed, boot, number] = fields;
        encode(3, &(a, b, c, d, load, speed, boot, number)).unwrap()
    };
    let frames = |number, request| [Input { mode: Mode::Frames, number, request }];
    let words = |request| [Input { mode: Mode::Words, number: 0, request }];
    assert_eq!(heard(b"host 0 1000 1.5\n"), words(Ok(report(1000))));
    assert_eq!(heard(&frame(1000)), frames(3, Ok(report(1000))));
    for load in [1001, u16::MAX] {
        assert_eq!(heard(&frame(load)), frames(0, Err(Fault::Unknown)));
        assert_eq!(heard(format!("host 0 {load}\n").as_bytes()), words(Err(Fault::Unfit)));
    }
}
