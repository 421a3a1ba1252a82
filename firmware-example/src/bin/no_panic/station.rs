//! Entries of `locox::station`.

use core::fmt::Display;
use locox::fair::{Condor, Contender, Demand, Fairness, RoundRobin, ScheduleIndex, UpDown};
use locox::station::{
    Columns, CommandError, Config, ConfigError, Coordinator, HomeRow, JobId, JobRow, NodeRow,
    RestoreError, Storage,
};

/// Columns whose lengths are not known here.
type Slices<'a> = Columns<
    &'a mut [Demand],
    &'a mut [HomeRow],
    &'a mut [NodeRow],
    &'a mut [JobRow],
    &'a mut [Contender],
>;

pub(crate) fn entries() {
    crate::keep![
        Config::study,
        ConfigError::parameter,
        <ConfigError as Display>::fmt,
        JobId::handle,
        CommandError::parameter,
        <CommandError as Display>::fmt,
        <RestoreError as Display>::fmt,
        <Slices as Storage>::slices,
        <Slices as Storage>::view,
    ];
    coordinator::<UpDown<&mut [ScheduleIndex], Condor>>();
    coordinator::<RoundRobin>();
}

fn coordinator<F: Fairness>() {
    crate::keep![
        Coordinator::<F, Slices>::new,
        Coordinator::<F, Slices>::fairness,
        Coordinator::<F, Slices>::demand,
        Coordinator::<F, Slices>::wake_at,
        Coordinator::<F, Slices>::status,
        Coordinator::<F, Slices>::apply,
        Coordinator::<F, Slices>::take_effect,
        Coordinator::<F, Slices>::check_invariants,
        export::<F>,
        restore::<F>,
    ];
}

fn export<F: Fairness>(coordinator: &Coordinator<F, Slices>, put: &mut dyn FnMut(u32)) {
    coordinator.export(put);
}

fn restore<'a, F: Fairness>(
    config: Config,
    fair: F,
    slices: Slices<'a>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<Coordinator<F, Slices<'a>>, RestoreError> {
    Coordinator::restore(config, fair, slices, words)
}
