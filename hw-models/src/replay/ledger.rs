//! What figures over all jobs need to know of each, in few bytes.

use super::JobRecord;
use locox::time::Instant;

/// When jobs came, started and ended, and how large they were, one after the other: about ten bytes each.
///
/// - `bytes` has of each job the time since the arrival before it; twice its processors, and one more if it
///   ran; if so, also its wait, its run time, and what it held beyond its processors. Each number has seven
///   bits a byte, the lowest first; the eighth says that there are more.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    bytes: Vec<u8>,
    last: u64,
}

impl Ledger {
    /// The next job, which did not come before the last one.
    pub(super) fn add(&mut self, job: &JobRecord) {
        let submit = job.submit.ticks();
        self.put(submit - self.last);
        self.last = submit;
        self.put(u64::from(job.processors) * 2 + u64::from(job.success));
        if job.success {
            self.put(job.wait());
            self.put(job.run());
            self.put((job.held - job.processors).into());
        }
    }

    fn put(&mut self, mut value: u64) {
        while value > 0x7F {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// The jobs again; of what is not kept, such as their numbers, there is nothing.
    pub(super) fn records(&self) -> impl Iterator<Item = JobRecord> {
        let (mut bytes, mut last) = (self.bytes.iter(), 0);
        std::iter::from_fn(move || {
            let mut take = || {
                let mut value = 0;
                for place in (0..).step_by(7) {
                    let byte = *bytes.next()?;
                    value |= u64::from(byte & 0x7F) << place;
                    if byte & 0x80 == 0 {
                        break;
                    }
                }
                Some(value)
            };
            last += take()?;
            let submit = Instant::from_ticks(last);
            let size = take()?;
            let (processors, success) = ((size / 2) as u32, size % 2 == 1);
            let mut job = JobRecord {
                id: 0,
                submit,
                start: submit,
                finish: submit,
                processors,
                held: 0,
                requested: None,
                success,
                allocated: None,
                token: None,
                promise: None,
                promised_places: vec![],
            };
            if success {
                job.start = Instant::from_ticks(last + take()?);
                job.finish = Instant::from_ticks(job.start.ticks() + take()?);
                job.held = processors + take()? as u32;
            }
            Some(job)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_comes_back() {
        let at = Instant::from_ticks;
        let job = |submit, start, finish, processors, held| JobRecord {
            id: 0,
            submit: at(submit),
            start: at(start),
            finish: at(finish),
            processors,
            held,
            requested: None,
            success: held > 0,
            allocated: None,
            token: None,
            promise: None,
            promised_places: vec![],
        };
        let jobs = [
            job(0, 0, 0, 1, 1),
            job(127, 255, 16_384, 3, 4),
            job(127, 127, 127, u32::MAX, 0),
            job(128, 128, u64::MAX, 1, u32::MAX),
            job(u64::MAX - 5, u64::MAX - 4, u64::MAX, u32::MAX, u32::MAX),
        ];
        let mut ledger = Ledger::default();
        jobs.iter().for_each(|job| ledger.add(job));
        assert_eq!(ledger.records().collect::<Vec<_>>(), jobs);
    }
}
