//! Messages between a coordinator and its hosts that are lost, doubled and late.

use locox_oracles::cluster::{Event, Told, World, message_rows};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

fn follow(
    hosts: usize,
    told: Told,
    events: impl IntoIterator<Item = Event>,
) -> Result<u32, String> {
    let mut rows = message_rows(hosts, 4);
    let mut world = World::new(&mut rows, hosts, told);
    for event in events {
        world.step(event).map_err(|why| why.to_string())?;
    }
    world.flow_again().map_err(|why| why.to_string())?;
    // What is late now changes nothing.
    for at in 0..30 {
        world.step(Event::Arrives(at)).map_err(|why| why.to_string())?;
    }
    world.flow_again().map_err(|why| why.to_string())?;
    Ok(world.starts)
}

/// The end of a new batch does not complete an old one of the same length.
#[test]
fn a_lost_end_and_a_lost_beginning_are_no_batch() {
    let events = [
        Event::Submit(1),
        Event::Arrives(1), // its assignment, not the end
        Event::Reboot(0),
        Event::Report(0),
        Event::Arrives(0),
        Event::Kill(0),
        Event::End(0),
        Event::Submit(1),
        Event::Arrives(0), // the end, not the assignment
    ];
    assert_eq!(follow(1, Told::ByBatch, events), Ok(1));
}

#[test]
fn a_whole_old_batch_that_is_delivered_again_starts_nothing() {
    let heard = [Event::Report(0), Event::Arrives(0)];
    let one = [Event::Submit(1), Event::Arrives(1), Event::Arrives(0)];
    let one = one.into_iter().chain(heard).chain([Event::End(0)]);
    // Its end is told in one message, and the old batch and the report are behind that.
    let again = [Event::Arrives(0), Event::Arrives(3), Event::Arrives(2)];
    assert_eq!(follow(1, Told::ByBatch, one.clone().chain(again)), Ok(1));
    let found = follow(1, Told::ByCount, one.chain(again));
    assert!(found.is_err_and(|why| why.contains("which has ended")));
}

#[test]
fn effects_that_were_all_lost_are_told_again() {
    assert_eq!(follow(3, Told::ByBatch, [Event::Submit(2)]), Ok(2));
}

fn drawn(random: &mut ChaCha8Rng, hosts: usize, loss: u32) -> Event {
    let host = random.random_range(0..hosts);
    match random.random_range(0..30 + loss) {
        0..4 => Event::Submit(random.random_range(1..=hosts as u32)),
        4 => Event::Kill(random.random_range(0..4)),
        5..9 => Event::End(random.random_range(0..4)),
        9 if random.random_ratio(1, 3) => Event::Reboot(host),
        10 if random.random_ratio(1, 6) => Event::Restore,
        10 => [Event::Keep, Event::Lost(host), Event::Lost(host)][random.random_range(0..3)],
        11 if random.random_ratio(1, 10) => Event::Stale,
        11..16 => Event::Report(host),
        // Mostly in order: the latest ones, one after the other.
        _ => Event::Arrives((random.next_u32() % (1 << random.random_range(0..6))) as usize),
    }
}

#[test]
fn in_worlds_with_loss_doubling_and_delay_nothing_ended_starts_and_all_agree_again() {
    let mut starts = 0;
    for seed in 0..20_000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (hosts, loss) = (random.random_range(1..=3), random.random_range(0..40));
        let events: Vec<_> = (0..48).map(|_| drawn(&mut random, hosts, loss)).collect();
        let started = follow(hosts, Told::ByBatch, events.iter().copied());
        starts += started.unwrap_or_else(|why| panic!("world {seed}: {why}: {events:?}"));
    }
    // The worlds met what they are there for.
    assert!(starts > 50_000, "{starts}");
}
