//! Bytes become requests, one at a time.

use crate::frame::{LONGEST, decode};
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
    /// What.
    pub request: Result<Request, Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between requests.
    Idle,
    /// Behind a zero that ended something: it may begin a frame, too, or a line of words follows. The first byte is kept
    /// while it says neither.
    Zero,
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
}

impl Line {
    /// Nothing was said yet.
    pub const fn new() -> Self {
        Self { buffer: [0; LONGEST], length: 0, state: State::Idle }
    }

    /// Whether a person is in the middle of a line, who wants to see what he types.
    pub const fn is_typing(&self) -> bool {
        matches!(self.state, State::Within(Mode::Words))
    }

    /// The next byte; what was said if it is the last one of that.
    pub fn take(&mut self, byte: u8) -> Option<Input> {
        match (self.state, byte) {
            (State::Idle, b'\r' | b'\n') => None,
            (State::Idle | State::Zero, 0) => self.go(State::Within(Mode::Frames)),
            (State::Zero, _) => self.take_behind_zero(byte),
            (State::Idle, _) => {
                self.state = State::Within(Mode::Words);
                self.take(byte)
            }
            (State::Within(Mode::Frames), 0) if self.length == 0 => None,
            (State::Within(Mode::Frames), 0) => self.end_of_frame(),
            (State::Within(Mode::Words), 0) => self.end_of_words(State::Zero),
            (State::Within(Mode::Words), b'\r' | b'\n') => self.end_of_words(State::Idle),
            (State::Within(Mode::Words), 0x08 | 0x7F) => {
                self.length = self.length.saturating_sub(1);
                None
            }
            (State::Within(mode), _) => self.push(mode, byte),
            (State::Beyond(Mode::Words), b'\r' | b'\n') => self.go(State::Idle),
            (State::Beyond(_), 0) => self.go(State::Zero),
            (State::Beyond(_), _) => None,
        }
    }

    /// A frame of a request begins with a control character, and if that is one that people type, with another one
    /// behind it: the length of what is before its first zero, and the number of a variant.
    fn take_behind_zero(&mut self, byte: u8) -> Option<Input> {
        let is_typed = matches!(byte, 0x08..=b'\n' | b'\r');
        if byte < b' ' && !is_typed {
            self.state = State::Within(Mode::Frames);
            return self.push(Mode::Frames, byte);
        }
        if is_typed && self.length == 0 {
            return self.push(Mode::Frames, byte);
        }
        // What was kept is an empty line, or nothing.
        self.go(State::Idle);
        self.take(byte)
    }

    /// Nothing came for a while: a frame that has begun goes no further. Who types may pause.
    pub fn silence(&mut self) -> Option<Input> {
        if matches!(self.state, State::Within(Mode::Words) | State::Beyond(Mode::Words)) {
            return None;
        }
        let is_cut = self.state == State::Within(Mode::Frames) && self.length > 0;
        self.go(State::Idle);
        is_cut.then_some(Input { mode: Mode::Frames, request: Err(Fault::Cut) })
    }

    /// Nothing came for longer than people pause: a line of words that has begun goes no further either.
    pub fn long_silence(&mut self) -> Option<Input> {
        let words = self.buffer.get(..self.length).unwrap_or_default();
        let is_cut = self.is_typing() && !words.trim_ascii().is_empty();
        let frame = self.silence();
        self.go(State::Idle);
        let cut = Input { mode: Mode::Words, request: Err(Fault::Cut) };
        if is_cut { Some(cut) } else { frame }
    }

    fn go(&mut self, state: State) -> Option<Input> {
        (self.state, self.length) = (state, 0);
        None
    }

    fn push(&mut self, mode: Mode, byte: u8) -> Option<Input> {
        let Some(place) = self.buffer.get_mut(self.length) else {
            self.go(State::Beyond(mode));
            return Some(Input { mode, request: Err(Fault::Oversized) });
        };
        *place = byte;
        self.length += 1;
        None
    }

    fn end_of_frame(&mut self) -> Option<Input> {
        let coded = self.buffer.get_mut(..self.length).unwrap_or_default();
        let request = decode(coded);
        self.go(State::Zero);
        Some(Input { mode: Mode::Frames, request })
    }

    fn end_of_words(&mut self, next: State) -> Option<Input> {
        let bytes = self.buffer.get(..self.length).unwrap_or_default();
        let words = core::str::from_utf8(bytes).map_err(|_| Fault::NoText);
        let is_blank = words.is_ok_and(|words| words.trim_ascii().is_empty());
        let request = words.and_then(text::parse);
        self.go(next);
        (!is_blank).then_some(Input { mode: Mode::Words, request })
    }
}

impl Default for Line {
    fn default() -> Self {
        Self::new()
    }
}
