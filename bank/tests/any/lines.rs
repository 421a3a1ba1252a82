//! Frames, lines, and what is neither.

use crate::follow::{dressed, follow};
use locox_bank::{Command, Fault, Input, Line, Mode, Question, Reply, Request, encode};
use proptest::prelude::*;

fn heard(line: &mut Line, bytes: &[u8]) -> Vec<Input> {
    bytes.iter().filter_map(|byte| line.take(*byte)).collect()
}

fn frame(request: Request) -> Vec<u8> {
    encode(&request).unwrap().to_vec()
}

const LEASE: Request = Request::Do(Command::Lease { dim: locox::cube::Dim::new(2).unwrap() });
const DIGEST: Request = Request::Ask(Question::Digest);

fn in_frames(request: Request) -> Input {
    Input { mode: Mode::Frames, request: Ok(request) }
}

#[test]
fn frames_and_lines_take_turns() {
    let mut line = Line::new();
    let said = [frame(LEASE), b"lease 2\r\n".to_vec(), frame(DIGEST), b"digest\n".to_vec()];
    let words = |request| Input { mode: Mode::Words, request: Ok(request) };
    let expected = [in_frames(LEASE), words(LEASE), in_frames(DIGEST), words(DIGEST)];
    assert_eq!(heard(&mut line, &said.concat()), expected);
}

#[test]
fn what_is_too_long_is_said_once_and_the_next_one_is_understood() {
    for (noise, mode) in
        [(vec![b'x'; 500], Mode::Words), ([&[0][..], &[7; 500]].concat(), Mode::Frames)]
    {
        let end = if mode == Mode::Words { b'\n' } else { 0 };
        let mut line = Line::new();
        let said = [noise, vec![end], frame(LEASE)].concat();
        let oversized = Input { mode, request: Err(Fault::Oversized) };
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
    for strange in [encode(&Reply::Digest(9)).unwrap(), encode(&(200u8, 1u64)).unwrap()] {
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
                reserve 40 10\nreserve 1 0\nfail 64\nfail-pe 32\nidle 16\nhost 8 0\nrun 1 9\n";
    let counts = follow(said.as_bytes());
    assert_eq!((counts.answers, counts.error, counts.faults), (15, 13, 0));
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
