//! Any bytes at a serial server: each request is answered once, a fault changes nothing, and neither a reset
//! nor a power cut loses what was answered. Included by the fuzzer too.

use locox::image::Place;
use locox::time::{Duration, Instant};
use locox_bank::{Bank, Board, Reply, Request, Rows, SerialServer, decode, encode};
use locox_coordinators::coordinate::{Coordinate, Snapshot};
use locox_storage::{DurableCoordinator, Flash, Nor};
use std::cell::Cell;
use std::ops::RangeInclusive;

/// Says `bytes` to a serial server, a byte a tick, as the firmware does; a panic says what does not hold.
///
/// # Panics
///
/// If something is not answered, or a fault or a refusal changes the state, or a reset loses
/// something.
pub(crate) fn follow(bytes: &[u8]) -> Counts {
    let (mut rows, mut cells, left) = (Rows::EMPTY, vec![0xFF; 32 << 10], Cell::new(Nor::FOR_EVER));
    let (mut counts, mut rest, mut stored) =
        (Counts::default(), bytes, None::<RangeInclusive<u64>>);
    loop {
        let bank = Bank::new(&mut rows, Instant::ZERO).unwrap();
        let flash = Flash::new(Nor::new(&mut cells, &left)).unwrap();
        let durable = match stored {
            None => DurableCoordinator::format(bank, flash).unwrap(),
            Some(range) => {
                let durable =
                    DurableCoordinator::recover(bank, flash).expect("nothing is damaged").0;
                // That everybody is told again counts as one.
                let commands = durable.place().commands - 1;
                assert!(
                    range.contains(&commands),
                    "a reset loses a command: {commands}, {range:?}"
                );
                durable
            }
        };
        let mut sitting = Sitting::new(SerialServer::new(durable, |_| ()), &left, counts);
        rest = sitting.hear(rest);
        (counts, stored) = (sitting.counts, Some(sitting.stored()));
        left.set(Nor::FOR_EVER);
        if rest.is_empty() {
            return counts;
        }
        counts.resets += 1;
    }
}

/// How bytes were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) answers: u32,
    pub(crate) faults: u32,
    pub(crate) error: u32,
    pub(crate) resets: u32,
}

/// From one reset to the next.
struct Sitting<'a> {
    server: SerialServer<'a, Flash<Nor<'a>>>,
    left: &'a Cell<u32>,
    now: Instant,
    /// Where the bank was after the last byte, and its digest.
    known: (Place, u32),
    counts: Counts,
}

impl<'a> Sitting<'a> {
    fn new(server: SerialServer<'a, Flash<Nor<'a>>>, left: &'a Cell<u32>, counts: Counts) -> Self {
        let bank = server.durable().coordinator();
        let (now, known) = (bank.now(), (server.durable().place(), bank.digest()));
        let mut sitting = Self { server, left, now, known, counts };
        sitting.turn();
        sitting
    }

    /// Takes bytes up to a reset; the others are left.
    fn hear<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        for (at, byte) in bytes.iter().enumerate() {
            let mut said = vec![];
            let board = self.server.take(self.now, *byte, &mut |part| said.extend_from_slice(part));
            self.check(&said);
            let is_reset = board.is_some_and(|board| self.obey(board));
            self.turn();
            if is_reset || self.is_off() {
                self.check_invariants();
                return bytes.get(at + 1..).unwrap_or_default();
            }
            self.now = self.now.saturating_add(Duration::from_ticks(1));
        }
        let mut said = vec![];
        self.server.silence(self.now, &mut |part| said.extend_from_slice(part));
        self.check(&said);
        said.clear();
        self.server.long_silence(self.now, &mut |part| said.extend_from_slice(part));
        self.check(&said);
        self.check_invariants();
        &[]
    }

    /// Does what is asked of a board; whether that is a reset.
    fn obey(&mut self, asked: Board) -> bool {
        match asked {
            Board::Clock(tick) => self.now = Instant::from_ticks(tick),
            Board::Cut(writes) => self.left.set(writes),
            Board::Reset | Board::Sense { .. } | Board::Pins => {}
        }
        self.counts.answers += 1;
        asked == Board::Reset
    }

    /// What goes on between bytes.
    fn turn(&mut self) {
        self.server.wake(self.now, &mut |_| ());
        while self.server.take_effect(&mut |_| ()).is_some() {}
        if self.server.durable().place() != self.known.0 {
            self.known = self.state();
        }
    }

    fn state(&self) -> (Place, u32) {
        let durable = self.server.durable();
        (durable.place(), durable.coordinator().digest())
    }

    fn is_off(&self) -> bool {
        self.left.get() == Nor::OFF
    }

    /// How many commands are stored: all, or all but the one within which the power went.
    fn stored(&self) -> RangeInclusive<u64> {
        let taken = self.server.durable().place().commands;
        taken.saturating_sub(self.is_off().into())..=taken
    }

    fn check_invariants(&self) {
        self.server.durable().coordinator().check_invariants().unwrap();
    }

    fn check(&mut self, said: &[u8]) {
        // Frames have zeros around them, words have none.
        let closing = if said.contains(&0) { frames(said) } else { words(said) };
        let Some(closing) = closing else { return };
        self.counts.answers += 1;
        match closing {
            Closing::Fault => {
                self.counts.faults += 1;
                assert_eq!(self.state(), self.known, "a fault changes nothing");
            }
            Closing::Error => {
                self.counts.error += 1;
                // A tick may have been due before it.
                let (place, digest) = self.state();
                let commands = self.known.0.commands;
                assert!(place.commands <= commands + 1, "what is error is not counted");
                assert!(
                    place != self.known.0 || digest == self.known.1,
                    "nor does it change anything"
                );
            }
            Closing::NotStored => assert!(self.is_off(), "the flash does not fail"),
            Closing::OtherOwner => panic!("nobody else has the flash"),
            Closing::Other => {}
        }
    }
}

enum Closing {
    Fault,
    Error,
    NotStored,
    OtherOwner,
    Other,
}

fn frames(said: &[u8]) -> Option<Closing> {
    let frames = said.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
    let replies = frames.map(|frame| decode::<Reply>(&mut frame.to_vec()).expect("a reply").1);
    let closing: Vec<_> = replies.filter(Reply::closes).collect();
    assert!(closing.len() <= 1, "one answer to one request");
    Some(match closing.first()? {
        Reply::Fault(_) => Closing::Fault,
        Reply::Error(_) => Closing::Error,
        Reply::NotStored => Closing::NotStored,
        Reply::OtherOwner => Closing::OtherOwner,
        _ => Closing::Other,
    })
}

fn words(said: &[u8]) -> Option<Closing> {
    let text = std::str::from_utf8(said).expect("words are text");
    let mut closing = text.lines().filter_map(|line| match line.split([' ', ':']).next() {
        Some("fault") if line.starts_with("fault: the flash fails") => Some(Closing::NotStored),
        Some("fault") if line.contains("another owner") => Some(Closing::OtherOwner),
        Some("fault") => Some(Closing::Fault),
        Some("no" | "wrong") => Some(Closing::Error),
        Some("ok") => Some(Closing::Other),
        _ => None,
    });
    let first = closing.next();
    assert!(closing.next().is_none(), "one answer to one line");
    first
}

/// Some bytes become frames of requests, so that any bytes reach what is behind them:
/// after each byte below 3 the next ones are bare, a frame, or a frame that is damaged.
pub(crate) fn dressed(bytes: &[u8]) -> Vec<u8> {
    let mut dressed = vec![];
    for piece in bytes.split(|byte| *byte == 0xFF) {
        let request = postcard_like(piece);
        match (piece.first(), request.and_then(|request| encode(1, &request))) {
            (Some(0), Some(frame)) => dressed.extend_from_slice(&frame),
            (Some(1), Some(mut frame)) => {
                let middle = frame.len() / 2;
                frame[middle] ^= piece.get(1).copied().unwrap_or(1);
                dressed.extend_from_slice(&frame);
            }
            (Some(2), Some(frame)) => dressed.extend_from_slice(&frame[..frame.len() / 2]),
            _ => dressed.extend_from_slice(piece),
        }
    }
    dressed
}

/// The request that the bytes behind the first one are in postcard.
fn postcard_like(piece: &[u8]) -> Option<Request> {
    postcard::take_from_bytes(piece.get(1..)?).ok().map(|(request, _)| request)
}
