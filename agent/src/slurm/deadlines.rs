//! What `squeue` prints of jobs in a list of its own, which is asked for when a job is new: by when they are to have ended, as
//! their owners said by `--deadline`, whether they are queued again when they are stopped, and some of what they ask for. Who changes that later is heard then.

use super::hostlist::short;
use super::queue::{self, Row};
use std::collections::HashMap;

/// What is asked for.
pub(super) const FORMAT: &str = "JobArrayID:30,Deadline:20,Requeue:5,BatchFlag:5,Contiguous:5,ReqSwitch:20,tres-alloc:200,Prefer:60,tres-per-job:60,tres-per-socket:60,tres-per-task:60";

/// What is printed nowhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Printed {
    deadline: Option<u64>,
    /// Whether it is not queued again: by `--no-requeue`, or as it is no batch job.
    firm: bool,
    /// What a job asks for beside nodes.
    more: Option<String>,
    /// The fewest nodes that it takes.
    least: Option<u64>,
}

/// What was printed of the jobs that were there last, by name, each with when its job was submitted.
#[derive(Debug, Default)]
pub(super) struct Deadlines(HashMap<String, (u32, Printed)>);

impl Deadlines {
    /// Whether a job is new.
    pub(super) fn lacks(&self, rows: &[Row]) -> bool {
        let is_new =
            |row: &Row| self.0.get(&row.name).is_none_or(|(born, _)| *born != row.submitted);
        rows.iter().any(is_new)
    }

    /// Takes what `squeue` prints. A job that it does not print has none.
    pub(super) fn read(&mut self, rows: &[Row], text: &str) -> Result<(), String> {
        let printed = text.lines().map(line).collect::<Result<HashMap<_, _>, _>>()?;
        let of = |row: &Row| {
            let printed = printed.get(row.name.as_str()).cloned().unwrap_or_default();
            (row.name.clone(), (row.submitted, printed))
        };
        self.0 = rows.iter().map(of).collect();
        Ok(())
    }

    fn printed(&self, row: &Row) -> Option<&Printed> {
        self.0.get(&row.name).map(|(_, printed)| printed)
    }

    /// The deadline of a job.
    pub(super) fn of(&self, row: &Row) -> Option<u64> {
        self.printed(row).and_then(|printed| printed.deadline)
    }

    /// Whether it is not queued again when it is stopped.
    pub(super) fn is_firm(&self, row: &Row) -> bool {
        self.printed(row).is_some_and(|printed| printed.firm)
    }

    /// What it asks for that is printed nowhere else.
    pub(super) fn more(&self, row: &Row) -> Option<&str> {
        self.printed(row).and_then(|printed| printed.more.as_deref())
    }

    /// The fewest nodes that it takes.
    pub(super) fn least(&self, row: &Row) -> Option<u64> {
        self.printed(row).and_then(|printed| printed.least)
    }
}

fn line(line: &str) -> Result<(&str, Printed), String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let &[name, time, again, batch, together, switches, all, prefers, ref gres @ ..] =
        fields.as_slice()
    else {
        return Err(format!("not a job, a time, two flags and requests in `{}`", short(line)));
    };
    let flags = [again, batch];
    if let Some(flag) = flags.iter().find(|flag| !["0", "1"].contains(flag)) {
        return Err(format!("a flag is `{}` in `{}`", short(flag), short(line)));
    }
    let firm = flags.contains(&"0");
    let asks = |value: &str| value != "0" && !queue::is_none(value);
    let gres = gres.iter().find(|gres| asks(gres)).map(|gres| format!("gres {gres}"));
    let asked = [
        (together, "nodes that follow each other"),
        (switches, "nodes of few switches"),
        (prefers, "preferred features"),
    ];
    let asked = asked.iter().find(|(value, _)| asks(value)).map(|(_, what)| (*what).to_owned());
    let least = all.split(',').find_map(|part| part.strip_prefix("node=")?.parse().ok());
    let deadline = queue::time_or_none(time)?;
    Ok((name, Printed { deadline, firm, more: asked.or(gres), least }))
}

#[cfg(test)]
mod tests {
    use super::{Printed, line};

    #[test]
    fn a_line_has_a_job_a_time_or_none_and_requests() {
        let plain = "cpu=4,mem=4M,node=4,billing=4 N/A N/A N/A N/A";
        let text = format!("5_6     1795681476     1 1 0 0 {plain}");
        let (name, printed) = line(&text).unwrap();
        assert_eq!(name, "5_6");
        let expected =
            Printed { deadline: Some(1_795_681_476), more: None, least: Some(4), firm: false };
        assert_eq!(printed, expected);
        let none = Printed { least: Some(4), ..Printed::default() };
        assert_eq!(line(&format!("1 N/A 1 1 0 0 {plain}")).unwrap().1, none);
        let firm = |flags: &str| line(&format!("1 N/A {flags} 0 0 {plain}")).unwrap().1.firm;
        assert_eq!(["1 1", "0 1", "1 0"].map(firm), [false, true, true]);
        let more = |text: &str| line(text).unwrap().1.more.unwrap();
        assert_eq!(more("1 N/A 1 1 1 0 node=1 N/A N/A"), "nodes that follow each other");
        assert_eq!(more("1 N/A 1 1 0 2 node=1 N/A N/A"), "nodes of few switches");
        assert_eq!(more("1 N/A 1 1 0 0 node=1 big N/A"), "preferred features");
        assert_eq!(more("1 N/A 1 1 0 0 N/A N/A N/A N/A gres:gpu:1"), "gres gres:gpu:1");
        assert!(
            ["1", "1 x 1 1 0 0 0 0", "1 2 1 x 0 0 0 0", "1 2 3", ""]
                .iter()
                .all(|bad| line(bad).is_err())
        );
    }
}
