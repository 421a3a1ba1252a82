use crate::{now, read, tell, time};
use core::hint::black_box;
use locox::node::{Input, LocalRule, LocalScheduler, OnReturn, Writing};

/// What becomes of a guest on a station.
pub fn node(scheduler: &'static mut Option<LocalScheduler>) -> Option<()> {
    let rule = LocalRule {
        on_return: OnReturn::Suspend { wait: time() },
        grace: time(),
        kill_again: time(),
    };
    let scheduler = black_box(scheduler.insert(LocalScheduler::new(rule)));
    loop {
        let input = match read() {
            0 => Input::Place,
            1 => Input::Preempt,
            2 => Input::Checkpoint,
            3 => Input::OwnerReturned,
            4 => Input::OwnerLeft,
            5 => Input::CheckpointDone(Writing(read())),
            6 => Input::Finished,
            7 => Input::Gone,
            8 => Input::LeasedUntil(now()),
            9 => Input::MessageSent,
            10 => Input::MessageAnswered,
            _ => Input::Time,
        };
        tell(&scheduler.step(now(), input));
        tell(&scheduler.wake_at());
    }
}
