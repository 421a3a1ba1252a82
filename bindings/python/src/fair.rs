//! Fair shares of processors: Up-Down by time.

use super::argument::{self, Cores, Free, Now, Station, Stations, Weight};
use super::error::{Result, value};
use super::shared::Shared;
use locox::fair::{
    Capacity, Contender, DecayParams, Decision as KernelDecision, Demand, Fairness, Misuse, Round,
    StationId, TimedRow, TimedUpDown,
};
use locox::time::{Duration, Instant};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Who gets a processor next, and who has to give one back: Up-Down by elapsed time.
///
/// Stations, numbered from 0, want processors and hold some. A station's index rises while it holds
/// processors, falls while it
/// wants one and holds none, and halves with a half-life; whose is lower is served first.
///
/// >>> fair = locox.FairShare(2, processors=3)
/// >>> fair.demand(0, wants=5)
/// >>> [decision.to for decision in fair.decide(now=0)]
/// [0, 0, 0]
/// >>> fair.demand(1, wants=1)
/// >>> fair.decide(now=600)
/// [<locox.Decision: 1 gets one of 0>]
///
/// :param processors: how many there are to be shared.
/// :param half_life: after this time half of an index is left.
/// :param quantum: for about this time a station keeps a processor that it took from one like itself.
#[pyclass(frozen, module = "locox")]
pub(crate) struct FairShare {
    it: Shared<State>,
    #[pyo3(get)]
    processors: u32,
}

struct State {
    ranking: TimedUpDown<Vec<TimedRow>>,
    demand: Vec<Demand>,
    now: u64,
}

/// A processor changes hands.
#[pyclass(frozen, get_all, eq, module = "locox")]
#[derive(PartialEq, Eq)]
pub(crate) struct Decision {
    /// The station that gets it.
    to: u32,
    /// The station that it is taken from; None if it was free.
    taken_from: Option<u32>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        match self.taken_from {
            None => format!("<locox.Decision: {} gets one>", self.to),
            Some(from) => format!("<locox.Decision: {} gets one of {from}>", self.to),
        }
    }
}

#[pymethods]
impl FairShare {
    #[new]
    #[pyo3(signature = (stations, processors, *, half_life=86_400, quantum=600))]
    fn new(
        stations: Stations,
        processors: Cores,
        #[pyo3(from_py_with = argument::half_life)] half_life: u64,
        #[pyo3(from_py_with = argument::quantum)] quantum: u64,
    ) -> Result<Self> {
        let (half_life, quantum) = (Duration::from_ticks(half_life), Duration::from_ticks(quantum));
        let rows = vec![TimedRow::EMPTY; stations.0 as usize];
        let ranking = TimedUpDown::new(rows, DecayParams { half_life, quantum })?;
        let demand = vec![Demand::NONE; stations.0 as usize];
        Ok(Self { it: Shared::new(State { ranking, demand, now: 0 }), processors: processors.0 })
    }

    /// From now on a station wants and holds so many; what is not given stays.
    #[pyo3(signature = (station, *, wants=None, holds=None))]
    fn demand(
        &self,
        station: Station,
        wants: Option<&Bound<'_, PyAny>>,
        holds: Option<&Bound<'_, PyAny>>,
    ) -> Result<()> {
        let wants = wants.map(argument::wants).transpose()?;
        let holds = holds.map(argument::holds).transpose()?;
        let State { ranking, demand, .. } = &mut *self.it.get()?;
        let station = station.0;
        let one = demand.get_mut(station.0 as usize).ok_or(Misuse::NoSuchStation(station))?;
        *one = Demand { wants: wants.unwrap_or(one.wants), holds: holds.unwrap_or(one.holds) };
        ranking.note(station, *one);
        Ok(())
    }

    /// Gives a station a share of ``weight`` times that of one of weight 1, if there are enough processors that each
    /// station that always wants more holds one all the time; with fewer, shares are nearer to equal.
    fn set_weight(&self, station: Station, weight: Weight) -> Result<()> {
        Ok(self.it.get()?.ranking.set_weight(station.0, weight.0)?)
    }

    /// It is ``now``; time does not go back.
    fn advance(&self, now: Now) -> Result<()> {
        self.it.get()?.advance(now.0)
    }

    /// A round: who gets a processor, in this order. From then on they hold it.
    ///
    /// :param free: how many are free; if not given, all that nobody holds.
    #[pyo3(signature = (now, *, free=None))]
    fn decide(&self, now: Now, free: Option<Free>) -> Result<Vec<Decision>> {
        let mut state = self.it.get()?;
        let held: u64 = state.demand.iter().map(|one| u64::from(one.holds)).sum();
        let nodes = self.processors;
        let unheld = u64::from(nodes).saturating_sub(held) as u32;
        let capacity = Capacity { nodes, free: free.map_or(unheld, |free| free.0) };
        let mut scratch = [Contender::EMPTY; 64];
        let State { ranking, demand, .. } = &mut *state;
        // Where no round can begin, the time is not told either.
        Round::new(ranking, demand, capacity, (), &mut scratch)?;
        state.advance(now.0)?;
        let State { ranking, demand, .. } = &mut *state;
        let mut round = Round::new(ranking, demand, capacity, (), &mut scratch)?;
        let mut decisions = vec![];
        while let Some(decision) = round.next(ranking, demand) {
            let (to, from) = match decision {
                KernelDecision::Grant { to, .. } => (to, None),
                KernelDecision::Preempt { from, to, .. } => (to, Some(from)),
            };
            pass(demand, to, from);
            decisions.push(Decision { to: to.0, taken_from: from.map(|from| from.0) });
        }
        Ok(decisions)
    }

    /// The index of each station, in processors times half-lives; lower is better.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<f64>>> {
        const ONE: f64 = (1_u64 << 40) as f64;
        let state = self.it.get()?;
        let stations = (0..state.demand.len()).map(|it| StationId(it as u32));
        let index =
            |station| state.ranking.index_of(station).map_or(f64::NAN, |it| it as f64 / ONE);
        Ok(PyArray1::from_iter(py, stations.map(index)))
    }

    /// How many processors each station holds.
    #[getter]
    fn holds<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<u16>>> {
        let holds = self.it.get()?.demand.iter().map(|one| one.holds).collect();
        Ok(PyArray1::from_vec(py, holds))
    }

    /// How many processors each station wants besides.
    #[getter]
    fn wants<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<u16>>> {
        let wants = self.it.get()?.demand.iter().map(|one| one.wants).collect();
        Ok(PyArray1::from_vec(py, wants))
    }

    fn __len__(&self) -> Result<usize> {
        Ok(self.it.get()?.demand.len())
    }

    fn __repr__(&self) -> Result<String> {
        let (stations, processors) = (self.__len__()?, self.processors);
        Ok(format!("<locox.FairShare: {stations} stations, {processors} processors>"))
    }
}

impl State {
    fn advance(&mut self, now: u64) -> Result<()> {
        if now < self.now {
            return Err(value!("now is {now}, before {}, the time told last", self.now).into());
        }
        self.now = now;
        self.ranking.advance(Instant::from_ticks(now));
        Ok(())
    }
}

/// Notes that a processor has changed hands.
fn pass(demand: &mut [Demand], to: StationId, from: Option<StationId>) {
    if let Some(one) = demand.get_mut(to.0 as usize) {
        (one.wants, one.holds) = (one.wants.saturating_sub(1), one.holds.saturating_add(1));
    }
    if let Some(one) = from.and_then(|from| demand.get_mut(from.0 as usize)) {
        (one.wants, one.holds) = (one.wants.saturating_add(1), one.holds.saturating_sub(1));
    }
}
