//! The command `storm`.

use clap::Parser;
use locox_report::failure::Failure;
use locox_storm::{Found, Planted, Worlds, run, shrunk};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The most worlds, and the most minutes: a year.
const MOST_WORLDS: u64 = 1_000_000_000;
const MOST_MINUTES: u64 = 366 * 24 * 60;
/// The most worlds at one time.
const MOST_JOBS: u64 = 1024;
/// The most days of a world.
const MOST_DAYS: u64 = 3660;
/// Simulated milliseconds of a year.
const YEAR: f64 = 365.0 * 24.0 * 3_600_000.0;

/// All coordinators, a bank and an agent in simulated worlds that mean harm.
#[derive(Debug, Parser)]
#[command(name = "storm", bin_name = "ci/deep/storm")]
struct Cli {
    /// One world, that of this seed.
    #[arg(long, value_parser = whole(0, u64::MAX), conflicts_with_all = ["worlds", "minutes", "from"])]
    seed: Option<u64>,
    /// So many worlds.
    #[arg(long, value_parser = whole(1, MOST_WORLDS), conflicts_with = "minutes")]
    worlds: Option<u64>,
    /// As many worlds as there is time for in so many minutes [default: 1].
    #[arg(long, value_parser = whole(1, MOST_MINUTES))]
    minutes: Option<u64>,
    /// The seed of the first world.
    #[arg(long, value_parser = whole(0, u64::MAX), default_value_t = 0)]
    from: u64,
    /// For so many days things go wrong in each world [default: 10 to 60, by its seed].
    #[arg(long, value_parser = whole(1, MOST_DAYS))]
    days: Option<u64>,
    /// Worlds at one time [default: one per core].
    #[arg(long, value_parser = whole(1, MOST_JOBS))]
    jobs: Option<u64>,
    /// A deliberate defect that is to be found; `list` names them all.
    #[arg(long, value_name = "NAME")]
    planted: Option<String>,
}

/// A reader of whole numbers between these.
fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(format!("wants a whole number from {low} to {high}")),
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help is an answer, no error.
        Err(answer) if !answer.use_stderr() => {
            let _ = answer.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let said = Failure::from(error).to_string();
            return fails(&Failure::Usage(said.replace("locox --help", "ci/deep/storm --help")));
        }
    };
    if cli.planted.as_deref() == Some("list") {
        Planted::ALL.iter().for_each(|planted| println!("{}", planted.word()));
        return ExitCode::SUCCESS;
    }
    match worlds(&cli) {
        Ok(worlds) => storm(worlds),
        Err(failure) => fails(&failure),
    }
}

fn fails(failure: &Failure) -> ExitCode {
    eprintln!("ci/deep/storm: {failure}");
    ExitCode::from(failure.exit_code())
}

fn worlds(cli: &Cli) -> Result<Worlds, Failure> {
    let planted = match &cli.planted {
        None => None,
        Some(word) => {
            let known = Planted::ALL.iter().copied().find(|planted| planted.word() == word);
            Some(known.ok_or_else(|| {
                Failure::Usage(format!(
                    "no defect is called `{word}`; --planted list names them all"
                ))
            })?)
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = cli.jobs.and_then(|jobs| usize::try_from(jobs).ok()).unwrap_or(cores);
    let count = cli.worlds.or(cli.seed.map(|_| 1));
    let minutes = cli.minutes.or(if count.is_none() { Some(1) } else { None });
    let time = minutes.map(|minutes| Duration::from_secs(minutes * 60));
    let first = cli.seed.unwrap_or(cli.from);
    Ok(Worlds { first, count, time, days: cli.days, jobs, planted })
}

fn storm(worlds: Worlds) -> ExitCode {
    let begin = Instant::now();
    let Found { figures, failed } = run(worlds);
    let took = begin.elapsed().as_secs_f64();
    let years = figures.time as f64 / YEAR;
    print!("{figures}");
    println!(
        "{took:.0} s on {} threads: {:.0} simulated years an hour",
        worlds.jobs,
        years / took * 3600.0
    );
    let Some(failed) = failed else {
        println!("violations: 0");
        return ExitCode::SUCCESS;
    };
    println!("violations: 1");
    println!("seed {}: {}", failed.seed, failed.violation);
    let small = shrunk(worlds, &failed);
    match small.commands.len() {
        0 => println!("it needs none of its {} commands: time alone is enough", small.before),
        count => println!("of {} commands {count} are enough:", small.before),
    }
    small.commands.iter().for_each(|command| println!("  {command}"));
    println!("with these: {}", small.violation);
    let days = worlds.days.map_or_else(String::new, |days| format!(" --days {days}"));
    let planted = worlds.planted.map_or_else(String::new, |it| format!(" --planted {}", it.word()));
    println!("again: ci/deep/storm --seed {}{days}{planted}", failed.seed);
    ExitCode::FAILURE
}
