//! The controller of a processor bank, without its hardware.
//!
//! A [`Bank`] is a coordinator made of others: a pool of subcubes, a timeline of reservations, a
//! network of workstations under Up-Down, and hosts shared in time, all in one journal, so that a
//! reset at any command loses nothing. A [`SerialServer`] sits between it and a serial line: bytes and the
//! time go in, bytes go out. On the line are frames for machines and lines of words for people
//! (`help`). [`Hosts`] are the stations' own processors behind pins.
//!
//! Nothing here knows a register. A firmware brings the bytes of a UART, a clock, a flash behind
//! `embedded-storage` and pins behind `embedded-hal`; `firmware-example/src/bin/bank` is one.
//!
//! # On the line
//!
//! - A frame is a zero, a 1, COBS, and a zero. In the COBS is postcard of a number and a [`Request`], and its CRC-32. The
//!   answer is frames of [`Reply`] with the same number; what [nobody asked for](Reply::is_unasked), and a [`Fault`] of a
//!   frame that cannot be read, have the number 0. So a host that sends several requests knows which ones were answered.
//!   Between requests, a 1 begins a frame even without a zero before it.
//! - Anything that begins with another byte is a line of words, which ends with CR or LF. Spaces and TABs separate
//!   the words. The answer is lines. Nobody says which request they answer: whoever sends words waits for the answer. The
//!   server echoes printable characters, but no TABs. A fault that ends a line early is on a line of its own.
//! - The last request also sets the form of replies that nobody asked for. Two bytes of noise can be a line of words, such
//!   as `x` and LF: after them, effects and reports are in words until the next frame, as they are after a start. A program
//!   that must not miss any reads lines of words, too.
//! - What cannot be understood is answered with a [`Fault`] and changes nothing. A frame that stops half way ends when the
//!   line has been quiet for a moment ([`SerialServer::silence`]), a line of words when it has been quiet for longer than
//!   people pause ([`SerialServer::long_silence`]).
//! - A zero ends whatever has begun, and means nothing where nothing has. So one zero may end a frame and begin the next
//!   one, whenever that comes: a frame that is whole behind a zero is understood. A frame that lost its last zero is
//!   spoiled together with what follows up to the next zero or silence.
//! - A line of words that a zero cuts is not done, nor is its rest: what follows up to the end of a line is answered with
//!   [`Fault::Cut`]. A [long silence](SerialServer::long_silence) ends the wait for that rest: bytes after it begin anew.
//! - Words have no CRC: a line of which a character was turned or lost is done if it is still one. Programs use frames.
//! - The line has one host. Frames do not say who sent them, answers go to everybody, and [serials](Command) count for
//!   the whole line: programs that share a bank speak through one of them.
//!
//! # Answers that are lost
//!
//! Whoever gets no answer says the same again. A submission to workstations, a lease, a reservation and a job for
//! shared hosts have a serial, by which they are done once and answered each time. Whoever forgot what it
//! holds asks for it: [`Question::Leases`], [`Question::Reservations`], [`Question::Jobs`], [`Question::Runs`], and
//! [`Figures::serial`] for the last serial.
//!
//! # What an answer is worth
//!
//! Whatever an answer tells of is stored. If the flash fails, the answer is [`Reply::NotStored`], and the command may be
//! stored or not, as if the answer were lost: say the same again. Until the whole state is stored, no effects are told, and
//! each command or question first tries to store it; if that fails, the answer is the same. Without requests,
//! [`SerialServer::wake`] tries again, but only if something is due, and at least 1,000 ticks after the last failure.
//! Help and [faults](Fault) tell of no state, and are answered while the flash fails. Requests to the [`Board`] go to the
//! caller.
//!
//! If another bank has taken the flash, the answer is [`Reply::OtherOwner`], and nothing will be stored any more. A bank
//! learns of the other one only when it next stores something. Until then it answers questions, and refuses commands, from
//! its own state, which may be out of date. If the flash fails after that as well, the answer can be [`Reply::NotStored`].
//!
//! A command that is refused changes nothing. What is due by its time, such as the end of a reservation, is done first and
//! stored as a command of its own. A question does nothing of the kind: it is answered from the state as it is. For an answer
//! as of now, the caller first calls [`SerialServer::wake`].
//!
//! # Who says what is bounded
//!
//! Each command is done within [`Command::bound`] instructions of a Cortex-M4 in the
//! sizes of [`size`], its record in the journal included, and an image within [`Command::IMAGE`] if that is due; the firmware
//! asserts it.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod bank;
mod bound;
mod command;
mod effect;
mod error;
mod fault;
mod frame;
mod hosts;
mod image;
mod line;
mod name;
mod reply;
mod request;
mod rows;
mod serial_server;
pub mod size;
mod text;

pub use answer::Answer;
pub use bank::Bank;
pub use command::Command;
pub use effect::{Effect, Hit};
pub use error::Error;
pub use fault::Fault;
pub use frame::{Frame, decode, encode};
pub use hosts::Hosts;
pub use line::{Input, Line, Mode};
pub use name::Name;
pub use reply::{Figures, Reason, Reply};
pub use request::{Board, Question, Request};
pub use rows::Rows;
pub use serial_server::{Out, SerialServer};
pub use text::HELP;
