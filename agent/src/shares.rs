//! Users' shares, as the configuration has them.

use locox_coordinators::manager::{Command, Coordinator, UserId};
use std::collections::HashMap;

/// What is to be told so that users have these weights, and all others 1.
pub(crate) fn commands(manager: &Coordinator<'_>, shares: &[(u32, u16)]) -> Vec<Command> {
    let mut wanted: HashMap<u32, u16> = shares.iter().copied().collect();
    let mut commands = vec![];
    for user in manager.users() {
        let weight = wanted.remove(&user.id.0).unwrap_or(1);
        if weight != user.weight {
            commands.push(Command::Weight { user: user.id, weight });
        }
    }
    // A user of weight 1 is none before he has a job.
    let unknown = shares.iter().filter(|(user, weight)| wanted.contains_key(user) && *weight != 1);
    commands.extend(
        unknown.map(|(user, weight)| Command::Weight { user: UserId(*user), weight: *weight }),
    );
    commands
}
