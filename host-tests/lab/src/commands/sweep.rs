//! `locox sweep`: a script by which a resource manager runs the parts of a comparison.

use super::compare;
use super::delivery::tell;
use crate::cli::{Cli, Command, Compare, Sweep};
use crate::compare::{Shard, Store};
use crate::output::{is_standard_output, write_result};
use crate::shell::quoted;
use clap::Parser;
use locox_report::failure::Failure;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, io};

pub(super) fn run(options: &Sweep) -> Result<(), Failure> {
    let (compare, threads) = parsed(&options.command)?;
    let out = &compare.results.out;
    let script = options.script.clone().unwrap_or_else(|| out.join("sweep.sh"));
    let open = open_parts(&compare, options.parts as usize)?;
    if open.is_empty() {
        let out = out.display();
        let next = format!("locox {}", quoted_all(&options.command));
        return tell(&format!("{out}: all runs are there; run the command itself"), &next, &script);
    }
    let unwritable = |error: io::Error| Failure::unwritable(&script, &error);
    let here = env::current_dir().map_err(unwritable)?;
    let script_for = Script { options, open: &open, threads, here, program: program() };
    script_for.check()?;
    if options.script.is_none() {
        std::fs::create_dir_all(out).map_err(unwritable)?;
    }
    // One that an earlier call wrote there is out of date.
    write_result(&script, options.script.is_none(), |to| script_for.write(to))?;
    let (shown, parts) = (quoted(&script.display().to_string()), ranges(&open));
    tell(
        &format!("{shown}: parts {parts} of {}; submit it: sbatch {shown}", options.parts),
        &format!("sbatch {shown}"),
        &script,
    )
}

/// Words as a shell takes them.
fn quoted_all(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The command that is to run in parts, and whether it says how many threads.
fn parsed(words: &[String]) -> Result<(Compare, bool), Failure> {
    let words = ["locox"].into_iter().chain(words.iter().map(|word| &word[..]));
    let cli = Cli::try_parse_from(words)?;
    let threads = cli.common.threads.is_some();
    let usage = |text: &str| Err(Failure::Usage(text.into()));
    match cli.command {
        Some(Command::Compare(compare)) if compare.shard.is_some() => {
            usage("--shard: leave it out; each part of the sweep gets its own")
        }
        Some(Command::Compare(compare)) if is_standard_output(&compare.results.out) => {
            usage("--out: the runs of a sweep need a place; name a directory that all nodes share")
        }
        Some(Command::Compare(compare)) if reads_standard_input(&compare) => usage(
            "-: the parts of a sweep have no standard input; name a file that all nodes share",
        ),
        Some(Command::Compare(compare)) => Ok((compare, threads)),
        _ => usage("sweep: only `compare` runs in parts; write locox sweep --slurm compare ..."),
    }
}

fn reads_standard_input(compare: &Compare) -> bool {
    compare.sources.iter().any(|source| source == Path::new("-"))
}

/// The parts of which runs are missing.
fn open_parts(options: &Compare, of: usize) -> Result<Vec<usize>, Failure> {
    let store = Store::open(&options.results.out, "runs.jsonl")?;
    let design = compare::design(options)?;
    let open = |&at: &usize| design.is_open(&store, Shard { at, of });
    Ok((1..=of).filter(open).collect())
}

/// This program, by its whole path: nodes have a search path of their own.
fn program() -> PathBuf {
    env::current_exe().unwrap_or_else(|_| "locox".into())
}

struct Script<'a> {
    options: &'a Sweep,
    open: &'a [usize],
    threads: bool,
    here: PathBuf,
    program: PathBuf,
}

impl Script<'_> {
    /// Whether each of its words stays on its line: behind a line break the rest of one would be a command.
    fn check(&self) -> Result<(), Failure> {
        let Self { options: Sweep { sbatch, command, .. }, here, program, .. } = self;
        let paths = [here, program].map(|path| path.to_string_lossy());
        let words = sbatch.iter().chain(command).map(|word| &word[..]);
        let mut words = words.chain(paths.iter().map(|path| &path[..]));
        let Some(wrong) = words.find(|word| word.contains(char::is_control)) else {
            return Ok(());
        };
        Err(Failure::Usage(format!(
            "{}: it has a control character, and a script has each of its words on one line; name it without",
            wrong.escape_debug()
        )))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { options: Sweep { parts, sbatch, command, .. }, open, here, .. } = self;
        let (command, program) = (quoted_all(command), quoted(&self.program.to_string_lossy()));
        // Slurm's elements have the cores that they ask for, and not the node's.
        let threads = if self.threads { "" } else { r#" --threads "${SLURM_CPUS_PER_TASK:-1}""# };
        writeln!(out, "#!/bin/sh")?;
        writeln!(out, "#SBATCH --job-name=locox-sweep")?;
        writeln!(out, "#SBATCH --array={}", ranges(open))?;
        for option in sbatch {
            writeln!(out, "#SBATCH {option}")?;
        }
        writeln!(
            out,
            "# Parts of a comparison. When all have ended, put them together where you submitted them:"
        )?;
        writeln!(out, "#   {program} {command}")?;
        writeln!(
            out,
            "# If some failed: locox sweep again with the same options writes a script for what is missing."
        )?;
        writeln!(out, "cd {} || exit 1", quoted(&here.to_string_lossy()))?;
        writeln!(out, "exec {program} {command} --shard \"$SLURM_ARRAY_TASK_ID/{parts}\"{threads}")
    }
}

/// Rising numbers as Slurm lists them, such as `1-3,7`.
fn ranges(numbers: &[usize]) -> String {
    let next_to = |&[a, b]: &[usize; 2]| a + 1 == b;
    let runs = numbers.chunk_by(|&a, &b| next_to(&[a, b]));
    let written = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(usize::to_string).collect(),
    });
    written.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_listed_as_slurm_lists_them() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[4]), "4");
    }
}
