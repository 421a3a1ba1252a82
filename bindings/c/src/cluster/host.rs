//! The part of a cluster's coordinator that runs on each host.

use super::host_values::*;
use crate::coordinate::{self, locox_place, locox_record};
use crate::interface::interface;
use crate::memory::*;
use crate::time::{at, ticks};
use core::ffi::c_void;
use locox::cluster::{HostConfig, HostPart};
use locox::coordinate::Durable;
use locox::handle::PoolId;

interface! {
    /// Starts a host that runs nothing. It reports each `period`, which is not zero. Its images carry
    /// `pool`.
    fn locox_host_start(host: *mut locox_host, pool: u16, period: u64, now: u64) {
        let place = place(host)?;
        let config = HostConfig { report: ticks(period), pool: PoolId(pool) };
        place.start(Durable::new(HostPart::new(config, at(now))?))
    }

    /// Takes note of what happened on the host at `now`, or was said to it. `record`, which may be null, is
    /// to be stored before an effect is taken, by who keeps a history. Afterwards, see
    /// `locox_host_take_effect`.
    fn locox_host_hear(
        host: *mut locox_host, now: u64, command: *const locox_host_command,
        record: *mut locox_record; detail
    ) {
        let command = host_command_of(&input(command)?)?;
        coordinate::hear(host, now, command, |_| (), record)
    }

    /// The next thing to be done; `LOCOX_NONE` when everything is. To be called after each command until
    /// then.
    fn locox_host_take_effect(host: *mut locox_host, effect: *mut locox_host_effect) {
        coordinate::take(host, effect)
    }

    /// The effect that `locox_host_take_effect` will take, for callers that must find room first.
    fn locox_host_peek_effect(host: *const locox_host, effect: *mut locox_host_effect) {
        coordinate::peek(host, effect)
    }

    /// The latest time given.
    fn locox_host_now(host: *const locox_host, now: *mut u64) {
        get(host, now, |it| Ok(it.now().ticks()))
    }

    /// When to say `LOCOX_HOST_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to wait for.
    fn locox_host_wake_at(host: *const locox_host, time: *mut u64) {
        coordinate::wake_at(host, time)
    }

    /// How far it is: commands heard, and the number of the effect that was taken last.
    fn locox_host_place(host: *const locox_host, place: *mut locox_place) {
        get(host, place, |it| Ok(it.place()))
    }

    /// Writes an image of the host, and how many words it has to `written`. `LOCOX_TOO_SHORT` says
    /// how many there must be; what is in `image` is of no use then. The records before it are of no use
    /// any more.
    fn locox_host_export(
        host: *const locox_host, image: *mut u32, len: usize, written: *mut usize; detail
    ) {
        coordinate::export(host, (image, len), written)
    }

    /// Goes on from an image of a host of the same period and pool, without records;
    /// everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
    fn locox_host_restore(host: *mut locox_host, image: *const u32, len: usize) {
        coordinate::load(host, (image, len), true)
    }

    /// As `locox_host_restore`, for a history: `locox_host_replay` of the records behind the image follows, and
    /// then `locox_host_tell_again`.
    fn locox_host_load(host: *mut locox_host, image: *const u32, len: usize) {
        coordinate::load(host, (image, len), false)
    }

    /// Takes a command from its record. `told`, which may be null, is called for each effect that was taken
    /// before it. `is_new`, which may be null, is 0 for a record from before the image, which changes
    /// nothing.
    ///
    /// `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may have
    /// been taken.
    fn locox_host_replay(
        host: *mut locox_host, record: *const locox_record, told: locox_host_effect_fn,
        user: *mut c_void, is_new: *mut u32; detail
    ) {
        coordinate::replay(host, record, told, user, is_new)
    }

    /// After a restart: everybody is told again what he should be doing. `record`, which may be null, is to
    /// be stored before an effect is taken, by who keeps a history.
    fn locox_host_tell_again(host: *mut locox_host, record: *mut locox_record) {
        coordinate::resync(host, record)
    }

    /// Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
    fn locox_host_check(host: *const locox_host) {
        of(host, |it| Ok(it.coordinator().check_invariants()?))
    }
}
