//! What past runs took, and what a run to come may take.

use super::Misuse;
use crate::image::{BadImage, Stored};
use crate::time::Duration;
use core::ops::Range;
use fixed::types::{I48F16, I112F16, U48F16, U112F16};

/// Runs of a job class on a resource, on a class of resources, or anywhere. 32 bytes; zeros: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Runs {
    // Bits of the crate's numbers, as those print themselves by functions that can panic.
    /// The mean square deviation in ticks squared, a `U112F16`.
    variance: u128,
    /// In ticks, within 2^-16 of the exact one for each run.
    mean: u64,
    count: u32,
}

const LONGEST: Duration = Duration::from_ticks((1 << 47) - 1);

impl Runs {
    /// What to fill storage with.
    pub const EMPTY: Self = Self { variance: 0, mean: 0, count: 0 };

    /// Means, and moments about them, of all runs as long as there are at most `memory`; from then
    /// on each new run counts as much as 1 in `memory`, and what is older ever less.
    fn add(&mut self, took: Duration, memory: u32) {
        self.count = self.count.saturating_add(1);
        let weight = self.count.min(memory).max(1);
        let mean = I48F16::saturating_from_num(U48F16::from_bits(self.mean));
        let took = I48F16::saturating_from_num(took.ticks());
        let off = took.saturating_sub(mean);
        let nearer = mean.saturating_add(off.checked_div_int(weight.into()).unwrap_or_default());
        let square = I112F16::wrapping_from_num(off.wide_mul(took.saturating_sub(nearer)));
        let before = I112F16::saturating_from_num(U112F16::from_bits(self.variance));
        let more = square.saturating_sub(before).checked_div_int(weight.into());
        self.mean = U48F16::saturating_from_num(nearer).to_bits();
        let variance = before.saturating_add(more.unwrap_or_default());
        self.variance = U112F16::saturating_from_num(variance).to_bits();
    }
}

/// What runs of job classes took, in the caller's storage: [`runs`] entries, zeros at first.
///
/// Collins and George 2001, section 3: mean and variance for each job class and resource. Beyond
/// it: what was long ago is forgotten, and where nothing is known of a resource, that of its class
/// counts, then that of all.
///
/// ```
/// use locox::mapping::{Basis, Experience, Runs, runs};
/// use locox::time::Duration;
///
/// // Three resources: two alike, and another.
/// let mut experience = Experience::new(&[0, 0, 1], 2, [Runs::EMPTY; runs(3, 2, 1)], 100).unwrap();
/// assert_eq!(experience.expected(0, 0).unwrap(), None);
/// for took in [8, 10, 12] {
///     experience.ran(0, 0, Duration::from_ticks(took)).unwrap();
/// }
/// let alike = experience.expected(0, 1).unwrap().unwrap();
/// assert_eq!((alike.mean.ticks(), alike.deviation.ticks()), (10, 1));
/// assert_eq!((alike.basis, alike.runs), (Basis::Class, 3));
/// let other = experience.expected(0, 2).unwrap().unwrap();
/// assert_eq!(other.basis, Basis::Anywhere);
/// ```
///
/// # Invariants
///
/// - A row for each job class: its runs on each resource, on each class of resources, and all.
/// - The count of a class is the sum of those of its resources, and that of all of the classes',
///   until they saturate.
#[derive(Debug)]
pub struct Experience<'e, S> {
    class_of: &'e [u16],
    classes: usize,
    memory: u32,
    storage: S,
}

crate::data::data! {
    /// What a run may take.
    pub struct Expectation {
        /// Rounded to the nearest tick.
        pub mean: Duration,
        /// The standard deviation of single runs, rounded down.
        pub deviation: Duration,
        /// How many runs it rests on.
        pub runs: u32,
        /// Whose runs they are.
        pub basis: Basis,
    }

    /// On which resources the runs were that an expectation rests on.
    pub enum Basis {
        /// On the very resource.
        Resource,
        /// On resources of its class.
        Class,
        /// On any.
        Anywhere,
    }
}

impl Expectation {
    /// The mean, and so many `sixteenths` of the standard deviation more; saturates. 0: the mean.
    ///
    /// In a table of times it makes any mapper wary of resources whose times vary: a layer over all of
    /// them rather than a mapper of its own. Collins and George 2001 keep the variance, and leave "the
    /// effect of modeling job execution time as a statistical distribution" to future work (section 6).
    ///
    /// ```
    /// use locox::mapping::{Basis, Expectation};
    /// use locox::time::Duration;
    /// let [mean, deviation] = [100, 20].map(Duration::from_ticks);
    /// let expected = Expectation { mean, deviation, runs: 9, basis: Basis::Resource };
    /// assert_eq!(expected.at_risk(0), mean);
    /// assert_eq!(expected.at_risk(24).ticks(), 130); // one deviation and a half
    /// ```
    pub fn at_risk(&self, sixteenths: u16) -> Duration {
        let more = u128::from(self.deviation.ticks()).saturating_mul(sixteenths.into()) >> 4;
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        Duration::from_ticks(self.mean.ticks().saturating_add(more))
    }
}

/// The length of storage for so many resources in so many classes, and so many job classes.
pub const fn runs(resources: usize, classes: usize, job_classes: usize) -> usize {
    resources.saturating_add(classes).saturating_add(1).saturating_mul(job_classes)
}

impl<'e, S: AsRef<[Runs]>> Experience<'e, S> {
    /// Times from here on are taken for this long: at 1 GHz, 39 hours.
    pub const LONGEST: Duration = LONGEST;

    /// Experience of resources, each of one of so many `classes`; after `memory` runs it forgets.
    /// What is in `storage` stays: zeros, or what was learnt before.
    ///
    /// # Errors
    ///
    /// [`Misuse::Columns`] if a resource is of a class that there is not, [`Misuse::Storage`] if
    /// storage is no whole rows.
    pub fn new(
        class_of: &'e [u16],
        classes: usize,
        storage: S,
        memory: u32,
    ) -> Result<Self, Misuse> {
        if class_of.iter().any(|&class| usize::from(class) >= classes) {
            return Err(Misuse::Columns);
        }
        let over = storage.as_ref().len().checked_rem(runs(class_of.len(), classes, 1));
        if over != Some(0) {
            return Err(Misuse::Storage);
        }
        Ok(Self { class_of, classes, memory, storage })
    }

    /// How many job classes there is room for.
    pub fn job_classes(&self) -> usize {
        self.storage.as_ref().len().checked_div(self.columns()).unwrap_or(0)
    }

    /// What a job of this class may take on this resource; `None` if nothing is known of it
    /// anywhere. Three looks.
    ///
    /// # Errors
    ///
    /// [`Misuse::Unknown`] if there is no such class or resource.
    pub fn expected(
        &self,
        job_class: usize,
        resource: usize,
    ) -> Result<Option<Expectation>, Misuse> {
        let (row, columns) = self.cells(job_class, resource).ok_or(Misuse::Unknown)?;
        let row = self.storage.as_ref().get(row).ok_or(Misuse::Unknown)?;
        let bases = columns.into_iter().zip([Basis::Resource, Basis::Class, Basis::Anywhere]);
        let known = bases.filter_map(|(column, basis)| Some((row.get(column)?, basis)));
        Ok(known.into_iter().find(|(runs, _)| runs.count > 0).map(|(runs, basis)| Expectation {
            mean: Duration::from_ticks(
                U48F16::from_bits(runs.mean).saturating_round().wrapping_to_num(),
            ),
            deviation: Duration::from_ticks(
                U112F16::from_bits(runs.variance).wrapping_to_num::<u128>().isqrt() as u64,
            ),
            runs: runs.count,
            basis,
        }))
    }

    fn columns(&self) -> usize {
        runs(self.class_of.len(), self.classes, 1)
    }

    /// Where a job class stands in the storage, and in this row what counts for the resource, its
    /// class and anywhere.
    fn cells(&self, job_class: usize, resource: usize) -> Option<(Range<usize>, [usize; 3])> {
        let from = job_class.checked_mul(self.columns())?;
        let class = usize::from(*self.class_of.get(resource)?);
        let resources = self.class_of.len();
        let all = resources.checked_add(self.classes)?;
        let row = from..from.checked_add(self.columns())?;
        Some((row, [resource, resources.checked_add(class)?, all]))
    }
}

impl<S: AsRef<[Runs]> + AsMut<[Runs]>> Experience<'_, S> {
    /// A job of this class `took` so long on this resource. Three entries change.
    ///
    /// # Errors
    ///
    /// [`Misuse::Unknown`] if there is no such class or resource.
    pub fn ran(&mut self, job_class: usize, resource: usize, took: Duration) -> Result<(), Misuse> {
        let (row, columns) = self.cells(job_class, resource).ok_or(Misuse::Unknown)?;
        let (took, memory) = (took.min(LONGEST), self.memory);
        let row = self.storage.as_mut().get_mut(row).ok_or(Misuse::Unknown)?;
        for column in columns {
            if let Some(runs) = row.get_mut(column) {
                runs.add(took, memory);
            }
        }
        Ok(())
    }
}

/// Eight words.
impl Stored for Runs {
    fn store(&self, put: &mut impl FnMut(u32)) {
        (self.variance as u64).store(put);
        ((self.variance >> 64) as u64).store(put);
        self.mean.store(put);
        u64::from(self.count).store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (low, high) = (u64::load(take)?, u64::load(take)?);
        let variance = u128::from(high) << 64 | u128::from(low);
        let (mean, count) = (u64::load(take)?, u64::load(take)? as u32);
        Ok(Self { variance, mean, count })
    }
}
