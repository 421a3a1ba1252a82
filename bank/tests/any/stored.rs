//! What is answered is stored, whatever the flash does.

use crate::script::{Numbers, Script};
use crate::world::{FLASH, Shared};
use embedded_storage::nor_flash::ReadNorFlash;
use locox::cube::Dim;
use locox::fair::StationId;
use locox::time::Instant;
use locox_bank::{
    Answer, Bank, Command, Question, Reply, Request, Rows, SerialServer, decode, encode,
};
use locox_coordinators::coordinate::{Durable, Snapshot};
use locox_coordinators::station::{self, NodeId};
use locox_storage::{DurableCoordinator, Flash, Nor, Store};
use std::cell::{Cell, RefCell};

type Server<'r, 'n> = SerialServer<'r, Flash<Shared<'n>>>;

/// A server on a flash that was never used.
fn begin<'r, 'n>(rows: &'r mut Rows, nor: &'n RefCell<Nor<'n>>) -> Server<'r, 'n> {
    let bank = Bank::new(rows, Instant::ZERO).unwrap();
    let flash = Flash::new(Shared(nor)).unwrap();
    Server::new(DurableCoordinator::format(bank, flash).unwrap(), |_| ())
}

/// Goes on from what is stored.
fn restart<'r, 'n>(rows: &'r mut Rows, nor: &'n RefCell<Nor<'n>>) -> Server<'r, 'n> {
    let bank = Bank::new(rows, Instant::ZERO).unwrap();
    let flash = Flash::new(Shared(nor)).unwrap();
    Server::new(DurableCoordinator::recover(bank, flash).unwrap().0, |_| ())
}

fn replies(said: &[u8]) -> Vec<(u32, Reply)> {
    let frames = said.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
    frames.map(|frame| decode(&mut frame.to_vec()).unwrap()).collect()
}

/// What a frame is answered with, and what it lists.
fn say(server: &mut Server<'_, '_>, now: Instant, request: Request) -> (Reply, Vec<Answer>) {
    let mut said = vec![];
    for byte in encode(5, &request).unwrap() {
        server.take(now, byte, &mut |part| said.extend_from_slice(part));
    }
    let (mut closing, mut listed) = (vec![], vec![]);
    for (number, reply) in replies(&said) {
        assert_eq!(number, if reply.is_unasked() { 0 } else { 5 }, "{reply:?}");
        match reply {
            Reply::Listed(answer) => listed.push(answer),
            other if other.closes() => closing.push(other),
            _ => {}
        }
    }
    assert_eq!(closing.len(), 1, "one answer to one request: {closing:?}");
    (closing.remove(0), listed)
}

fn lease(serial: u32, dim: u8) -> Request {
    Request::Do(Command::Lease { serial, dim: Dim::new(dim).unwrap() })
}

const QUESTIONS: [Question; 6] = [
    Question::Figures,
    Question::Digest,
    Question::Leases,
    Question::Reservations,
    Question::Jobs,
    Question::Runs,
];

/// What a bank would have that started from this flash now; nothing is written.
fn stored(nor: &RefCell<Nor<'_>>) -> (u32, Vec<Answer>) {
    let (mut rows, mut cells) = (Rows::EMPTY, vec![0; FLASH]);
    nor.borrow_mut().read(0, &mut cells).unwrap();
    let left = Cell::new(Nor::FOR_EVER);
    let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
    Flash::new(Nor::new(&mut cells, &left)).unwrap().recover(&mut bank).unwrap();
    let bank = bank.coordinator();
    (bank.serial(), bank.leases().chain(bank.reserved()).collect())
}

#[test]
fn a_flash_that_refuses_is_the_only_answer_until_the_state_is_stored() {
    let (mut rows, mut cells, left) = (Rows::EMPTY, vec![0xFF; FLASH], Cell::new(Nor::FOR_EVER));
    let nor = RefCell::new(Nor::new(&mut cells, &left));
    let mut server = begin(&mut rows, &nor);
    let now = Instant::ZERO;
    left.set(Nor::OFF);
    for _ in 0..2 {
        assert_eq!(say(&mut server, now, lease(1, 2)).0, Reply::NotStored);
        for question in QUESTIONS {
            let (reply, listed) = say(&mut server, now, Request::Ask(question));
            assert_eq!((reply, listed), (Reply::NotStored, vec![]), "{question:?}");
        }
        assert_eq!(say(&mut server, now, Request::Ask(Question::Help)).0, Reply::Help);
    }
    // It may be stored all the same: the question tells of it as soon as it is.
    left.set(Nor::FOR_EVER);
    let (reply, listed) = say(&mut server, now, Request::Ask(Question::Leases));
    assert_eq!((reply, listed.clone()), (Reply::Count(1), stored(&nor).1));
    let again = say(&mut server, now, lease(1, 2)).0;
    assert_eq!(vec![again], listed.into_iter().map(Reply::Taken).collect::<Vec<_>>());
}

#[test]
fn what_nobody_asked_for_closes_nothing() {
    let (mut rows, mut cells, left) = (Rows::EMPTY, vec![0xFF; FLASH], Cell::new(Nor::FOR_EVER));
    let nor = RefCell::new(Nor::new(&mut cells, &left));
    let mut server = begin(&mut rows, &nor);
    say(&mut server, Instant::ZERO, Request::Ask(Question::Figures));
    let reserve = Command::Reserve { serial: 1, pes: 1, duration: 5, ready: 0, deadline: u64::MAX };
    say(&mut server, Instant::ZERO, Request::Do(reserve));
    let mut said = vec![];
    let mut out = |part: &[u8]| said.extend_from_slice(part);
    // A report that is refused, and one of a station that has none.
    let mut now = Instant::from_ticks(1);
    let [wrong, right] = [99, 9].map(|node| station::Command::NodeIdle { node: NodeId(node) });
    server.report(now, wrong, &mut out);
    server.report(now, right, &mut out);
    left.set(Nor::OFF);
    server.report(now, right, &mut out);
    // The reservation ends; the flash is tried again now and then.
    let mut tries = 0;
    for _ in 0..100 {
        now = Instant::from_ticks(now.ticks() + 100);
        tries += u32::from(server.wake_at().is_some_and(|at| at <= now));
        server.wake(now, &mut out);
    }
    assert!((5..=15).contains(&tries), "{tries}");
    left.set(Nor::FOR_EVER);
    server.wake(Instant::from_ticks(now.ticks() + 1000), &mut out);
    let report = |report, taken| (0, Reply::Report { report, taken });
    let expected = [report(wrong, false), report(right, true), report(right, false)];
    assert_eq!(replies(&said), expected);
    assert!(said.starts_with(&[0, 1]));
    let Reply::Figures(figures) = say(&mut server, now, Request::Ask(Question::Figures)).0 else {
        panic!("the flash works again");
    };
    assert_eq!(figures.reservations, 0);
}

#[test]
fn the_first_call_after_a_restart_returns_the_effect_that_waits() {
    let (mut rows, mut cells, left) = (Rows::EMPTY, vec![0xFF; FLASH], Cell::new(Nor::FOR_EVER));
    let nor = RefCell::new(Nor::new(&mut cells, &left));
    let mut server = begin(&mut rows, &nor);
    for command in [
        station::Command::Submit { home: StationId(7), serial: 1 },
        station::Command::NodeIdle { node: NodeId(0) },
    ] {
        let (reply, _) =
            say(&mut server, Instant::ZERO, Request::Do(Command::Station(command.into())));
        assert!(matches!(reply, Reply::Taken(_)), "{reply:?}");
    }
    drop(server);
    let mut rows = Rows::EMPTY;
    let mut server = restart(&mut rows, &nor);
    let mut said = vec![];
    let effect = server.take_effect(&mut |part| said.extend_from_slice(part));
    assert!(matches!(effect, Some(station::Effect::Place { node: NodeId(0), .. })), "{effect:?}");
    assert!(!said.is_empty());
    assert_eq!(server.take_effect(&mut |_| ()), None);
}

/// Commands and questions on a flash that refuses for a while at any write, or is cut there and starts again: what
/// is answered is what a restart would find, a grant that is said until it is answered is done once, and a question
/// is never answered by less than what is stored.
#[test]
fn what_is_answered_is_stored() {
    let (mut refused, mut restarts) = (0, 0);
    for seed in 0..8 {
        let (mut cells, left) = (vec![0xFF; FLASH], Cell::new(Nor::FOR_EVER));
        let nor = RefCell::new(Nor::new(&mut cells, &left));
        let (mut numbers, mut script) = (Numbers(seed), Script::new(seed));
        drop(begin(&mut { Rows::EMPTY }, &nor));
        let mut pending = None;
        for _ in 0..6 {
            let mut rows = Rows::EMPTY;
            let mut server = restart(&mut rows, &nor);
            restarts += 1;
            for _ in 0..60 {
                match numbers.below(12) {
                    0 => left.set(numbers.below(90) as u32),
                    1..4 => left.set(Nor::FOR_EVER),
                    _ => {}
                }
                let (now, command) = pending.take().unwrap_or_else(|| script.next());
                let now = now.max(server.durable().now());
                let (reply, _) = say(&mut server, now, Request::Do(command));
                while server.take_effect(&mut |_| ()).is_some() {}
                match &reply {
                    Reply::NotStored => {
                        pending = Some((now, command));
                        refused += 1;
                    }
                    Reply::Taken(answer) => script.learn(&command, answer),
                    Reply::Error(_) => {}
                    other => panic!("{other:?}"),
                }
                if numbers.below(3) == 0 {
                    check(&mut server, now, &nor);
                }
                let is_stored = reply != Reply::NotStored;
                let bank = server.durable().coordinator();
                bank.check_invariants().unwrap();
                let known = (bank.serial(), bank.leases().chain(bank.reserved()).collect());
                assert!(!is_stored || stored(&nor) == known, "seed {seed}: {command:?}");
            }
            left.set(Nor::FOR_EVER);
        }
    }
    assert!(refused > 100 && restarts == 48, "{refused}");
}

/// What is listed is stored.
fn check(server: &mut Server<'_, '_>, now: Instant, nor: &RefCell<Nor<'_>>) {
    let questions = [Question::Leases, Question::Reservations];
    let answers = questions.map(|question| say(server, now, Request::Ask(question)));
    if answers.iter().all(|(reply, _)| *reply != Reply::NotStored) {
        let listed: Vec<_> = answers.into_iter().flat_map(|(_, listed)| listed).collect();
        assert_eq!(listed, stored(nor).1);
    }
}
