//! Between a serial line and a bank.

use crate::{
    Answer, Bank, Board, Command, Effect, Figures, Input, Line, Mode, Name, Question, Reply,
    Request, encode,
};
use core::fmt::{self, Write};
use heapless::Deque;
use locox::handle::Handle;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::Coordinate;
use locox_coordinators::station;
use locox_storage::{ApplyError, DurableCoordinator, Store, StoreError};

/// Where bytes go: a part of an answer.
pub type Out<'a> = &'a mut dyn FnMut(&[u8]);

/// Effects for the processors of this controller, until they are taken.
const UNHEARD: usize = 16;
/// How long the flash rests after it failed, unless somebody says something.
const REST: Duration = Duration::from_ticks(1000);

/// Between a serial line and a bank whose commands are durable before they are answered.
///
/// Bytes and the time go in, bytes go out. What a command leads to is said before its answer, which
/// closes the request; so each request has an end, and an effect that was told is stored. So is all that answers tell
/// of: after a failure of the flash, commands and questions get no other answer until an image of the present state is
/// stored.
///
/// Call [`take_effect`](Self::take_effect) until it returns `None` after each other call, even if the controller has no
/// processors of its own. Room is for 16 effects of workstations. When 16 wait, the server says no further effects on the
/// line, not even those of shared hosts and hits, until one is taken.
// Invariants of the fields:
//
// - Unless the flash has `failed`, the state is stored.
// - Effects in `unheard` were told on the line; while that is full, no more are taken.
pub struct SerialServer<'a, S> {
    durable: DurableCoordinator<Bank<'a>, S>,
    line: Line,
    /// How the last request was said; what comes by itself is said alike.
    mode: Mode,
    /// Which number it had.
    number: u32,
    /// When the flash failed, if nothing was stored since.
    failed: Option<Instant>,
    unheard: Deque<station::Effect, UNHEARD>,
    /// Told how many instructions a command may take, and when it is done.
    watch: fn(Option<u32>),
}

impl<'a, S: Store<Error = StoreError<E>>, E> SerialServer<'a, S> {
    /// A server in front of a bank. Before each command `watch` is told its [bound](Command::bound),
    /// with that of an image if one is due, and `None` when it is done.
    pub const fn new(durable: DurableCoordinator<Bank<'a>, S>, watch: fn(Option<u32>)) -> Self {
        let (line, mode, number, failed) = (Line::new(), Mode::Words, 0, None);
        Self { durable, line, mode, number, failed, unheard: Deque::new(), watch }
    }

    /// The bank and where its history is stored.
    pub const fn durable(&self) -> &DurableCoordinator<Bank<'a>, S> {
        &self.durable
    }

    /// When to call [`SerialServer::wake`] if nothing is said before.
    pub fn wake_at(&self) -> Option<Instant> {
        let at = self.durable.wake_at()?;
        Some(self.failed.map_or(at, |failed| at.max(failed.saturating_add(REST))))
    }

    /// A byte from the line; what the board is to do, if that was asked for. The board answers by
    /// [`SerialServer::say`].
    ///
    /// Before a command the server does what is due by `now`, but not before a question: call [`SerialServer::wake`]
    /// first if its answer is to be as of `now`.
    pub fn take(&mut self, now: Instant, byte: u8, out: Out<'_>) -> Option<Board> {
        let was_typing = self.line.is_typing();
        let heard = self.line.take(byte);
        if was_typing || self.line.is_typing() {
            echo(byte, out);
        }
        let heard = heard?;
        if !matches!(byte, b'\r' | b'\n') {
            end_line(&heard, out);
        }
        self.answer(now, heard, out)
    }

    /// The line has been quiet for longer than anything pauses within a frame: one that has begun ends.
    pub fn silence(&mut self, now: Instant, out: Out<'_>) {
        let heard = self.line.silence();
        self.fault(now, heard, out);
    }

    /// The line has been quiet for longer than a person pauses within a line of words, such as a minute: a frame or
    /// line that has begun ends. The rest of a line that a zero has cut is no longer expected: the next line is a request.
    pub fn long_silence(&mut self, now: Instant, out: Out<'_>) {
        let heard = self.line.long_silence();
        self.fault(now, heard, out);
    }

    fn fault(&mut self, now: Instant, heard: Option<Input>, out: Out<'_>) {
        if let Some(heard) = heard {
            end_line(&heard, out);
            let nothing = self.answer(now, heard, out);
            debug_assert!(nothing.is_none(), "silence asks for nothing");
        }
    }

    /// Lets time pass for the bank if that is due. If that cannot be stored, the next command or question tries again, and
    /// reports the failure only if that fails, too. Otherwise the next attempt is made by the first call at least 1,000
    /// ticks later, as [`SerialServer::wake_at`] says.
    pub fn wake(&mut self, now: Instant, out: Out<'_>) {
        if self.wake_at().is_some_and(|at| at <= now) {
            let _: Reply = self.apply(now, Command::Tick);
            self.tell(out);
        }
    }

    /// A processor of this controller reports something.
    pub fn report(&mut self, now: Instant, report: station::Command, out: Out<'_>) {
        let answer = self.apply(now, Command::Station(report.into()));
        let taken = matches!(answer, Reply::Taken(_));
        self.say(&Reply::Report { report, taken }, out);
        self.tell(out);
    }

    /// The next effect for a processor of this controller. The server says it on the line before it returns it.
    pub fn take_effect(&mut self, out: Out<'_>) -> Option<station::Effect> {
        self.tell(out);
        self.unheard.pop_front()
    }

    /// Says something on the line, as the last request was said and with its number.
    pub fn say(&self, reply: &Reply, out: Out<'_>) {
        match self.mode {
            Mode::Frames => {
                let number = if reply.is_unasked() { 0 } else { self.number };
                let frame = encode(number, reply);
                debug_assert!(frame.is_some(), "no reply is too long");
                out(frame.as_deref().unwrap_or_default());
            }
            Mode::Words => {
                let written = writeln!(Lines(&mut *out), "{reply}");
                debug_assert!(written.is_ok(), "the line takes everything");
            }
        }
    }

    fn answer(&mut self, now: Instant, heard: Input, out: Out<'_>) -> Option<Board> {
        (self.mode, self.number) = (heard.mode, heard.number);
        let reply = match heard.request {
            Ok(Request::Board(board)) => return Some(board),
            Ok(Request::Ask(question)) => match self.catch_up(now) {
                Err(failed) if question != Question::Help => failed,
                _ => self.ask(question, out),
            },
            Ok(Request::Do(command)) => {
                // What ended by now makes room for what is wanted now.
                self.wake(now, out);
                let reply = self.apply(now, command);
                self.tell(out);
                reply
            }
            Err(fault) => Reply::Fault(fault),
        };
        self.say(&reply, out);
        None
    }

    fn apply(&mut self, now: Instant, command: Command) -> Reply {
        let image = if self.durable.wants_image() { Command::IMAGE } else { 0 };
        (self.watch)(Some(command.bound() + image));
        let answer = self.durable.apply(now, command);
        (self.watch)(None);
        let reply = match answer {
            Ok(answer) => Reply::Taken(answer),
            Err(ApplyError::Coordinator(error)) => Reply::Error(error.into()),
            Err(ApplyError::Store(error)) => return self.fail(now, &error),
        };
        self.failed = None;
        reply
    }

    /// Stores an image if the flash has failed: the state may be one that is not stored.
    fn catch_up(&mut self, now: Instant) -> Result<(), Reply> {
        if self.failed.is_some() {
            (self.watch)(Some(Command::IMAGE));
            let stored = self.durable.catch_up();
            (self.watch)(None);
            stored.map_err(|error| self.fail(now, &error))?;
            self.failed = None;
        }
        Ok(())
    }

    fn fail(&mut self, now: Instant, error: &StoreError<E>) -> Reply {
        self.failed = Some(now);
        if matches!(error, StoreError::OtherOwner) { Reply::OtherOwner } else { Reply::NotStored }
    }

    /// Says what is to be done, as long as there is room for those who are to do it here.
    fn tell(&mut self, out: Out<'_>) {
        while !self.unheard.is_full() {
            let Some(told) = self.durable.take_effect() else { return };
            self.say(&Reply::Effect { number: told.number, effect: told.effect }, out);
            if let Effect::Station(effect) = told.effect {
                let queued = self.unheard.push_back(effect);
                debug_assert!(queued.is_ok(), "there is room");
            }
        }
    }

    fn ask(&self, question: Question, out: Out<'_>) -> Reply {
        let bank = self.durable.coordinator();
        let job = |job: Handle| Answer::Job { job: Name::of(job) };
        let shared = bank.shared();
        match question {
            Question::Leases => self.list(bank.leases(), out),
            Question::Reservations => self.list(bank.reserved(), out),
            Question::Jobs => self.list(bank.stations().jobs().map(|it| job(it.handle())), out),
            Question::Runs => {
                let all = shared.running().chain(shared.queue());
                self.list(all.map(|(it, _)| job(it.handle())), out)
            }
            Question::Help => Reply::Help,
            Question::Digest => Reply::Digest(bank.digest()),
            Question::Figures => Reply::Figures(self.figures()),
            Question::Job(name) => match bank.stations().status(Bank::station_job(name)) {
                Ok(status) => Reply::Job(status),
                Err(misuse) => Reply::Error(crate::Error::Station(misuse.into()).into()),
            },
        }
    }

    fn list(&self, all: impl Iterator<Item = Answer>, out: Out<'_>) -> Reply {
        let mut count = 0;
        for one in all {
            self.say(&Reply::Listed(one), out);
            count += 1;
        }
        Reply::Count(count)
    }

    fn figures(&self) -> Figures {
        let bank = self.durable.coordinator();
        Figures {
            now: bank.now().ticks(),
            commands: self.durable.place().commands,
            free_nodes: bank.free_nodes(),
            reservations: bank.reservations() as u32,
            free_processors: bank.stations().free(),
            waiting: bank.shared().queue().count() as u32,
            running: bank.shared().running().count() as u32,
            serial: bank.serial(),
        }
    }
}

/// A terminal shows what is typed only if it comes back.
fn echo(byte: u8, out: Out<'_>) {
    match byte {
        0x08 | 0x7F => out(b"\x08 \x08"),
        b'\r' | b'\n' => out(b"\r\n"),
        b' '..0x7F => out(&[byte]),
        _ => {}
    }
}

/// Words that end without an end of their line are still on the terminal: their answer begins a line of its own.
fn end_line(heard: &Input, out: Out<'_>) {
    if heard.mode == Mode::Words {
        out(b"\r\n");
    }
}

/// Text with the ends of lines that a terminal wants.
struct Lines<'a>(Out<'a>);

impl Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // By a list of one: the search for a single character keeps a panic path.
        for line in text.split_inclusive(['\n']) {
            let words = line.trim_end_matches('\n');
            (self.0)(words.as_bytes());
            if words.len() < line.len() {
                (self.0)(b"\r\n");
            }
        }
        Ok(())
    }
}
