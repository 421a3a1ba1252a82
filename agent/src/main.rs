//! The command `locox-agent`.

fn main() {}
