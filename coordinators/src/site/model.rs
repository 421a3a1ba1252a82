//! What is known of a site beforehand.

use super::Config;
use locox::ground::digest_of_all;
use locox::image::digest_of;
use locox::mapping::{Cluster, Site, Times};

/// What is known of a site beforehand.
#[derive(Clone, Copy, Debug)]
pub struct SiteModel<'s> {
    /// Machines and clusters.
    pub site: Site<'s>,
    /// A row for each class of jobs: what they take on each resource as far as no run says
    /// better, and on which they cannot run at all.
    pub times: Times<'s>,
    /// The class of each resource, whose runs tell of each other. Machines and clusters have
    /// classes of their own. May be empty where nothing is learnt.
    pub classes: &'s [u16],
}

impl SiteModel<'_> {
    /// How many classes of resources there are.
    pub(super) fn classes_of_resources(&self) -> usize {
        self.classes.iter().max().map_or(0, |&class| usize::from(class).saturating_add(1))
    }

    /// Each class of jobs with each resource.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (classes, resources) = (self.times.jobs(), self.site.resources());
        (0..classes).flat_map(move |class| (0..resources).map(move |resource| (class, resource)))
    }

    /// Tells a configuration, and what is known beforehand, from others.
    pub(super) fn digest(&self, config: &Config) -> u32 {
        let site = &self.site;
        let counts = [site.machines(), site.resources(), self.times.jobs(), self.classes.len()];
        let clusters = site.clusters().flat_map(|(_, it)| {
            let Cluster { members, least, interconnect } = *it;
            let link = interconnect.map_or(0, |link| u64::from(link).wrapping_add(1));
            let head = [members.len() as u64, least as u64, link];
            head.into_iter().chain(members.iter().map(|&at| u64::from(at)))
        });
        let times = self.cells().map(|(class, resource)| {
            self.times.on(class, resource).unwrap_or(Times::NEVER).ticks()
        });
        let config = u64::from(digest_of(&config.numbers()));
        digest_of_all(
            core::iter::once(config)
                .chain(counts.map(|count| count as u64))
                .chain(clusters)
                .chain(times)
                .chain(self.classes.iter().map(|&class| u64::from(class))),
        )
    }
}
