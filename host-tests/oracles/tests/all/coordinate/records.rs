//! Records of commands.

use locox::handle::PoolId;
use locox::image::Identity;
use locox::stored;
use locox::time::Instant;
use locox_coordinators::coordinate::{BadRecord, CommandRecord, Record};

const IDENTITY: Identity =
    Identity { kind: *b"TEST", version: 1, pool: PoolId(4), configuration: 9 };

#[derive(Clone, Copy, Debug, PartialEq)]
enum Newer {
    Open { door: u32 },
    Shut,
}
stored!(enum Newer { Open { door } = 0, Shut = 1 });

#[derive(Clone, Copy, Debug, PartialEq)]
enum Older {
    Open { door: u32 },
}
stored!(enum Older { Open { door } = 0 });

fn said<C>(command: Option<C>) -> CommandRecord<C, ()> {
    CommandRecord { number: 7, now: Instant::from_ticks(5), effects: 3, draw: (), command }
}

#[test]
fn a_record_says_whether_it_is_durable_together_with_the_one_before_it() {
    let said = said(Some(Newer::Open { door: 8 }));
    let (alone, joined) =
        (Record::of_command(&IDENTITY, &said), Record::of_joined(&IDENTITY, &said));
    assert_eq!((alone.is_joined(), joined.is_joined()), (false, true));
    for record in [alone, joined] {
        assert_eq!(record.command(&IDENTITY), Ok(said));
    }
}

#[test]
fn a_command_that_a_reader_does_not_know_is_a_contradiction() {
    let read = |command| Record::of_command(&IDENTITY, &said(Some(command))).command(&IDENTITY);
    assert_eq!(read(Newer::Open { door: 8 }), Ok(said(Some(Older::Open { door: 8 }))));
    let unknown: Result<CommandRecord<Older, ()>, _> = read(Newer::Shut);
    assert_eq!(unknown, Err(BadRecord::Contradiction("no such variant")));
}
