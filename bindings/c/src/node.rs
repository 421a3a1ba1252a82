//! What runs on a workstation: is the owner there, and what becomes of a guest job.

use crate::prelude::*;
use locox::node::*;

/// A processor that does nothing else, in hundredths of a percent.
pub const LOCOX_LOAD_FULL: u32 = 10_000;

commands! {
    input_of(it: (u32, u32, u64)) -> Input, by it.0;
    /// What happens to a station with room for a guest: nothing but time passes.
    LOCOX_GUEST_TIME = 0 => Input::Time;
    /// See `LOCOX_GUEST_TIME`: the coordinator places a guest.
    LOCOX_GUEST_PLACE = 1 => Input::Place;
    /// See `LOCOX_GUEST_TIME`: the coordinator wants the guest out.
    LOCOX_GUEST_PREEMPT = 2 => Input::Preempt;
    /// See `LOCOX_GUEST_TIME`: the coordinator wants a checkpoint; the guest goes on.
    LOCOX_GUEST_CHECKPOINT = 3 => Input::Checkpoint;
    /// See `LOCOX_GUEST_TIME`: the owner returned.
    LOCOX_GUEST_OWNER_RETURNED = 4 => Input::OwnerReturned;
    /// See `LOCOX_GUEST_TIME`: the owner left.
    LOCOX_GUEST_OWNER_LEFT = 5 => Input::OwnerLeft;
    /// See `LOCOX_GUEST_TIME`: checkpoint `writing` is safe at the guest's home.
    LOCOX_GUEST_CHECKPOINT_DONE = 6 => Input::CheckpointDone(Writing(it.1));
    /// See `LOCOX_GUEST_TIME`: the guest ended by itself.
    LOCOX_GUEST_FINISHED = 7 => Input::Finished;
    /// See `LOCOX_GUEST_TIME`: the guest that was killed is gone.
    LOCOX_GUEST_GONE = 8 => Input::Gone;
    /// See `LOCOX_GUEST_TIME`: the guest must not outlive `until`, unless it is told a later one.
    LOCOX_GUEST_LEASED_UNTIL = 9 => Input::LeasedUntil(at(it.2));
    /// See `LOCOX_GUEST_TIME`: the guest sent a message to its shadow. While one is outstanding no checkpoint
    /// is begun, and one with which the guest was to leave is void.
    LOCOX_GUEST_MESSAGE_SENT = 10 => Input::MessageSent;
    /// See `LOCOX_GUEST_TIME`: a message of the guest was answered. A checkpoint that was put off is begun
    /// when none is outstanding.
    LOCOX_GUEST_MESSAGE_ANSWERED = 11 => Input::MessageAnswered;
}

told! {
    Option<Action> => locox_guest_action.kind {
        /// What a station has to do with its guest, now: nothing.
        LOCOX_DO_NOTHING = 0: None => {};
        /// See `LOCOX_DO_NOTHING`: start it.
        LOCOX_DO_START = 1: Some(Action::Start) => {};
        /// See `LOCOX_DO_NOTHING`: stop it and keep it in memory: the owner may leave again, or its checkpoint is
        /// put off.
        LOCOX_DO_SUSPEND = 2: Some(Action::Suspend) => {};
        /// See `LOCOX_DO_NOTHING`: let it go on.
        LOCOX_DO_CONTINUE = 3: Some(Action::Continue) => {};
        /// See `LOCOX_DO_NOTHING`: write checkpoint `writing`, and say `LOCOX_GUEST_CHECKPOINT_DONE`; stop the
        /// guest first if it is leaving.
        LOCOX_DO_CHECKPOINT = 4: Some(Action::Checkpoint(writing)) => { writing };
        /// See `LOCOX_DO_NOTHING`: drop it: its checkpoint is safe. Tell the coordinator that it vacated.
        LOCOX_DO_VACATE = 5: Some(Action::Vacate) => {};
        /// See `LOCOX_DO_NOTHING`: drop it without a checkpoint, say `LOCOX_GUEST_GONE` when it is, and tell the
        /// coordinator that it vacated. Until then this is said again and again.
        LOCOX_DO_KILL = 6: Some(Action::Kill) => {};
    }

    Phase => locox_guest_phase.phase {
        /// Where a guest stands: there is none.
        LOCOX_PHASE_EMPTY = 0: Phase::Empty => {};
        /// See `LOCOX_PHASE_EMPTY`: it runs.
        LOCOX_PHASE_RUNNING = 1: Phase::Running => {};
        /// See `LOCOX_PHASE_EMPTY`: it is in memory, stopped, until it has waited enough.
        LOCOX_PHASE_SUSPENDED = 2: Phase::Suspended { until } => { until };
        /// See `LOCOX_PHASE_EMPTY`: it is stopped, checkpoint `writing` is being written, or put off until its
        /// messages are answered, and then it is out.
        LOCOX_PHASE_LEAVING = 3: Phase::Leaving { until, writing } => { until, writing };
        /// See `LOCOX_PHASE_EMPTY`: it was killed, and is killed again from `until` on.
        LOCOX_PHASE_DYING = 4: Phase::Dying { again } => { until: again };
    }
}

opaque! {
    /// Whether the owner has a station. Opaque, small, and may be moved. It needs no other storage.
    locox_owner: [u64; LOCOX_OWNER_LENGTH], locox_size_of_owner, as OwnerActivity, b"OWNR";

    /// The scheduler of one station with room for one guest. Opaque, small, and may be moved. It needs
    /// no other storage.
    locox_guest: [u64; LOCOX_GUEST_LENGTH], locox_size_of_guest, as LocalScheduler, b"GUST";
}

structures! {
    /// When a station counts as available. Times are ticks.
    pub struct locox_owner_rule {
        /// How long there must have been no activity before the station is available.
        pub quiet: u64,
        /// Time between samples while the owner is present; not zero.
        pub sample_present: u64,
        /// Time between samples while the owner is away; not zero.
        pub sample_away: u64,
        /// A load above this is activity of the owner, in hundredths of a percent.
        pub threshold: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// How a station treats guests. Times are ticks.
    pub struct locox_guest_rule {
        /// Zero: when the owner returns the guest is checkpointed at once. Else it is kept in memory,
        /// stopped, for `wait`, in case he leaves again.
        pub suspends: u32,
        /// Of no meaning.
        pub padding: u32,
        /// How long a suspended guest waits before it is checkpointed after all.
        pub wait: u64,
        /// How long a checkpoint may take before the guest is killed without it.
        pub grace: u64,
        /// After how long a guest that was killed and is not gone is killed again.
        pub kill_again: u64,
    }

    /// What has to be done with the guest.
    pub struct locox_guest_action {
        /// `LOCOX_DO_...`.
        pub kind: u32,
        /// The number of a checkpoint.
        pub writing: u32,
    }

    /// Where a guest stands: of the fields those that its phase names.
    pub struct locox_guest_phase {
        /// `LOCOX_PHASE_...`.
        pub phase: u32,
        /// The number of a checkpoint.
        pub writing: u32,
        /// When it is over.
        pub until: u64,
        /// 1 if the owner is present.
        pub owner_present: u32,
        /// 1 if the guest needs the processor.
        pub busy: u32,
    }
}

mirrors! { locox_owner_rule = OwnerRule { quiet, sample_present, sample_away, threshold } }
ids!(u32: Writing);
values! {
    Owner as u32: |it| (it == Self::Present).into();
    OwnerLoad as u32: |it| it.hundredths().into(), else {
        if it > LOCOX_LOAD_FULL {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        Self::from_hundredths(it as u16)
    };
    &LocalScheduler as locox_guest_phase: |it| {
        let (owner_present, busy) = (it.owner().into_c(), it.is_busy().into());
        locox_guest_phase { owner_present, busy, ..it.phase().into_c() }
    };
}

interface! {
    /// Writes the rule of the study to `rule`; a `minute` is so many ticks long.
    fn locox_owner_standard(minute: u64, rule: *mut locox_owner_rule) {
        out(rule)?.put(OwnerRule::study(ticks(minute)))
    }
}

methods! { owner: locox_owner |it| it =>
    /// Starts with an owner who is taken to be present, to be sampled at once.
    start fn locox_owner_start(rule: *const locox_owner_rule, now: u64) {
        OwnerActivity::new(FromC::from_c(input(rule)?)?, at(now))?
    }

    /// Takes note of the owner's load, in hundredths of a percent up to `LOCOX_LOAD_FULL`. `changed` and
    /// `present`, which may be null, are 1 if he came or left by that, and if he is present now.
    act fn locox_owner_sample(now: u64, load: u32) -> (| changed: u32, present: u32) {
        (it.sample(at(now), FromC::from_c(load)?)?.is_some(), it.owner())
    }

    /// Writes 1 to `present` if the owner is present, else 0.
    look fn locox_owner_present() -> (present: u32) { it.owner() }

    /// When to sample next. A sample before that counts as well.
    look fn locox_owner_next_sample() -> (time: u64) { it.next_sample() }

    /// The clock went back to `now`, from where sampling goes on.
    act fn locox_owner_clock_went_back(now: u64) { it.clock_went_back(at(now)) }
}

methods! { guest: locox_guest |it| it =>
    /// Starts without a guest, at a station whose owner is taken to be present.
    start fn locox_guest_start(rule: *const locox_guest_rule) {
        let rule = input(rule)?;
        let on_return = match rule.suspends {
            0 => OnReturn::Checkpoint,
            _ => OnReturn::Suspend { wait: ticks(rule.wait) },
        };
        LocalScheduler::new(LocalRule { on_return, grace: ticks(rule.grace), kill_again: ticks(rule.kill_again) })
    }

    /// Takes note of what happens (`LOCOX_GUEST_...`, with `writing` or `until` if it names them), and
    /// writes what has to be done. A guest that cannot be placed is refused as `LOCOX_OWNER_PRESENT` or
    /// `LOCOX_OCCUPIED`.
    act fn locox_guest_step(now: u64, what: u32, writing: u32, until: u64) -> (action: locox_guest_action) {
        it.step(at(now), input_of((what, writing, until))?)?
    }

    /// Where the guest stands, and whether the owner is present.
    look fn locox_guest_stands() -> (phase: locox_guest_phase) { (&*it).into_c() }

    /// When to say `LOCOX_GUEST_TIME` if nothing happens before; `LOCOX_NONE` if there is nothing to
    /// wait for.
    look fn locox_guest_wake_at() -> (time: u64) { it.wake_at().ok_or(LOCOX_NONE)? }

    /// The clock was at `before` and is at `now`, which is earlier. A lease is over then.
    act fn locox_guest_clock_went_back(before: u64, now: u64) { it.clock_went_back(at(before), at(now)) }
}

plain! {
    /// When a guest has to be killed by the host's clock, if the coordinator answered a report that was
    /// sent at `sent` and nothing after it. `length` is after how long without a report it takes the host
    /// for lost; a clock may be off by so many parts in a million (`drift`), and a kill take so long.
    fn locox_lease_until(length: u64, drift: u32, kill: u64, sent: u64) -> u64 {
        Lease { length: ticks(length), drift, kill: ticks(kill) }.until(at(sent)).ticks()
    }
}

faults! {
    Refusal { OwnerPresent => LOCOX_OWNER_PRESENT, Occupied => LOCOX_OCCUPIED }
    Misuse {
        Zero { .. } => LOCOX_ZERO, TimeWentBack => LOCOX_PAST, NoGuest => LOCOX_NO_GUEST,
        GuestSuspended => LOCOX_GUEST_SUSPENDED, NotKilled => LOCOX_NOT_KILLED, NoMessage => LOCOX_NO_MESSAGE,
        TooManyMessages => LOCOX_TOO_MANY_MESSAGES,
    }
}
