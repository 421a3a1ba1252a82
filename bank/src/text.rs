//! Lines of words, for people.

use crate::{Bank, Board, Command, Fault, Name, Question, Request};
use core::str::{FromStr, SplitAsciiWhitespace};
use locox::fair::StationId;
use locox::time::Duration;
use locox::timeshare::{HostId, Load, Speed, UserId};
use locox_coordinators::cluster::{self, Batch, Terms};
use locox_coordinators::station::{self, Checkpoint, NodeId, Nodes, Run};

/// What can be said in words.
pub const HELP: &str = "\
status | digest | tick | leases | reservations | jobs | runs
cube:     lease DIM | free LEASE | fail NODE | drain NODE | repair NODE
timeline: reserve PES TICKS [READY [DEADLINE]] | cancel RESERVATION | fail-pe PE | repair-pe PE
stations: submit STATION SERIAL | idle NODE | owner STATION | lost NODE | where JOB
          heard RUN | saved RUN CHECKPOINT | vacated RUN | finished RUN
          drop JOB | hold JOB | release JOB | limit JOB TICKS | empty NODE | restore NODE
          weight STATION WEIGHT
shared:   host HOST THOUSANDTHS [BATCH] | host-lost HOST | run USER HOSTS | ended JOB | kill JOB | leave JOB
board:    clock TICK | sense STATION 0|1 | pins | reset | cut WRITES
names are 5.1, runs are 5.1/1; #SERIAL before lease, reserve or run: said again, it is answered again
";

/// The request of a line.
pub(crate) fn parse(line: &str) -> Result<Request, Fault> {
    let mut words = Words(line.split_ascii_whitespace());
    let first = words.0.next().ok_or(Fault::Missing)?;
    let request = match first.strip_prefix("#") {
        None => request(first, &mut words)?,
        Some(serial) => {
            let serial = serial.parse().map_err(|_| Fault::Unfit)?;
            let verb = words.0.next().ok_or(Fault::Missing)?;
            numbered(request(verb, &mut words)?, serial)?
        }
    };
    if words.0.next().is_some() { Err(Fault::Excess) } else { Ok(request) }
}

/// A grant with its serial.
fn numbered(mut request: Request, number: u32) -> Result<Request, Fault> {
    use Command::{Lease, Reserve, Run};
    let Request::Do(Lease { serial, .. } | Reserve { serial, .. } | Run { serial, .. }) =
        &mut request
    else {
        return Err(Fault::Unfit);
    };
    *serial = number;
    Ok(request)
}

fn request(verb: &str, words: &mut Words<'_>) -> Result<Request, Fault> {
    let parts = [ask, board, cube, timeline, host, run, operator, shared];
    let found = parts.iter().find_map(|part| part(verb, words).transpose());
    found.unwrap_or(Err(Fault::NoSuchWord))
}

/// What a part makes of a line; `None` if it does not know the word.
type Parsed = Result<Option<Request>, Fault>;

fn ask(verb: &str, words: &mut Words<'_>) -> Parsed {
    Ok(Some(Request::Ask(match verb {
        "help" => Question::Help,
        "status" => Question::Figures,
        "digest" => Question::Digest,
        "where" => Question::Job(words.next()?),
        "leases" => Question::Leases,
        "reservations" => Question::Reservations,
        "jobs" => Question::Jobs,
        "runs" => Question::Runs,
        _ => return Ok(None),
    })))
}

fn board(verb: &str, words: &mut Words<'_>) -> Parsed {
    Ok(Some(Request::Board(match verb {
        "clock" => Board::Clock(words.next()?),
        "sense" => Board::Sense { station: words.next()?, active: words.bit()? },
        "pins" => Board::Pins,
        "reset" => Board::Reset,
        "cut" => Board::Cut(words.next()?),
        _ => return Ok(None),
    })))
}

fn cube(verb: &str, words: &mut Words<'_>) -> Parsed {
    Ok(Some(Request::Do(match verb {
        "tick" => Command::Tick,
        "lease" => {
            let dim = words.next::<u8>()?.try_into().map_err(|_| Fault::Unfit)?;
            Command::Lease { serial: 0, dim }
        }
        "free" => Command::Free { lease: words.next()? },
        "fail" => Command::Withdraw { node: words.next()?, failed: true },
        "drain" => Command::Withdraw { node: words.next()?, failed: false },
        "repair" => Command::Repair { node: words.next()? },
        _ => return Ok(None),
    })))
}

fn timeline(verb: &str, words: &mut Words<'_>) -> Parsed {
    Ok(Some(Request::Do(match verb {
        "reserve" => Command::Reserve {
            serial: 0,
            pes: words.next()?,
            duration: words.next()?,
            ready: words.next_or(0)?,
            deadline: words.next_or(Command::NO_DEADLINE)?,
        },
        "cancel" => Command::Cancel { reservation: words.next()? },
        "fail-pe" => Command::FailPe { pe: words.next()? },
        "repair-pe" => Command::RepairPe { pe: words.next()? },
        _ => return Ok(None),
    })))
}

/// What hosts of workstations say.
fn host(verb: &str, words: &mut Words<'_>) -> Parsed {
    use station::Command::{NodeIdle, NodeLost, OwnerBack, Submit};
    let command = match verb {
        "submit" => Submit { home: StationId(words.next()?), serial: words.next()? },
        "idle" => NodeIdle { node: NodeId(words.next()?) },
        "owner" => OwnerBack { station: StationId(words.next()?) },
        "lost" => NodeLost { node: NodeId(words.next()?) },
        _ => return Ok(None),
    };
    Ok(Some(Request::Do(Command::Station(command.into()))))
}

/// What they say of a run.
fn run(verb: &str, words: &mut Words<'_>) -> Parsed {
    use station::Command::{Checkpointed, Finished, Heard, Vacated};
    let command = match verb {
        "heard" => Heard { run: words.run()? },
        "saved" => Checkpointed { run: words.run()?, checkpoint: Checkpoint(words.next()?) },
        "vacated" => Vacated { run: words.run()? },
        "finished" => Finished { run: words.run()? },
        _ => return Ok(None),
    };
    Ok(Some(Request::Do(Command::Station(command.into()))))
}

/// What users and operators of workstations say.
fn operator(verb: &str, words: &mut Words<'_>) -> Parsed {
    use station::Command::{Cancel, Drain, Hold, Limit, Release, Restore, SetWeight};
    let job = |words: &mut Words<'_>| words.next().map(Bank::station_job);
    let nodes = |words: &mut Words<'_>| words.next().map(|it| Nodes::One { node: NodeId(it) });
    let command = match verb {
        "drop" => Cancel { job: job(words)? },
        "hold" => Hold { job: job(words)? },
        "release" => Release { job: job(words)? },
        "limit" => Limit { job: job(words)?, limit: Duration::from_ticks(words.next()?) },
        "empty" => Drain { nodes: nodes(words)? },
        "restore" => Restore { nodes: nodes(words)? },
        "weight" => SetWeight { station: StationId(words.next()?), weight: words.next()? },
        _ => return Ok(None),
    };
    Ok(Some(Request::Do(Command::Station(command.into()))))
}

fn shared(verb: &str, words: &mut Words<'_>) -> Parsed {
    use cluster::Command::{Cancel, Ended, HostLost, HostReport, Kill};
    let job = |words: &mut Words<'_>| words.next().map(Bank::shared_job);
    let command = match verb {
        "host" => {
            let host = HostId(words.next()?);
            let load = Load::try_from(words.next::<u16>()?).map_err(|_| Fault::Unfit)?;
            // Written like a name. Whoever names none is told again.
            let Name { index: boot, generation: number } = words.next_or(Name::default())?;
            HostReport { host, load, speed: Speed::NOMINAL, heard: Batch { boot, number } }
        }
        "host-lost" => HostLost { host: HostId(words.next()?) },
        "run" => {
            let (user, hosts) = (UserId(words.next()?), words.next()?);
            let (serial, synchronising, terms) = (0, false, Terms::default());
            let run = Command::Run { serial, user, hosts, synchronising, terms };
            return Ok(Some(Request::Do(run)));
        }
        "ended" => Ended { job: job(words)? },
        "kill" => Kill { job: job(words)? },
        "leave" => Cancel { job: job(words)? },
        _ => return Ok(None),
    };
    Ok(Some(Request::Do(Command::Shared(command))))
}

struct Words<'a>(SplitAsciiWhitespace<'a>);

impl Words<'_> {
    fn next<T: FromStr>(&mut self) -> Result<T, Fault> {
        let word = self.0.next().ok_or(Fault::Missing)?;
        word.parse().map_err(|_| Fault::Unfit)
    }

    /// `default` if there is none.
    fn next_or<T: FromStr>(&mut self, default: T) -> Result<T, Fault> {
        let word = self.0.next();
        word.map_or(Ok(default), |word| word.parse().map_err(|_| Fault::Unfit))
    }

    fn bit(&mut self) -> Result<bool, Fault> {
        match self.next()? {
            0u8 => Ok(false),
            1 => Ok(true),
            _ => Err(Fault::Unfit),
        }
    }

    fn run(&mut self) -> Result<Run, Fault> {
        let word = self.0.next().ok_or(Fault::Missing)?;
        // By a list of one, as in names.
        let (job, attempt) = word.split_once(['/']).ok_or(Fault::Unfit)?;
        let job: Name = job.parse().map_err(|()| Fault::Unfit)?;
        let attempt = attempt.parse().map_err(|_| Fault::Unfit)?;
        Ok(Run { job: Bank::station_job(job), attempt })
    }
}
