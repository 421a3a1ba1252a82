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
//! - A frame is COBS of a [`Request`] in postcard with a CRC-32, between two zeros. One zero may end a frame and begin
//!   the next one: a frame that is whole is understood, whatever became of the one before it. The answer is frames of
//!   [`Reply`].
//! - Anything else is a line of words, which ends with CR, LF or the zero before a frame. The answer is lines.
//! - What cannot be understood is answered with a [`Fault`] and changes nothing; the next
//!   frame or line is understood again. A frame that stops half way ends when the line has been quiet for a moment
//!   ([`SerialServer::silence`]), a line of words when it has been quiet for longer than people pause
//!   ([`SerialServer::long_silence`]).
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
