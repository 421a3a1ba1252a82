//! What is copied by an assignment, and what is moved: a second owner of a state would go its own
//! way without a word.

use locox::bits::Word;
use locox::fair::{
    Condor, Demand, Random, RoundRobin, ScheduleIndex, StationId, TimedRow, TimedUpDown, UpDown,
};
use locox::mapping::{Experience, Runs};
use locox::subcube::{Buddy, Lease};
use locox::time::{Duration, Instant, WideCounter};
use locox::{dispatch, handle, mesh, node, reserve, subcube, timeshare};
use locox_coordinators::station::{self, Coordinator, JobId};
use locox_coordinators::{cluster, coordinate, site};
use std::marker::PhantomData;

/// `Probe::<T>::COPIED` is the constant of the type if `T` is `Copy`, as that comes before one of a
/// trait, and else that of the trait.
struct Probe<T>(PhantomData<T>);

impl<T: Copy> Probe<T> {
    const COPIED: bool = true;
}

trait Moved {
    const COPIED: bool = false;
}

impl<T> Moved for Probe<T> {}

/// Those of the types that are copied, or not.
macro_rules! those {
    ($copied:literal: $($Type:ty),+ $(,)?) => {
        [$((stringify!($Type), Probe::<$Type>::COPIED)),+]
            .into_iter()
            .filter_map(|(name, is)| (is == $copied).then_some(name))
            .collect::<Vec<_>>()
    };
}

type Stations = station::Arrays<2, 3, 4, 4>;
type Network = Coordinator<RoundRobin, Stations>;
type Hosts = timeshare::Arrays<4, 2, 4, 4>;
type Slots = [dispatch::Slot; 4];

#[test]
fn state_is_moved_and_cloned_only_where_that_is_said() {
    let copied = those! { true:
        Network,
        Stations,
        coordinate::Durable<Network>,
        cluster::Coordinator<'static, timeshare::FirstLevel>,
        cluster::Arrays<4, 2, 4, 4>,
        cluster::HostPart,
        cluster::Assignments,
        site::Coordinator<'static>,
        site::Arrays<4, 2, 2, 1, 1, 1, 1, 0>,
        timeshare::Table<Hosts>,
        Hosts,
        TimedUpDown<[TimedRow; 2]>,
        UpDown<[ScheduleIndex; 2], Condor>,
        RoundRobin,
        Random,
        Experience<'static, [Runs; 4]>,
        WideCounter,
        node::LocalScheduler,
        node::OwnerActivity,
        subcube::Pool<Buddy, [Word; 8]>,
        mesh::MeshPool<Buddy, [Word; 8]>,
        reserve::Timeline<[Word; 8]>,
        reserve::Profile<[Word; 8]>,
        dispatch::Ordered<dispatch::Fcfs, Slots>,
        dispatch::Backfill<dispatch::Easy, Slots>,
    };
    assert_eq!(copied, [""; 0]);
}

#[test]
fn handles_ids_configurations_requests_and_rows_are_copied() {
    let moved = those! { false:
        handle::Handle,
        JobId,
        station::Run,
        StationId,
        station::NodeId,
        station::Config,
        station::Command,
        station::Message,
        station::Effect,
        station::View<'static>,
        station::JobRow,
        Demand,
        cluster::Config,
        cluster::Command,
        cluster::Effect,
        cluster::Assignment,
        site::Config,
        site::Command,
        site::Effect,
        site::SiteModel<'static>,
        timeshare::HostId,
        timeshare::Request,
        timeshare::View<'static>,
        node::LocalRule,
        node::Lease,
        Lease,
        mesh::MeshLease,
        reserve::ReservationId,
        reserve::Request,
        reserve::Interval,
        dispatch::Ticket,
        dispatch::Job,
        coordinate::Record,
        Duration,
        Instant,
    };
    assert_eq!(moved, [""; 0]);
}
