"""The compiled part of locox."""

from os import PathLike
from typing import Callable, Optional, Union

import numpy
import numpy.typing

Integers = numpy.typing.NDArray[numpy.int64]
Numbers = numpy.typing.NDArray[numpy.float64]

__version__: str

class TraceError(ValueError):
    """A trace that cannot be read: what, where, what to do."""

class ReplayError(ValueError):
    """A workload that cannot be run to its end."""

class Workload:
    """Jobs in the order of their arrival. It never changes: what changes it returns another one."""

    def __init__(
        self,
        submit: Integers,
        processors: Integers,
        run: Integers,
        requested: Optional[Integers] = None,
        user: Optional[Integers] = None,
        id: Optional[Integers] = None,
        name: str = "workload",
        machine: Optional[int] = None,
    ) -> None:
        """From columns of one length: seconds, processors asked for, and -1 for what is unknown of a request
        or a user. Times of submission must not fall. ``machine`` is a number of processors."""

    @property
    def name(self) -> str: ...
    @property
    def processors(self) -> Optional[int]:
        """Of the machine that the jobs were made for, if known."""

    @property
    def notes(self) -> list[str]:
        """Origin, acknowledgements, what was left out."""

    @property
    def skipped(self) -> int:
        """Bad lines of the trace that were skipped."""

    @property
    def jobs(self) -> dict[str, Integers]:
        """The columns id, submit, processors, run, requested, user; made anew at each call."""

    def __len__(self) -> int: ...
    def scaled(self, factor: float) -> Workload:
        """With the load multiplied: times between submissions are divided by the factor."""

    def first(self, jobs: int) -> Workload:
        """Its first jobs."""

    def write_swf(self, path: Union[str, PathLike[str]]) -> None:
        """As a trace in the Standard Workload Format."""

class Outcome:
    """What a replay yields. Means and percentiles are over the jobs that ran; times are seconds."""

    @property
    def workload(self) -> str: ...
    @property
    def machine(self) -> str: ...
    @property
    def queue(self) -> str: ...
    @property
    def processors(self) -> int: ...
    @property
    def summary(self) -> dict[str, float]: ...
    @property
    def jobs(self) -> dict[str, numpy.ndarray]:
        """The columns id, submit, start, finish, processors, held, requested, ran; made anew at each call."""

    @property
    def allocated(self) -> list[Optional[str]]:
        """The processors that each job held, as ``"0-3 8-11"``, if ``allocations`` were asked for."""

    def bounded_slowdowns(self, bound: int = 10) -> Numbers:
        """Of each job: turnaround over run time, at least 1; shorter run times count as ``bound``."""

    def __len__(self) -> int: ...

def read_swf(
    path: Union[str, PathLike[str]], *, lenient: bool = False, sort: bool = False, jobs: Optional[int] = None
) -> Workload:
    """Reads a trace in the Standard Workload Format, plain or compressed by gzip or xz.

    :param lenient: skip and count lines that cannot be used.
    :param sort: sort the jobs by submission and number.
    :param jobs: only the first so many.
    """

def lublin(
    jobs: int, *, processors: int = 256, seed: int = 1, kind: str = "all", estimates: Optional[float] = None
) -> Workload:
    """Jobs of the model of Lublin and Feitelson (2003).

    :param kind: ``"all"``, ``"batch"`` or ``"interactive"``.
    :param estimates: the f of requested times: uniform between the run time and f + 1 times that; None for none.
    """

def replay(
    workload: Workload,
    *,
    machine: Optional[str] = None,
    queue: str = "easy",
    strategy: str = "complete",
    order: str = "fcfs",
    lenient: bool = False,
    allocations: bool = False,
    progress: Optional[Callable[[int], object]] = None,
) -> Outcome: ...

_State = tuple[int, int, Optional[tuple[int, list[int]]]]
_One = tuple[numpy.typing.NDArray[numpy.float32], float, bool, numpy.typing.NDArray[numpy.bool_], int]
_Many = tuple[
    numpy.typing.NDArray[numpy.float32],
    Numbers,
    numpy.typing.NDArray[numpy.bool_],
    numpy.typing.NDArray[numpy.bool_],
    Integers,
]

class Environments:
    """What ``locox.gym`` is made of. A step yields observation, reward, done, mask, waiting."""

    def __init__(
        self,
        workload: Workload,
        count: int,
        *,
        processors: Optional[int] = None,
        jobs: int = 256,
        window: int = 128,
        observation: str = "full",
        backfilling: str = "none",
        reward: str = "bounded_slowdown",
        per_step: bool = False,
        strict: bool = False,
        copy: bool = True,
    ) -> None: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def window(self) -> int: ...
    def reset(self, seeds: list[Optional[int]], starts: list[Optional[int]]) -> None: ...
    def step(self, actions: Integers) -> _Many: ...
    def show(self) -> _Many: ...
    def step_one(self, action: int) -> _One: ...
    def show_one(self) -> _One: ...
    def masks(self) -> numpy.typing.NDArray[numpy.bool_]: ...
    def starts(self) -> numpy.typing.NDArray[numpy.int64]: ...
    def state(self) -> list[_State]: ...
    def restore(self, states: list[_State]) -> None: ...
