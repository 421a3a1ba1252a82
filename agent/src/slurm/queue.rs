//! The lines of `squeue`, one for each job and each element of an array.

use super::hostlist::{self, short};
use crate::backend::{Refused, State};

/// What is asked for. No field holds what a user has written, such as a job's name; the last may hold anything.
pub(super) const FORMAT: &str =
    "%i|%F|%K|%U|%u|%P|%t|%Q|%y|%D|%l|%V|%S|%N|%E|%n|%x|%b|%v|%m|%c|%C|%q|%a|%W|%r|%f";
const FIELDS: usize = 27;

/// How far ahead the gate puts a job's earliest start: ten years of 365 days, in seconds.
pub(super) const FAR: u64 = 10 * 365 * 24 * 3600;

/// Seconds that Slurm waits at most with a job that it puts back: two minutes and one second, and some to spare. It takes
/// the time at which it did so for that of the submission.
const PUT_BACK: u64 = 125;

/// What Slurm calls no limit, in seconds.
const UNLIMITED: u64 = u32::MAX as u64 * 60;

/// A job as `squeue` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) submitted: u32,
    pub(super) user: u32,
    pub(super) owner: String,
    pub(super) partitions: Vec<String>,
    pub(super) nodes: u32,
    pub(super) limit: u64,
    pub(super) nice: i64,
    pub(super) priority: u32,
    pub(super) state: State,
    pub(super) reason: String,
    /// Before when it is not to start, if its owner says so.
    pub(super) begin: Option<u64>,
    /// What it asks for beside a number of nodes.
    pub(super) request: Request,
    /// Why Slurm does not start it, if that is a limit or its request.
    pub(super) refused: Option<Refused>,
    /// What limits count it by.
    pub(super) kind: String,
}

/// What a job asks for beside a number of nodes, as `squeue` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// Nodes by name; the agent's own are not among them.
    pub(super) places: String,
    pub(super) without: String,
    pub(super) gres: String,
    pub(super) reservation: String,
    pub(super) licences: String,
    pub(super) features: String,
    /// Of a node, or of a processor, in megabytes.
    pub(super) memory: u64,
    /// On one node.
    pub(super) cpus_of_node: u64,
    /// On all nodes.
    pub(super) cpus: u64,
}

/// The controller's clock, and all jobs, from what `squeue -v` prints.
pub(super) fn read(text: &str) -> Result<(u64, Vec<Row>), String> {
    let (now, rest) = clock(text)?;
    let rows = rest
        .lines()
        .map(|line| row(line, now).map_err(|why| format!("{why} in `{}`", short(line))));
    Ok((now, rows.collect::<Result<_, _>>()?))
}

/// The controller's clock, which stands before the first job, and what comes behind it.
pub(super) fn clock(text: &str) -> Result<(u64, &str), String> {
    const MARK: &str = "last_update_time=";
    let at = text.lines().find_map(|line| line.strip_prefix(MARK).map(|rest| (line, rest)));
    let (line, rest) = at.ok_or("the time is missing")?;
    let seconds = rest.split(' ').next().unwrap_or_default();
    let now = seconds.parse().map_err(|_| format!("the time is `{}`", short(seconds)))?;
    let behind = line.as_ptr() as usize + line.len() - text.as_ptr() as usize;
    Ok((now, text.get(behind..).unwrap_or_default().trim_start_matches('\n')))
}

fn row(line: &str, now: u64) -> Result<Row, String> {
    let fields: Vec<&str> = line.splitn(FIELDS, '|').collect();
    let &[
        name,
        job,
        element,
        user,
        owner,
        partitions,
        state,
        priority,
        nice,
        nodes,
        limit,
        born,
        start,
        places,
        after,
        asked,
        without,
        gres,
        reservation,
        memory,
        cpus_of_node,
        cpus,
        qos,
        account,
        licences,
        reason,
        features,
    ] = fields.as_slice()
    else {
        return Err(format!("{} fields, not {FIELDS}", fields.len()));
    };
    let priority: u32 = number(priority, "the priority")?;
    let start = time_or_none(start)?;
    let submitted = number(born, "the time of submission")?;
    // Of a job that is held, or waits for another one, Slurm expects no start.
    let is_wish = priority == 0 || matches!(reason, "BeginTime" | "Dependency");
    let (gated, begin) = begins(start, is_wish, now, submitted);
    let waits = State::Waits {
        gated,
        held: priority == 0 || is_after(after) || begin.is_some() || is_kept(reason),
    };
    let state = does(state, places, waits, start)?;
    Ok(Row {
        id: id(job, element)?,
        name: job_name(name)?.to_owned(),
        submitted,
        user: number(user, "the user")?,
        owner: owner.to_owned(),
        partitions: partitions.split(',').map(str::to_owned).collect(),
        nodes: count(nodes)?,
        limit: limit_of(limit)?,
        nice: number(nice, "nice")?,
        priority,
        state,
        reason: reason.to_owned(),
        begin,
        request: Request {
            places: asked.to_owned(),
            without: without.to_owned(),
            gres: gres.to_owned(),
            reservation: reservation.to_owned(),
            licences: licences.to_owned(),
            features: features.to_owned(),
            memory: megabytes(memory)?,
            cpus_of_node: scaled(cpus_of_node, "the processors of a node")?,
            cpus: scaled(cpus, "the processors")?,
        },
        refused: refused(reason, job, user, qos, account),
        kind: format!("array={job} user={user} qos={qos} account={account}"),
    })
}

/// Whether a field says nothing.
pub(super) fn is_none(text: &str) -> bool {
    matches!(text, "" | "(null)" | "N/A" | "None" | "none")
}

/// Megabytes, as `0`, `100M`, `4G`, `1.50T`.
fn megabytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{}` is no memory", short(text));
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text.get(digits.len()..).unwrap_or_default() {
        "" | "M" | "Mc" | "Mn" => 1,
        "G" | "Gc" | "Gn" => 1 << 10,
        "T" | "Tc" | "Tn" => 1 << 20,
        _ => return Err(wrong()),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let whole: u64 = number(whole, "memory").map_err(|_| wrong())?;
    if !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong());
    }
    // What stands behind the point is rounded up.
    let more = u64::from(part.bytes().any(|digit| digit != b'0'));
    whole.checked_add(more).and_then(|it| it.checked_mul(factor)).ok_or_else(wrong)
}

/// A number such as `12` or `2K`.
fn scaled(text: &str, what: &str) -> Result<u64, String> {
    let (digits, factor) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1024),
        None => (text, 1),
    };
    let scaled = number::<u64>(digits, what)?.checked_mul(factor);
    scaled.ok_or_else(|| format!("{what} is `{}`", short(text)))
}

/// Why Slurm does not start a job, if that is a limit that counts jobs, or its request.
fn refused(reason: &str, job: &str, user: &str, qos: &str, account: &str) -> Option<Refused> {
    let kind = match reason {
        "BadConstraints" | "PartitionNodeLimit" | "PartitionTimeLimit" | "InvalidQOS"
        | "InvalidAccount" | "AccountNotAllowed" | "QOSNotAllowed" => {
            return Some(Refused::Request);
        }
        "JobArrayTaskLimit" => format!("array={job}"),
        _ if reason.starts_with("QOSGrp") => format!("qos={qos}"),
        _ if reason.starts_with("QOS") && reason.contains("Account") => {
            format!("qos={qos} account={account}")
        }
        _ if reason.starts_with("QOS") => format!("qos={qos} user={user}"),
        _ if reason.starts_with("AssocGrp") => format!("account={account}"),
        _ if reason.starts_with("Assoc") => format!("account={account} user={user}"),
        _ => return None,
    };
    Some(Refused::Limit(kind))
}

/// An element of an array is a job of its own: its place in the array stands above the array's number.
fn id(job: &str, element: &str) -> Result<u64, String> {
    let job: u32 = number(job, "the job's number")?;
    if element == "N/A" {
        return Ok(job.into());
    }
    let element: u32 = number(element, "the element of the array")?;
    Ok((u64::from(element) + 1) << 32 | u64::from(job))
}

/// A name that can stand in a command.
fn job_name(text: &str) -> Result<&str, String> {
    let is_fine =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || b"_+".contains(&byte));
    if is_fine { Ok(text) } else { Err(format!("`{}` is no job", short(text))) }
}

/// Whether the gate is closed, and before when its owner does not want it to start: a start that is no wish is when Slurm
/// expects it.
fn begins(start: Option<u64>, is_wish: bool, now: u64, submitted: u32) -> (bool, Option<u64>) {
    let later = |time: u64| Some(time).filter(|time| *time > now);
    match start {
        Some(start) if start > now.saturating_add(FAR / 2) => (true, later(start - FAR)),
        // Nor is that a wish: Slurm itself waits so long with a job that it puts back, as of a lost node.
        Some(start) if start <= u64::from(submitted) + PUT_BACK => (false, None),
        Some(start) if is_wish => (false, later(start)),
        _ => (false, None),
    }
}

fn is_after(dependency: &str) -> bool {
    !matches!(dependency, "" | "(null)")
}

/// The command that holds a job for this reason.
pub(super) fn hold(reason: &str) -> Option<&'static str> {
    match reason {
        "JobHeldUser" => Some("uhold"),
        "JobHeldAdmin" => Some("hold"),
        _ => None,
    }
}

/// Whether it would not start though nodes were free, and no limit is why.
fn is_kept(reason: &str) -> bool {
    let whole = ["Licenses", "Reservation", "DependencyNeverSatisfied", "PartitionDown"];
    whole.contains(&reason) || reason.starts_with("JobHeld") || reason == "PartitionInactive"
}

fn does(state: &str, places: &str, waits: State, start: Option<u64>) -> Result<State, String> {
    let nodes = || if places.is_empty() { Ok(vec![]) } else { hostlist::expand(places) };
    match state {
        "PD" => Ok(waits),
        "R" | "CF" | "S" | "ST" | "SI" | "RS" | "SO" | "PU" => match (start, nodes()?) {
            (_, nodes) if nodes.is_empty() => Err("a job runs nowhere".into()),
            (None, _) => Err("a job runs since nobody knows when".into()),
            (Some(since), nodes) => Ok(State::Runs { since, nodes }),
        },
        "CG" => Ok(State::Ends { nodes: nodes()? }),
        "RQ" | "RH" | "SE" | "RD" | "RF" if places.is_empty() => Ok(waits),
        "RQ" | "RH" | "SE" | "RD" | "RF" => Ok(State::Ends { nodes: nodes()? }),
        // These have ended; squeue leaves them out unless it is asked for them.
        "CD" | "CA" | "F" | "TO" | "NF" | "PR" | "BF" | "DL" | "OOM" | "RV" => {
            Ok(State::Ends { nodes: vec![] })
        }
        _ => Err(format!("the state `{}` is not known", short(state))),
    }
}

/// Nodes: `12`, `2-4` (as many as it takes), `2K`.
fn count(text: &str) -> Result<u32, String> {
    let most = text.rsplit('-').next().unwrap_or_default();
    let (digits, factor) = match most.strip_suffix('K') {
        Some(digits) => (digits, 1024),
        None => (most, 1),
    };
    let nodes = number::<u32>(digits, "the number of nodes")?.checked_mul(factor);
    nodes
        .filter(|nodes| *nodes > 0)
        .ok_or_else(|| format!("`{}` is no number of nodes", short(text)))
}

/// A limit of time in seconds: `5:00`, `1:05:00`, `2-01:05:00`, `UNLIMITED`.
fn limit_of(text: &str) -> Result<u64, String> {
    if matches!(text, "UNLIMITED" | "NOT_SET" | "Partition_Limit") {
        return Ok(UNLIMITED);
    }
    let wrong = || format!("`{}` is no limit of time", short(text));
    let (days, rest) = text.split_once('-').unwrap_or(("0", text));
    let parts = rest
        .split(':')
        .map(|part| number::<u64>(part, "time"))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| wrong())?;
    let (hours, minutes, seconds) = match *parts.as_slice() {
        [minutes, seconds] => (0, minutes, seconds),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return Err(wrong()),
    };
    let days: u64 = number(days, "days").map_err(|_| wrong())?;
    let terms = [(days, 86_400), (hours, 3_600), (minutes, 60), (seconds, 1)];
    let sum = terms
        .iter()
        .try_fold(0_u64, |sum, (count, unit)| sum.checked_add(count.checked_mul(*unit)?));
    sum.ok_or_else(wrong)
}

pub(super) fn time_or_none(text: &str) -> Result<Option<u64>, String> {
    if text == "N/A" { Ok(None) } else { number(text, "the start").map(Some) }
}

fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
    // `parse` would take a plus.
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number).ok_or_else(|| format!("{what} is `{}`", short(text)))
}

/// Which jobs have been put back into the queue at least once, from `squeue -O JobArrayID,RestartCnt`.
pub(super) fn restarted(text: &str) -> Result<Vec<String>, String> {
    let mut names = vec![];
    for line in text.lines() {
        let mut fields = line.split_whitespace();
        let (Some(name), Some(times), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(format!("not a job and a number in `{}`", short(line)));
        };
        if number::<u32>(times, "the number of restarts")? > 0 {
            names.push(job_name(name)?.to_owned());
        }
    }
    Ok(names)
}

/// A line of a job that asks for nothing beside a number of nodes, from one that ends with its dependency and its reason.
#[cfg(test)]
pub(super) fn plain(line: &str) -> String {
    let (head, reason) = line.rsplit_once('|').unwrap_or((line, ""));
    format!("{head}|||N/A|(null)|0|1|9999|(null)|(null)|(null)|{reason}|(null)")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{FAR, Request, Row, UNLIMITED, count, limit_of, megabytes, plain, read, restarted};
    use crate::backend::{Refused, State};

    const NOW: u64 = 1_795_640_333;
    const HEAD: &str = "-----\nall         = false\nusers       = (null)\n-----\n\n\nlast_update_time=1795640333 records=7\n";

    fn one(line: &str) -> Result<Row, String> {
        read(&format!("{HEAD}{}\n", plain(line))).map(|(_, mut rows)| rows.remove(0))
    }

    fn gated() -> String {
        (NOW + FAR - 4).to_string()
    }

    #[test]
    fn a_job_behind_the_gate_waits() {
        let row = one(&format!(
            "2|2|N/A|1000|anna|main|PD|4294901758|0|4|1-02:00:00|1795640329|{}||(null)|BeginTime",
            gated()
        ));
        let expected = Row {
            id: 2,
            name: "2".into(),
            submitted: 1_795_640_329,
            user: 1000,
            owner: "anna".into(),
            partitions: vec!["main".into()],
            nodes: 4,
            limit: 93_600,
            nice: 0,
            priority: 4_294_901_758,
            state: State::Waits { gated: true, held: false },
            reason: "BeginTime".into(),
            begin: None,
            request: Request {
                gres: "N/A".into(),
                reservation: "(null)".into(),
                licences: "(null)".into(),
                features: "(null)".into(),
                cpus_of_node: 1,
                cpus: 9999,
                ..Request::default()
            },
            refused: None,
            kind: "array=2 user=1000 qos=(null) account=(null)".into(),
        };
        assert_eq!(row, Ok(expected));
    }

    #[test]
    fn an_element_of_an_array_has_a_number_of_its_own() {
        let of = |element: &str| {
            one(&format!("5_{element}|5|{element}|0|root|main|PD|1|0|1|7:00|1|N/A||(null)|None"))
                .unwrap()
                .id
        };
        assert_eq!((of("0"), of("4")), (1 << 32 | 5, 5 << 32 | 5));
    }

    #[test]
    fn who_holds_a_job_is_told_apart_from_the_gate() {
        let state = |priority: &str, start: &str, after: &str, reason: &str| {
            one(&format!("9|9|N/A|0|root|main|PD|{priority}|0|1|7:00|1|{start}||{after}|{reason}"))
                .unwrap()
                .state
        };
        let waits = |gated, held| State::Waits { gated, held };
        let late = (NOW + FAR + 3600).to_string();
        let soon = (NOW + 60).to_string();
        assert_eq!(state("0", &gated(), "(null)", "JobHeldUser"), waits(true, true));
        assert_eq!(state("5", &gated(), "afterok:2(unfulfilled)", "Dependency"), waits(true, true));
        assert_eq!(
            state("5", &late, "(null)", "BeginTime"),
            waits(true, true),
            "its owner wants it to start in an hour"
        );
        assert_eq!(state("5", &soon, "(null)", "BeginTime"), waits(false, true));
        assert_eq!(
            state("5", &soon, "(null)", "Resources"),
            waits(false, false),
            "Slurm expects it to start then"
        );
        assert_eq!(state("5", "N/A", "(null)", "JobArrayTaskLimit"), waits(false, false));
        assert_eq!(state("0", "N/A", "(null)", "BadConstraints"), waits(false, true));
        assert_eq!(state("5", "N/A", "", "None"), waits(false, false));
    }

    #[test]
    fn a_begin_is_seen_behind_a_hold_and_behind_another_job() {
        let begin = |priority: u32, after: &str, reason: &str| {
            let soon = NOW + 60;
            let line =
                format!("9|9|N/A|0|root|main|PD|{priority}|0|1|7:00|1|{soon}||{after}|{reason}");
            one(&line).unwrap().begin
        };
        assert_eq!(begin(0, "(null)", "JobHeldUser"), Some(NOW + 60));
        assert_eq!(begin(0, "(null)", "launch failed requeued held"), Some(NOW + 60));
        assert_eq!(begin(5, "afterok:2(unfulfilled)", "Dependency"), Some(NOW + 60));
        assert_eq!(begin(5, "(null)", "Resources"), None, "Slurm expects it to start then");
    }

    #[test]
    fn a_job_that_slurm_puts_back_is_not_held() {
        let state = |begin: u64| {
            let line = format!("9|9|N/A|0|root|main|PD|5|0|1|7:00|{NOW}|{begin}||(null)|BeginTime");
            one(&line).unwrap().state
        };
        assert_eq!(state(NOW + 121), State::Waits { gated: false, held: false });
        assert_eq!(state(NOW + 180), State::Waits { gated: false, held: true });
    }

    #[test]
    fn jobs_that_run_or_end_have_their_nodes() {
        let state = |state: &str, places: &str| {
            one(&format!(
                "9|9|N/A|0|root|main|{state}|1|0|1|7:00|1|1795640300|{places}|(null)|None"
            ))
            .map(|row| row.state)
        };
        let nodes = || vec!["node3".to_owned(), "node4".to_owned()];
        assert_eq!(
            state("R", "node[3-4]"),
            Ok(State::Runs { since: 1_795_640_300, nodes: nodes() })
        );
        assert_eq!(state("CG", "node[3-4]"), Ok(State::Ends { nodes: nodes() }));
        assert_eq!(state("RQ", "node[3-4]"), Ok(State::Ends { nodes: nodes() }));
        assert_eq!(state("RH", ""), Ok(State::Waits { gated: false, held: false }));
        assert!(state("R", "").is_err());
        assert!(state("XX", "node3").is_err());
    }

    #[test]
    fn a_line_that_is_not_whole_spoils_all() {
        let good = format!("2|2|N/A|0|root|main|PD|1|0|4|5:00|1|{}||(null)|None", gated());
        assert!(one(&good).is_ok());
        for bad in [
            "",
            " ",
            "|",
            "2|2|N/A|0|root|main|PD|1|0|4|5:00|1",
            "2;reboot|2|N/A|0|root|main|PD|1|0|4|5:00|1|N/A||(null)|None",
            "2|99999999999|N/A|0|root|main|PD|1|0|4|5:00|1|N/A||(null)|None",
            "2|2|N/A|-1|root|main|PD|1|0|4|5:00|1|N/A||(null)|None",
            "2|2|N/A|0|root|main|PD|1|0|0|5:00|1|N/A||(null)|None",
            "2|2|N/A|0|root|main|PD|1|0|4|5|1|N/A||(null)|None",
            "2|2|N/A|0|root|main|PD|+1|0|4|5:00|1|N/A||(null)|None",
            "2|2|N/A|0|root|main|R|1|0|4|5:00|1|1|n[1-|(null)|None",
            "2|2|3-5|0|root|main|PD|1|0|4|5:00|1|N/A||(null)|None",
            "2|2|N/A|0|root|main|R|1|0|4|5:00|1|N/A|n1|(null)|None",
        ] {
            let text = format!("{HEAD}{}\n{}\n", plain(&good), plain(bad));
            assert!(read(&text).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn without_the_clock_there_is_no_answer() {
        assert!(read("").is_err());
        assert!(read("last_update_time=\n").is_err());
        assert!(read("last_update_time=soon records=0\n").is_err());
        assert_eq!(read(HEAD), Ok((NOW, vec![])));
    }

    #[test]
    fn limits_and_counts_are_read_in_all_their_forms() {
        assert_eq!(limit_of("5:07"), Ok(307));
        assert_eq!(limit_of("1:00:01"), Ok(3_601));
        assert_eq!(limit_of("2-00:00:00"), Ok(172_800));
        assert_eq!(limit_of("UNLIMITED"), Ok(UNLIMITED));
        for bad in ["", "5", "a:b", "1-", "-1:00", "1:2:3:4", "999999999999999999-00:00:00"] {
            assert!(limit_of(bad).is_err(), "{bad:?}");
        }
        assert_eq!(["1", "2-4", "2K"].map(count), [Ok(1), Ok(4), Ok(2048)]);
        assert!(
            ["", "-", "K", "9999999K", "0", "4294967296"].iter().all(|bad| count(bad).is_err())
        );
    }

    #[test]
    fn limits_are_told_by_what_they_count() {
        let refused = |reason: &str| {
            one(&format!("5_3|5|3|7|anna|main|PD|1|0|1|7:00|1|N/A||(null)|{reason}"))
                .unwrap()
                .refused
        };
        for (reason, kind) in [
            ("JobArrayTaskLimit", "array=5"),
            ("QOSGrpCpuLimit", "qos=(null)"),
            ("QOSMaxJobsPerUserLimit", "qos=(null) user=7"),
            ("MaxJobsPerAccount", ""),
            ("QOSMaxCpuPerAccount", "qos=(null) account=(null)"),
            ("AssocGrpNodeLimit", "account=(null)"),
            ("AssocMaxJobsLimit", "account=(null) user=7"),
        ] {
            let limit = Some(Refused::Limit(kind.into())).filter(|_| !kind.is_empty());
            assert_eq!(refused(reason), limit, "{reason}");
        }
        assert_eq!(refused("BadConstraints"), Some(Refused::Request));
        assert_eq!(refused("Resources"), None);
    }

    #[test]
    fn memory_is_read_in_all_its_forms() {
        let all = ["0", "100M", "4G", "1.50T", "1.00G"].map(megabytes);
        assert_eq!(all, [Ok(0), Ok(100), Ok(4096), Ok(2 << 20), Ok(1024)]);
        assert!(["", "M", "1X", "-1", "1..2M"].iter().all(|bad| megabytes(bad).is_err()));
    }

    #[test]
    fn jobs_that_were_put_back_are_told_by_their_restarts() {
        assert_eq!(
            restarted("2      1   \n5_4    0 \n5_6  12\n"),
            Ok(vec!["2".into(), "5_6".into()])
        );
        assert!(["2\n", "2 x\n", "2 1 3\n", "\n"].iter().all(|bad| restarted(bad).is_err()));
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "(last_update_time=[0-9]{0,22} ?.{0,9}\n)?(([0-9PDRCG|:A-Z\\[\\]-]{0,9}\\|){10,18}.{0,5}\n){0,3}") {
            let _ = read(&text);
            let _ = restarted(&text);
        }
    }
}
