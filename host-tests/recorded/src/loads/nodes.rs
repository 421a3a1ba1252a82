//! A station's own scheduler, told anything at any time.

use super::Watch;
use super::random::{draw, random};
use locox::node::{Input, LocalRule, LocalScheduler, OnReturn, Writing};
use locox::time::{Duration, Instant};

const CALLS: u64 = 2000;

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let rule = LocalRule {
        on_return: OnReturn::Suspend { wait: Duration::from_ticks(40) },
        grace: Duration::from_ticks(20),
        kill_again: Duration::from_ticks(5),
    };
    let mut scheduler = LocalScheduler::new(rule);
    let mut random = random();
    for tick in 0..CALLS {
        let now = Instant::from_ticks(3 * tick);
        let input = match draw(&mut random, 12) {
            0 | 1 => Input::Place,
            2 => Input::Preempt,
            3 => Input::Checkpoint,
            4 => Input::OwnerReturned,
            5 | 6 => Input::OwnerLeft,
            7 => Input::CheckpointDone(Writing(draw(&mut random, 50))),
            8 => Input::Finished,
            9 => Input::Gone,
            10 => Input::LeasedUntil(now.saturating_add(Duration::from_ticks(60))),
            _ => Input::Time,
        };
        let _ = watch.call("step", || scheduler.step(now, input));
        let _ = watch.see("wake at", || scheduler.wake_at());
    }
    Some(())
}
