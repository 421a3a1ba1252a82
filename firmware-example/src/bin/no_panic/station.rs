//! Entries of `locox::station`.

use core::fmt::Display;
use locox::coordinate::{BadImage, Place};
use locox::fair::{Condor, Fairness, RoundRobin, ScheduleIndex, UpDown};
use locox::station::{
    Arrays, Config, Coordinator, JobId, Misuse, NodeId, Refusal, Run, Slices, Storage,
};

type Indices<'a> = UpDown<&'a mut [ScheduleIndex], Condor>;

pub(crate) fn entries() {
    crate::keep![
        Config::study,
        Config::standard,
        JobId::from_handle,
        JobId::handle,
        <NodeId as Display>::fmt,
        <JobId as Display>::fmt,
        <Run as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
        <Slices as Storage>::slices,
        <Slices as Storage>::view,
        <&mut Slices as Storage>::slices,
        <&mut Slices as Storage>::view,
        Coordinator::<UpDown<[ScheduleIndex; 4]>, Arrays<4, 6, 8, 4>>::new_static,
        Coordinator::<Indices, Slices>::apply,
        Coordinator::<RoundRobin, Slices>::apply,
    ];
    coordinator::<Indices>();
    coordinator::<RoundRobin>();
    coordinator::<crate::fair::Timed<'static>>();
}

fn coordinator<F: Fairness>() {
    crate::keep![
        Coordinator::<F, Slices>::new,
        Coordinator::<F, Slices>::fairness,
        Coordinator::<F, Slices>::demand,
        Coordinator::<F, Slices>::free,
        Coordinator::<F, Slices>::now,
        Coordinator::<F, Slices>::wake_at,
        Coordinator::<F, Slices>::status,
        Coordinator::<F, Slices>::apply_drawn,
        Coordinator::<F, Slices>::hear_drawn,
        Coordinator::<F, Slices>::peek_effect,
        Coordinator::<F, Slices>::take_effect,
        Coordinator::<F, Slices>::check_invariants,
        Coordinator::<F, Slices>::tell_again,
        Coordinator::<F, Slices>::identity,
        export::<F>,
        export_at::<F>,
        restore::<F>,
        load::<F>,
    ];
    crate::coordinate::coordinator::<Coordinator<F, Slices>>();
}

fn export<F: Fairness>(coordinator: &Coordinator<F, Slices>, put: &mut dyn FnMut(u32)) {
    coordinator.export(put);
}

fn export_at<F: Fairness>(
    coordinator: &Coordinator<F, Slices>,
    place: Place,
    put: &mut dyn FnMut(u32),
) {
    coordinator.export_at(place, put);
}

fn load<F: Fairness>(
    coordinator: &mut Coordinator<F, Slices>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<Place, BadImage> {
    coordinator.load(words)
}

fn restore<F: Fairness>(
    coordinator: &mut Coordinator<F, Slices>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<(), BadImage> {
    coordinator.restore(words)
}
