//! Any bytes are a machine, a strategy and commands: the pool must follow its model.
//!
//! `cargo +nightly fuzz run allocators` in `host-tests`. Two bytes choose strategy and dimensions,
//! two the kinds of commands left out, and each eight after them are a command.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox_oracles::subcube::{Buddy, Command, Complete, FreeList, GrayCode, Lockstep, Rule, Weights};

fuzz_target!(|bytes: &[u8]| {
    let Some((&[strategy, dims, low, high], rest)) = bytes.split_first_chunk() else { return };
    let dims = Dim::new(dims % 9).unwrap();
    let weights = Weights::swarm(u16::from_le_bytes([low, high]));
    let (numbers, _) = rest.as_chunks();
    let commands =
        numbers.iter().map(|&it| Command::decode(dims, u64::from_le_bytes(it), &weights));
    match strategy % 4 {
        0 => follow::<Buddy>(dims, commands),
        1 => follow::<GrayCode>(dims, commands),
        2 => follow::<FreeList>(dims, commands),
        _ => follow::<Complete>(dims, commands),
    }
});

fn follow<R: Rule>(dims: Dim, commands: impl Iterator<Item = Command>) {
    let mut pool = R::pool(PoolId(0), dims);
    let mut run = Lockstep::<R>::new(&mut pool);
    for command in commands {
        run.step(&command).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    }
}
