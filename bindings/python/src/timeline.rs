//! Advance reservations: timelines, which know which processors, and profiles, which know how many.

use super::argument::{
    self, Deadline, End, Given, Lasts, Now, Pe, Pes, PlannedPes, Ready, Start, Time,
};
use super::error::{Result, one_of, value};
use super::number::{list, words};
use super::pool::next_id;
use super::shared::{Shared, hash};
use locox::bits::{BitSet, Word, words_for};
use locox::reserve::{
    self, AlignedSubcube, Choice, Contiguous, Fit, Interval, Limits, Lowest, Misuse, Request,
};
use locox::time::{Duration, Instant};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

pub(crate) fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// An interval, as ``(start, end)``.
pub(crate) type Ends = (u64, u64);

pub(crate) fn interval(it: Interval) -> Ends {
    (it.start.ticks(), it.end.ticks())
}

/// A policy by the name that its paper gives it.
fn fit(name: &str) -> PyResult<Fit> {
    one_of(("policy", "policies"), name, Fit::ALL, Fit::name)
}

fn choice(name: &str) -> PyResult<&'static dyn Choice> {
    let all: [(_, &dyn Choice); 3] =
        [("lowest", &Lowest), ("contiguous", &Contiguous), ("aligned-subcube", &AlignedSubcube)];
    Ok(one_of(("choice", "choices"), name, all, |(name, _)| name)?.1)
}

fn request(
    (pes, duration): (Pes, Lasts),
    (ready, deadline): (Option<Ready>, Option<Deadline>),
) -> impl Fn(Instant) -> Request {
    move |now| {
        let ready = ready.as_ref().map_or(now, |ready| at(ready.0));
        let request = Request::new(ready, Duration::from_ticks(duration.0), pes.0);
        deadline.as_ref().map_or(request, |deadline| request.by(at(deadline.0)))
    }
}

/// A place in time that was reserved, as it was when it was last told of.
///
/// ``pes`` are the processing elements of a ``Timeline``, by number, and how many they are of a ``Profile``.
#[pyclass(frozen, module = "locox")]
#[derive(Clone)]
pub(crate) struct Reservation {
    id: reserve::ReservationId,
    #[pyo3(get)]
    start: u64,
    #[pyo3(get)]
    end: u64,
    count: u32,
    pes: Option<Vec<u32>>,
}

#[pymethods]
impl Reservation {
    #[getter]
    fn pes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.pes {
            Some(pes) => pes.into_pyobject(py),
            None => Ok(self.count.into_pyobject(py)?.into_any()),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id == other.id
    }

    fn __hash__(&self) -> u64 {
        hash(self.id.handle())
    }

    fn __repr__(&self) -> String {
        let Self { start, end, count, .. } = self;
        format!("<locox.Reservation {start} to {end}, {count} PEs>")
    }
}

macro_rules! calendar {
    (
        $(#[$doc:meta])* $Name:ident over $Kernel:ty,
        pes: |$known:ident, $id:ident| $pes:expr,
        asked: $(#[$signature:meta])* { $($asked:tt)* } => $request:expr, $how:expr,
        reserve: $(#[$of_reserve:meta])* |$it:ident, $made:ident, $by:pat_param| $reserve:expr,
        find: $find:expr,
        $($of_its_own:tt)*
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "locox")]
        pub(crate) struct $Name {
            it: Shared<$Kernel>,
        }

        impl $Name {
            fn told($known: &$Kernel, $id: reserve::ReservationId) -> Result<Reservation> {
                let reserved = $known.reservation($id)?;
                let (start, end) = interval(reserved.at);
                Ok(Reservation { id: $id, start, end, count: reserved.pes, pes: $pes })
            }
        }

        #[pymethods]
        impl $Name {
            #[new]
            #[pyo3(signature = (pes, *, room=1000))]
            fn new(py: Python<'_>, pes: PlannedPes, #[pyo3(from_py_with = argument::planned_room)] room: u32) -> Result<Self> {
                let limits = Limits { pes: pes.0, reservations: room };
                let words = words(reserve::$Name::words(limits))?;
                let it = py.detach(|| reserve::$Name::new(next_id(), limits, words));
                let it = it.map_err(|bad| value!("{bad}"))?;
                Ok(Self { it: Shared::new(it) })
            }

            $(#[$of_reserve])*
            $(#[$signature])*
            fn reserve(&self, $($asked)*) -> Result<Reservation> {
                let $by = $how;
                let mut $it = self.it.get()?;
                let $made = $request($it.now());
                let (id, _) = $reserve?;
                Self::told(&$it, id)
            }

            /// Where ``reserve`` would put a request, as ``(start, end)``.
            $(#[$signature])*
            fn find(&self, $($asked)*) -> Result<Ends> {
                let $by = $how;
                let $it = self.it.get()?;
                let $made = $request($it.now());
                Ok(interval($find?))
            }

            $($of_its_own)*

            /// Ends a reservation now; returns the interval that is given back, as ``(start, end)``.
            ///
            /// :raises Misused: ``stale`` if it has ended or was cancelled, ``foreign`` if it is another one's.
            fn cancel(&self, reservation: Given<'_, Reservation>) -> Result<Ends> {
                Ok(interval(self.it.get()?.cancel(reservation.0.get().id)?))
            }

            /// Gives a reservation another end; returns it as it is then.
            ///
            /// :raises Refused: ``busy``.
            fn set_end(&self, reservation: Given<'_, Reservation>, end: End) -> Result<Reservation> {
                let (mut it, id) = (self.it.get()?, reservation.0.get().id);
                it.set_end(id, at(end.0))?;
                Self::told(&it, id)
            }

            /// Moves a reservation to another start; returns it as it is then.
            ///
            /// :raises Refused: ``busy``.
            fn move_to(&self, reservation: Given<'_, Reservation>, start: Start) -> Result<Reservation> {
                let (mut it, id) = (self.it.get()?, reservation.0.get().id);
                it.move_to(id, at(start.0))?;
                Self::told(&it, id)
            }

            /// Moves the present forward; what has ended by then is gone.
            fn advance(&self, now: Now) -> Result<()> {
                Ok(self.it.get()?.advance(at(now.0))?)
            }

            /// The present.
            #[getter]
            fn now(&self) -> Result<u64> {
                Ok(self.it.get()?.now().ticks())
            }

            /// Processing elements of the machine.
            #[getter]
            fn pes(&self) -> Result<u32> {
                Ok(self.it.get()?.limits().pes)
            }

            /// The slots from the present on, as two arrays: from when on, and how many are busy until the next.
            fn slots<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>)> {
                let it = self.it.get()?;
                let (times, busy): (Vec<u64>, Vec<u32>) =
                    it.slots().map(|slot| (slot.time.ticks(), slot.busy)).unzip();
                Ok((PyArray1::from_vec(py, times), PyArray1::from_vec(py, busy)))
            }

            /// How many are free at an instant.
            fn free_at(&self, time: Time) -> Result<u32> {
                Ok(self.it.get()?.free_at(at(time.0))?)
            }

            /// The fewest that are free at any time of an interval.
            fn fewest_free(&self, start: Start, end: End) -> Result<u32> {
                Ok(self.it.get()?.fewest_free(Interval { start: at(start.0), end: at(end.0) })?)
            }

            /// Reservations that have not ended.
            fn __len__(&self) -> Result<usize> {
                Ok(self.it.get()?.reservations().count())
            }

            fn __bool__(&self) -> bool {
                true
            }

            /// The reservations that have not ended, by their starts.
            fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>> {
                let it = self.it.get()?;
                let known = it.reservations().map(|known| Self::told(&it, known.id));
                let mut all = known.collect::<Result<Vec<_>>>()?;
                drop(it);
                all.sort_by_key(|one| (one.start, one.id.index()));
                Ok(all.into_pyobject(py)?.try_iter()?)
            }

            /// The reservation as it is now; it may have been moved since.
            fn look_up(&self, reservation: Given<'_, Reservation>) -> Result<Reservation> {
                Self::told(&*self.it.get()?, reservation.0.get().id)
            }

            fn __repr__(&self) -> Result<String> {
                let (name, it) = (stringify!($Name), self.it.get()?);
                let (pes, now) = (it.limits().pes, it.now().ticks());
                Ok(format!("<locox.{name}: {pes} PEs, {} reservations at {now}>", it.reservations().count()))
            }
        }
    };
}

fn set_of(pes: u32, given: &Bound<'_, PyAny>) -> Result<BitSet<Vec<Word>>> {
    let mut set = room(pes);
    for pe in list("pes", given)? {
        set.insert(pe).map_err(|_| Misuse::NoSuchPe)?;
    }
    Ok(set)
}

fn room(pes: u32) -> BitSet<Vec<Word>> {
    BitSet::empty(vec![0; words_for(pes as usize)], pes).expect("as many words as it needs")
}

calendar! {
    /// Which processing elements of a machine are reserved from when to when.
    ///
    /// >>> timeline = locox.Timeline(64)
    /// >>> timeline.reserve(48, 100, deadline=150)
    /// <locox.Reservation 0 to 100, 48 PEs>
    /// >>> timeline.reserve(48, 100, deadline=150)
    /// Traceback (most recent call last):
    /// locox.Refused: not before the deadline; the earliest finish is 200
    ///
    /// :param pes: processing elements of the machine.
    /// :param room: how many reservations there is room for.
    Timeline over reserve::Timeline<Vec<Word>>,
    pes: |it, id| it.pes_of(id).ok().map(|set| set.iter().collect()),
    asked:
        #[pyo3(signature = (pes, duration, *, ready=None, deadline=None, policy="FF".into(), choice="lowest".into()), text_signature = "($self, pes, duration, *, ready=None, deadline=None, policy='FF', choice='lowest')")]
        {
            pes: Pes, duration: Lasts, ready: Option<Ready>, deadline: Option<Deadline>,
            #[pyo3(from_py_with = argument::policy)] policy: String,
            #[pyo3(from_py_with = argument::choice)] choice: String,
        } => request((pes, duration), (ready, deadline)), (fit(&policy)?, self::choice(&choice)?),
    reserve:
        /// Reserves ``pes`` of them at once for ``duration``, not before ``ready`` (the present), done by
        /// ``deadline``.
        ///
        /// :param policy: which start: ``"FF"`` (the earliest), ``"PE_B"``, ``"PE_W"``, ``"Du_B"``, ``"Du_W"``,
        ///     ``"PEDu_B"``,
        ///     ``"PEDu_W"``.
        /// :param choice: which of those free: ``"lowest"``, ``"contiguous"`` or ``"aligned-subcube"``.
        /// :raises Refused: ``late``, ``too-large``, ``faulty``, ``full``.
        /// :raises Misused: ``overflow`` if it would end beyond the end of time, which is 2^64 - 1.
        |it, request, (fit, choice)| it.reserve(&request, &fit, choice),
    find: it.find(&request, &fit, choice, &mut room(it.limits().pes)),

    /// Reserves these very ``pes``, by number, for an interval.
    ///
    /// :raises Refused: ``busy``, ``full``.
    fn add(&self, start: Start, end: End, pes: &Bound<'_, PyAny>) -> Result<Reservation> {
        let mut it = self.it.get()?;
        let set = set_of(it.limits().pes, pes)?;
        let id = it.add(Interval { start: at(start.0), end: at(end.0) }, &set)?;
        Self::told(&it, id)
    }

    /// Takes a processing element out of service; returns the reservations that hold it, which keep it.
    fn fail(&self, pe: Pe) -> Result<Vec<Reservation>> {
        let mut it = self.it.get()?;
        it.withdraw(pe.0)?;
        it.holders(pe.0).map(|id| Self::told(&it, id)).collect()
    }

    /// Takes it back into service.
    fn repair(&self, pe: Pe) -> Result<()> {
        Ok(self.it.get()?.repair(pe.0)?)
    }

    /// Those busy at an instant, reserved or out of service, by number.
    fn busy_at(&self, time: Time) -> Result<Vec<u32>> {
        let it = self.it.get()?;
        let mut set = room(it.limits().pes);
        it.busy_pes(at(time.0), &mut set)?;
        Ok(set.iter().collect())
    }
}

calendar! {
    /// How many processing elements of a machine are reserved from when to when: a ``Timeline`` where only
    /// their number matters.
    ///
    /// :param pes: processing elements of the machine.
    /// :param room: how many reservations there is room for.
    Profile over reserve::Profile<Vec<Word>>,
    pes: |it, id| None,
    asked:
        #[pyo3(signature = (pes, duration, *, ready=None, deadline=None, policy="FF".into()), text_signature = "($self, pes, duration, *, ready=None, deadline=None, policy='FF')")]
        {
            pes: Pes, duration: Lasts, ready: Option<Ready>, deadline: Option<Deadline>,
            #[pyo3(from_py_with = argument::policy)] policy: String,
        } => request((pes, duration), (ready, deadline)), fit(&policy)?,
    reserve:
        /// Reserves ``pes`` of them at once for ``duration``, not before ``ready`` (the present), done by
        /// ``deadline``.
        ///
        /// :param policy: which start, as of a ``Timeline``.
        /// :raises Refused: ``late``, ``too-large``, ``faulty``, ``full``.
        /// :raises Misused: ``overflow`` if it would end beyond the end of time, which is 2^64 - 1.
        |it, request, fit| it.reserve(&request, &fit),
    find: it.find(&request, &fit),

    /// Reserves ``pes`` of them for an interval.
    ///
    /// :raises Refused: ``busy``, ``full``, ``too-large``.
    fn add(&self, start: Start, end: End, pes: Pes) -> Result<Reservation> {
        let mut it = self.it.get()?;
        let id = it.add(Interval { start: at(start.0), end: at(end.0) }, pes.0)?;
        Self::told(&it, id)
    }

    /// Moves a reservation to the earliest start from now on, if that is earlier; returns it as it is then.
    fn bring_forward(&self, reservation: Given<'_, Reservation>) -> Result<Reservation> {
        let (mut it, id) = (self.it.get()?, reservation.0.get().id);
        it.bring_forward(id)?;
        Self::told(&it, id)
    }

    /// Makes ``pes`` the number of them out of service.
    fn set_out_of_service(&self, pes: Pes) -> Result<()> {
        Ok(self.it.get()?.set_out_of_service(pes.0)?)
    }
}
