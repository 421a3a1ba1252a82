//! What `squeue` prints of jobs in a list of its own, which is asked for when a job is new: by when they are to have ended, as
//! their owners said by `--deadline`, and some of what they ask for. Who changes that later is heard then.

use super::hostlist::short;
use super::queue::{self, Row};
use std::collections::HashMap;

/// What is asked for.
pub(super) const FORMAT: &str = "JobArrayID:30,Deadline:20,Contiguous:5,ReqSwitch:20,tres-per-job:60,tres-per-socket:60,tres-per-task:60";

/// A deadline, and what a job asks for that is printed nowhere else.
type Printed = (Option<u64>, Option<String>);

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

    /// The deadline of a job.
    pub(super) fn of(&self, row: &Row) -> Option<u64> {
        self.0.get(&row.name).and_then(|(_, (deadline, _))| *deadline)
    }

    /// What it asks for that is printed nowhere else.
    pub(super) fn more(&self, row: &Row) -> Option<&str> {
        self.0.get(&row.name).and_then(|(_, (_, more))| more.as_deref())
    }
}

fn line(line: &str) -> Result<(&str, Printed), String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let &[name, time, together, switches, ref gres @ ..] = fields.as_slice() else {
        return Err(format!("not a job, a time and requests in `{}`", short(line)));
    };
    let gres = gres.iter().find(|gres| !queue::is_none(gres)).map(|gres| format!("gres {gres}"));
    let asked = [(together, "nodes that follow each other"), (switches, "nodes of few switches")];
    let asked = asked.iter().find(|(value, _)| !matches!(*value, "0" | "N/A"));
    Ok((name, (queue::time_or_none(time)?, asked.map(|(_, what)| (*what).into()).or(gres))))
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_has_a_job_a_time_or_none_and_requests() {
        assert_eq!(
            line("5_6     1795681476     0 0 N/A N/A N/A"),
            Ok(("5_6", (Some(1_795_681_476), None)))
        );
        assert_eq!(line("1 N/A 0 0 N/A").unwrap().1, (None, None));
        let more = |text: &str| line(text).unwrap().1.1.unwrap();
        assert_eq!(more("1 N/A 1 0 N/A"), "nodes that follow each other");
        assert_eq!(more("1 N/A 0 2 N/A"), "nodes of few switches");
        assert_eq!(more("1 N/A 0 0 N/A N/A gres:gpu:1"), "gres gres:gpu:1");
        assert!(["1", "1 x 0 0", "1 2 3", ""].iter().all(|bad| line(bad).is_err()));
    }
}
