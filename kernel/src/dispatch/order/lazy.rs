//! Lazy: a job waits while another of its size runs.
//!
//! Source: Mohapatra, Yu, Das 1995, known to us by abstract. Jobs wait in a line for each size. The
//! first job of a line is held back while a job of its size runs: that one is going to leave just
//! the room it needs. Of those not held back, the oldest that starts does.
//!
//! Held back by that rule alone, a machine runs one job of each size at a time, however many wait:
//! good if all sizes come, poor if one prevails. How the source avoids that we do not know. Ours:
//! a line that has grown beyond a backlog is not held back.
//!
//! Without a bound of patience a size starves if room for it never comes together.
//!
//! Cost: the square of the number of sizes at worst, each time with as many steps as the backlog.

use super::{Discipline, Offers};
use crate::dispatch::SizeClass;
use crate::dispatch::slot::QueueKey;

/// Holds a job back while another of its size runs.
#[derive(Clone, Copy, Debug)]
pub struct Lazy {
    backlog: u32,
    running: [u32; SizeClass::COUNT],
}

impl Lazy {
    /// Lines of more than `backlog` jobs are not held back; [`u32::MAX`] holds back any line.
    pub const fn beyond(backlog: u32) -> Self {
        Self { backlog, running: [0; SizeClass::COUNT] }
    }

    fn running(&mut self, class: SizeClass) -> Option<&mut u32> {
        self.running.get_mut(usize::from(class.get()))
    }

    fn holds_back(&self, offers: &Offers<'_>, class: SizeClass) -> bool {
        let runs = self.running.get(usize::from(class.get())).is_some_and(|&count| count > 0);
        runs && (self.backlog == u32::MAX || !offers.is_longer(class, self.backlog))
    }

    /// The first of the first jobs of lines that are not held back and stand behind `tried`.
    fn first_after(
        &self,
        offers: &Offers<'_>,
        tried: Option<QueueKey>,
    ) -> Option<(QueueKey, SizeClass)> {
        let behind = |class| offers.place(class).filter(|&it| Some(it) > tried).zip(Some(class));
        let lines = SizeClass::all().filter(|&class| !self.holds_back(offers, class));
        lines.filter_map(behind).min_by_key(|&(place, _)| place)
    }
}

impl Discipline for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn line(&self, class: SizeClass) -> SizeClass {
        class
    }

    fn choose(&mut self, offers: &mut Offers<'_>) {
        let mut tried = None;
        while let Some((place, class)) = self.first_after(offers, tried)
            && !offers.offer(class, 1)
        {
            tried = Some(place);
        }
    }

    fn started(&mut self, class: SizeClass) {
        if let Some(count) = self.running(class) {
            *count = count.saturating_add(1);
        }
    }

    fn finished(&mut self, class: SizeClass) {
        if let Some(count) = self.running(class) {
            *count = count.saturating_sub(1);
        }
    }
}
