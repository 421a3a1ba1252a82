//! `locox network`.

use super::numbers::Numeric;
use clap::{Args, ValueEnum};
use locox_models::network::list::MOST_DIMS;
use locox_models::network::wormhole::Window;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Network {
    /// Messages, one a line in the order of their times: src dst at, in cycles; plain, .gz or .xz,
    /// `-` for the standard input. Further columns are ignored.
    pub list: PathBuf,
    /// Dimensions of the cube [default: the smallest that has all nodes].
    #[arg(long, value_name = "N", whole = 0..=MOST_DIMS.get())]
    pub cube: Option<u8>,
    /// Flits of the buffer behind each channel.
    #[arg(long, value_name = "B", default_value_t = 5, whole = 1..=65_536_u32)]
    pub buffers: u32,
    /// Virtual channels of each channel, each with a buffer of its own.
    #[arg(long, value_name = "V", default_value_t = 1, whole = 1..=8_u32)]
    pub virtual_channels: u32,
    /// Flits of a message.
    #[arg(long, value_name = "FLITS", default_value_t = 48, whole = 1..=65_536_u32)]
    pub length: u32,
    /// Cycles from a router to the next.
    #[arg(long, value_name = "CYCLES", default_value_t = 3, whole = 1..=1_000_u32)]
    pub hop: u32,
    /// When a node sends its next message.
    #[arg(long, value_enum, default_value_t = SendWindow::Stream)]
    pub window: SendWindow,
    /// What to print.
    #[arg(long, value_enum, default_value_t = NetworkFormat::Table)]
    pub format: NetworkFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetworkFormat {
    /// Latency and throughput.
    Table,
    /// Each message: src,dst,at,delivered, in cycles.
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SendWindow {
    /// When the one before has arrived.
    One,
    /// When the one before has left the node.
    Stream,
}

impl SendWindow {
    /// The model's window.
    pub fn window(self) -> Window {
        match self {
            Self::One => Window::One,
            Self::Stream => Window::Stream,
        }
    }

    /// When a node sends its next message.
    pub fn told(self) -> &'static str {
        match self {
            Self::One => "the next message when the one before has arrived",
            Self::Stream => "one message right behind the other",
        }
    }
}
