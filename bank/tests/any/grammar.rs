//! Which bytes are frames and which are words: beside a reader that looks at the whole of what was said, and with two
//! writers who interrupt each other.

use crate::lines::{DIGEST, LEASE, frame, heard, in_frames, in_words};
use crate::script::Numbers;
use locox_bank::{Fault, Input, Line, Mode, Request, decode};

/// What comes on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comes {
    Byte(u8),
    Silence,
    LongSilence,
}

use Comes::{Byte, LongSilence, Silence};

const LONGEST: usize = 162;

fn as_read(comes: &[Comes]) -> Vec<Input> {
    let mut line = Line::new();
    let read = |it: &Comes| match it {
        Byte(byte) => line.take(*byte),
        Silence => line.silence(),
        LongSilence => line.long_silence(),
    };
    comes.iter().filter_map(read).collect()
}

/// Cuts off the next request at its end, which is what is left of it.
fn split(rest: &[Comes], ends: impl Fn(Comes) -> bool) -> (&[Comes], Option<Comes>, &[Comes]) {
    let at = rest.iter().position(|it| ends(*it));
    let (whole, behind) = rest.split_at(at.unwrap_or(rest.len()));
    (whole, behind.first().copied(), behind.get(1..).unwrap_or_default())
}

/// The bytes, without those that were taken back; `None` if there were too many at some time.
fn typed(whole: &[Comes], takes_back: bool) -> Option<Vec<u8>> {
    let mut bytes = vec![];
    for it in whole {
        match *it {
            Byte(0x08 | 0x7F) if takes_back => drop(bytes.pop()),
            Byte(byte) => bytes.push(byte),
            Silence | LongSilence => {}
        }
        if bytes.len() > LONGEST {
            return None;
        }
    }
    Some(bytes)
}

fn words_of(bytes: &[u8]) -> Result<Request, Fault> {
    // Words, whatever their first byte is.
    let mut line = Line::new();
    assert!(heard(&mut line, &[b"x\x08", bytes].concat()).is_empty());
    line.take(b'\n').unwrap().request
}

/// The same by looking for the end of each request.
fn as_said(mut rest: &[Comes]) -> Vec<Input> {
    let (mut inputs, mut torn) = (vec![], false);
    while let Some(first) = rest.first() {
        match first {
            Byte(1) => {
                let (whole, end, behind) = split(rest, |it| !matches!(it, Byte(1..)));
                rest = behind;
                let fault = |fault| Input { mode: Mode::Frames, number: 0, request: Err(fault) };
                torn &= end != Some(LongSilence);
                match (typed(whole, false), end) {
                    (None, _) => inputs.push(fault(Fault::Oversized)),
                    (_, None) => {}
                    (Some(mut bytes), Some(Byte(_))) => {
                        inputs.push(match decode::<Request>(&mut bytes) {
                            Ok((number, request)) => {
                                Input { mode: Mode::Frames, number, request: Ok(request) }
                            }
                            Err(why) => fault(why),
                        });
                    }
                    _ => inputs.push(fault(Fault::Cut)),
                }
            }
            Byte(0) | Silence => rest = &rest[1..],
            LongSilence | Byte(b'\r' | b'\n') => (torn, rest) = (false, &rest[1..]),
            Byte(_) => {
                let ends = |it| matches!(it, Byte(0 | b'\r' | b'\n') | LongSilence);
                let (whole, end, behind) = split(rest, ends);
                rest = behind;
                let is_cut = matches!(end, Some(Byte(0)));
                let bytes = typed(whole, true);
                let is_blank = bytes.as_ref().is_some_and(|bytes| bytes.trim_ascii().is_empty());
                let is_part = is_cut || torn || end == Some(LongSilence);
                match (bytes, end) {
                    (None, _) => inputs.push(in_words(Err(Fault::Oversized))),
                    (Some(_), None) => {}
                    (Some(_), _) if is_blank => {}
                    (Some(_), _) if is_part => inputs.push(in_words(Err(Fault::Cut))),
                    (Some(bytes), _) => inputs.push(in_words(words_of(&bytes))),
                }
                torn = is_cut && (torn || !is_blank);
            }
        }
    }
    inputs
}

#[test]
fn any_bytes_and_silences_are_read_as_they_are_said() {
    let mut numbers = Numbers(11);
    let (mut requests, mut cuts) = (0, 0);
    for _ in 0..6_000 {
        let mut comes = vec![];
        for _ in 0..1 + numbers.below(12) {
            let part = match numbers.below(16) {
                0 => vec![Silence],
                1 => vec![LongSilence],
                2 => (0..numbers.below(9)).map(|_| Byte(numbers.below(256) as u8)).collect(),
                3 => vec![Byte(numbers.below(256) as u8); 100 + numbers.below(100) as usize],
                4..8 => frame(LEASE).into_iter().map(Byte).collect(),
                8 => vec![Byte([0, 1, 0x08, b' '][numbers.below(4) as usize])],
                _ => {
                    let end = ["\n", "\r\n", "\r", "\0", "", "\x08\x08\n"];
                    let end = end[numbers.below(6) as usize];
                    let words = ["digest", "lease 2", "fail 12", "", " "];
                    let words = words[numbers.below(5) as usize];
                    words.bytes().chain(end.bytes()).map(Byte).collect()
                }
            };
            comes.extend(part);
        }
        // Some are lost, doubled or turned.
        for _ in 0..numbers.below(3) {
            let at = numbers.below(comes.len() as u64 + 1) as usize;
            match (comes.get(at).copied(), numbers.below(3)) {
                (Some(_), 0) => drop(comes.remove(at)),
                (Some(it), 1) => comes.insert(at, it),
                (Some(Byte(byte)), _) => comes[at] = Byte(byte ^ 1 << numbers.below(8)),
                _ => {}
            }
        }
        let read = as_read(&comes);
        requests += read.iter().filter(|it| it.request.is_ok()).count();
        cuts += read.iter().filter(|it| it.request == Err(Fault::Cut)).count();
        assert_eq!(read, as_said(&comes), "{comes:?}");
    }
    assert!(requests > 10_000 && cuts > 3_000, "{requests} {cuts}");
}

#[test]
fn a_stray_zero_costs_nothing_and_a_silence_leaves_a_zero_that_two_frames_share() {
    for zeros in 1..4 {
        let said = [&vec![0; zeros][..], b"lease 2\r\n"].concat();
        assert_eq!(heard(&mut Line::new(), &said), [in_words(Ok(LEASE))]);
    }
    let (first, second) = (frame(LEASE), frame(DIGEST));
    let mut line = Line::new();
    assert_eq!(heard(&mut line, &first), [in_frames(LEASE)]);
    assert_eq!((line.silence(), line.long_silence()), (None, None));
    assert_eq!(heard(&mut line, &second[1..]), [in_frames(DIGEST)]);
}

#[test]
fn a_line_that_a_frame_cuts_is_not_done_nor_is_its_rest() {
    let cut = in_words(Err(Fault::Cut));
    // Both parts could be lines.
    for whole in ["fail 12\n", "host-lost 1\n", "lease 2\n"] {
        for at in 1..whole.len() - 1 {
            let (half, rest) = whole.as_bytes().split_at(at);
            let said = [half, &frame(DIGEST), rest, b"lease 2\n"].concat();
            let mut expected = vec![cut, in_frames(DIGEST)];
            expected.extend((!rest.trim_ascii().is_empty()).then_some(cut));
            expected.push(in_words(Ok(LEASE)));
            assert_eq!(heard(&mut Line::new(), &said), expected, "{whole} at {at}");
        }
    }
    // Whoever says nothing for long begins anew.
    let mut line = Line::new();
    assert_eq!(heard(&mut line, b"fail 1\0"), [cut]);
    assert_eq!(line.long_silence(), None);
    assert_eq!(heard(&mut line, b"lease 2\n"), [in_words(Ok(LEASE))]);
}

/// One writes frames, some of which are cut, damaged or doubled, or lack one of their zeros; the other one lines, into
/// any of which frames may come. Frames that are whole are understood, in their order; of lines only those that are whole
/// are, and nothing else is done.
#[test]
fn two_writers_cannot_have_anything_done_that_neither_said() {
    let mut numbers = Numbers(21);
    let (mut done, mut lost) = (0, 0);
    for _ in 0..4_000 {
        let (mut said, mut frames, mut lines) = (vec![0], vec![], vec![]);
        for number in 0..numbers.below(8) as u32 {
            let request = Request::Board(locox_bank::Board::Cut(number));
            let (mut bytes, mut times) = (frame(request), 1);
            let line = format!("sense {number} 1\n").into_bytes();
            let into = numbers.below(2 * line.len() as u64) as usize;
            let is_cut = (1..line.len()).contains(&into);
            match numbers.below(8) {
                0 => {
                    bytes.truncate(2 + numbers.below(bytes.len() as u64 - 2) as usize);
                    // What is cut ends at the zero of whatever comes next.
                    times = 0;
                }
                1 => {
                    let at = 2 + numbers.below(bytes.len() as u64 - 3) as usize;
                    // No byte becomes a zero.
                    bytes[at] ^= 0x80;
                    if bytes[at] == 0 {
                        continue;
                    }
                    times = 0;
                }
                2 => {
                    bytes = [&bytes[..], &bytes].concat();
                    times = 2;
                }
                // It has one zero in common with its neighbours, who have both.
                3 if said.ends_with(&[0]) && !is_cut => drop(bytes.remove(0)),
                _ => {}
            }
            let expected =
                Request::Board(locox_bank::Board::Sense { station: number, active: true });
            if is_cut {
                said.extend([&line[..into], &bytes, &line[into..]].concat());
            } else {
                said.extend(bytes);
                // Lost if the frame was cut: that ends at the next zero.
                lines.push(expected);
                said.extend(line);
            }
            frames.extend(std::iter::repeat_n(request, times));
            said.extend((times == 0).then_some(0));
        }
        let heard = heard(&mut Line::new(), &said);
        let of = |mode| {
            let is_done = move |it: &&Input| it.mode == mode && it.request.is_ok();
            heard.iter().filter(is_done).map(|it| it.request.unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(of(Mode::Frames), frames, "{said:?}");
        let done_in_words = of(Mode::Words);
        assert!(done_in_words.iter().all(|it| lines.contains(it)), "{said:?}: {done_in_words:?}");
        done += done_in_words.len();
        lost += lines.len() - done_in_words.len();
    }
    assert!(done > 2_000 && lost < done, "{done} {lost}");
}
