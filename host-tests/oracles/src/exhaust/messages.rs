//! What a coordinator and its hosts say to each other: all losses, doublings and delays in a world of one or two hosts.

use super::{Counts, histories};
use crate::cluster::{Event, Told, World, message_rows};

/// All histories of so many events with so many hosts and two jobs at a time. Whatever was sent may arrive at any later
/// time, again and again, or never; after each history messages arrive again.
pub fn messages(length: usize, hosts: usize, told: Told) -> Counts {
    let mut events = vec![Event::Submit(1), Event::Kill(0), Event::Kill(1), Event::End(0)];
    events.extend((1..3).map(Event::End));
    events.extend((hosts > 1).then_some(Event::Submit(2)));
    events.extend((0..hosts).flat_map(|host| [Event::Report(host), Event::Reboot(host)]));
    events.extend((0..5).map(Event::Arrives));
    events.extend([Event::Restore, Event::Lost(0)]);
    histories(&events, length, |history| {
        let mut rows = message_rows(hosts, 2);
        let mut world = World::new(&mut rows, hosts, told);
        history.iter().try_for_each(|event| world.step(**event))?;
        let key = world.key();
        world.flow_again()?;
        Ok(key)
    })
}
