//! What an administrator says, in TOML. All that there is, with what it means:
//!
//! ```toml
#![doc = include_str!("../../locox-agent.toml")]
//! ```
//!
//! Paths start at the folder of the configuration. It is checked wholly before anything is done.

mod addresses;
mod domains;
mod error;
mod kinds;
mod numbers;
mod paths;
mod read;
mod text;
mod words;

pub use error::{ConfigError, Fault};
pub(crate) use kinds::MINUTE;
pub use kinds::{Config, ManagerConfig, Mode, Ranking};

#[cfg(test)]
mod tests;
