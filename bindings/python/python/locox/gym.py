"""Environments in which an agent says which waiting job is next (Gymnasium's API).

A step chooses one of the jobs that wait. If it does not fit, it is the next one to start, time goes on until
it does, and with ``backfilling="easy"`` the kernel starts others meanwhile that do not delay it. An episode
is a sequence of jobs of a workload, and ends when all have ended.

    import gymnasium, locox, locox.gym
    jobs = locox.lublin(10_000, processors=256, seed=1)
    env = gymnasium.make("locox/Scheduling-v0", workload=jobs)

What is observed: a row for each of the first ``window`` jobs that wait, in the order of arrival, zeros behind
them. Its columns, each from 0 to 1:

==  =====================================================================
0   the wait so far, as wait / (wait + 1 hour)
1   the requested time, as a share of the longest in the workload
2   the processors asked for, as a share of the machine
3   1 if so many are free now
4   requested time / (wait so far + requested time)
5   the free processors, as a share of the machine
6   jobs that wait beyond the window, as jobs / (jobs + window)
7   1: a job waits here
==  =====================================================================

``observation="compact"`` has the first four. ``info["action_mask"]`` says which actions are jobs, and
``info["waiting"]`` how many; an action that is none means the first job in line.

The reward is the negative mean over the jobs of the bounded slowdown (below 10 s counts as 10 s) or of the wait
in seconds, or the utilisation; at the end of the episode, or with ``per_step=True`` in parts, as jobs start.
"""

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode

from ._locox import Environments

__all__ = ["SchedulingEnv", "SchedulingVectorEnv"]

_COLUMNS = {"full": 8, "compact": 4}


class _Core:
    """Environments and the buffers that they write into."""

    def __init__(self, count, workload, processors, jobs, window, observation, backfilling, reward, per_step):
        if observation not in _COLUMNS:
            raise ValueError(f"observation is {observation!r}; it can be full or compact")
        columns = _COLUMNS[observation]
        self.environments = Environments(
            workload,
            count=count,
            processors=processors,
            length=jobs,
            window=window,
            columns=columns,
            queue=backfilling,
            reward=reward,
            per_step=per_step,
        )
        self.rows = numpy.zeros((count, window, columns), dtype=numpy.float32)
        self.mask = numpy.zeros((count, window), dtype=bool)
        self.waiting = numpy.zeros(count, dtype=numpy.int64)
        self.rewards = numpy.zeros(count)
        self.done = numpy.zeros(count, dtype=bool)
        self.space = gymnasium.spaces.Box(0.0, 1.0, (window, columns), numpy.float32)
        self.actions = gymnasium.spaces.Discrete(window)

    def observe(self):
        self.environments.observe(self.rows, self.mask, self.waiting)

    def step(self, actions):
        self.environments.step(actions, self.rewards, self.done)
        self.observe()


class SchedulingEnv(gymnasium.Env):
    """One environment. ``reset(options={"start": n})`` begins with the nth job of the workload."""

    metadata = {"render_modes": []}

    def __init__(
        self,
        workload,
        *,
        processors=None,
        jobs=256,
        window=128,
        observation="full",
        backfilling="none",
        reward="bounded_slowdown",
        per_step=False,
    ):
        self._core = _Core(1, workload, processors, jobs, window, observation, backfilling, reward, per_step)
        self._action = numpy.zeros(1, dtype=numpy.int64)
        self._seeded = False
        self.observation_space = self._core.space
        self.action_space = self._core.actions

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._core.environments.seed(0, int(self.np_random.integers(2**63)))
            self._seeded = True
        self._core.environments.reset(0, (options or {}).get("start"))
        self._core.observe()
        return self._core.rows[0].copy(), self._info()

    def step(self, action):
        core = self._core
        self._action[0] = action
        core.step(self._action)
        return core.rows[0].copy(), float(core.rewards[0]), bool(core.done[0]), False, self._info()

    def action_masks(self):
        """Which actions are jobs."""
        return self._core.mask[0].copy()

    @property
    def starts(self):
        """When each job of the sequence started, in seconds from the first arrival; -1 of those that did not yet."""
        return self._core.environments.starts(0)

    def _info(self):
        return {"action_mask": self._core.mask[0].copy(), "waiting": int(self._core.waiting[0])}


class SchedulingVectorEnv(gymnasium.vector.VectorEnv):
    """Environments that are stepped in one call. One that is done begins anew at the next step, whatever
    its action.

    With ``copy=False`` observations and masks are the buffers themselves, which the next step writes anew.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        workload,
        num_envs=1,
        *,
        processors=None,
        jobs=256,
        window=128,
        observation="full",
        backfilling="none",
        reward="bounded_slowdown",
        per_step=False,
        copy=True,
    ):
        core = _Core(num_envs, workload, processors, jobs, window, observation, backfilling, reward, per_step)
        self._core = core
        self._copy = copy
        self._seeded = False
        self.num_envs = num_envs
        self.single_observation_space = core.space
        self.single_action_space = core.actions
        self.observation_space = gymnasium.vector.utils.batch_space(core.space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(core.actions, num_envs)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed if not isinstance(seed, (list, tuple)) else None)
        if isinstance(seed, (list, tuple)):
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
            seeds = [int(each) for each in seed]
        elif seed is not None or not self._seeded:
            seeds = self.np_random.integers(2**63, size=self.num_envs).tolist()
        else:
            seeds = []
        self._seeded = True
        for index, each in enumerate(seeds):
            self._core.environments.seed(index, each)
        start = (options or {}).get("start")
        for index in range(self.num_envs):
            self._core.environments.reset(index, start)
        self._core.observe()
        return self._shown(), self._info()

    def step(self, actions):
        core = self._core
        core.step(numpy.ascontiguousarray(actions, dtype=numpy.int64))
        keep = numpy.copy if self._copy else (lambda buffer: buffer)
        return self._shown(), keep(core.rewards), keep(core.done), numpy.zeros_like(core.done), self._info()

    def _shown(self):
        return self._core.rows.copy() if self._copy else self._core.rows

    def _info(self):
        core = self._core
        if self._copy:
            return {"action_mask": core.mask.copy(), "waiting": core.waiting.copy()}
        return {"action_mask": core.mask, "waiting": core.waiting}


gymnasium.register(
    id="locox/Scheduling-v0",
    entry_point="locox.gym:SchedulingEnv",
    vector_entry_point="locox.gym:SchedulingVectorEnv",
)
