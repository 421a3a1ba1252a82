//! Frames for scripts: each line of words on the input becomes the bytes of its frame in hex, numbered from 1 on, and
//! each `= HEX`, the bytes of frames of replies, their numbers and what they say in words.
//!
//! ```sh
//! echo 'lease 2' | cargo run -q -p locox-bank --example frame
//! ```

use locox_bank::{Input, Line, Reply, decode, encode};
use std::io::stdin;

fn main() -> std::io::Result<()> {
    let mut number = 0;
    for line in stdin().lines() {
        let line = line?;
        match line.strip_prefix("= ") {
            Some(hex) => replies(hex),
            None => {
                number += 1;
                request(number, &line);
            }
        }
    }
    Ok(())
}

fn request(number: u32, words: &str) {
    let mut line = Line::new();
    let heard = words.bytes().chain([b'\n']).filter_map(|byte| line.take(byte)).last();
    let frame = match heard {
        Some(Input { request: Ok(request), .. }) => encode(number, &request),
        _ => None,
    };
    let bytes = frame.iter().flatten();
    println!("{}", bytes.map(|byte| format!("{byte:02x}")).collect::<String>());
}

fn replies(hex: &str) {
    let digits = |at| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes: Vec<_> = (0..hex.len()).step_by(2).map_while(digits).collect();
    let frames = bytes.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
    let said = frames.map(|frame| match decode::<Reply>(&mut frame.to_vec()) {
        Ok((number, reply)) => format!("{number}: {reply}"),
        Err(fault) => format!("? {fault}"),
    });
    println!("{}", said.collect::<Vec<_>>().join(" | "));
}
