//! A bank behind its serial line, and the gateway at the other end of it.
//!
//! The gateway says one thing at a time. What comes back is whole, with effects whose numbers follow each other and one
//! answer that closes; else it resets the board, which tells everybody again.

use crate::chip::Chip;
use crate::claims::Claim;
use crate::context::Context;
use crate::parts::{Part, Service};
use crate::planted::Planted;
use crate::server::{Said, Server};
use crate::time::{HOUR, MINUTE, Timer};
use locox::image::Identity;
use locox::time::{Duration, Instant};
use locox_bank::{
    Answer, Bank, Command, Effect, Figures, Hit, Name, Question, Reason, Reply, Request, Rows,
    SerialServer,
};
use locox_bank::{decode, encode};
use locox_coordinators::coordinate::{EffectRecord, Snapshot};
use locox_coordinators::station::{self, JobId, Message, Misuse, Refusal, Status};
use locox_storage::{DurableCoordinator, Flash};
use self_cell::{MutBorrow, self_cell};
use std::collections::VecDeque;

const WHOSE: &str = "bank";
/// That of all requests: one is said at a time.
const NUMBER: u32 = 1;

type Serves<'a> = SerialServer<'a, Flash<Chip>>;

self_cell!(
    /// A bank and the rows that it borrows.
    struct Board {
        owner: MutBorrow<Box<Rows>>,
        #[not_covariant]
        dependent: Serves,
    }
);

/// What a gateway gets for what it says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answered {
    Taken(Answer),
    Refused(Reason),
    /// Nothing that can be read; it may have been done, or not.
    Nothing,
}

/// A board, or what is left of it, and its gateway.
pub(crate) struct Line {
    pub(crate) chip: Chip,
    pub(crate) timer: Timer,
    board: Option<Board>,
    /// The number of the last effect that was read.
    told: u64,
    /// Effects that were read, until somebody takes them.
    heard: VecDeque<EffectRecord<Effect>>,
    /// So many commands were answered.
    answered: u64,
    sound: Option<Vec<u8>>,
    /// Everybody was told again since somebody asked.
    is_reset: bool,
}

impl Line {
    pub(crate) fn new() -> Self {
        let chip = Chip::new();
        let board = open(&chip, false).ok();
        let (timer, heard) = (Timer::default(), VecDeque::new());
        let (told, answered, sound, is_reset) = (0, 0, None, false);
        Self { chip, timer, board, told, heard, answered, sound, is_reset }
    }

    /// Says something; what comes back.
    pub(crate) fn say(&mut self, context: &mut Context, command: Command) -> Answered {
        match self.ask(context, Request::Do(command)) {
            Some(Reply::Taken(answer)) => Answered::Taken(answer),
            Some(Reply::Error(reason)) => Answered::Refused(reason),
            _ => Answered::Nothing,
        }
    }

    pub(crate) fn ask(&mut self, context: &mut Context, request: Request) -> Option<Reply> {
        assert!(!context.is_planted(Planted::GatewayPanics), "it is planted");
        let mut bytes = encode(NUMBER, &request)?.to_vec();
        let is_damaged = self.damage(context, &mut bytes);
        let (before, replies) = (self.commands(), self.exchange(context, Some(&bytes))?);
        if is_damaged {
            let is_same = self.commands() == before;
            context.claim(is_same, Claim::DamageFound, WHOSE, || {
                format!("{request:?}, damaged, is taken")
            });
        }
        let closing = self.read(context, replies, true);
        self.answered = self.commands();
        self.check(context);
        self.wake(context);
        closing.filter(|_| !is_damaged)
    }

    /// Somebody says any bytes. What is left of them on the line spoils what is said next.
    pub(crate) fn say_noise(&mut self, context: &mut Context, number: u64) {
        let count = number % 60;
        let bytes: Vec<u8> = (0..count).map(|_| context.numbers.any() as u8).collect();
        let before = self.commands();
        if self.exchange(context, Some(&bytes)).is_some() {
            let is_same = self.commands() == before;
            context.figures.forged += 1;
            context
                .claim(is_same, Claim::ForgeriesRefused, WHOSE, || format!("{bytes:?} are taken"));
        }
    }

    /// Lets time pass if that is due.
    pub(crate) fn look(&mut self, context: &mut Context) {
        if let Some(replies) = self.exchange(context, None) {
            self.read(context, replies, false);
            self.answered = self.commands();
        }
        self.wake(context);
    }

    /// Says bytes, or nothing if time is to pass; what comes back, if the power lasts.
    fn exchange(&mut self, context: &mut Context, bytes: Option<&[u8]>) -> Option<Vec<u8>> {
        let shown = Instant::from_ticks(self.timer.shows(context.now));
        let board = self.board.as_mut()?;
        let mut back = vec![];
        board.with_dependent_mut(|_, server| {
            let now = shown.max(server.durable().now());
            let out = &mut |bytes: &[u8]| back.extend_from_slice(bytes);
            match bytes {
                Some(bytes) => {
                    for byte in bytes {
                        _ = server.take(now, *byte, out);
                    }
                    server.silence(now, out);
                }
                None => server.wake(now, out),
            }
            // There are no processors of this controller's own.
            while server.take_effect(out).is_some() {}
        });
        if self.chip.is_off() {
            context.figures.stores_failed += 1;
            self.kill(context);
            context.wake(Part::Start(Service::Bank), context.now + 10 * MINUTE);
            return None;
        }
        Some(back)
    }

    /// Reads what came back; the answer that closes, if one must be there. What cannot be read resets the board.
    fn read(
        &mut self,
        context: &mut Context,
        mut bytes: Vec<u8>,
        must_close: bool,
    ) -> Option<Reply> {
        self.damage(context, &mut bytes);
        let mut closing = vec![];
        let mut is_whole = true;
        for part in bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty()) {
            match decode::<Reply>(&mut part.to_vec()) {
                Ok((0, Reply::Effect { number, effect })) => {
                    let begins_anew = (self.told >> 32).wrapping_add(1) << 32;
                    is_whole &= number == self.told + 1 || number == begins_anew + 1;
                    self.told = number;
                    let now = Instant::from_ticks(context.now);
                    self.heard.push_back(EffectRecord { number, now, effect });
                    context.figures.effects += 1;
                }
                // That of a frame that the bank cannot read has no number.
                Ok((NUMBER, reply) | (0, reply @ Reply::Fault(_))) if reply.closes() => {
                    closing.push(reply);
                }
                _ => is_whole = false,
            }
        }
        if !is_whole || closing.len() != usize::from(must_close) {
            self.heard.clear();
            self.kill(context);
            self.start(context);
            return None;
        }
        closing.pop()
    }

    /// The line is as bad as the network: a bit may turn.
    fn damage(&mut self, context: &mut Context, bytes: &mut [u8]) -> bool {
        let often = context.network.damage(context.now) / 10;
        if bytes.is_empty() || often == 0 || !context.numbers.chance(often) {
            return false;
        }
        context.figures.damaged += 1;
        let at = context.numbers.below(bytes.len() as u64 * 8) as usize;
        bytes[at / 8] ^= 1 << (at % 8);
        true
    }

    fn commands(&self) -> u64 {
        let of =
            |board: &Board| board.with_dependent(|_, server| server.durable().place().commands);
        self.board.as_ref().map_or(0, of)
    }

    fn check(&self, context: &mut Context) {
        let Some(board) = &self.board else { return };
        context.figures.commands += 1;
        if context.numbers.chance(50) {
            let check = |server: &Serves<'_>| server.durable().coordinator().check_invariants();
            let checked = board.with_dependent(|_, server| check(server));
            context.claim(checked.is_ok(), Claim::Invariants, WHOSE, || {
                checked.map_or_else(|broken| broken.0, |()| "").into()
            });
        }
    }

    pub(crate) fn wake(&self, context: &mut Context) {
        let Some(board) = &self.board else { return };
        let wake_at = board.with_dependent(|_, server| server.wake_at());
        let due = wake_at.map_or(u64::MAX, |at| self.timer.when(context.now, at.ticks()));
        let at = due.clamp(context.now + 1, context.now + HOUR);
        context.wake(Part::Service(Service::Bank), at);
    }

    /// How much is in use.
    pub(crate) fn figures(&mut self, context: &mut Context) -> Option<Figures> {
        match self.ask(context, Request::Ask(Question::Figures))? {
            Reply::Figures(figures) => Some(figures),
            _ => None,
        }
    }

    /// What was read and nobody has taken.
    pub(crate) fn take_heard(&mut self) -> Option<EffectRecord<Effect>> {
        self.heard.pop_front()
    }

    /// The hits among what was read.
    pub(crate) fn take_hits(&mut self) -> Vec<Hit> {
        let hit = |told: &EffectRecord<Effect>| match told.effect {
            Effect::Hit(hit) => Some(hit),
            _ => None,
        };
        let hits = self.heard.iter().filter_map(hit).collect();
        self.heard.retain(|told| hit(told).is_none());
        hits
    }

    /// Whether everybody was told again since somebody asked.
    pub(crate) fn take_reset(&mut self) -> bool {
        std::mem::take(&mut self.is_reset)
    }

    /// The time that it gives what it is told now.
    pub(crate) fn now(&self, context: &Context) -> u64 {
        let of = |board: &Board| board.with_dependent(|_, server| server.durable().now().ticks());
        self.timer.shows(context.now).max(self.board.as_ref().map_or(0, of))
    }

    // Resets and power cuts.

    pub(crate) fn kill(&mut self, context: &mut Context) {
        context.figures.kills += 1;
        self.board = None;
        self.heard.clear();
    }

    pub(crate) fn turn_bit(&mut self, context: &mut Context, number: u64) {
        if self.sound.is_none() {
            self.sound = Some(self.chip.cells());
            self.chip.turn_bit(number);
            context.figures.bits += 1;
            self.kill(context);
            context.wake(Part::Start(Service::Bank), context.now + 10 * MINUTE);
        }
    }

    /// Starts again, if it is down.
    pub(crate) fn start(&mut self, context: &mut Context) {
        if self.board.is_some() {
            return;
        }
        self.chip.turn_on();
        if context.is_planted(Planted::FlashForgets) {
            self.chip = Chip::new();
        }
        if let Some(sound) = self.sound.take() {
            self.check_damage(context, &sound);
        }
        match open(&self.chip, true) {
            Ok(board) => {
                self.board = Some(board);
                let (commands, answered) = (self.commands() - 1, self.answered);
                context.claim(commands >= answered, Claim::AnswersLast, WHOSE, || {
                    format!("{commands} commands are there, {answered} were answered")
                });
                self.answered = self.commands();
                context.figures.recoveries += 1;
                self.is_reset = true;
                self.wake(context);
            }
            Err(why) => context.claim(false, Claim::AnswersLast, WHOSE, || why),
        }
    }

    /// A flash of which one bit turned has what it had, or is refused; then somebody has a copy of it.
    fn check_damage(&self, context: &mut Context, sound: &[u8]) {
        let state = |cells: Vec<u8>| {
            let board = open(&Chip::of(cells), true)?;
            let mut words = vec![];
            board.with_dependent(|_, server| {
                server.durable().coordinator().export(&mut |word| words.push(word));
            });
            Ok::<_, String>(words)
        };
        match state(self.chip.cells()) {
            Ok(now) => {
                let is_same = state(sound.to_vec()).is_ok_and(|then| then == now);
                context.claim(is_same, Claim::DamageFound, WHOSE, || {
                    "a flash of which a bit turned has another history".into()
                });
            }
            Err(_) => {
                context.figures.refused += 1;
                self.chip.put(sound);
            }
        }
    }
}

fn open(chip: &Chip, recovers: bool) -> Result<Board, String> {
    Board::try_new(MutBorrow::new(Box::new(Rows::EMPTY)), |rows| {
        let bank = Bank::new(rows.borrow_mut(), Instant::ZERO).ok_or("the sizes make no sense")?;
        let flash = Flash::new(chip.clone()).map_err(|error| error.to_string())?;
        let durable = if recovers {
            DurableCoordinator::recover(bank, flash).map(|(durable, _)| durable)
        } else {
            DurableCoordinator::format(bank, flash)
        };
        let durable = durable.map_err(|error| error.to_string())?;
        Ok(SerialServer::new(durable, |_| ()))
    })
}

impl Server for Line {
    fn say(&mut self, context: &mut Context, message: Message) -> Said {
        match Self::say(self, context, Command::Station(message)) {
            Answered::Taken(Answer::Job { job }) => Said::Taken(Some(Bank::station_job(job))),
            Answered::Taken(_) => Said::Taken(None),
            Answered::Refused(reason) => error_of(&reason).map_or(Said::Nothing, Said::Refused),
            Answered::Nothing => Said::Nothing,
        }
    }

    fn told(&self) -> u64 {
        self.told
    }

    /// They come with those of others, see [`Line::take_heard`].
    fn take_effect(&mut self, _: &mut Context) -> Option<EffectRecord<station::Effect>> {
        None
    }

    fn status(&self, job: JobId) -> Option<Status> {
        let board = self.board.as_ref()?;
        board.with_dependent(|_, server| server.durable().coordinator().stations().status(job).ok())
    }

    fn is_up(&self) -> bool {
        self.board.is_some()
    }

    fn is_idle(&self) -> bool {
        let Some(board) = &self.board else { return false };
        board.with_dependent(|_, server| {
            let stations = server.durable().coordinator().stations();
            let wants = stations.demand().iter().any(|it| *it != locox::fair::Demand::NONE);
            !wants && stations.free() as usize == locox_bank::size::NODES
        })
    }

    fn lease(&self) -> Option<Duration> {
        None
    }

    fn identity(&self) -> Identity {
        let of = |board: &Board| {
            board.with_dependent(|_, server| server.durable().coordinator().identity())
        };
        self.board.as_ref().map_or(
            Identity {
                kind: *b"BANK",
                version: 2,
                pool: locox::handle::PoolId(0),
                configuration: 0,
            },
            of,
        )
    }
}

/// The error that a line of words means: hosts act on these.
fn error_of(reason: &Reason) -> Option<station::Error> {
    let number = || {
        let digits: String = reason.why.chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    };
    let known: [station::Error; 6] = [
        Refusal::Old.into(),
        Refusal::JobsFull.into(),
        Refusal::BootOver { next: number() }.into(),
        Refusal::Early { next: number() }.into(),
        Misuse::Serial { next: number() }.into(),
        Misuse::RunOver.into(),
    ];
    let is_said = |error: &station::Error| error.to_string() == reason.why.as_str();
    known.into_iter().find(is_said).or(Some(Misuse::NotStopped.into()))
}

/// Whether an answer says that what it names is gone.
pub(crate) fn is_gone(answered: &Answered) -> bool {
    matches!(answered, Answered::Taken(_))
        || matches!(answered, Answered::Refused(it) if !it.refusal)
}

/// A name as it is said.
pub(crate) const fn name_of(job: locox_coordinators::cluster::JobId) -> Name {
    let handle = job.handle();
    Name { index: handle.index(), generation: handle.generation().raw() }
}
