//! What a line is about: a job, a task of an array, a component of a heterogeneous job, a step.

use super::clock::whole;

/// A line's JobID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    /// `123`, `123_4`, `123+1`.
    Job(JobId),
    /// `123_[5-9%2]`: tasks of an array that were never started.
    Tasks,
    /// `123.batch`, `123_4.0`: a part of a job.
    Step,
}

/// A job, a task or a component. None of the numbers says more than that it is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JobId {
    pub(super) number: i64,
    pub(super) task: Option<i64>,
    pub(super) component: Option<i64>,
}

pub(super) fn parse(text: &str) -> Option<Id> {
    let (job, step) = text.split_once('.').map_or((text, None), |(job, step)| (job, Some(step)));
    let (job, component) = split(job, '+');
    let (number, task) = split(job, '_');
    let number = whole(number)?;
    let id = match (task, component.map(whole)) {
        (_, Some(None)) => return None,
        (Some(tasks), None) if tasks.starts_with('[') && tasks.ends_with(']') => Id::Tasks,
        (task, component) => {
            let task = task.map(whole);
            if task == Some(None) {
                return None;
            }
            Id::Job(JobId { number, task: task.flatten(), component: component.flatten() })
        }
    };
    Some(if step.is_some() { Id::Step } else { id })
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, behind)| (before, Some(behind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_tasks_components_and_steps_are_told_apart() {
        let job = |number, task, component| Some(Id::Job(JobId { number, task, component }));
        for (text, id) in [
            ("123", job(123, None, None)),
            ("123_4", job(123, Some(4), None)),
            ("123+1", job(123, None, Some(1))),
            ("123_4+1", job(123, Some(4), Some(1))),
            ("123_[5-9%2]", Some(Id::Tasks)),
            ("123_[5,7]", Some(Id::Tasks)),
            ("123.batch", Some(Id::Step)),
            ("123_4.0", Some(Id::Step)),
            ("123+1.extern", Some(Id::Step)),
            ("", None),
            ("job", None),
            ("123_x", None),
            ("123+", None),
            ("123_[5-9", None),
            ("-1", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse(text), id, "{text}");
        }
    }
}
