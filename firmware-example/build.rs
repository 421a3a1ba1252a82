//! The linker reads `memory.x` from this folder; Cargo has to be told that it is an input.

fn main() {
    println!("cargo::rerun-if-changed=memory.x");
}
