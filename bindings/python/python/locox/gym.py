"""Environments in which an agent says which waiting job is next (Gymnasium's API).

    import gymnasium, locox, locox.gym
    jobs = locox.lublin(10_000, processors=256, seed=1)
    env = gymnasium.make("locox/Scheduling-v0", workload=jobs)

A step chooses one of the jobs that wait. If it does not fit, it is the next one to start, time goes on until
it does, and with ``backfilling="easy"`` the kernel starts others meanwhile that do not delay it. An episode
is a sequence of jobs of a workload, and ends when all have ended.

Options of both environments, by keyword:

===================  =======================  ==========================================================
option               without it
===================  =======================  ==========================================================
``processors``       the workload's           of the machine
``jobs``             256                      in an episode
``window``           128                      jobs from which the agent chooses, those that came first
``observation``      ``"full"``               or ``"compact"``, ``"rlscheduler"``, ``"image"``; see below
``backfilling``      ``"none"``               or ``"easy"``
``reward``           ``"bounded_slowdown"``   or ``"wait"``, ``"utilisation"``
``per_step``         False                    rewards in parts, as jobs start
``strict``           False                    an action that is no job is an error, not the first in line
===================  =======================  ==========================================================

``workload`` is a ``locox.Workload``, the path of a trace or, by default, 10,000 jobs of Lublin's model for 256
processors.

The reward is the negative mean over the jobs of the bounded slowdown (run times below 10 s count as 10 s) or
of the wait in seconds, or the utilisation from the first arrival to the last end, 0 to 1. It comes at the end
of the episode, and before that it is zero. With ``per_step`` a step yields the part of the jobs that started since
the one before, and all parts add up to the reward at the end; utilisation has no parts, and is refused.

``info["action_mask"]`` says which actions are jobs, and ``info["waiting"]`` how many these are: those that wait beyond
the window do not count.

Observations are float32 from 0 to 1. Behind the jobs that wait there are zeros where nothing else is said.

``"full"``, ``(window, 8)``, has a row for each of the first ``window`` jobs that wait, in the order of arrival:

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

``"compact"``, ``(window, 4)``, has the first four of these.

``"rlscheduler"``, ``(window, 8)``, has the features of RLScheduler (Zhang and others, SC20, arXiv:1910.08925;
github.com/DIR-LAB/deep-batch-scheduler, HPCSimPickJobs.py) in its order. Shares are at most 1 - 1e-5:

==  =====================================================================
0   the wait so far, as a share of 12 hours
1   the requested time, as a share of the longest run time in the workload
2   the processors asked for, as a share of the machine
3   requested memory: 1, unknown
4   the user's number, as a share of the largest in the workload; 1 if unknown
5   the group: 1, unknown
6   the program: 1, unknown
7   1 - 1e-5 if the job fits now, else 1e-5
==  =====================================================================

A row without a job is 0, 1, 1, 1, 1, 1, 1, 0. There, these rows are flat: ``observation.reshape(-1)``.

``"image"``, ``(1 + window, 16, 16)``, is drawn as in DeepRM (Mao and others, HotNets 2016): the first picture has
the processors that are free, the others what each job in the window asks for. Downwards there are 16 equal
steps of time from now on to the longest requested time in the workload; to the right 16 equal parts of the
machine, filled from the left. A cell has the share of it that is covered. Jobs that run are taken to end when
they said, and those that run longer to end now. A window of 16 keeps it small.
"""

import operator
import os
import reprlib

import gymnasium
import numpy
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._locox import Environments, Workload, lublin, read_swf

__all__ = ["SchedulingEnv", "SchedulingVectorEnv"]


class _Closed:
    """In place of what a closed environment was made of."""

    def __getattr__(self, name):
        raise ClosedEnvironmentError("the environment is closed; make another one")


class _Common:
    """What both environments do alike.

    ``_environments`` cannot be copied; a copy gets others of the same workload and options, in the same state.
    """

    _options = ("processors", "jobs", "window", "observation", "backfilling", "reward", "per_step", "strict")

    def _make(self, count, workload, options):
        unknown = next((name for name in options if name not in self._options), None)
        if unknown is not None:
            kind, known = type(self).__name__, ", ".join(self._options)
            raise TypeError(f"{kind} got an unexpected keyword argument {unknown!r}; its options are {known}")
        if workload is None:
            workload = lublin(10_000, processors=256, seed=1)
        elif isinstance(workload, (str, bytes, os.PathLike)):
            workload = read_swf(workload)
        elif not isinstance(workload, Workload):
            raise TypeError(f"workload is {reprlib.repr(workload)}, neither a Workload nor the path of a trace")
        self._made = (workload, count, options)
        self._environments = Environments(workload, count, **options)
        self._seeded = [False] * count

    def _begin(self, seeds, options):
        """Resets each with its seed; without one the first time with a new one, and later with none."""
        for index, seed in enumerate(seeds):
            if seed is None and not self._seeded[index]:
                seeds[index] = int(self.np_random.integers(2**63))
        self._environments.reset(seeds, _starts(options, len(seeds)))
        self._seeded = [True] * len(seeds)

    def _space(self):
        shape, window = self._environments.shape, self._environments.window
        return gymnasium.spaces.Box(0.0, 1.0, tuple(shape), numpy.float32), gymnasium.spaces.Discrete(window)

    def __getstate__(self):
        return {**self.__dict__, "_environments": self._environments.state()}

    def __setstate__(self, state):
        self.__dict__.update(state)
        workload, count, options = self._made
        self._environments = Environments(workload, count, **options)
        self._environments.restore(state["_environments"])


class SchedulingEnv(_Common, gymnasium.Env):
    """One environment. Options by keyword: see the module.

    ``reset(options={"start": n})`` begins with the nth job of the workload, from 0 on.
    """

    metadata = {"render_modes": []}

    def __init__(self, workload=None, **options):
        self._make(1, workload, options)
        self.observation_space, self.action_space = self._space()

    def reset(self, *, seed=None, options=None):
        seed = _seed(seed)
        super().reset(seed=seed)
        self._begin([seed], options)
        shown, _, _, mask, waiting = self._environments.show_one()
        return shown, {"action_mask": mask, "waiting": waiting}

    def step(self, action):
        try:
            shown, reward, done, mask, waiting = self._environments.step_one(action)
        except OverflowError:
            raise ValueError(_no_action(action, self.action_space)) from None
        except TypeError:
            raise TypeError(f"the action is {action!r}; it can be a whole number from 0 on") from None
        return shown, reward, done, False, {"action_mask": mask, "waiting": waiting}

    def action_masks(self):
        """Which actions are jobs, as sb3-contrib asks for it."""
        return self._environments.masks()[0]

    @property
    def starts(self):
        """When each job of the sequence started, in seconds from the first arrival; -1 of those that did not yet."""
        return self._environments.starts()[0]

    def close(self):
        self._environments = _Closed()


class SchedulingVectorEnv(_Common, gymnasium.vector.VectorEnv):
    """Environments that are stepped in one call. Options by keyword: see the module. One that is done begins
    anew at the next step, whatever its action.

    ``reset(seed=n)`` gives them the seeds n, n + 1 and so on; a list gives each its own, or None. With ``options={"start": n}``
    all begin with that job; here, too, a list gives each its own.

    With ``copy=False`` observations, rewards and masks are the same arrays at each step, written anew.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
    _options = (*_Common._options, "copy")

    def __init__(self, workload=None, num_envs=1, **options):
        self._make(num_envs, workload, options)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = self._space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._every = numpy.ones(num_envs, dtype=bool)

    def reset(self, *, seed=None, options=None):
        if isinstance(seed, (list, tuple, numpy.ndarray)):
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
            seeds, seed = [_seed(each) for each in seed], None
        else:
            seed = _seed(seed)
            seeds = [None if seed is None else _seed(seed + index) for index in range(self.num_envs)]
        super().reset(seed=seed)
        self._begin(seeds, options)
        shown, _, _, masks, waiting = self._environments.show()
        return shown, self._info(masks, waiting)

    def step(self, actions):
        actions = numpy.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != (self.num_envs,):
            kind = f"{actions.dtype} of shape {actions.shape}"
            raise TypeError(f"the actions are {kind}; they can be {self.num_envs} whole numbers")
        if actions.size and actions.max() >= 2**63:
            raise ValueError(_no_action(actions.max(), self.single_action_space))
        actions = numpy.ascontiguousarray(actions, dtype=numpy.int64)
        shown, rewards, done, masks, waiting = self._environments.step(actions)
        return shown, rewards, done, numpy.zeros(self.num_envs, dtype=bool), self._info(masks, waiting)

    def action_masks(self):
        """Which actions are jobs, of each environment."""
        return self._environments.masks()

    @property
    def starts(self):
        """When each job of each sequence started, in seconds from the first arrival; -1 of those that did not yet."""
        return self._environments.starts()

    def close_extras(self, **kwargs):
        self._environments = _Closed()

    def _info(self, masks, waiting):
        every = self._every.copy()
        return {"action_mask": masks, "_action_mask": every, "waiting": waiting, "_waiting": every}


def _no_action(action, space):
    return f"the action is {action}; it can be 0 to {space.n - 1}"


def _seed(seed):
    if seed is None:
        return None
    try:
        number = operator.index(seed)
    except TypeError:
        raise TypeError(f"the seed is {seed!r}; it can be a whole number or None") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"the seed is {number}; it can be 0 to 2^64 - 1")
    return number


def _starts(options, count):
    """The first job of each environment."""
    options = options or {}
    unknown = set(options) - {"start"}
    if unknown:
        raise ValueError(f"a reset has no option {sorted(unknown, key=str)[0]!r}; there is start alone")
    start = options.get("start")
    starts = list(start) if isinstance(start, (list, tuple, numpy.ndarray)) else [start] * count
    if len(starts) != count:
        raise ValueError(f"{len(starts)} starts for {count} environments")
    for each in starts:
        if each is not None and not hasattr(each, "__index__"):
            raise TypeError(f"start is {each!r}; it can be the number of a job")
    return starts


for _name, _options in [("Scheduling", {}), ("RLScheduler", {"observation": "rlscheduler"})]:
    gymnasium.register(
        id=f"locox/{_name}-v0",
        entry_point="locox.gym:SchedulingEnv",
        vector_entry_point="locox.gym:SchedulingVectorEnv",
        kwargs=_options,
    )
