//! Any bytes at a desk: each request is answered once, and a fault changes nothing.

use locox::coordinate::Coordinate;
use locox::time::Instant;
use locox_bank::{Bank, Board, Desk, Nor, Reply, Request, Rows, decode, encode};
use locox_storage::{Flash, Keeper};
use std::cell::Cell;

/// Says `bytes` to a desk, a byte a tick; a panic says what does not hold.
///
/// # Panics
///
/// If something is not answered, or a fault or a refusal changes the state.
pub(crate) fn follow(bytes: &[u8]) -> Counts {
    let (mut rows, mut cells, left) = (Rows::EMPTY, vec![0xFF; 32 << 10], Cell::new(Nor::FOR_EVER));
    let bank = Bank::new(&mut rows, Instant::ZERO).unwrap();
    let flash = Flash::new(Nor::new(&mut cells, &left)).unwrap();
    let mut desk = Desk::new(Keeper::format(bank, flash).unwrap(), |_| ());
    let mut counts = Counts::default();
    for (tick, byte) in (0..).zip(bytes) {
        let now = Instant::from_ticks(tick);
        let before = state(&desk);
        let mut said = vec![];
        let board = desk.take(now, *byte, &mut |part| said.extend_from_slice(part));
        check(&desk, &before, &said, board, &mut counts);
    }
    let before = state(&desk);
    let mut said = vec![];
    desk.silence(Instant::from_ticks(bytes.len() as u64), &mut |part| said.extend_from_slice(part));
    check(&desk, &before, &said, None, &mut counts);
    desk.keeper().coordinator().check_invariants().unwrap();
    counts
}

/// How bytes were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) answers: u32,
    pub(crate) faults: u32,
    pub(crate) denied: u32,
    pub(crate) boards: u32,
}

type AnyDesk<'a> = Desk<'a, Flash<Nor<'a>>>;

fn state(desk: &AnyDesk<'_>) -> (u32, u64) {
    (desk.keeper().coordinator().digest(), desk.keeper().place().commands)
}

fn check(
    desk: &AnyDesk<'_>,
    before: &(u32, u64),
    said: &[u8],
    board: Option<Board>,
    counts: &mut Counts,
) {
    counts.boards += u32::from(board.is_some());
    // Frames have zeros around them, words have none.
    let closing = if said.contains(&0) { frames(said) } else { words(said) };
    let Some(closing) = closing else { return };
    counts.answers += 1;
    match closing {
        Closing::Fault => {
            counts.faults += 1;
            assert_eq!(state(desk), *before, "a fault changes nothing");
        }
        Closing::Denied => {
            counts.denied += 1;
            // A tick may have been due before it.
            let (_, commands) = state(desk);
            assert!(commands <= before.1 + 1, "a command that is denied is not counted");
        }
        Closing::Other => {}
    }
}

enum Closing {
    Fault,
    Denied,
    Other,
}

fn frames(said: &[u8]) -> Option<Closing> {
    let frames = said.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
    let replies = frames.map(|frame| decode::<Reply>(&mut frame.to_vec()).expect("a reply"));
    let closing: Vec<_> = replies.filter(Reply::closes).collect();
    assert!(closing.len() <= 1, "one answer to one request");
    Some(match closing.first()? {
        Reply::Fault(_) => Closing::Fault,
        Reply::Denied(_) => Closing::Denied,
        _ => Closing::Other,
    })
}

fn words(said: &[u8]) -> Option<Closing> {
    let text = std::str::from_utf8(said).expect("words are text");
    let mut closing = text.lines().filter_map(|line| match line.split([' ', ':']).next() {
        Some("fault") => Some(Closing::Fault),
        Some("no" | "wrong") => Some(Closing::Denied),
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
        match (piece.first(), request.and_then(|request| encode(&request))) {
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
