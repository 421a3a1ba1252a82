//! Frames that are whole, of any bytes.

use crate::script::Numbers;
use crate::world::Board;
use locox::time::{Duration, Instant};
use locox_bank::{Reply, Request, SerialServer, decode, encode};
use locox_coordinators::coordinate::{Coordinate, Snapshot};
use locox_storage::Nor;
use serde::ser::{Serialize, SerializeTuple, Serializer};
use std::cell::Cell;

/// Bytes as they come.
struct Raw(Vec<u8>);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        self.0.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
        tuple.end()
    }
}

/// Mostly commands, whose fields are small, as large as can be, or anything.
fn contents(numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes =
        vec![numbers.below(3) as u8 * u8::from(numbers.below(4) == 0), numbers.below(13) as u8];
    // A command of stations has a sender or none before it.
    bytes.extend((bytes[1] == 9).then(|| numbers.below(8) as u8 / 7));
    for _ in 0..numbers.below(14) {
        match numbers.below(16) {
            0 => bytes.push(numbers.below(256) as u8),
            1 => bytes.extend([0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
            2 => bytes.extend([0xFF, 0x7F]),
            3 => bytes.extend([[0xFF; 9].as_slice(), &[1]].concat()),
            4..8 => bytes.push(numbers.below(70) as u8),
            _ => bytes.push(numbers.below(4) as u8),
        }
    }
    bytes
}

#[test]
fn any_frame_is_answered_once_and_changes_nothing_if_it_is_refused() {
    let (mut board, left) = (Board::new(), Cell::new(Nor::FOR_EVER));
    let mut server = SerialServer::new(board.format(&left), |_| ());
    let (mut numbers, mut now) = (Numbers(3), Instant::ZERO);
    let (mut taken, mut refused, mut unknown) = (0, 0, 0);
    for number in 1..=10_000 {
        let mut bytes = contents(&mut numbers);
        // Mostly not more than a request.
        if let Ok((_, rest)) = postcard::take_from_bytes::<Request>(&bytes)
            && numbers.below(8) > 0
        {
            bytes.truncate(bytes.len() - rest.len());
        }
        let (request, mut said) = (Raw(bytes), vec![]);
        now = now.saturating_add(Duration::from_ticks(numbers.below(3) * numbers.below(400)));
        // What is due is no part of it.
        server.wake(now, &mut |_| ());
        while server.take_effect(&mut |_| ()).is_some() {}
        let durable = server.durable();
        let before = (durable.place(), durable.coordinator().digest());
        let mut board = None;
        for byte in encode(number, &request).unwrap() {
            board = board.or(server.take(now, byte, &mut |part| said.extend_from_slice(part)));
        }
        let durable = server.durable();
        let after = (durable.place(), durable.coordinator().digest());
        let frames = said.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
        let replies = frames.map(|frame| decode::<Reply>(&mut frame.to_vec()).unwrap());
        let closing: Vec<_> = replies.filter(|(_, reply)| reply.closes()).collect();
        match (&closing[..], board) {
            ([], Some(_)) => assert_eq!(before, after),
            ([(0, Reply::Fault(_))], None) => {
                assert_eq!(before, after);
                unknown += 1;
            }
            ([(of, Reply::Error(why))], None) => {
                assert_eq!((*of, before), (number, after), "{why:?}");
                refused += 1;
            }
            ([(of, _)], None) if *of == number => taken += 1,
            other => panic!("{other:?}"),
        }
        if number % 50 == 0 {
            durable.coordinator().check_invariants().unwrap();
            assert!(durable.coordinator().wake_at().is_none_or(|at| at > now));
        }
    }
    assert!(taken > 500 && refused > 1000 && unknown > 1000, "{taken} {refused} {unknown}");
}
