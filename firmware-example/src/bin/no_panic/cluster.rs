//! Entries of `locox::cluster`.

use core::fmt::Display;
use locox::cluster::{
    Arrays, Bench, Cluster, Config, HostMisuse, HostPart, JobId, Misuse, Refusal, words,
};
use locox::coordinate::{BadImage, Place};
use locox::timeshare::{AtRandom, Placement, V1, V3};

pub(crate) fn entries() {
    crate::keep![
        words,
        Config::new,
        JobId::from_handle,
        JobId::handle,
        Arrays::<8, 4, 8, 16>::columns,
        <JobId as Display>::fmt,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
        <HostMisuse as Display>::fmt,
        Cluster::<V3>::apply,
    ];
    coordinator::<V3>();
    coordinator::<V1<AtRandom>>();
    host_part();
}

fn coordinator<P: Placement + 'static>() {
    crate::keep![
        Cluster::<P>::new,
        Cluster::<P>::table,
        Cluster::<P>::job,
        Cluster::<P>::status,
        Cluster::<P>::now,
        Cluster::<P>::wake_at,
        Cluster::<P>::apply_drawn,
        Cluster::<P>::peek_effect,
        Cluster::<P>::take_effect,
        Cluster::<P>::tell_again,
        Cluster::<P>::identity,
        Cluster::<P>::check_invariants,
        queue::<P>,
        running::<P>,
        export::<P>,
        export_at::<P>,
        load::<P>,
        restore::<P>,
    ];
    crate::coordinate::coordinator::<Cluster<'static, P>>();
}

fn host_part() {
    crate::keep![
        HostPart::new,
        HostPart::running,
        HostPart::now,
        HostPart::wake_at,
        HostPart::apply,
        HostPart::peek_effect,
        HostPart::take_effect,
        HostPart::tell_again,
        HostPart::identity,
        HostPart::check_invariants,
        Bench::seats,
    ];
    crate::coordinate::coordinator::<HostPart>();
}

fn queue<P: Placement>(cluster: &Cluster<'_, P>) -> usize {
    cluster.queue().count()
}

fn running<P: Placement>(cluster: &Cluster<'_, P>) -> usize {
    cluster.running().count()
}

fn export<P: Placement>(cluster: &Cluster<'_, P>, put: &mut dyn FnMut(u32)) {
    cluster.export(put);
}

fn export_at<P: Placement>(cluster: &Cluster<'_, P>, place: Place, put: &mut dyn FnMut(u32)) {
    cluster.export_at(place, put);
}

fn load<P: Placement>(
    cluster: &mut Cluster<'_, P>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<Place, BadImage> {
    cluster.load(words)
}

fn restore<P: Placement>(
    cluster: &mut Cluster<'_, P>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<(), BadImage> {
    cluster.restore(words)
}
