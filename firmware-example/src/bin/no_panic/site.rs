//! Entries of `locox::site`.

use core::fmt::Display;
use locox::coordinate::{BadImage, Place};
use locox::site::{
    Arrays, Config, Coordinator, JobClass, JobId, MachineId, Misuse, QueueId, Refusal, ResourceId,
    Run, UserId,
};

pub(crate) fn entries() {
    crate::keep![
        Config::new,
        JobId::from_handle,
        JobId::handle,
        Arrays::<8, 2, 3, 2, 2, 2, 1, 5>::columns,
        <JobId as Display>::fmt,
        <Run as Display>::fmt,
        <UserId as Display>::fmt,
        <QueueId as Display>::fmt,
        <JobClass as Display>::fmt,
        <MachineId as Display>::fmt,
        <ResourceId as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
        Coordinator::new,
        Coordinator::now,
        Coordinator::wake_at,
        Coordinator::status,
        Coordinator::expected,
        Coordinator::policy,
        Coordinator::apply,
        Coordinator::peek_effect,
        Coordinator::take_effect,
        Coordinator::tell_again,
        Coordinator::identity,
        Coordinator::check_invariants,
        jobs,
        machines_of,
        export,
        export_at,
        load,
        restore,
    ];
    crate::coordinate::coordinator::<Coordinator<'static>>();
}

fn jobs(site: &Coordinator<'_>) -> usize {
    site.jobs().count()
}

fn machines_of(site: &Coordinator<'_>, job: JobId) -> usize {
    site.machines_of(job).count()
}

fn export(site: &Coordinator<'_>, put: &mut dyn FnMut(u32)) {
    site.export(put);
}

fn export_at(site: &Coordinator<'_>, place: Place, put: &mut dyn FnMut(u32)) {
    site.export_at(place, put);
}

fn load(
    site: &mut Coordinator<'_>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<Place, BadImage> {
    site.load(words)
}

fn restore(
    site: &mut Coordinator<'_>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<(), BadImage> {
    site.restore(words)
}
