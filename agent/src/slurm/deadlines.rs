//! By when jobs are to have ended, as their owners said by `--deadline`. `squeue` prints it in a list of its own, which is
//! asked for when a job is new: who changes a deadline later is heard then.

use super::hostlist::short;
use super::queue::{self, Row};
use std::collections::HashMap;

/// What is asked for.
pub(super) const FORMAT: &str = "JobArrayID:30,Deadline:20";

/// The deadlines of the jobs that were there last, by name, each with when its job was submitted.
#[derive(Debug, Default)]
pub(super) struct Deadlines(HashMap<String, (u32, Option<u64>)>);

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
            let deadline = printed.get(row.name.as_str()).copied().flatten();
            (row.name.clone(), (row.submitted, deadline))
        };
        self.0 = rows.iter().map(of).collect();
        Ok(())
    }

    /// The deadline of a job.
    pub(super) fn of(&self, row: &Row) -> Option<u64> {
        self.0.get(&row.name).and_then(|(_, deadline)| *deadline)
    }
}

fn line(line: &str) -> Result<(&str, Option<u64>), String> {
    let mut fields = line.split_whitespace();
    let (Some(name), Some(time), None) = (fields.next(), fields.next(), fields.next()) else {
        return Err(format!("not a job and a time in `{}`", short(line)));
    };
    Ok((name, queue::time_or_none(time)?))
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_has_a_job_and_a_time_or_none() {
        assert_eq!(line("5_6     1795681476     "), Ok(("5_6", Some(1_795_681_476))));
        assert_eq!(line("1 N/A"), Ok(("1", None)));
        assert!(["1", "1 x", "1 2 3", ""].iter().all(|bad| line(bad).is_err()));
    }
}
