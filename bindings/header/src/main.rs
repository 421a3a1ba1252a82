//! Writes `bindings/c/include`: `locox.h` from the sources by cbindgen, `locox_sizes.h` from the
//! numbers in the library of this host and in that of a target with words of 32 bits.
//!
//! `cargo run -p locox-header -- LIBRARY [FOLDER]`, with the static library for such a target;
//! `ci/bindings --accept` does all of it.

use locox_c::VERSION;
use locox_c::sizes::{DIMS, LENGTHS, LOCOX_SIZES, MARK, STRATEGIES};
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
    let mut config = cbindgen::Config::from_file(bindings.join("cbindgen.toml"))?;
    config.after_includes = Some(version());
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
 * Made by `cargo run -p locox-header`; do not edit. A word is a size_t. A storage may be longer than
 * needed. The macros are integer constant expressions if their arguments are, and for lengths of
 * arrays; functions of nearly the same names say the same of variables. Arguments out of range give
 * SIZE_MAX, of which no array can be.
 */
#ifndef LOCOX_SIZES_H
#define LOCOX_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Words of a pool of subcubes or of meshes: strategy BUDDY, GRAY_CODE, FREE_LIST, FREE_LIST_PLAIN or
   COMPLETE, and 0 to 24 dimensions, as in LOCOX_POOL_WORDS(FREE_LIST, 10). */
#define LOCOX_POOL_WORDS(strategy, dims) LOCOX_PASTE_(LOCOX_POOL_WORDS_, strategy)(dims)
#define LOCOX_MESH_WORDS(strategy, dims) LOCOX_PASTE_(LOCOX_MESH_WORDS_, strategy)(dims)

/* Words of a timeline or a profile of so many PEs and reservations, of each 1 to 2^30 - 1. */
#define LOCOX_TIMELINE_WORDS(pes, reservations) \\
  LOCOX_LIMITED_(pes, reservations, \\
    LOCOX_SLOTS_WORDS_(LOCOX_ULL_(pes), LOCOX_SET_WORDS_(pes), LOCOX_SLOTS_(reservations), 32, 32) \\
      + LOCOX_ENTRIES_WORDS_(LOCOX_SET_WORDS_(pes), LOCOX_ULL_(reservations)))
#define LOCOX_PROFILE_WORDS(pes, reservations) \\
  LOCOX_LIMITED_(pes, reservations, \\
    LOCOX_SLOTS_WORDS_(2 * LOCOX_ULL_(pes), 0, LOCOX_SLOTS_(reservations), 192, 64) \\
      + LOCOX_ENTRIES_WORDS_(1, LOCOX_ULL_(reservations)))
/* Words of a queue that plans, for so many jobs on a machine of so many PEs, of each 1 to 2^30 - 1. */
#define LOCOX_BACKFILL_WORDS(pes, jobs) LOCOX_PROFILE_WORDS(pes, jobs)

/* Words of 64 bits of a pool of boxes in a mesh or torus of so many nodes along each axis, 1 along those that it does not
   have. */
#define LOCOX_GRID_WORDS(x, y, z, w) \\
  LOCOX_OF_GRID_(x, y, z, w, LOCOX_GRID_NODES_(x, y, z, w) + 9 * LOCOX_GRID_ROWS_(x, y, z, w))
/* Words of 64 bits of a queue over such a machine, and its rows for boxes, with so many jobs and outages. */
#define LOCOX_BOX_QUEUE_WORDS(x, y, z, w) LOCOX_OF_GRID_(x, y, z, w, 11 * LOCOX_GRID_ROWS_(x, y, z, w))
#define LOCOX_BOX_QUEUE_ROWS(jobs, outages) (2 * LOCOX_ONE_ * (jobs) + (outages) + 1)

/* Words of 32 bits of a pool of so many nodes that jobs share, with so many quantities, 1 to 8, and so many devices a node, 0
   to 16, of which jobs can have parts: enough, whatever the nodes have in common. */
#define LOCOX_NODES_WORDS(nodes, quantities, devices) \\
  (LOCOX_ULL_(nodes) - 1 < LOCOX_NODES_MOST && LOCOX_ULL_(quantities) - 1 < 8 && LOCOX_ULL_(devices) < 17 \\
    ? LOCOX_ONE_ * (nodes) * ((quantities) + (devices) + 3) + 8 : SIZE_MAX)

/* Words of a table of hosts that are shared in time: any number of hosts, 1 to 8 levels. */
#define LOCOX_TIMESHARE_WORDS(hosts, levels) LOCOX_LEVELLED_(hosts, levels, 2)

/* Words of the coordinator of such hosts. */
#define LOCOX_CLUSTER_WORDS(hosts, levels) \\
  (LOCOX_ULL_(levels) - 1 < 8 ? LOCOX_LEVELLED_(hosts, levels, 3) + 2 * LOCOX_ONE_ * (hosts) : SIZE_MAX)
/* Words more of one with so many sets of hosts, and with the memory of hosts if that is not zero. */
#define LOCOX_CLUSTER_MORE_WORDS(hosts, sets, memory) \\
  (((sets) + LOCOX_ONE_ * ((sets) != 0 || (memory) != 0)) * LOCOX_SET_WORDS(hosts) \\
    + LOCOX_ONE_ * ((memory) != 0) * (hosts))

/* Words of the coordinator of a resource manager's machine of so many nodes, and of one that stops jobs for others; of one
   of 0 to 16 dimensions where jobs need subcubes; entries of its index, for so many jobs and users. */
#define LOCOX_MANAGER_WORDS(nodes) LOCOX_SET_WORDS(nodes)
#define LOCOX_MANAGER_PLACE_WORDS(nodes) (10 * LOCOX_SET_WORDS(nodes))
#define LOCOX_MANAGER_CUBE_WORDS(dims) LOCOX_MANAGER_CUBE_WORDS_(dims)
/* Its sums, where it stops jobs for others: of so many nodes, and of 0 to 16 dimensions where jobs need subcubes. */
#define LOCOX_MANAGER_SUMS(nodes) (2 * LOCOX_ONE_ * (nodes) + 2)
#define LOCOX_MANAGER_CUBE_SUMS(dims) (LOCOX_ULL_(dims) < 17 ? (4 * LOCOX_ONE_) << (LOCOX_ULL_(dims) % 17) : SIZE_MAX)
#define LOCOX_MANAGER_INDEX(jobs, users) (2 * LOCOX_ONE_ * ((jobs) + (users)))

/* Words of 64 bits for the experience of so many resources in so many classes, and so many classes of
   jobs. It may be one more than the function says: on some targets rows need no alignment. */
#define LOCOX_EXPERIENCE_WORDS(resources, classes, job_classes) \\
  (4 * LOCOX_ONE_ * ((resources) + (classes) + 1) * (job_classes) + 1)

/* A set of PEs: PE p is bit p % LOCOX_WORD_BITS of word p / LOCOX_WORD_BITS. */
#define LOCOX_SET_WORDS(pes) LOCOX_PARTS_(LOCOX_ONE_ * (pes), LOCOX_WORD_BITS)
#define LOCOX_SET_ADD(set, pe) \\
  ((set)[(pe) / LOCOX_WORD_BITS] |= LOCOX_ONE_ << ((pe) % LOCOX_WORD_BITS))
#define LOCOX_SET_HAS(set, pe) ((set)[(pe) / LOCOX_WORD_BITS] >> ((pe) % LOCOX_WORD_BITS) & 1)

/* What follows is for the macros above only. */

#define LOCOX_PASTE_(prefix, strategy) LOCOX_JOIN_(prefix, strategy)
#define LOCOX_JOIN_(prefix, strategy) prefix##strategy
/* One as a size_t, and a number of 64 bits, without a cast, of which C++ may warn. */
#define LOCOX_ONE_ sizeof(char)
#define LOCOX_ULL_(number) (0ull + (number))
/* How many parts of this size, the last of which need not be full. */
#define LOCOX_PARTS_(number, size) ((number) / (size) + ((number) % (size) != 0))
#define LOCOX_SET_WORDS_(pes) LOCOX_PARTS_(LOCOX_ULL_(pes), LOCOX_WORD_BITS)
/* These words, if both limits are in range and there can be so many. */
#define LOCOX_LIMITED_(pes, reservations, words) \\
  (LOCOX_ULL_(pes) - 1 < 0x3FFFFFFF && LOCOX_ULL_(reservations) - 1 < 0x3FFFFFFF && (words) < SIZE_MAX \\
    ? (words) : SIZE_MAX)
#define LOCOX_IS_SIDE_(side) (LOCOX_ULL_(side) - 1 < 64)
#define LOCOX_GRID_NODES_(x, y, z, w) (LOCOX_ONE_ * (x) * (y) * (z) * (w))
#define LOCOX_GRID_ROWS_(x, y, z, w) \\
  (LOCOX_GRID_NODES_(x, y, z, w) / LOCOX_LONGER_(LOCOX_LONGER_(x, y), LOCOX_LONGER_(z, w)))
#define LOCOX_OF_GRID_(x, y, z, w, words) \\
  (LOCOX_IS_SIDE_(x) && LOCOX_IS_SIDE_(y) && LOCOX_IS_SIDE_(z) && LOCOX_IS_SIDE_(w) && LOCOX_GRID_NODES_(x, y, z, w) <= 65536 \\
    ? (words) : SIZE_MAX)
#define LOCOX_LONGER_(one, other) ((one) > (other) ? (one) : (other))
#define LOCOX_LEVELLED_(hosts, levels, more) \\
  (LOCOX_ULL_(levels) - 1 < 8 ? (LOCOX_ONE_ * (levels) + (more)) * LOCOX_SET_WORDS(hosts) : SIZE_MAX)
/* As the kernel lays out slots (kernel/src/reserve/slots/layout.rs): in one array of at most `flat`, or in
   leaves of `leaf` under a directory. A slot has a time, a count of at most `most` and a row. */
#define LOCOX_SLOTS_WORDS_(most, row, slots, flat, leaf) \\
  ((slots) <= (flat) \\
    ? LOCOX_ARRAY_WORDS_(most, row, slots) \\
    : LOCOX_LEAVES_(slots, leaf) * (LOCOX_ARRAY_WORDS_(most, row, (leaf)) + 2 * (row) + LOCOX_TIME_WORDS_) + 2 \\
      + LOCOX_COUNTS_WORDS_(LOCOX_LEAVES_(slots, leaf), LOCOX_LEAVES_(slots, leaf)) \\
      + 3 * LOCOX_COUNTS_WORDS_(most, LOCOX_LEAVES_(slots, leaf)))
#define LOCOX_SLOTS_(reservations) (2 * LOCOX_ULL_(reservations) + 1)
#define LOCOX_ARRAY_WORDS_(most, row, slots) \\
  ((slots) * ((row) + LOCOX_TIME_WORDS_) + LOCOX_COUNTS_WORDS_(most, slots) + 1)
#define LOCOX_LEAVES_(slots, leaf) (2 * ((slots) / ((leaf) / 2 + 1)) + 1)
#define LOCOX_TIME_WORDS_ (64 / LOCOX_WORD_BITS)
/* Numbers of at most `most`, in 8, 16 or 32 bits each. */
#define LOCOX_COUNTS_WORDS_(most, count) \\
  LOCOX_PARTS_(count, LOCOX_WORD_BITS / ((most) < 0x80 ? 8 : (most) < 0x8000 ? 16 : 32))
/* As the kernel lays out reservations (kernel/src/reserve/ledger.rs): start, end, generation and PEs of each,
   and a time for 64 of them. */
#define LOCOX_ENTRIES_WORDS_(pes, count) \\
  ((count) * (2 * LOCOX_TIME_WORDS_ + 1 + (pes)) + LOCOX_PARTS_(count, 64) * LOCOX_TIME_WORDS_)
";

fn sizes(narrow: &[u32], wide: &[u32]) -> String {
    let mut text = String::from(INTRO);
    text += "#define LOCOX_BY_DIMS_(dims";
    (0..DIMS).for_each(|dim| write!(text, ", n{dim}").unwrap());
    text += ") \\\n  (";
    (0..DIMS).for_each(|dim| write!(text, "(dims) == {dim} ? n{dim} : ").unwrap());
    text += "SIZE_MAX)\n\n";
    for (condition, bits, numbers) in [
        ("#if UINTPTR_MAX == 0xFFFFFFFFu", 32, narrow),
        ("#elif UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu", 64, wide),
    ] {
        writeln!(text, "{condition}\n#define LOCOX_WORD_BITS {bits}").unwrap();
        let (lengths, words) = numbers.split_at(LENGTHS.len());
        for ((name, _), length) in LENGTHS.iter().zip(lengths) {
            writeln!(text, "#define {name} {length}").unwrap();
        }
        let tables = ["POOL", "MESH"].into_iter().flat_map(|of| STRATEGIES.map(|by| (of, by)));
        for ((of, strategy), words) in tables.zip(words.chunks(DIMS)) {
            write!(text, "#define LOCOX_{of}_WORDS_{strategy}(dims) LOCOX_BY_DIMS_(dims").unwrap();
            words.iter().for_each(|number| write!(text, ", {number}").unwrap());
            text += ")\n";
        }
        text += "#define LOCOX_MANAGER_CUBE_WORDS_(dims) LOCOX_BY_DIMS_(dims";
        for number in &words[2 * STRATEGIES.len() * DIMS..] {
            match number {
                0 => text += ", SIZE_MAX",
                number => write!(text, ", {number}").unwrap(),
            }
        }
        text += ")\n";
    }
    text + "#else\n#error \"locox knows no words of this width\"\n#endif\n\n#endif\n"
}

/// The version for the preprocessor.
fn version() -> String {
    let mut text =
        String::from("/* The version of this header; `locox_version` says the library's. */\n");
    writeln!(text, "#define LOCOX_VERSION \"{VERSION}\"").unwrap();
    let numbers = VERSION.split(['.', '-', '+']);
    for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(numbers) {
        writeln!(text, "#define LOCOX_VERSION_{name} {number}").unwrap();
    }
    text
}
