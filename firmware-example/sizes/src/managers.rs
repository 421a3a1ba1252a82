use crate::{now, read, tell, time};
use core::hint::black_box;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Arrays, Columns, Command, Config, Coordinator, Key, NodeId, UserId, cube_words, index_len,
};

/// 64 jobs of 16 users on 64 nodes.
pub type ManagerRows = Arrays<64, 16, 64, { index_len(64, 16) }, { cube_words(64) }>;

/// The coordinator of a resource manager's machine, of any nodes, subcubes or meshes.
pub fn manager(columns: Columns<'static>) -> Option<()> {
    let config = Config::standard(Duration::from_ticks(60));
    let mut manager = Coordinator::new(config, columns, Instant::ZERO).ok()?;
    let manager = black_box(&mut manager);
    loop {
        tell(&manager.apply(now(), command()));
        while let Some(effect) = manager.take_effect() {
            tell(&effect);
            manager.nodes(key()).for_each(|range| tell(&range));
        }
    }
}

fn key() -> Key {
    Key { id: u64::from(read()), born: read() }
}

fn command() -> Command {
    let (key, user, first) = (key(), UserId(read()), NodeId(read()));
    let (nodes, limit, priority) = (read(), time(), read());
    match read() {
        0 => Command::Seen { key, user, nodes, limit, priority },
        1 => Command::Changed { key, nodes, limit, priority },
        2 => Command::Held { key, held: read() != 0 },
        3 => Command::Runs { key, since: now(), first, nodes },
        4 => Command::RunsAlso { key, first, nodes },
        5 => Command::Waits { key },
        6 => Command::Left { key },
        7 => Command::NodeOut { first, nodes },
        8 => Command::NodeBack { first, nodes },
        9 => Command::Weight { user, weight: read() as u16 },
        10 => Command::UserGone { user },
        11 => Command::Deadline { key, by: now() },
        12 => Command::Shape { key, sides: [read(), read(), read()] },
        _ => Command::Decide,
    }
}
