//! The suite for others on three crates: `cargo run -p locox-oracles --example others`.
//!
//! Two allocators of frames, and a list of free ranges as it plans a day of time slots.

#[path = "../tests/all/others/subjects.rs"]
mod subjects;

use locox_oracles::others::{Subject, fragmentation, misuse, walk};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Panics are part of the answer; what they say is not.
    std::panic::set_hook(Box::new(|_| ()));
    let subjects: [Box<dyn Subject>; 3] = [
        Box::new(subjects::Frames::default()),
        Box::new(subjects::Bitmap::default()),
        Box::new(subjects::Slots::default()),
    ];
    println!(
        "| allocator | states | calls | refused of 100,000 | of these though enough were free | though there was room |"
    );
    println!("|---|---|---|---|---|---|");
    let mut tables = Vec::new();
    for mut subject in subjects {
        let seen = walk(&mut *subject)?;
        let counts = fragmentation(&mut *subject, 1, 100_000)?;
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            subject.name(),
            seen.states,
            seen.calls,
            counts.refused,
            counts.refused_though_enough,
            counts.refused_though_room
        );
        tables.push(misuse(&mut *subject)?);
    }
    tables.iter().for_each(|table| print!("\n{table}"));
    Ok(())
}
