//! A site: machines, and clusters of them.

/// Machines that run one job together.
///
/// ```
/// use locox::mapping::Cluster;
/// let pair = Cluster::of(&[0, 3]);
/// assert_eq!((pair.members, pair.least), (&[0, 3][..], 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'s> {
    /// Numbers of machines, each once. A machine may belong to several clusters.
    pub members: &'s [u32],
    /// So many members must be present, or the cluster takes no job (its policy).
    pub least: usize,
    /// The number of the interconnect that serves it; `None`: one that is always up.
    pub interconnect: Option<u32>,
}

impl<'s> Cluster<'s> {
    /// A cluster that wants all its members.
    pub const fn of(members: &'s [u32]) -> Self {
        Self { members, least: members.len(), interconnect: None }
    }
}

/// What jobs are mapped to. Resources are numbered: first the machines, then the clusters.
///
/// ```
/// use locox::mapping::{Cluster, Site};
/// let clusters = [Cluster::of(&[0, 1])];
/// let site = Site::new(3, &clusters).unwrap();
/// assert_eq!(site.resources(), 4);
/// assert_eq!(site.cluster(3).unwrap().members, [0, 1]);
/// assert!(site.cluster(2).is_none()); // a machine
/// // There is no machine 3.
/// assert!(Site::new(3, &[Cluster::of(&[2, 3])]).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Site<'s> {
    machines: usize,
    clusters: &'s [Cluster<'s>],
}

crate::display::errors! {
    /// What is wrong with a site.
    pub enum BadSite {
        /// There is no machine.
        NoMachines => "a site needs a machine",
        /// This cluster has no members, or wants more than it has, or none at all.
        Members(at: usize) => "cluster {at} needs 1 to as many members as it has",
        /// This cluster names a machine that the site does not have.
        UnknownMachine(at: usize, machine: u32)
            => "cluster {at} names machine {machine}, which the site does not have",
        /// This cluster names this machine twice.
        Twice(at: usize, machine: u32) => "cluster {at} names machine {machine} twice",
    }
}

impl<'s> Site<'s> {
    /// A site of so many machines and these clusters.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong. Costs the square of the largest cluster.
    pub fn new(machines: usize, clusters: &'s [Cluster<'s>]) -> Result<Self, BadSite> {
        if machines == 0 {
            return Err(BadSite::NoMachines);
        }
        for (at, cluster) in clusters.iter().enumerate() {
            check(machines, at, cluster)?;
        }
        Ok(Self { machines, clusters })
    }

    /// Machines, without clusters.
    pub fn machines(&self) -> usize {
        self.machines
    }

    /// Machines and clusters.
    pub fn resources(&self) -> usize {
        self.machines.saturating_add(self.clusters.len())
    }

    /// The cluster that is this resource; `None` if it is a machine, or nothing.
    pub fn cluster(&self, resource: usize) -> Option<&'s Cluster<'s>> {
        self.clusters.get(resource.checked_sub(self.machines)?)
    }

    /// The machines of a resource.
    pub fn members(&self, resource: usize) -> impl Iterator<Item = u32> + use<'s> {
        let cluster = self.cluster(resource);
        let machine = cluster.is_none().then_some(resource as u32);
        machine.into_iter().chain(cluster.into_iter().flat_map(|it| it.members.iter().copied()))
    }

    /// Each cluster with its number as a resource.
    pub fn clusters(&self) -> impl Iterator<Item = (usize, &'s Cluster<'s>)> {
        (self.machines..).zip(self.clusters)
    }
}

fn check(machines: usize, at: usize, cluster: &Cluster) -> Result<(), BadSite> {
    if cluster.least == 0 || cluster.least > cluster.members.len() {
        return Err(BadSite::Members(at));
    }
    let mut before = cluster.members.iter();
    while let Some(&machine) = before.next_back() {
        if machine as usize >= machines {
            return Err(BadSite::UnknownMachine(at, machine));
        }
        if before.as_slice().contains(&machine) {
            return Err(BadSite::Twice(at, machine));
        }
    }
    Ok(())
}
