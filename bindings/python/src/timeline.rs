//! Advance reservations: timelines, which know which processors, and profiles, which know how many.

use super::argument::{self, optional};
use super::error::{self, of_handle, value};
use super::number::{list, words};
use super::pool::next_id;
use super::shared::Shared;
use locox::bits::{BitSet, Word, words_for};
use locox::reserve::{
    self, AlignedSubcube, Choice, Contiguous, Fit, Interval, Limits, Lowest, Misuse, Request,
    SetupError,
};
use locox::time::{Duration, Instant};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::hash::{DefaultHasher, Hash, Hasher};

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
    Fit::ALL.into_iter().find(|fit| fit.name() == name).ok_or_else(|| {
        let names = Fit::ALL.map(Fit::name).join(", ");
        value(format!("unknown policy {name:?}; the policies are {names}"))
    })
}

fn choice(name: &str) -> PyResult<&'static dyn Choice> {
    match name {
        "lowest" => Ok(&Lowest),
        "contiguous" => Ok(&Contiguous),
        "aligned-subcube" => Ok(&AlignedSubcube),
        _ => Err(value(format!(
            "unknown choice {name:?}; the choices are lowest, contiguous, aligned-subcube"
        ))),
    }
}

fn request(
    (now, ready): (Instant, Option<u64>),
    (pes, duration, deadline): (u32, u64, Option<u64>),
) -> Request {
    let ready = ready.map_or(now, at);
    let request = Request::new(ready, Duration::from_ticks(duration), pes);
    deadline.map_or(request, |deadline| request.by(at(deadline)))
}

fn reservation<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Reservation>> {
    argument::object("reservation", given)
}

fn misused(py: Python<'_>, why: &Misuse) -> PyErr {
    match why {
        Misuse::Handle(bad) => of_handle(py, "reservation", "timeline or profile", bad),
        other => error::misused(py, other),
    }
}

fn fault(py: Python<'_>, why: &reserve::Error) -> PyErr {
    match why {
        reserve::Error::Misused(bad) => misused(py, bad),
        refused => error::fault(py, refused),
    }
}

fn no_setup(error: &SetupError) -> PyErr {
    value(error.to_string())
}

/// A place in time that was reserved, as it was when it was last told of.
///
/// ``pes`` are the processing elements of a ``Timeline``, by number, and how many they are of a ``Profile``.
#[pyclass(frozen, module = "locox")]
#[derive(Clone)]
pub(crate) struct Reservation {
    id: reserve::ReservationId,
    at: Interval,
    count: u32,
    pes: Option<Vec<u32>>,
}

#[pymethods]
impl Reservation {
    #[getter]
    fn start(&self) -> u64 {
        self.at.start.ticks()
    }

    #[getter]
    fn end(&self) -> u64 {
        self.at.end.ticks()
    }

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
        let mut hasher = DefaultHasher::new();
        let handle = self.id.handle();
        (handle.index(), handle.generation().raw(), handle.pool().0).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let (start, end) = interval(self.at);
        format!("<locox.Reservation {start} to {end}, {} PEs>", self.count)
    }
}

macro_rules! calendar {
    ($(#[$doc:meta])* $Name:ident over $Kernel:ty; told: $told:path; $($of_its_own:tt)*) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "locox")]
        pub(crate) struct $Name {
            it: Shared<$Kernel>,
        }

        impl $Name {
            fn told(it: &$Kernel, id: reserve::ReservationId) -> Result<Reservation, Misuse> {
                let known = it.reservation(id)?;
                Ok(Reservation { id, at: known.at, count: known.pes, pes: $told(it, id) })
            }
        }

        #[pymethods]
        impl $Name {
            #[new]
            #[pyo3(signature = (pes, *, room=1000))]
            fn new(
                py: Python<'_>,
                #[pyo3(from_py_with = argument::planned_pes)] pes: u32,
                #[pyo3(from_py_with = argument::planned_room)] room: u32,
            ) -> PyResult<Self> {
                let limits = Limits { pes, reservations: room };
                let words = words(reserve::$Name::words(limits))?;
                let it = py.detach(|| reserve::$Name::new(next_id(), limits, words));
                let it = it.map_err(|bad| no_setup(&bad))?;
                Ok(Self { it: Shared::new(it) })
            }

            $($of_its_own)*

            /// Ends a reservation now; returns the interval that is given back, as ``(start, end)``.
            ///
            /// :raises Misused: ``stale`` if it has ended or was cancelled, ``foreign`` if it is another one's.
            fn cancel(&self, py: Python<'_>, #[pyo3(from_py_with = self::reservation)] reservation: Bound<'_, Reservation>) -> PyResult<Ends> {
                let given_back = self.it.get()?.cancel(reservation.get().id);
                given_back.map(interval).map_err(|bad| misused(py, &bad))
            }

            /// Gives a reservation another end; returns it as it is then.
            ///
            /// :raises Refused: ``busy``.
            fn set_end(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = self::reservation)] reservation: Bound<'_, Reservation>,
                #[pyo3(from_py_with = argument::end)] end: u64,
            ) -> PyResult<Reservation> {
                let (mut it, id) = (self.it.get()?, reservation.get().id);
                it.set_end(id, at(end)).map_err(|no| fault(py, &no))?;
                Self::told(&it, id).map_err(|bad| misused(py, &bad))
            }

            /// Moves a reservation to another start; returns it as it is then.
            ///
            /// :raises Refused: ``busy``.
            fn move_to(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = self::reservation)] reservation: Bound<'_, Reservation>,
                #[pyo3(from_py_with = argument::start)] start: u64,
            ) -> PyResult<Reservation> {
                let (mut it, id) = (self.it.get()?, reservation.get().id);
                it.move_to(id, at(start)).map_err(|no| fault(py, &no))?;
                Self::told(&it, id).map_err(|bad| misused(py, &bad))
            }

            /// Moves the present forward; what has ended by then is gone.
            fn advance(&self, py: Python<'_>, #[pyo3(from_py_with = argument::now)] now: u64) -> PyResult<()> {
                self.it.get()?.advance(at(now)).map_err(|bad| misused(py, &bad))
            }

            /// The present.
            #[getter]
            fn now(&self) -> PyResult<u64> {
                Ok(self.it.get()?.now().ticks())
            }

            /// Processing elements of the machine.
            #[getter]
            fn pes(&self) -> PyResult<u32> {
                Ok(self.it.get()?.limits().pes)
            }

            /// The slots from the present on, as two arrays: from when on, and how many are busy until the next.
            fn slots<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>)> {
                let it = self.it.get()?;
                let (times, busy): (Vec<u64>, Vec<u32>) =
                    it.slots().map(|slot| (slot.time.ticks(), slot.busy)).unzip();
                Ok((PyArray1::from_vec(py, times), PyArray1::from_vec(py, busy)))
            }

            /// How many are free at an instant.
            fn free_at(&self, py: Python<'_>, #[pyo3(from_py_with = argument::time)] time: u64) -> PyResult<u32> {
                self.it.get()?.free_at(at(time)).map_err(|bad| misused(py, &bad))
            }

            /// The fewest that are free at any time of an interval.
            fn fewest_free(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = argument::start)] start: u64,
                #[pyo3(from_py_with = argument::end)] end: u64,
            ) -> PyResult<u32> {
                let fewest = self.it.get()?.fewest_free(Interval { start: at(start), end: at(end) });
                fewest.map_err(|bad| misused(py, &bad))
            }

            /// Reservations that have not ended.
            fn __len__(&self) -> PyResult<usize> {
                Ok(self.it.get()?.reservations().count())
            }

            fn __bool__(&self) -> bool {
                true
            }

            /// The reservations that have not ended, by their starts.
            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
                let it = self.it.get()?;
                let ids = it.reservations().map(|known| Self::told(&it, known.id));
                let all: Result<Vec<_>, _> = ids.collect();
                let mut all = all.map_err(|bad| misused(py, &bad))?;
                drop(it);
                all.sort_by_key(|one| (one.at.start, one.id.index()));
                all.into_pyobject(py)?.try_iter()
            }

            /// The reservation as it is now; it may have been moved since.
            fn look_up(&self, py: Python<'_>, #[pyo3(from_py_with = self::reservation)] reservation: Bound<'_, Reservation>) -> PyResult<Reservation> {
                Self::told(&*self.it.get()?, reservation.get().id).map_err(|bad| misused(py, &bad))
            }

            fn __repr__(&self) -> PyResult<String> {
                let (name, it) = (stringify!($Name), self.it.get()?);
                let (pes, now) = (it.limits().pes, it.now().ticks());
                Ok(format!("<locox.{name}: {pes} PEs, {} reservations at {now}>", it.reservations().count()))
            }
        }
    };
}

fn pes_of(it: &reserve::Timeline<Vec<Word>>, id: reserve::ReservationId) -> Option<Vec<u32>> {
    it.pes_of(id).ok().map(|set| set.iter().collect())
}

fn no_pes(_: &reserve::Profile<Vec<Word>>, _: reserve::ReservationId) -> Option<Vec<u32>> {
    None
}

fn set_of(pes: u32, given: &Bound<'_, PyAny>) -> PyResult<BitSet<Vec<Word>>> {
    let py = given.py();
    let mut set = room(pes);
    for pe in list("pes", given)? {
        set.insert(pe).map_err(|_| misused(py, &Misuse::NoSuchPe))?;
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
    Timeline over reserve::Timeline<Vec<Word>>;
    told: pes_of;

    /// Reserves ``pes`` of them at once for ``duration``, not before ``ready`` (the present), done by
    /// ``deadline``.
    ///
    /// :param policy: which start: ``"FF"`` (the earliest), ``"PE_B"``, ``"PE_W"``, ``"Du_B"``, ``"Du_W"``,
    ///     ``"PEDu_B"``,
    ///     ``"PEDu_W"``.
    /// :param choice: which of those free: ``"lowest"``, ``"contiguous"`` or ``"aligned-subcube"``.
    /// :raises Refused: ``late``, ``too-large``, ``faulty``, ``full``.
    /// :raises Misused: ``overflow`` if it would end beyond the end of time, which is 2^64 - 1.
    #[pyo3(signature = (pes, duration, *, ready=None, deadline=None, policy="FF".into(), choice="lowest".into()), text_signature = "($self, pes, duration, *, ready=None, deadline=None, policy='FF', choice='lowest')")]
    fn reserve(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::pes)] pes: u32,
        #[pyo3(from_py_with = argument::duration)] duration: u64,
        #[pyo3(from_py_with = optional::ready)] ready: Option<u64>,
        #[pyo3(from_py_with = optional::deadline)] deadline: Option<u64>,
        #[pyo3(from_py_with = argument::policy)] policy: String,
        #[pyo3(from_py_with = argument::choice)] choice: String,
    ) -> PyResult<Reservation> {
        let (fit, choice) = (fit(&policy)?, self::choice(&choice)?);
        let mut it = self.it.get()?;
        let request = request((it.now(), ready), (pes, duration, deadline));
        let (id, _) = it.reserve(&request, &fit, choice).map_err(|no| fault(py, &no))?;
        Self::told(&it, id).map_err(|bad| misused(py, &bad))
    }

    /// Where ``reserve`` would put a request, as ``(start, end)``.
    #[pyo3(signature = (pes, duration, *, ready=None, deadline=None, policy="FF".into(), choice="lowest".into()), text_signature = "($self, pes, duration, *, ready=None, deadline=None, policy='FF', choice='lowest')")]
    fn find(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::pes)] pes: u32,
        #[pyo3(from_py_with = argument::duration)] duration: u64,
        #[pyo3(from_py_with = optional::ready)] ready: Option<u64>,
        #[pyo3(from_py_with = optional::deadline)] deadline: Option<u64>,
        #[pyo3(from_py_with = argument::policy)] policy: String,
        #[pyo3(from_py_with = argument::choice)] choice: String,
    ) -> PyResult<Ends> {
        let (fit, choice) = (fit(&policy)?, self::choice(&choice)?);
        let it = self.it.get()?;
        let request = request((it.now(), ready), (pes, duration, deadline));
        let mut set = room(it.limits().pes);
        let found = it.find(&request, &fit, choice, &mut set);
        found.map(interval).map_err(|no| fault(py, &no))
    }

    /// Reserves these very ``pes``, by number, for an interval.
    ///
    /// :raises Refused: ``busy``, ``full``.
    fn add(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::start)] start: u64,
        #[pyo3(from_py_with = argument::end)] end: u64,
        pes: &Bound<'_, PyAny>,
    ) -> PyResult<Reservation> {
        let mut it = self.it.get()?;
        let set = set_of(it.limits().pes, pes)?;
        let id = it.add(Interval { start: at(start), end: at(end) }, &set);
        let id = id.map_err(|no| fault(py, &no))?;
        Self::told(&it, id).map_err(|bad| misused(py, &bad))
    }

    /// Takes a processing element out of service; returns the reservations that hold it, which keep it.
    fn fail(&self, py: Python<'_>, #[pyo3(from_py_with = argument::pe)] pe: u32) -> PyResult<Vec<Reservation>> {
        let mut it = self.it.get()?;
        it.withdraw(pe).map_err(|bad| misused(py, &bad))?;
        let holders: Result<Vec<_>, _> = it.holders(pe).map(|id| Self::told(&it, id)).collect();
        holders.map_err(|bad| misused(py, &bad))
    }

    /// Takes it back into service.
    fn repair(&self, py: Python<'_>, #[pyo3(from_py_with = argument::pe)] pe: u32) -> PyResult<()> {
        self.it.get()?.repair(pe).map_err(|bad| misused(py, &bad))
    }

    /// Those busy at an instant, reserved or out of service, by number.
    fn busy_at(&self, py: Python<'_>, #[pyo3(from_py_with = argument::time)] time: u64) -> PyResult<Vec<u32>> {
        let it = self.it.get()?;
        let mut set = room(it.limits().pes);
        it.busy_pes(at(time), &mut set).map_err(|bad| misused(py, &bad))?;
        Ok(set.iter().collect())
    }
}

calendar! {
    /// How many processing elements of a machine are reserved from when to when: a ``Timeline`` where only
    /// their number matters.
    ///
    /// :param pes: processing elements of the machine.
    /// :param room: how many reservations there is room for.
    Profile over reserve::Profile<Vec<Word>>;
    told: no_pes;

    /// Reserves ``pes`` of them at once for ``duration``, not before ``ready`` (the present), done by
    /// ``deadline``.
    ///
    /// :param policy: which start, as of a ``Timeline``.
    /// :raises Refused: ``late``, ``too-large``, ``faulty``, ``full``.
    /// :raises Misused: ``overflow`` if it would end beyond the end of time, which is 2^64 - 1.
    #[pyo3(signature = (pes, duration, *, ready=None, deadline=None, policy="FF".into()), text_signature = "($self, pes, duration, *, ready=None, deadline=None, policy='FF')")]
    fn reserve(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::pes)] pes: u32,
        #[pyo3(from_py_with = argument::duration)] duration: u64,
        #[pyo3(from_py_with = optional::ready)] ready: Option<u64>,
        #[pyo3(from_py_with = optional::deadline)] deadline: Option<u64>,
        #[pyo3(from_py_with = argument::policy)] policy: String,
    ) -> PyResult<Reservation> {
        let fit = fit(&policy)?;
        let mut it = self.it.get()?;
        let request = request((it.now(), ready), (pes, duration, deadline));
        let (id, _) = it.reserve(&request, &fit).map_err(|no| fault(py, &no))?;
        Self::told(&it, id).map_err(|bad| misused(py, &bad))
    }

    /// Where ``reserve`` would put a request, as ``(start, end)``.
    #[pyo3(signature = (pes, duration, *, ready=None, deadline=None, policy="FF".into()), text_signature = "($self, pes, duration, *, ready=None, deadline=None, policy='FF')")]
    fn find(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::pes)] pes: u32,
        #[pyo3(from_py_with = argument::duration)] duration: u64,
        #[pyo3(from_py_with = optional::ready)] ready: Option<u64>,
        #[pyo3(from_py_with = optional::deadline)] deadline: Option<u64>,
        #[pyo3(from_py_with = argument::policy)] policy: String,
    ) -> PyResult<Ends> {
        let fit = fit(&policy)?;
        let it = self.it.get()?;
        let request = request((it.now(), ready), (pes, duration, deadline));
        it.find(&request, &fit).map(interval).map_err(|no| fault(py, &no))
    }

    /// Reserves ``pes`` of them for an interval.
    ///
    /// :raises Refused: ``busy``, ``full``, ``too-large``.
    fn add(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::start)] start: u64,
        #[pyo3(from_py_with = argument::end)] end: u64,
        #[pyo3(from_py_with = argument::pes)] pes: u32,
    ) -> PyResult<Reservation> {
        let mut it = self.it.get()?;
        let id = it.add(Interval { start: at(start), end: at(end) }, pes);
        let id = id.map_err(|no| fault(py, &no))?;
        Self::told(&it, id).map_err(|bad| misused(py, &bad))
    }

    /// Moves a reservation to the earliest start from now on, if that is earlier; returns it as it is then.
    fn bring_forward(&self, py: Python<'_>, #[pyo3(from_py_with = self::reservation)] reservation: Bound<'_, Reservation>) -> PyResult<Reservation> {
        let (mut it, id) = (self.it.get()?, reservation.get().id);
        it.bring_forward(id).map_err(|bad| misused(py, &bad))?;
        Self::told(&it, id).map_err(|bad| misused(py, &bad))
    }

    /// Makes ``pes`` the number of them out of service.
    fn set_out_of_service(&self, py: Python<'_>, #[pyo3(from_py_with = argument::pes)] pes: u32) -> PyResult<()> {
        self.it.get()?.set_out_of_service(pes).map_err(|bad| misused(py, &bad))
    }
}
