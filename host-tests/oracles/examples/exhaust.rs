//! Enumerates everything of a small size; see `ci/deep/exhaust`.

use locox_oracles::exhaust::{Enumeration, all};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// What to enumerate, how far, and how to print it.
#[derive(Default)]
struct Asked {
    quick: bool,
    json: bool,
    names: Vec<String>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked::default();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => asked.quick = true,
            "--json" => asked.json = true,
            option if option.starts_with('-') => {
                return Err(format!("no option is called `{option}`; see ci/deep/exhaust --help"));
            }
            name if all().iter().any(|it| it.name == name) => asked.names.push(argument),
            name => {
                let names: Vec<_> = all().iter().map(|it| it.name).collect();
                return Err(format!(
                    "no enumeration is called `{name}`; there are {}",
                    names.join(", ")
                ));
            }
        }
    }
    Ok(asked)
}

/// Runs one and prints a line; whether nothing was wrong.
fn run(one: &Enumeration, asked: &Asked) -> bool {
    let (what, counts) = if asked.quick { one.quick } else { one.full };
    let (start, name) = (Instant::now(), one.name);
    let counts = counts();
    let seconds = start.elapsed().as_secs_f64();
    let line = if asked.json {
        serde_json::json!({
            "name": name, "what": what, "states": counts.states, "operations": counts.operations,
            "violations": counts.violations, "first": counts.first,
            "seconds": (seconds * 10.0).round() / 10.0,
        })
        .to_string()
    } else {
        format!("{name}: {counts}, {seconds:.1} s ({what})")
    };
    // Whoever reads may have gone, which is no reason to stop counting.
    let _ = writeln!(std::io::stdout(), "{line}");
    if let Some(first) = &counts.first {
        eprintln!("ci/deep/exhaust: {name}: {first}");
    }
    counts.violations == 0
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(why) => {
            eprintln!("ci/deep/exhaust: {why}");
            return ExitCode::from(2);
        }
    };
    let mut left = all();
    left.retain(|it| asked.names.is_empty() || asked.names.iter().any(|name| name == it.name));
    left.reverse();
    let (left, right) = (Mutex::new(left), Mutex::new(true));
    let next = || left.lock().expect("nobody panics with it").pop();
    let work = || {
        while let Some(one) = next() {
            let is_right = run(&one, &asked);
            *right.lock().expect("nobody panics with it") &= is_right;
        }
    };
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    ExitCode::from(u8::from(!right.into_inner().expect("nobody panicked with it")))
}
