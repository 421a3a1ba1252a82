//! The part of a cluster's coordinator that runs on each host.

use super::host_values::*;
use crate::coordinate::{coordinator, locox_record};
use crate::prelude::*;
use locox_coordinators::cluster::{HostConfig, HostPart};

methods! { host: locox_host |it| it =>
    /// Starts a host that runs nothing. It reports each `period`, which is not zero. Its images carry
    /// `pool`. `boot` says how often the host has started, so that nothing of what it was told before starts
    /// anything: counted also when the part begins anew without its image. A batch of another `boot` is none for it.
    start fn locox_host_start(pool: u16, boot: u32, period: u64, now: u64) {
        let config = HostConfig { report: ticks(period), boot, pool: PoolId(pool) };
        Durable::new(HostPart::new(config, at(now))?)
    }

    /// Takes note of what happened on the host at `now`, or was said to it. `record`, which may be null,
    /// is to be stored before an effect is taken, by who keeps a history. Afterwards, see
    /// `locox_host_take_effect`.
    act fn locox_host_apply(now: u64, command: *const locox_host_command) -> (| record: locox_record; detail) {
        it.apply_drawn(at(now), host_command_of(command)?, ())?.1
    }

    /// When to say `LOCOX_HOST_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to wait
    /// for.
    look fn locox_host_wake_at() -> (time: u64) { it.coordinator().wake_at().ok_or(LOCOX_NONE)? }
}

coordinator! {
    locox_host, locox_host_effect, locox_host_effect_fn:
    locox_host_take_effect, locox_host_peek_effect, locox_host_now, locox_host_place, locox_host_export,
    locox_host_restore, locox_host_load, locox_host_replay, locox_host_resync, locox_host_check
}
