//! Any bytes on the line, and resets at any command and any write.

mod bound;
mod follow;
mod grammar;
mod grants;
mod hostile;
mod hosts;
mod lines;
mod owners;
mod read;
mod resets;
mod script;
mod stored;
mod world;
