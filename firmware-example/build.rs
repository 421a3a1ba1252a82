//! Lays out the memory of the board that a target stands for, and links what can be run there.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=boards");
    let board = match variable("CARGO_CFG_TARGET_ARCH").as_str() {
        "arm" => "mps2",
        "riscv32" => "virt",
        // Not for a board: it can be checked, not linked.
        _ => return,
    };
    let out = variable("OUT_DIR");
    // Linker scripts include one another by name.
    fs::copy(format!("boards/{board}.x"), Path::new(&out).join("memory.x")).expect("memory.x");
    println!("cargo::rustc-link-search={out}");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    // For the walk over its calls (walk.py).
    println!("cargo::rustc-link-arg-bin=costs=--emit-relocs");
    // For the counts by function (where.py): what is not linked does not lie at address 0 and so on code.
    println!("cargo::rustc-link-arg-bin=costs=-zdead-reloc-in-nonalloc=.debug_*=0xffffffff");
    // It alone has logs.
    println!("cargo::rustc-link-arg-bin=bank=-Tdefmt.x");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|why| panic!("{name}: {why}"))
}
