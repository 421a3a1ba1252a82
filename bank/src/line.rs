//! Bytes become requests, one at a time.

use crate::frame::{LONGEST, START, decode};
use crate::{Fault, Request, text};

/// How somebody speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// In lines of words.
    #[default]
    Words,
    /// In frames.
    Frames,
}

/// What was said, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// How.
    pub mode: Mode,
    /// That of the frame; 0 for words, and for a frame that cannot be read.
    pub number: u32,
    /// What.
    pub request: Result<Request, Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between requests.
    Idle,
    /// Within one of this kind.
    Within(Mode),
    /// Within one that is too long, of which the rest is dropped.
    Beyond(Mode),
}

/// The decoder of a serial line: one byte at a time, in bounded room.
///
/// Cost: constant for each byte but the last, that of decoding for this.
// Invariants of the fields:
//
// - The first `length` bytes of `buffer` are those of the request that has begun; none while idle.
#[derive(Clone, Debug)]
pub struct Line {
    buffer: [u8; LONGEST],
    length: usize,
    state: State,
    /// A zero cut a line of words: what follows up to the end of a line may be the rest of it.
    torn: bool,
}

impl Line {
    /// Nothing was said yet.
    pub const fn new() -> Self {
        Self { buffer: [0; LONGEST], length: 0, state: State::Idle, torn: false }
    }

    /// Whether a person is in the middle of a line, who wants to see what he types.
    pub const fn is_typing(&self) -> bool {
        matches!(self.state, State::Within(Mode::Words))
    }

    /// The next byte; what was said if it is the last one of that.
    pub fn take(&mut self, byte: u8) -> Option<Input> {
        match (self.state, byte) {
            (State::Idle, 0) => None,
            (State::Idle | State::Beyond(Mode::Words), b'\r' | b'\n') => {
                self.torn = false;
                self.go(State::Idle)
            }
            (State::Idle, _) => {
                let mode = if byte == START { Mode::Frames } else { Mode::Words };
                self.state = State::Within(mode);
                self.take(byte)
            }
            (State::Within(Mode::Frames), 0) => self.end_of_frame(),
            (State::Within(Mode::Words), 0 | b'\r' | b'\n') => self.end_of_words(byte == 0),
            (State::Within(Mode::Words), 0x08 | 0x7F) => {
                self.length = self.length.saturating_sub(1);
                None
            }
            (State::Within(mode), _) => self.push(mode, byte),
            (State::Beyond(mode), 0) => {
                self.torn |= mode == Mode::Words;
                self.go(State::Idle)
            }
            (State::Beyond(_), _) => None,
        }
    }

    /// Nothing came for a while: a frame that has begun goes no further. Who types may pause.
    pub fn silence(&mut self) -> Option<Input> {
        match self.state {
            State::Within(Mode::Frames) => self.end(Mode::Frames, Err(Fault::Cut)),
            State::Beyond(Mode::Frames) => self.go(State::Idle),
            _ => None,
        }
    }

    /// Nothing came for longer than people pause: a line of words that has begun goes no further either.
    pub fn long_silence(&mut self) -> Option<Input> {
        let words = self.buffer.get(..self.length).unwrap_or_default();
        let is_cut = self.is_typing() && !words.trim_ascii().is_empty();
        let frame = self.silence();
        self.torn = false;
        self.go(State::Idle);
        if is_cut { self.end(Mode::Words, Err(Fault::Cut)) } else { frame }
    }

    fn go(&mut self, state: State) -> Option<Input> {
        (self.state, self.length) = (state, 0);
        None
    }

    /// The end of what was said in words, or of a frame that cannot be read.
    fn end(&mut self, mode: Mode, request: Result<Request, Fault>) -> Option<Input> {
        self.go(State::Idle);
        Some(Input { mode, number: 0, request })
    }

    fn push(&mut self, mode: Mode, byte: u8) -> Option<Input> {
        let Some(place) = self.buffer.get_mut(self.length) else {
            let oversized = self.end(mode, Err(Fault::Oversized));
            self.state = State::Beyond(mode);
            return oversized;
        };
        *place = byte;
        self.length += 1;
        None
    }

    fn end_of_frame(&mut self) -> Option<Input> {
        let coded = self.buffer.get_mut(..self.length).unwrap_or_default();
        let (number, request) = match decode(coded) {
            Ok((number, request)) => (number, Ok(request)),
            Err(fault) => (0, Err(fault)),
        };
        self.end(Mode::Frames, request).map(|input| Input { number, ..input })
    }

    /// The end of a line of words, or of a part of one: that is no request.
    fn end_of_words(&mut self, is_cut: bool) -> Option<Input> {
        let bytes = self.buffer.get(..self.length).unwrap_or_default();
        let words = core::str::from_utf8(bytes).map_err(|_| Fault::NoText);
        if words.is_ok_and(|words| words.trim_ascii().is_empty()) {
            self.torn &= is_cut;
            return self.go(State::Idle);
        }
        let is_part = is_cut || self.torn;
        let request = if is_part { Err(Fault::Cut) } else { words.and_then(text::parse) };
        self.torn = is_cut;
        self.end(Mode::Words, request)
    }
}

impl Default for Line {
    fn default() -> Self {
        Self::new()
    }
}
