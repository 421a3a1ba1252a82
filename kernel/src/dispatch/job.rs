//! Jobs as queues see them.

use crate::display::Count;
use crate::handle::Handle;
use crate::time::Duration;

crate::data::data! {
    /// A rigid job: it needs so many PEs at once, for no longer than was requested.
    ///
    /// ```
    /// use locox::dispatch::Job;
    /// use locox::time::Duration;
    /// let job = Job::new(7, 64).within(Duration::from_ticks(3600));
    /// assert_eq!((job.id, job.pes, job.requested.ticks(), job.key), (7, 64, 3600, 0));
    /// ```
    pub struct Job {
        /// The caller's number for it; no queue looks at it.
        pub id: u32,
        /// How many PEs, at least one. Queues that know no times only tell sizes apart by it; for a
        /// job that needs a subcube it is best all PEs of that.
        pub pes: u32,
        /// How long it may run, at least one tick; queues that know no times do not look at it. It
        /// may end earlier. If it runs longer, it is taken to end any moment, or under
        /// [`Conservative`](super::Conservative) backfilling, where that delays a promise, to run for as long again as it
        /// has run.
        pub requested: Duration,
        /// Where it stands in line: jobs of smaller keys before it, those of the same key in the order
        /// of arrival. A queue gives a job with an interval of its own the start of that as key.
        pub key: u64,
    }

    /// Names a job of one queue, from its arrival to its end.
    pub struct Ticket(pub(super) Handle);

    /// What a job of a queue does.
    pub enum Standing {
        /// It waits in line.
        Waits,
        /// It waits in line, and is [held](super::Queue::hold).
        Held,
        /// It waits for an interval of its own, that of [`Backfill::reserve`](super::Backfill::reserve).
        Reserved,
        /// It runs.
        Runs,
    }

    /// Jobs of about one size: class k holds those of more than 2^(k-1) and at most 2^k PEs.
    ///
    /// ```
    /// use locox::dispatch::SizeClass;
    /// assert_eq!([1, 2, 3, 4, 5].map(|pes| SizeClass::of(pes).get()), [0, 1, 2, 2, 3]);
    /// assert_eq!(SizeClass::of(u32::MAX), SizeClass::LARGEST);
    /// ```
    #[derive(PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", serde(try_from = "u8"))]
    pub struct SizeClass(u8);
}

crate::data::read_as! {
    SizeClass: u8, |it| (it <= Self::LARGEST.0).then_some(Self(it)), "a class of sizes is below 32";
}

impl Job {
    /// A job that says nothing of how long it runs.
    pub const fn new(id: u32, pes: u32) -> Self {
        Self { id, pes, requested: Duration::MAX, key: 0 }
    }

    /// The job, with how long it may run.
    pub const fn within(self, requested: Duration) -> Self {
        Self { requested, ..self }
    }

    /// The job, with a key other than zero.
    pub const fn keyed(self, key: u64) -> Self {
        Self { key, ..self }
    }
}

crate::display::display! { Job: it => "job {} ({})" (it.id, Count(it.pes, "PE")) }

crate::display::named! { Ticket: "ticket " }

impl Ticket {
    /// The ticket by its handle.
    pub const fn from_handle(handle: Handle) -> Self {
        Self(handle)
    }

    /// The handle that the job's row is checked against.
    pub const fn handle(self) -> Handle {
        self.0
    }
}

impl SizeClass {
    /// How many there are.
    pub const COUNT: usize = 32;
    /// One PE.
    pub const SMALLEST: Self = Self(0);
    /// More than 2^30 PEs, also more than 2^31.
    pub const LARGEST: Self = Self(31);

    /// The class of a job of so many PEs.
    pub const fn of(pes: u32) -> Self {
        let below = pes.saturating_sub(1).leading_zeros();
        let k = u32::BITS.wrapping_sub(below) as u8;
        if k < Self::LARGEST.0 { Self(k) } else { Self::LARGEST }
    }

    /// Its number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The next larger one; the smallest after the largest.
    pub const fn up(self) -> Self {
        Self(self.0.wrapping_add(1) & Self::LARGEST.0)
    }

    /// The next smaller one; the largest after the smallest.
    pub const fn down(self) -> Self {
        Self(self.0.wrapping_sub(1) & Self::LARGEST.0)
    }

    /// All of them, the smallest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::LARGEST.0).map(Self)
    }
}

crate::lemma::lemmas! {
    /// Class k is of more than 2^(k-1) PEs and at most 2^k.
    a_size_class_is_an_octave(pes: u32) if pes > 0 && pes <= 1 << 31 =>
        (SizeClass::of(pes).get() == 0 || pes > 1u32 << (SizeClass::of(pes).get() - 1))
            && pes <= 1u32 << SizeClass::of(pes).get();
}
