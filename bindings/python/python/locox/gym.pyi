"""What ``locox.gym`` offers; what options mean, and what they are where they are left out, stands there."""

from os import PathLike
from typing import Any, Optional, Sequence, Union

import gymnasium
import gymnasium.vector
import numpy
from numpy.typing import ArrayLike, NDArray

from ._locox import Workload

_Workload = Union[Workload, str, PathLike[str], None]
_Seeds = Union[int, Sequence[Optional[int]], NDArray[numpy.integer[Any]], None]

class SchedulingEnv(gymnasium.Env[NDArray[numpy.float32], int]):
    def __init__(
        self,
        workload: _Workload = ...,
        *,
        processors: Optional[int] = ...,
        jobs: int = ...,
        window: int = ...,
        observation: str = ...,
        backfilling: str = ...,
        reward: str = ...,
        per_step: bool = ...,
        strict: bool = ...,
    ) -> None: ...
    def reset(
        self, *, seed: Optional[int] = ..., options: Optional[dict[str, Any]] = ...
    ) -> tuple[NDArray[numpy.float32], dict[str, Any]]: ...
    def step(self, action: int) -> tuple[NDArray[numpy.float32], float, bool, bool, dict[str, Any]]: ...
    def action_masks(self) -> NDArray[numpy.bool_]: ...
    @property
    def starts(self) -> NDArray[numpy.int64]: ...
    def close(self) -> None: ...

class SchedulingVectorEnv(
    gymnasium.vector.VectorEnv[NDArray[numpy.float32], NDArray[numpy.int64], NDArray[Any]]
):
    def __init__(
        self,
        workload: _Workload = ...,
        num_envs: int = ...,
        *,
        processors: Optional[int] = ...,
        jobs: int = ...,
        window: int = ...,
        observation: str = ...,
        backfilling: str = ...,
        reward: str = ...,
        per_step: bool = ...,
        strict: bool = ...,
        copy: bool = ...,
    ) -> None: ...
    def reset(
        self, *, seed: _Seeds = ..., options: Optional[dict[str, Any]] = ...
    ) -> tuple[NDArray[numpy.float32], dict[str, Any]]: ...
    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[numpy.float32], NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]
    ]: ...
    def action_masks(self) -> NDArray[numpy.bool_]: ...
    @property
    def starts(self) -> NDArray[numpy.int64]: ...
