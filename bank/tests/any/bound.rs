//! What bounds rest on.

use crate::script::Script;
use crate::world::image;
use locox::cube::Dim;
use locox::fair::StationId;
use locox::time::Instant;
use locox::timeshare::{HostId, Load, Speed, UserId};
use locox_bank::size::{CUBE, HOSTS, IMAGE, JOBS, NODES, PES, RESERVATIONS, SHARED_JOBS, STATIONS};
use locox_bank::{Bank, Command, Rows};
use locox_coordinators::cluster;
use locox_coordinators::coordinate::Durable;
use locox_coordinators::station::{self, NodeId};

/// All rows used, everybody hit, and nobody told.
fn full(bank: &mut Durable<Bank<'_>>) {
    let say = |bank: &mut Durable<Bank<'_>>, command| {
        bank.apply_drawn(Instant::ZERO, command, ())
            .map(drop)
            .unwrap_or_else(|why| panic!("{command:?}: {why}"));
    };
    (0..CUBE).for_each(|_| say(bank, Command::Lease { serial: 0, dim: Dim::ZERO }));
    for serial in 1..=RESERVATIONS {
        let deadline = Command::NO_DEADLINE;
        say(bank, Command::Reserve { serial, pes: PES, duration: 1000, ready: 0, deadline });
    }
    for serial in 1..=(JOBS / STATIONS) as u32 {
        for home in (0..STATIONS as u32).map(StationId) {
            say(bank, Command::Station(station::Command::Submit { home, serial }.into()));
        }
    }
    for node in (0..NODES as u32).map(NodeId) {
        say(bank, Command::Station(station::Command::NodeIdle { node }.into()));
    }
    for host in (0..HOSTS as u32).map(HostId) {
        let (load, speed) = (Load::from_thousandths(0), Speed::NOMINAL);
        let heard = cluster::Batch::default();
        say(bank, Command::Shared(cluster::Command::HostReport { host, load, speed, heard }));
    }
    for user in (0..SHARED_JOBS as u32).map(UserId) {
        let (serial, hosts, synchronising, terms) = (0, 1, false, cluster::Terms::default());
        say(bank, Command::Run { serial, user, hosts, synchronising, terms });
    }
    (0..CUBE).for_each(|node| say(bank, Command::Withdraw { node, failed: true }));
    say(bank, Command::FailPe { pe: 0 });
}

#[test]
fn the_image_of_a_full_bank_is_within_its_bound() {
    let mut rows = Rows::EMPTY;
    let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
    full(&mut bank);
    let words = image(&bank).len() as u32;
    assert!(words <= IMAGE && words > IMAGE / 100 * 95, "{words} words");
    while bank.take_effect().is_some() {}
    assert!(image(&bank).len() as u32 <= words);
}

#[test]
fn images_of_any_run_are_within_their_bound() {
    let mut rows = Rows::EMPTY;
    let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
    let mut script = Script::new(9);
    for _ in 0..3000 {
        let (now, command) = script.next();
        if let Ok((answer, _)) = bank.apply_drawn(now, command, ()) {
            script.learn(&command, &answer);
        }
        script.hear(&mut bank);
        assert!(image(&bank).len() as u32 <= IMAGE);
    }
}
