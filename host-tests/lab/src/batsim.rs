//! One line a job, in the columns that Batsim writes and evalys reads.
//!
//! Source of columns and their meaning: Batsim's documentation, `docs/output-jobs.rst`. Times are
//! seconds. What is not known is empty: the energy always, most fields of a rejected job.

use locox_models::replay::JobRecord;
use std::io::{self, Write};

const COLUMNS: [&str; 17] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "consumed_energy",
    "allocated_resources",
    "metadata",
];

/// Batsim's name for a job that takes a fixed time whatever it runs on.
const PROFILE: &str = "delay";

/// Writes all jobs, in their order.
///
/// # Errors
///
/// Those of `out`.
pub fn write_jobs(workload: &str, jobs: &[JobRecord], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for job in jobs {
        writer.write_record(line(workload, job))?;
    }
    writer.flush()
}

fn line(workload: &str, job: &JobRecord) -> [String; COLUMNS.len()] {
    let if_run = |value: u64| if job.success { value.to_string() } else { String::new() };
    let stretch = (job.success && job.run() > 0)
        .then(|| (job.turnaround() as f64 / job.run() as f64).to_string());
    let state = if job.success { "COMPLETED_SUCCESSFULLY" } else { "REJECTED" };
    [
        job.id.to_string(),
        workload.into(),
        PROFILE.into(),
        job.submit.ticks().to_string(),
        job.processors.to_string(),
        job.requested.map(|requested| requested.ticks().to_string()).unwrap_or_default(),
        u8::from(job.success).to_string(),
        state.into(),
        if_run(job.start.ticks()),
        if_run(job.run()),
        if_run(job.finish.ticks()),
        if_run(job.wait()),
        if_run(job.turnaround()),
        stretch.unwrap_or_default(),
        String::new(),
        job.allocated.clone().unwrap_or_default(),
        String::new(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::{Duration, Instant};

    #[test]
    fn a_job_that_ran_and_one_that_was_rejected() {
        let at = Instant::from_ticks;
        let ran = JobRecord {
            id: 7,
            submit: at(100),
            start: at(130),
            finish: at(190),
            processors: 3,
            held: 4,
            requested: Some(Duration::from_ticks(90)),
            success: true,
            allocated: Some("0-1 8-9".into()),
            token: None,
        };
        let rejected = JobRecord {
            id: 8,
            start: at(100),
            finish: at(100),
            held: 0,
            requested: None,
            success: false,
            allocated: None,
            ..ran.clone()
        };
        let mut out = Vec::new();
        write_jobs("trace", &[ran, rejected], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "7,trace,delay,100,3,90,1,COMPLETED_SUCCESSFULLY,130,60,190,30,90,1.5,,0-1 8-9,",
                "8,trace,delay,100,3,,0,REJECTED,,,,,,,,,",
            ]
        );
    }
}
