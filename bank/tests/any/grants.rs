//! A host at the other end of a line that loses what is said and what is answered.

use crate::script::Numbers;
use crate::world::{Board, Stored};
use locox::time::Instant;
use locox::timeshare::{HostId, Load, Speed, UserId};
use locox_bank::{
    Answer, Command, Name, Question, Reply, Request, Rows, SerialServer, decode, encode,
};
use locox_coordinators::cluster::{self, Terms};
use locox_storage::{Flash, Nor};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Says a request as a frame; all that is answered.
fn say(server: &mut SerialServer<'_, Flash<Nor<'_>>>, request: Request) -> Vec<Reply> {
    let (mut back, number) = (vec![], 9);
    for byte in encode(number, &request).unwrap() {
        server.take(Instant::ZERO, byte, &mut |part| back.extend_from_slice(part));
    }
    while server.take_effect(&mut |_| ()).is_some() {}
    let frames = back.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
    let replies = frames.map(|frame| decode(&mut frame.to_vec()).unwrap());
    let of_this = |(of, reply): (u32, Reply)| {
        assert_eq!(of, if reply.is_unasked() { 0 } else { number });
        reply
    };
    replies.map(of_this).collect()
}

fn closing(replies: Vec<Reply>) -> Reply {
    replies.into_iter().find(Reply::closes).unwrap()
}

/// What a question lists.
fn list(server: &mut SerialServer<'_, Flash<Nor<'_>>>, question: Question) -> Vec<Answer> {
    let mut replies = say(server, Request::Ask(question));
    let count = replies.pop();
    let listed: Vec<_> = replies
        .into_iter()
        .map(|reply| match reply {
            Reply::Listed(answer) => answer,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(count, Some(Reply::Count(listed.len() as u32)));
    listed
}

fn name_of(answer: &Answer) -> (u8, Name) {
    match answer {
        Answer::Leased { lease, .. } => (0, *lease),
        Answer::Reserved { reservation, .. } => (1, *reservation),
        Answer::Job { job } => (2, *job),
        Answer::Done => panic!("it grants nothing"),
    }
}

/// What the host wants next.
fn grant(numbers: &mut Numbers, serial: u32) -> Command {
    match numbers.below(3) {
        0 => Command::Lease { serial, dim: (numbers.below(4) as u8).try_into().unwrap() },
        1 => Command::Reserve {
            serial,
            pes: 1 + numbers.below(40) as u32,
            duration: 1 + numbers.below(1_000),
            ready: 0,
            deadline: Command::NO_DEADLINE,
        },
        _ => Command::Run {
            serial,
            user: UserId(numbers.below(3) as u32),
            hosts: 1 + numbers.below(3) as u32,
            synchronising: false,
            terms: Terms::default(),
        },
    }
}

fn give_back(held: (u8, Name)) -> Command {
    match held {
        (0, lease) => Command::Free { lease },
        (1, reservation) => Command::Cancel { reservation },
        (_, job) => {
            let job = locox_bank::Bank::shared_job(job);
            Command::Shared(cluster::Command::Cancel { job })
        }
    }
}

/// Says a command until it is answered. What is said or what is answered may be lost, and then the board be reset.
fn until_answered<'a>(
    server: &mut SerialServer<'a, Flash<Nor<'a>>>,
    numbers: &mut Numbers,
    command: Command,
) -> Reply {
    loop {
        let is_lost = numbers.below(4);
        if is_lost == 0 {
            continue;
        }
        let answer = closing(say(server, Request::Do(command)));
        if is_lost > 1 {
            return answer;
        }
    }
}

#[test]
fn a_grant_whose_answer_was_lost_is_reached_again() {
    for seed in 0..40 {
        let (mut board, left, mut numbers) =
            (Board::new(), Cell::new(Nor::FOR_EVER), Numbers(seed));
        drop(board.format(&left));
        let (mut serial, mut held) = (0, BTreeMap::<(u8, Name), Answer>::new());
        // A command that was said before the reset, and not answered.
        let mut pending = None;
        for _ in 0..6 {
            board.rows = Rows::EMPTY;
            let durable: Stored<'_> = board.recover(&left);
            let mut server = SerialServer::new(durable, |_| ());
            for host in 0..2 {
                let (host, load, speed) = (HostId(host), Load::from_thousandths(0), Speed::NOMINAL);
                let heard = cluster::Batch::default();
                let report = cluster::Command::HostReport { host, load, speed, heard };
                say(&mut server, Request::Do(Command::Shared(report)));
            }
            for _ in 0..10 {
                if numbers.below(3) == 0
                    && let Some(name) = held.keys().next().copied()
                {
                    until_answered(&mut server, &mut numbers, give_back(name));
                    held.remove(&name);
                    continue;
                }
                let wanted = pending.take().unwrap_or_else(|| grant(&mut numbers, serial + 1));
                match until_answered(&mut server, &mut numbers, wanted) {
                    Reply::Taken(answer) => {
                        serial += 1;
                        assert_eq!(held.insert(name_of(&answer), answer), None, "granted twice");
                    }
                    Reply::Error(reason) => assert!(reason.refusal, "{wanted:?}: {reason:?}"),
                    other => panic!("{other:?}"),
                }
            }
            // The last one before a reset is not answered.
            let wanted = grant(&mut numbers, serial + 1);
            say(&mut server, Request::Do(wanted));
            pending = Some(wanted);
        }
        let mut server = SerialServer::new(board.recover(&left), |_| ());
        if let Reply::Taken(answer) = closing(say(&mut server, Request::Do(pending.unwrap()))) {
            held.insert(name_of(&answer), answer);
        }
        let questions = [Question::Leases, Question::Reservations, Question::Runs];
        let listed = questions.map(|question| list(&mut server, question)).concat();
        let known = held.values().copied().map(|answer| (name_of(&answer), answer));
        let listed: BTreeMap<_, _> = listed.iter().map(|it| (name_of(it), *it)).collect();
        // A job that could not be called off runs.
        let known: BTreeMap<_, _> = known.collect();
        let unknown = |name: &(u8, Name)| name.0 < 2 && !known.contains_key(name);
        assert!(!listed.keys().any(unknown), "seed {seed}: nobody knows of {listed:?}");
        assert!(known.iter().all(|(name, answer)| listed.get(name) == Some(answer)), "seed {seed}");
    }
}

#[test]
fn a_serial_out_of_turn_and_other_words_by_the_last_one_are_refused() {
    let (mut board, left) = (Board::new(), Cell::new(Nor::FOR_EVER));
    let mut server = SerialServer::new(board.format(&left), |_| ());
    let mut lease = |serial, dim: u8| {
        let command = Command::Lease { serial, dim: dim.try_into().unwrap() };
        closing(say(&mut server, Request::Do(command)))
    };
    let first = lease(1, 2);
    assert!(matches!(first, Reply::Taken(Answer::Leased { .. })));
    assert_eq!(lease(1, 2), first);
    let wrong = |reply: Reply| match reply {
        Reply::Error(reason) => reason.why.contains("the next one is 2") && !reason.refusal,
        _ => false,
    };
    assert!(wrong(lease(1, 3)) && wrong(lease(3, 2)) && wrong(lease(u32::MAX, 2)));
    // Without a serial each one is another lease.
    assert_ne!(lease(0, 2), lease(0, 2));
    assert_eq!(lease(1, 2), first);
    assert_ne!(lease(2, 2), first);
}

#[test]
fn the_jobs_of_workstations_are_listed() {
    let (mut board, left) = (Board::new(), Cell::new(Nor::FOR_EVER));
    let mut server = SerialServer::new(board.format(&left), |_| ());
    let submit = |serial| locox_coordinators::station::Command::Submit {
        home: locox::fair::StationId(1),
        serial,
    };
    let expected: Vec<_> = (1..=3)
        .map(|serial| {
            let said = Request::Do(Command::Station(submit(serial).into()));
            match closing(say(&mut server, said)) {
                Reply::Taken(answer) => answer,
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert_eq!(list(&mut server, Question::Jobs), expected);
}

/// A host that says several things before it is answered: by their numbers it knows which ones were.
#[test]
fn answers_have_the_numbers_of_the_requests_that_came() {
    let (mut board, left, mut numbers) = (Board::new(), Cell::new(Nor::FOR_EVER), Numbers(4));
    let mut server = SerialServer::new(board.format(&left), |_| ());
    for round in 0..200 {
        let (mut said, mut came) = (vec![], vec![]);
        for number in 1..=numbers.below(9) as u32 {
            let number = 1000 * round + number;
            let request = match numbers.below(3) {
                0 => Request::Ask(Question::Leases),
                1 => Request::Do(Command::Free { lease: Name::default() }),
                _ => Request::Do(Command::Lease { serial: 0, dim: locox::cube::Dim::ZERO }),
            };
            let mut frame = encode(number, &request).unwrap();
            match numbers.below(4) {
                0 => continue,
                1 => frame[3] ^= 0x80,
                _ => came.push(number),
            }
            said.extend(frame);
        }
        let mut back = vec![];
        for byte in said {
            server.take(Instant::ZERO, byte, &mut |part| back.extend_from_slice(part));
        }
        let frames = back.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
        let replies = frames.map(|frame| decode::<Reply>(&mut frame.to_vec()).unwrap());
        let closing = replies.filter(|(_, reply)| reply.closes());
        let answered: Vec<_> = closing.map(|(number, _)| number).filter(|it| *it != 0).collect();
        assert_eq!(answered, came);
    }
}

#[test]
fn a_weight_in_words_is_the_one_of_a_frame_and_outlives_a_reset() {
    let (mut board, left) = (Board::new(), Cell::new(Nor::FOR_EVER));
    drop(board.format(&left));
    // Everybody is told again once before and once behind.
    let mut server = SerialServer::new(board.recover(&left), |_| ());
    while server.take_effect(&mut |_| ()).is_some() {}
    fn digest(server: &mut SerialServer<'_, Flash<Nor<'_>>>) -> Reply {
        closing(say(server, Request::Ask(Question::Digest)))
    }
    let weigh = |weight| {
        let station = locox::fair::StationId(3);
        let command = locox_coordinators::station::Command::SetWeight { station, weight };
        Request::Do(Command::Station(command.into()))
    };
    let mut digests = vec![digest(&mut server)];
    for byte in *b"weight 3 2\n" {
        server.take(Instant::ZERO, byte, &mut |_| ());
    }
    digests.push(digest(&mut server));
    for weight in [2, 1, 5] {
        assert_eq!(closing(say(&mut server, weigh(weight))), Reply::Taken(Answer::Done));
        digests.push(digest(&mut server));
    }
    assert_eq!((&digests[1], &digests[0]), (&digests[2], &digests[3]));
    assert!(digests[1] != digests[0] && digests[4] != digests[1]);
    drop(server);
    board.rows = Rows::EMPTY;
    let mut server = SerialServer::new(board.recover(&left), |_| ());
    while server.take_effect(&mut |_| ()).is_some() {}
    assert_eq!(Some(&digest(&mut server)), digests.last());
}
