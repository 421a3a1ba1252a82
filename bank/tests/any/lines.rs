//! Frames, lines, and what is neither.

use crate::follow::{dressed, follow};
use crate::script::Numbers;
use crate::world::Board as Stored;
use locox::time::Instant;
use locox_bank::{
    Board, Command, Fault, Input, Line, Mode, Name, Question, Reply, Request, SerialServer, encode,
};
use locox_storage::Nor;
use proptest::prelude::*;
use std::cell::Cell;

pub(crate) fn heard(line: &mut Line, bytes: &[u8]) -> Vec<Input> {
    bytes.iter().filter_map(|byte| line.take(*byte)).collect()
}

pub(crate) const NUMBER: u32 = 300;

pub(crate) fn frame(request: Request) -> Vec<u8> {
    encode(NUMBER, &request).unwrap().to_vec()
}

pub(crate) const LEASE: Request =
    Request::Do(Command::Lease { serial: 0, dim: locox::cube::Dim::new(2).unwrap() });
pub(crate) const DIGEST: Request = Request::Ask(Question::Digest);

pub(crate) fn in_words(request: Result<Request, Fault>) -> Input {
    Input { mode: Mode::Words, number: 0, request }
}

pub(crate) fn in_frames(request: Request) -> Input {
    Input { mode: Mode::Frames, number: NUMBER, request: Ok(request) }
}

#[test]
fn frames_and_lines_take_turns() {
    let mut line = Line::new();
    let said = [frame(LEASE), b"lease 2\r\n".to_vec(), frame(DIGEST), b"digest\n".to_vec()];
    let words = |request| in_words(Ok(request));
    let expected = [in_frames(LEASE), words(LEASE), in_frames(DIGEST), words(DIGEST)];
    assert_eq!(heard(&mut line, &said.concat()), expected);
}

#[test]
fn what_is_too_long_is_said_once_and_the_next_one_is_understood() {
    for (noise, mode) in
        [(vec![b'x'; 500], Mode::Words), ([&[0, 1][..], &[7; 500]].concat(), Mode::Frames)]
    {
        let end = if mode == Mode::Words { b'\n' } else { 0 };
        let mut line = Line::new();
        let said = [noise, vec![end], frame(LEASE)].concat();
        let oversized = Input { mode, number: 0, request: Err(Fault::Oversized) };
        assert_eq!(heard(&mut line, &said), [oversized, in_frames(LEASE)]);
    }
}

#[test]
fn a_frame_that_ends_early_is_told_and_the_next_one_is_understood() {
    let whole = frame(LEASE);
    for length in 2..whole.len() - 1 {
        let mut line = Line::new();
        // Cut by the next frame, of which the first zero is the end of this one.
        let said = [&whole[..length], &frame(DIGEST)[..], &frame(DIGEST)[..]].concat();
        let heard = heard(&mut line, &said);
        assert!(heard[0].request.is_err(), "{length}");
        assert_eq!(heard.last(), Some(&in_frames(DIGEST)), "{length}");
        // Cut by silence.
        let mut line = Line::new();
        assert_eq!(self::heard(&mut line, &whole[..length]), []);
        assert_eq!(line.silence().map(|heard| heard.request), Some(Err(Fault::Cut)));
        assert_eq!(self::heard(&mut line, &frame(DIGEST)), [in_frames(DIGEST)]);
    }
}

#[test]
fn each_bit_that_turns_in_a_frame_is_noticed() {
    let whole = frame(LEASE);
    for bit in 8..8 * (whole.len() - 1) {
        let mut turned = whole.clone();
        turned[bit / 8] ^= 1 << (bit % 8);
        for heard in heard(&mut Line::new(), &turned) {
            assert!(heard.request.is_err(), "bit {bit}: {heard:?}");
        }
    }
}

#[test]
fn a_frame_of_something_else_is_unknown() {
    for strange in [encode(0, &Reply::Digest(9)).unwrap(), encode(0, &(200u8, 1u64)).unwrap()] {
        let heard = heard(&mut Line::new(), &strange);
        assert!(matches!(heard[..], [Input { request: Err(Fault::Unknown), .. }]), "{heard:?}");
    }
}

#[test]
fn what_people_get_wrong_is_told() {
    let fault = |words: &str| {
        let heard = heard(&mut Line::new(), format!("{words}\n").as_bytes());
        heard[0].request.unwrap_err()
    };
    assert_eq!(fault("hello"), Fault::NoSuchWord);
    assert_eq!(fault("lease"), Fault::Missing);
    assert_eq!(fault("lease many"), Fault::Unfit);
    assert_eq!(fault("lease 99"), Fault::Unfit);
    assert_eq!(fault("free 7"), Fault::Unfit);
    assert_eq!(fault("lease 2 3"), Fault::Excess);
    assert_eq!(fault("sense 0 2"), Fault::Unfit);
    assert_eq!(fault("weight 0 65536"), Fault::Unfit);
    let heard = heard(&mut Line::new(), b"lease \xC3\n");
    assert_eq!(heard[0].request, Err(Fault::NoText));
}

#[test]
fn what_is_typed_can_be_taken_back() {
    let heard = heard(&mut Line::new(), b"leasx\x7Fe 3\x08\x082\r\n\r\n");
    assert!(matches!(heard[..], [Input { request: Ok(Request::Do(_)), .. }]) || heard.len() == 1);
}

#[test]
fn in_the_wrong_state_requests_are_denied() {
    let said = "lease 6\nlease 0\nfree 0.1\nfree 0.1\ncancel 3.1\nsubmit 1 5\nfinished 0.1/1\nended 0.1\n\
                reserve 40 10\nreserve 1 0\nfail 64\nfail-pe 32\nidle 16\nhost 8 0\nrun 1 9\nweight 8 1\nweight 0 0\n";
    let counts = follow(said.as_bytes());
    assert_eq!((counts.answers, counts.error, counts.faults), (17, 15, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        follow(&bytes);
    }

    #[test]
    fn frames_of_anything_are_answered(
        pieces in proptest::collection::vec((0u8..3, 0u8..3, 0u8..12, proptest::collection::vec(0u8..70, 0..12)), 0..20),
    ) {
        let bytes: Vec<_> = pieces.into_iter().flat_map(|(how, part, variant, rest)| {
            [vec![how, part, variant], rest, vec![0xFF]].concat()
        }).collect();
        follow(&dressed(&bytes));
    }
}

/// Between zeros, valid or not, with any number of zeros between them: each frame that is whole is understood.
#[test]
fn a_whole_frame_is_understood_whatever_is_before_it() {
    let name = |index, generation| Name { index, generation };
    let requests = [
        LEASE,
        DIGEST,
        Request::Ask(Question::Help),
        Request::Board(Board::Clock(0x0A0D_0A0D_0A0D_0A0D)),
        Request::Board(Board::Sense { station: 0x0FFF_FFFF, active: true }),
        Request::Ask(Question::Job(name(0x0A0A_0A0A, 0x0D0D_0D0D))),
        Request::Ask(Question::Job(name(0x0A0A, 0x0D))),
        Request::Ask(Question::Job(name(9, 0x0808_0808))),
    ];
    let mut numbers = Numbers(1);
    for _ in 0..4_000 {
        let (mut said, mut expected) = (vec![0], vec![]);
        for _ in 0..1 + numbers.below(6) {
            match numbers.below(8) {
                0 => said.extend(vec![1 + numbers.below(255) as u8; 500]),
                // The beginning of a frame.
                4 => said.extend(&frame(LEASE)[1..2 + numbers.below(6) as usize]),
                1 => said.extend(b"digest"),
                2 => said.extend(b"\r\n"),
                3 => said.extend((0..numbers.below(20)).map(|_| 1 + numbers.below(255) as u8)),
                _ => {
                    let request = requests[numbers.below(requests.len() as u64) as usize];
                    let whole = frame(request);
                    said.extend(&whole[1..whole.len() - 1]);
                    expected.push(in_frames(request));
                }
            }
            said.extend(vec![0; 1 + numbers.below(3) as usize]);
        }
        let mut heard = heard(&mut Line::new(), &said);
        heard.retain(|it| it.mode == Mode::Frames && it.request.is_ok());
        assert_eq!(heard, expected, "{said:?}");
    }
}

#[test]
fn a_line_of_words_is_understood_behind_the_zero_of_a_frame() {
    for end in ["\n", "\r", "\r\n"] {
        for blank in ["", "\r\n", "\n", "\t", " "] {
            let words = format!("{blank}lease 2{end}");
            let said = [frame(DIGEST), words.clone().into(), frame(DIGEST)].concat();
            let words = in_words(Ok(LEASE));
            let expected = [in_frames(DIGEST), words, in_frames(DIGEST)];
            assert_eq!(heard(&mut Line::new(), &said), expected, "{words:?}");
        }
    }
}

#[test]
fn half_a_line_of_words_ends_when_the_line_has_been_quiet_for_long() {
    let words = in_words(Ok(LEASE));
    let whole = b"lease 2\n";
    for length in 1..whole.len() - 1 {
        // Who types may pause.
        let mut line = Line::new();
        assert_eq!(heard(&mut line, &whole[..length]), []);
        assert_eq!(line.silence(), None);
        assert_eq!(heard(&mut line, &whole[length..]), [words]);
        let mut line = Line::new();
        assert_eq!(heard(&mut line, &whole[..length]), []);
        let cut = in_words(Err(Fault::Cut));
        assert_eq!(line.long_silence(), Some(cut));
        assert_eq!(heard(&mut line, whole), [words]);
    }
    assert_eq!(Line::new().long_silence(), None);
    // The rest of a line that is too long is no request.
    let mut line = Line::new();
    assert_eq!(heard(&mut line, &[b'x'; 500]).len(), 1);
    assert_eq!(line.silence(), None);
    assert_eq!(heard(&mut line, b"lease 2\n"), []);
    assert_eq!(heard(&mut line, b"lease 2\n"), [words]);
}

/// Both cut a line of words, so both are named.
#[test]
fn the_words_of_a_cut_are_true_of_a_zero_and_of_a_silence() {
    let (mut of_zero, mut of_silence) = (Line::new(), Line::new());
    assert_eq!(heard(&mut of_silence, b"lease 2"), []);
    let quiet = of_silence.long_silence();
    for cut in [heard(&mut of_zero, b"lease 2\0")[0], quiet.unwrap()] {
        assert_eq!(cut, in_words(Err(Fault::Cut)));
        let said = cut.request.unwrap_err().to_string();
        assert!(said.contains("zero") && said.contains("silence"), "{said}");
    }
}

/// Whether a line is too long, cut by a zero or by a long silence.
#[test]
fn a_fault_is_on_a_line_of_its_own() {
    let answer = |words: &[u8], is_quiet: bool| {
        let (mut board, left) = (Stored::new(), Cell::new(Nor::FOR_EVER));
        let mut server = SerialServer::new(board.format(&left), |_| ());
        let mut said = vec![];
        let mut out = |part: &[u8]| said.extend_from_slice(part);
        for byte in words {
            server.take(Instant::ZERO, *byte, &mut out);
        }
        if is_quiet {
            server.long_silence(Instant::ZERO, &mut out);
        }
        String::from_utf8(said).unwrap()
    };
    let long = "5".repeat(163);
    let words = [(long.as_str(), false), ("lease 2", true), ("lease 2\0", false), ("x\n", false)];
    let echoes = [long.as_str(), "lease 2", "lease 2", "x"];
    let faults = [Fault::Oversized, Fault::Cut, Fault::Cut, Fault::NoSuchWord];
    for (((words, is_quiet), echo), fault) in words.into_iter().zip(echoes).zip(faults) {
        assert_eq!(answer(words.as_bytes(), is_quiet), format!("{echo}\r\nfault: {fault}\r\n"));
    }
}
