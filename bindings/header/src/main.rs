//! Writes `bindings/c/include`: `locox.h` from the sources by cbindgen, `locox_sizes.h` from the
//! numbers in the library of this host and in that of a target with words of 32 bits.
//!
//! `cargo run -p locox-header -- LIBRARY [FOLDER]`, with the static library for such a target;
//! `ci/bindings --accept` does all of it.

use locox_c::sizes::{DIMS, JOBS, LENGTHS, LOCOX_SIZES, MARK, PES, RESERVATIONS, STRATEGIES};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let library = arguments.next().ok_or("which library? see bindings/header/src/main.rs")?;
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c");
    let folder = arguments.next().unwrap_or_else(|| bindings.join("include"));
    let narrow = numbers_in(&library)?;
    std::fs::write(folder.join("locox_sizes.h"), sizes(&narrow, &LOCOX_SIZES.numbers))?;
    let config = cbindgen::Config::from_file(bindings.join("cbindgen.toml"))?;
    let sources = folder.join("expanded.rs");
    std::fs::write(&sources, expanded(&bindings)?)?;
    let header = cbindgen::Builder::new().with_src(&sources).with_config(config).generate();
    std::fs::remove_file(&sources)?;
    header?.write_to_file(folder.join("locox.h"));
    Ok(())
}

/// The sources with their macros expanded, which cbindgen cannot do. The compiler prints them for
/// whoever says that he knows how it may print them otherwise one day.
fn expanded(bindings: &Path) -> Result<Vec<u8>> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .args(["rustc", "-q", "--locked", "--lib", "--profile=check", "--manifest-path"])
        .arg(bindings.join("Cargo.toml"))
        .args(["--", "-Zunpretty=expanded"])
        .env("RUSTC_BOOTSTRAP", "1")
        .stderr(Stdio::inherit())
        .output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err("the sources do not compile".into())
    }
}

/// The numbers behind the mark in a library of little-endian words.
fn numbers_in(library: &Path) -> Result<Vec<u32>> {
    let bytes =
        std::fs::read(library).map_err(|error| format!("{}: {error}", library.display()))?;
    let at = bytes.windows(MARK.len()).position(|window| window == MARK);
    let at = at.ok_or("the library has no sizes")? + MARK.len();
    let numbers = bytes[at..].chunks_exact(4).take(LOCOX_SIZES.numbers.len());
    let numbers: Vec<_> =
        numbers.map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect();
    if numbers.len() < LOCOX_SIZES.numbers.len() {
        return Err("the library ends within its sizes".into());
    }
    Ok(numbers)
}

const INTRO: &str = "/*
 * Sizes of locox, for words of 32 and of 64 bits.
 *
 * Made by `cargo run -p locox-header`; do not edit. A word is a size_t. For other capacities there
 * are functions of nearly the same names, and a storage may be longer than needed.
 */
#ifndef LOCOX_SIZES_H
#define LOCOX_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Words of a pool of subcubes or of meshes: strategy BUDDY, GRAY_CODE, FREE_LIST, FREE_LIST_PLAIN or
   COMPLETE, and 1 to 12 dimensions, as in LOCOX_POOL_WORDS(FREE_LIST, 10). */
#define LOCOX_POOL_WORDS(strategy, dims) LOCOX_JOIN_(LOCOX_POOL_WORDS_, strategy, dims)
#define LOCOX_MESH_WORDS(strategy, dims) LOCOX_JOIN_(LOCOX_MESH_WORDS_, strategy, dims)
/* Words of a timeline or a profile of 8, 16, ..., 1024 PEs and 7, 15, ..., 255 reservations. */
#define LOCOX_TIMELINE_WORDS(pes, reservations) LOCOX_JOIN_(LOCOX_TIMELINE_WORDS_, pes, reservations)
#define LOCOX_PROFILE_WORDS(pes, reservations) LOCOX_JOIN_(LOCOX_PROFILE_WORDS_, pes, reservations)
/* Words of a queue that plans, on a machine of 8, 16, ..., 1024 PEs, for 8, 16, ..., 256 jobs. */
#define LOCOX_BACKFILL_WORDS(pes, jobs) LOCOX_JOIN_(LOCOX_BACKFILL_WORDS_, pes, jobs)
#define LOCOX_JOIN_(prefix, first, second) LOCOX_PASTE_(prefix, first, second)
#define LOCOX_PASTE_(prefix, first, second) prefix##first##_##second

/* Words of a table of hosts that are shared in time: any number of hosts, 1 to 8 levels. */
#define LOCOX_TIMESHARE_WORDS(hosts, levels) (((levels) + 2) * LOCOX_SET_WORDS(hosts))

/* Words of the coordinator of such hosts. */
#define LOCOX_CLUSTER_WORDS(hosts, levels) (LOCOX_TIMESHARE_WORDS(hosts, levels) + LOCOX_SET_WORDS(hosts))

/* Words of 64 bits for the experience of so many resources in so many classes, and so many classes of
   jobs. */
#define LOCOX_EXPERIENCE_WORDS(resources, classes, job_classes) \\
  (4 * LOCOX_ONE_ * ((resources) + (classes) + 1) * (job_classes) + 1)

/* A set of PEs: PE p is bit p % LOCOX_WORD_BITS of word p / LOCOX_WORD_BITS. */
#define LOCOX_SET_WORDS(pes) (((pes) + LOCOX_WORD_BITS - 1) / LOCOX_WORD_BITS)
#define LOCOX_SET_ADD(set, pe) \\
  ((set)[(pe) / LOCOX_WORD_BITS] |= LOCOX_ONE_ << ((pe) % LOCOX_WORD_BITS))
#define LOCOX_SET_HAS(set, pe) ((set)[(pe) / LOCOX_WORD_BITS] >> ((pe) % LOCOX_WORD_BITS) & 1)

/* One as a size_t, without a cast, of which C++ may warn. */
#define LOCOX_ONE_ sizeof(char)

";

fn sizes(narrow: &[u32], wide: &[u32]) -> String {
    let names = names();
    let mut text = String::from(INTRO);
    for (condition, bits, numbers) in [
        ("#if UINTPTR_MAX == 0xFFFFFFFFu", 32, narrow),
        ("#elif UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu", 64, wide),
    ] {
        writeln!(text, "{condition}\n#define LOCOX_WORD_BITS {bits}").unwrap();
        for (name, number) in names.iter().zip(numbers) {
            writeln!(text, "#define {name} {number}").unwrap();
        }
    }
    text + "#else\n#error \"locox knows no words of this width\"\n#endif\n\n#endif\n"
}

/// In the order of the numbers.
fn names() -> Vec<String> {
    let mut names: Vec<_> = LENGTHS.iter().map(|(name, _)| name.to_string()).collect();
    let mut pairs = |table: &str, rows: &[String], columns: &[String]| {
        for row in rows {
            names
                .extend(columns.iter().map(|column| format!("LOCOX_{table}_WORDS_{row}_{column}")));
        }
    };
    pairs("POOL", &texts(&STRATEGIES), &texts(&DIMS));
    pairs("MESH", &texts(&STRATEGIES), &texts(&DIMS));
    pairs("TIMELINE", &texts(&PES), &texts(&RESERVATIONS));
    pairs("PROFILE", &texts(&PES), &texts(&RESERVATIONS));
    pairs("BACKFILL", &texts(&PES), &texts(&JOBS));
    names
}

fn texts<T: ToString>(numbers: &[T]) -> Vec<String> {
    numbers.iter().map(T::to_string).collect()
}
