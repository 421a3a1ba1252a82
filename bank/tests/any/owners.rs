//! Two banks on one flash: the first one says that it has lost it.

use crate::world::Shared;
use locox::time::Instant;
use locox_bank::{Bank, Command, Reply, Request, Rows, SerialServer, decode, encode};
use locox_storage::{DurableCoordinator, Flash, Nor};
use std::cell::{Cell, RefCell};

type Server<'a> = SerialServer<'a, Flash<Shared<'a>>>;

fn said(server: &mut Server<'_>, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    for byte in bytes {
        server.take(Instant::ZERO, *byte, &mut |part| out.extend_from_slice(part));
    }
    out
}

/// The last line that is said to a line of words.
fn answer(server: &mut Server<'_>, words: &str) -> String {
    let said = String::from_utf8(said(server, format!("{words}\n").as_bytes())).unwrap();
    said.lines().last().unwrap().to_string()
}

#[test]
fn a_bank_whose_flash_another_one_took_says_so_and_answers_nothing_more() {
    let (mut cells, left) = (vec![0xFF; 32 << 10], Cell::new(Nor::FOR_EVER));
    let nor = RefCell::new(Nor::new(&mut cells, &left));
    let flash = |number| Flash::new(Shared(&nor)).unwrap().owned_by(number);
    let mut rows = [const { Rows::EMPTY }; 2];
    let [first, second] = &mut rows;
    let bank = Bank::new(first, Instant::ZERO).unwrap();
    let mut first = Server::new(DurableCoordinator::format(bank, flash(1)).unwrap(), |_| ());
    assert_eq!(answer(&mut first, "lease 2"), "ok lease 0.1: 0000**");

    let bank = Bank::new(second, Instant::ZERO).unwrap();
    let durable = DurableCoordinator::recover(bank, flash(2)).unwrap().0;
    let mut second = Server::new(durable, |_| ());
    let lost = "fault: the flash has another owner: stop one of the two, then reset the other";
    for _ in 0..3 {
        for words in ["lease 2", "leases", "digest", "status", "tick"] {
            assert_eq!(answer(&mut first, words), lost);
        }
        let lease =
            Request::Do(Command::Lease { serial: 0, dim: locox::cube::Dim::new(2).unwrap() });
        let said = said(&mut first, &encode(7, &lease).unwrap());
        let mut frame =
            said.split(|byte| *byte == 0).find(|frame| !frame.is_empty()).unwrap().to_vec();
        assert_eq!(decode::<Reply>(&mut frame), Ok((7, Reply::OtherOwner)));
    }
    // What the first one answered is there, and what it did not is not.
    assert_eq!(answer(&mut second, "lease 2"), "ok lease 4.1: 0001**");
}
