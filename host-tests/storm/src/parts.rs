//! The parts of a world that something can be due for, and the services among them.

/// Something that looks at its clock when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// The power of a machine comes back.
    Power(usize),
    /// The owner of a machine leaves.
    Owner(usize),
    /// A disk that was full has room again.
    Room(Service),
    /// The power of a service is cut whose disk lied.
    Blackout(Service),
    /// A service starts again.
    Start(Service),
    Service(Service),
    /// A host of a network of workstations.
    Host(Pool, usize),
    /// A home of such a network has jobs to submit.
    Home(Pool, usize),
    /// A host that is shared in time.
    Shared(usize),
    /// Whoever submits jobs to these.
    SharedUsers,
    /// Whoever holds subcubes and reservations.
    Holders,
    /// A machine of the site.
    Site(usize),
    SiteUser(usize),
    /// The operator who reports a machine of the site.
    SiteOperator(usize),
    /// The operator who reports a machine to the bank.
    Operator(usize),
}

/// Something with a history of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Service {
    Stations,
    Agent,
    Bank,
    Site,
}

/// A network of workstations: with a coordinator of its own, or that of the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Pool {
    Own,
    Bank,
}
