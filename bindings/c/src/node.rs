//! What runs on a workstation: is the owner there, and what becomes of a guest job.

use crate::interface::{faults, interface, opaque, structures};
use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::{at, ticks};
use locox::node::{
    Action, Input, Lease, Load, LocalRule, LocalScheduler, Misuse, OnReturn, Owner, OwnerActivity,
    OwnerRule, Phase, Refusal, Writing,
};

/// A processor that does nothing else, in hundredths of a percent.
pub const LOCOX_LOAD_FULL: u32 = 10_000;

/// What happens to a station with room for a guest: nothing but time passes.
pub const LOCOX_GUEST_TIME: u32 = 0;
/// See `LOCOX_GUEST_TIME`: the coordinator places a guest.
pub const LOCOX_GUEST_PLACE: u32 = 1;
/// See `LOCOX_GUEST_TIME`: the coordinator wants the guest out.
pub const LOCOX_GUEST_PREEMPT: u32 = 2;
/// See `LOCOX_GUEST_TIME`: the coordinator wants a checkpoint; the guest goes on.
pub const LOCOX_GUEST_CHECKPOINT: u32 = 3;
/// See `LOCOX_GUEST_TIME`: the owner returned.
pub const LOCOX_GUEST_OWNER_RETURNED: u32 = 4;
/// See `LOCOX_GUEST_TIME`: the owner left.
pub const LOCOX_GUEST_OWNER_LEFT: u32 = 5;
/// See `LOCOX_GUEST_TIME`: checkpoint `writing` is safe at the guest's home.
pub const LOCOX_GUEST_CHECKPOINT_DONE: u32 = 6;
/// See `LOCOX_GUEST_TIME`: the guest ended by itself.
pub const LOCOX_GUEST_FINISHED: u32 = 7;
/// See `LOCOX_GUEST_TIME`: the guest that was killed is gone.
pub const LOCOX_GUEST_GONE: u32 = 8;
/// See `LOCOX_GUEST_TIME`: the guest must not outlive `until`, unless it is told a later one.
pub const LOCOX_GUEST_LEASED_UNTIL: u32 = 9;
/// See `LOCOX_GUEST_TIME`: the guest sent a message to its shadow. While one is outstanding no checkpoint
/// is begun, and one with which the guest was to leave is void.
pub const LOCOX_GUEST_MESSAGE_SENT: u32 = 10;
/// See `LOCOX_GUEST_TIME`: a message of the guest was answered. A checkpoint that was put off is begun
/// when none is outstanding.
pub const LOCOX_GUEST_MESSAGE_ANSWERED: u32 = 11;

/// What a station has to do with its guest, now: nothing.
pub const LOCOX_DO_NOTHING: u32 = 0;
/// See `LOCOX_DO_NOTHING`: start it.
pub const LOCOX_DO_START: u32 = 1;
/// See `LOCOX_DO_NOTHING`: stop it and keep it in memory: the owner may leave again, or its checkpoint is
/// put off.
pub const LOCOX_DO_SUSPEND: u32 = 2;
/// See `LOCOX_DO_NOTHING`: let it go on.
pub const LOCOX_DO_CONTINUE: u32 = 3;
/// See `LOCOX_DO_NOTHING`: write checkpoint `writing`, and say `LOCOX_GUEST_CHECKPOINT_DONE`; stop the
/// guest first if it is leaving.
pub const LOCOX_DO_CHECKPOINT: u32 = 4;
/// See `LOCOX_DO_NOTHING`: drop it: its checkpoint is safe. Tell the coordinator that it vacated.
pub const LOCOX_DO_VACATE: u32 = 5;
/// See `LOCOX_DO_NOTHING`: drop it without a checkpoint, say `LOCOX_GUEST_GONE` when it is, and tell the
/// coordinator that it vacated. Until then this is said again and again.
pub const LOCOX_DO_KILL: u32 = 6;

/// Where a guest stands: there is none.
pub const LOCOX_PHASE_EMPTY: u32 = 0;
/// See `LOCOX_PHASE_EMPTY`: it runs.
pub const LOCOX_PHASE_RUNNING: u32 = 1;
/// See `LOCOX_PHASE_EMPTY`: it is in memory, stopped, until it has waited enough.
pub const LOCOX_PHASE_SUSPENDED: u32 = 2;
/// See `LOCOX_PHASE_EMPTY`: it is stopped, checkpoint `writing` is being written, or put off until its
/// messages are answered, and then it is out.
pub const LOCOX_PHASE_LEAVING: u32 = 3;
/// See `LOCOX_PHASE_EMPTY`: it was killed, and is killed again from `until` on.
pub const LOCOX_PHASE_DYING: u32 = 4;

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

interface! {
    /// Writes the rule of the study to `rule`; a `minute` is so many ticks long.
    fn locox_owner_standard(minute: u64, rule: *mut locox_owner_rule) {
        let it = OwnerRule::study(ticks(minute));
        out(rule)?.put(locox_owner_rule {
            quiet: it.quiet.ticks(),
            sample_present: it.sample_present.ticks(),
            sample_away: it.sample_away.ticks(),
            threshold: it.threshold.hundredths().into(),
            padding: 0,
        })
    }

    /// Starts with an owner who is taken to be present, to be sampled at once.
    fn locox_owner_start(owner: *mut locox_owner, rule: *const locox_owner_rule, now: u64) {
        let (place, rule) = (place(owner)?, input(rule)?);
        let rule = OwnerRule {
            threshold: load_of(rule.threshold)?,
            quiet: ticks(rule.quiet),
            sample_present: ticks(rule.sample_present),
            sample_away: ticks(rule.sample_away),
        };
        place.start(OwnerActivity::new(rule, at(now))?)
    }

    /// Takes note of the owner's load, in hundredths of a percent up to `LOCOX_LOAD_FULL`. `changed` and
    /// `present`, which may be null, are 1 if he came or left by that, and if he is present now.
    fn locox_owner_sample(
        owner: *mut locox_owner, now: u64, load: u32, changed: *mut u32, present: *mut u32
    ) {
        let (to_changed, to_present) = (optional_out(changed)?, optional_out(present)?);
        let load = load_of(load)?;
        let (changed, present) =
            on(owner, |it| Ok((it.sample(at(now), load)?.is_some(), is_present(it.owner()))))?;
        to_changed.put(changed)?;
        to_present.put(present)
    }

    /// Writes 1 to `present` if the owner is present, else 0.
    fn locox_owner_present(owner: *const locox_owner, present: *mut u32) {
        get(owner, present, |it| Ok(is_present(it.owner())))
    }

    /// When to sample next. A sample before that counts as well.
    fn locox_owner_next_sample(owner: *const locox_owner, time: *mut u64) {
        get(owner, time, |it| Ok(it.next_sample().ticks()))
    }

    /// The clock went back to `now`, from where sampling goes on.
    fn locox_owner_clock_went_back(owner: *mut locox_owner, now: u64) {
        on(owner, |it| {
            it.clock_went_back(at(now));
            Ok(())
        })
    }

    /// Starts without a guest, at a station whose owner is taken to be present.
    fn locox_guest_start(guest: *mut locox_guest, rule: *const locox_guest_rule) {
        let (place, rule) = (place(guest)?, input(rule)?);
        let on_return = match rule.suspends {
            0 => OnReturn::Checkpoint,
            _ => OnReturn::Suspend { wait: ticks(rule.wait) },
        };
        let (grace, kill_again) = (ticks(rule.grace), ticks(rule.kill_again));
        place.start(LocalScheduler::new(LocalRule { on_return, grace, kill_again }))
    }

    /// Takes note of what happens (`LOCOX_GUEST_...`, with `writing` or `until` if it names them), and
    /// writes what has to be done. A guest that cannot be placed is refused as `LOCOX_OWNER_PRESENT` or
    /// `LOCOX_OCCUPIED`.
    fn locox_guest_step(
        guest: *mut locox_guest, now: u64, what: u32, writing: u32, until: u64,
        action: *mut locox_guest_action
    ) {
        get(guest, action, |it| {
            let what = match what {
                LOCOX_GUEST_TIME => Input::Time,
                LOCOX_GUEST_PLACE => Input::Place,
                LOCOX_GUEST_PREEMPT => Input::Preempt,
                LOCOX_GUEST_CHECKPOINT => Input::Checkpoint,
                LOCOX_GUEST_OWNER_RETURNED => Input::OwnerReturned,
                LOCOX_GUEST_OWNER_LEFT => Input::OwnerLeft,
                LOCOX_GUEST_CHECKPOINT_DONE => Input::CheckpointDone(Writing(writing)),
                LOCOX_GUEST_FINISHED => Input::Finished,
                LOCOX_GUEST_GONE => Input::Gone,
                LOCOX_GUEST_LEASED_UNTIL => Input::LeasedUntil(at(until)),
                LOCOX_GUEST_MESSAGE_SENT => Input::MessageSent,
                LOCOX_GUEST_MESSAGE_ANSWERED => Input::MessageAnswered,
                _ => return Err(LOCOX_BAD_ARGUMENT.into()),
            };
            Ok(it.step(at(now), what)?)
        })
    }

    /// Where the guest stands, and whether the owner is present.
    fn locox_guest_stands(guest: *const locox_guest, phase: *mut locox_guest_phase) {
        get(guest, phase, |it| {
            let (phase, writing, until) = match it.phase() {
                Phase::Empty => (LOCOX_PHASE_EMPTY, 0, 0),
                Phase::Running => (LOCOX_PHASE_RUNNING, 0, 0),
                Phase::Suspended { until } => (LOCOX_PHASE_SUSPENDED, 0, until.ticks()),
                Phase::Leaving { until, writing } => {
                    (LOCOX_PHASE_LEAVING, writing.0, until.ticks())
                }
                Phase::Dying { again } => (LOCOX_PHASE_DYING, 0, again.ticks()),
            };
            let (owner_present, busy) = (is_present(it.owner()), it.is_busy().into());
            Ok(locox_guest_phase { phase, writing, until, owner_present, busy })
        })
    }

    /// When to say `LOCOX_GUEST_TIME` if nothing happens before; `LOCOX_NONE` if there is nothing to
    /// wait for.
    fn locox_guest_wake_at(guest: *const locox_guest, time: *mut u64) {
        get(guest, time, |it| Ok(it.wake_at().ok_or(LOCOX_NONE)?.ticks()))
    }

    /// The clock was at `before` and is at `now`, which is earlier. A lease is over then.
    fn locox_guest_clock_went_back(guest: *mut locox_guest, before: u64, now: u64) {
        on(guest, |it| {
            it.clock_went_back(at(before), at(now));
            Ok(())
        })
    }
}

/// When a guest has to be killed by the host's clock, if the coordinator answered a report that was
/// sent at `sent` and nothing after it. `length` is after how long without a report it takes the host
/// for lost; a clock may be off by so many parts in a million (`drift`), and a kill take so long.
#[unsafe(no_mangle)]
pub extern "C" fn locox_lease_until(length: u64, drift: u32, kill: u64, sent: u64) -> u64 {
    Lease { length: ticks(length), drift, kill: ticks(kill) }.until(at(sent)).ticks()
}

fn load_of(hundredths: u32) -> Answer<Load> {
    if hundredths > LOCOX_LOAD_FULL {
        return Err(LOCOX_BAD_ARGUMENT.into());
    }
    Ok(Load::from_hundredths(hundredths as u16))
}

fn is_present(owner: Owner) -> u32 {
    (owner == Owner::Present).into()
}

impl From<Option<Action>> for locox_guest_action {
    fn from(action: Option<Action>) -> Self {
        let kind = match action {
            None => LOCOX_DO_NOTHING,
            Some(Action::Start) => LOCOX_DO_START,
            Some(Action::Suspend) => LOCOX_DO_SUSPEND,
            Some(Action::Continue) => LOCOX_DO_CONTINUE,
            Some(Action::Checkpoint(Writing(writing))) => {
                return Self { kind: LOCOX_DO_CHECKPOINT, writing };
            }
            Some(Action::Vacate) => LOCOX_DO_VACATE,
            Some(Action::Kill) => LOCOX_DO_KILL,
        };
        Self { kind, writing: 0 }
    }
}

faults! {
    Refusal {
        Refusal::OwnerPresent => LOCOX_OWNER_PRESENT,
        Refusal::Occupied => LOCOX_OCCUPIED,
    }

    Misuse {
        Misuse::Zero { .. } => LOCOX_ZERO,
        Misuse::TimeWentBack => LOCOX_PAST,
        Misuse::NoGuest => LOCOX_NO_GUEST,
        Misuse::GuestSuspended => LOCOX_GUEST_SUSPENDED,
        Misuse::NotKilled => LOCOX_NOT_KILLED,
        Misuse::NoMessage => LOCOX_NO_MESSAGE,
        Misuse::TooManyMessages => LOCOX_TOO_MANY_MESSAGES,
    }
}
