import copy
import pickle
import random
import subprocess
import sys
import threading

import gymnasium
import numpy
import pytest
from conftest import logs
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env
from plain import columns, rlscheduler, simulate

import locox
import locox.gym


def episode(env, choose, start=None):
    """The sum of rewards of an episode, and the steps that it took."""
    observation, info = env.reset(seed=1, options={"start": start})
    total, steps, done = 0.0, 0, False
    while not done:
        observation, reward, done, _, info = env.step(choose(observation, info))
        total, steps = total + reward, steps + 1
    return total, steps


def first(_observation, _info):
    return 0


def shortest(observation, info):
    return int(observation[: info["waiting"], 1].argmin())


def workloads():
    made = [locox.lublin(3000, processors=256, seed=seed, estimates=2.0) for seed in (1, 2)]
    return made + [locox.read_swf(log, jobs=5000) for log in logs()]


OBSERVATIONS = ["full", "compact", "rlscheduler", "image"]


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_gymnasium_finds_no_fault(jobs, observation):
    env = gymnasium.make("locox/Scheduling-v0", workload=jobs, observation=observation)
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", ["Scheduling", "RLScheduler"])
def test_registered_environments_need_no_options(name):
    env = gymnasium.make(f"locox/{name}-v0")
    assert env.reset(seed=1)[0].shape == (128, 8) and len(env.unwrapped.starts) == 256
    envs = gymnasium.make_vec(f"locox/{name}-v0", num_envs=2)
    assert envs.reset(seed=1)[0].shape == (2, 128, 8) and envs.starts.shape == (2, 256)


def test_a_workload_can_be_a_path(jobs, tmp_path):
    jobs.write_swf(tmp_path / "jobs.swf")
    ours, theirs = (locox.gym.SchedulingEnv(it, processors=256) for it in (jobs, str(tmp_path / "jobs.swf")))
    assert (ours.reset(seed=1)[0] == theirs.reset(seed=1)[0]).all()


@pytest.mark.parametrize("options", [{"per_step": True, "backfilling": "easy"}] + [{"observation": it} for it in OBSERVATIONS])
def test_observations_are_in_their_space(jobs, options):
    env = locox.gym.SchedulingEnv(jobs, jobs=500, window=16, **options)
    observation, info = env.reset(seed=3)
    random, done = numpy.random.default_rng(3), False
    while not done:
        assert env.observation_space.contains(observation)
        assert info["action_mask"].sum() == info["waiting"] <= 16
        observation, _, done, _, info = env.step(random.integers(info["waiting"]))
    assert not info["action_mask"].any() and info["waiting"] == 0
    assert (env.starts >= 0).all()


def example():
    """Submission, processors, run time, requested time, user, of ten processors; 90 is the longest run time."""
    rows = [(0, 4, 60, 80, 2), (10, 8, 90, 160, 8), (20, 5, 5, 20, -1), (30, 1, 5, 10, 4)]
    columns = [numpy.array(column, dtype=numpy.int64) for column in zip(*rows)]
    return locox.Workload(*columns, machine=10)


def before_the_third(observation):
    """What is shown at second 60: the first job has ended, the second runs, the third and the fourth wait."""
    env = locox.gym.SchedulingEnv(example(), jobs=4, window=3, observation=observation)
    env.reset(seed=1)
    env.step(0)
    shown, _, _, _, info = env.step(0)
    assert info["waiting"] == 2 and env.starts.tolist() == [0, 60, -1, -1]
    return shown


def test_the_compact_observation_is_what_the_documents_say():
    want = [[40 / 3640, 20 / 160, 0.5, 0], [30 / 3630, 10 / 160, 0.1, 1], [0, 0, 0, 0]]
    assert before_the_third("compact") == pytest.approx(numpy.array(want))


def test_the_full_observation_is_what_the_documents_say():
    shown = before_the_third("full")
    assert (shown[:, :4] == before_the_third("compact")).all()
    want = [[20 / 60, 0.2, 0, 1], [10 / 40, 0.2, 0, 1], [0, 0, 0, 0]]
    assert shown[:, 4:] == pytest.approx(numpy.array(want))


def test_the_observation_of_rlscheduler_is_what_it_shows():
    most = 1 - 1e-5
    want = [
        [40 / 43200, 20 / 90, 0.5, 1, 1, 1, 1, 1e-5],
        [30 / 43200, 10 / 90, 0.1, 1, 0.5, 1, 1, most],
        [0, 1, 1, 1, 1, 1, 1, 0],
    ]
    assert before_the_third("rlscheduler") == pytest.approx(numpy.array(want))
    env = locox.gym.SchedulingEnv(example(), jobs=4, observation="rlscheduler")
    shown, _ = env.reset(seed=1)
    assert shown.shape == (128, 8)
    assert shown[0] == pytest.approx([0, 80 / 90, 0.4, 1, 0.25, 1, 1, most])


def test_the_image_shows_what_is_free_and_what_is_asked_for():
    """A step of time is 10 seconds, and a column 10/16 of a processor."""
    machine, third, fourth, nobody = before_the_third("image")
    # Two processors, 3.2 columns, are free for 160 seconds: the second job has just begun.
    assert machine == pytest.approx(numpy.tile([1, 1, 1, 0.2] + [0] * 12, (16, 1)), abs=1e-6)
    assert third[:2] == pytest.approx(numpy.ones((2, 16)) * ([1] * 8 + [0] * 8))
    assert fourth[0] == pytest.approx(numpy.array([1, 0.6] + [0] * 14), abs=1e-6)
    assert not third[2:].any() and not fourth[1:].any() and not nobody.any()
    env = locox.gym.SchedulingEnv(example(), jobs=4, observation="image", window=1)
    assert env.reset(seed=1)[0][0].all(), "an idle machine is free"
    # At second 10 the first job has 70 of its 80 seconds left.
    machine = env.step(0)[0][0]
    assert machine.sum(axis=1) == pytest.approx(numpy.array([9.6] * 7 + [16] * 9))


def agent(env, start, score, workload):
    """An episode in which the least score is next; the sum of rewards."""
    _, info = env.reset(options={"start": start})
    left, done, total = list(range(start, start + len(env.starts))), False, 0.0
    while not done:
        # All that wait are shown, in the order of arrival.
        nth = min(range(info["waiting"]), key=lambda nth: (score(workload[left[nth]]), nth))
        del left[nth]
        _, reward, done, _, info = env.step(nth)
        total += reward
    return total


SCORES = {
    "fcfs": lambda job: job[0],
    "shortest": lambda job: (job[3], job[0]),
    "smallest": lambda job: (job[1], job[0]),
}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("workload", workloads(), ids=lambda workload: workload.name)
def test_slowdowns_are_those_of_the_rule_of_rlscheduler(workload, name):
    plain, score = columns(workload), SCORES[name]
    env = locox.gym.SchedulingEnv(workload, window=256)
    for start in random.Random(1).sample(range(len(plain) - 255), 20):
        total = agent(env, start, score, plain)
        starts, slowdown = rlscheduler(plain[start : start + 256], workload.processors, score)
        assert (env.starts + plain[start][0]).tolist() == starts
        assert -total == pytest.approx(slowdown, rel=1e-12)


def test_arrivals_come_before_ends():
    """As in RLScheduler: whoever chooses when a job ends sees who comes at that second."""
    rows = [(0, 1, 10, 10), (1, 1, 9, 9), (5, 1, 7, 7), (10, 1, 5, 5)]
    workload = locox.Workload(*[numpy.array(column, dtype=numpy.int64) for column in zip(*rows)], machine=1)
    env = locox.gym.SchedulingEnv(workload, jobs=4)
    env.reset(seed=1)
    env.step(0)
    # The second is chosen when it comes, and starts when the first ends.
    assert env.step(0)[4]["waiting"] == 2
    env.step(1), env.step(0)
    assert env.starts.tolist() == [0, 10, 24, 19]


@pytest.mark.parametrize("workload", workloads(), ids=lambda workload: workload.name)
def test_the_shortest_first_is_as_in_plain_python(workload):
    """All that wait are in the window, so the agent sees what the plain simulation sees."""
    env = locox.gym.SchedulingEnv(workload, jobs=len(workload), window=len(workload), observation="compact")
    episode(env, shortest, start=0)
    plain = columns(workload)
    longest = numpy.float32(max(job[3] for job in plain))
    # The environment says requests in float32, so that equals are the same on both sides.
    want = [numpy.float32(job[3]) / longest for job in plain]
    expected = simulate(plain, workload.processors, lambda waiting: min(waiting, key=want.__getitem__))
    assert (env.starts + plain[0][0]).tolist() == expected


@pytest.mark.parametrize("workload", workloads(), ids=lambda workload: workload.name)
@pytest.mark.parametrize(("backfilling", "queue"), [("none", "fcfs"), ("easy", "easy")])
def test_whoever_came_first_is_what_a_replay_does(workload, backfilling, queue):
    env = locox.gym.SchedulingEnv(workload, jobs=len(workload), window=1, backfilling=backfilling)
    reward, _ = episode(env, first, start=0)
    outcome = locox.replay(workload, queue=queue)
    origin = workload.jobs["submit"][0]
    assert ((env.starts + origin) == outcome.jobs["start"]).all()
    assert reward == pytest.approx(-outcome.summary["mean_bounded_slowdown"])


@pytest.mark.parametrize("reward", ["bounded_slowdown", "wait"])
def test_rewards_in_parts_add_up_to_the_reward_at_the_end(jobs, reward):
    parts = locox.gym.SchedulingEnv(jobs, jobs=400, reward=reward, per_step=True)
    whole = locox.gym.SchedulingEnv(jobs, jobs=400, reward=reward)
    assert episode(parts, shortest)[0] == pytest.approx(episode(whole, shortest)[0])


def test_utilisation_is_that_of_a_replay(jobs):
    env = locox.gym.SchedulingEnv(jobs, jobs=len(jobs), reward="utilisation")
    outcome = locox.replay(jobs, queue="fcfs")
    expected = outcome.summary["utilisation"] * outcome.summary["makespan"]
    assert episode(env, first, start=0)[0] * env.starts.max() == pytest.approx(expected, rel=0.05)


def test_a_seed_repeats_an_episode_and_another_one_does_not(jobs):
    env = locox.gym.SchedulingEnv(jobs)
    once, twice, other = (env.reset(seed=seed)[0] for seed in (5, 5, 6))
    assert (once == twice).all() and (once != other).any()


def arrivals(env, resets):
    """What is shown at the beginnings of episodes, each after a step."""
    shown = []
    for seed in resets:
        env.reset(seed=seed)
        for _ in range(3):
            observation = env.step(0 if isinstance(env, gymnasium.Env) else numpy.zeros(env.num_envs, dtype=int))[0]
        shown.append(observation.copy())
    return shown


def test_an_environment_of_many_draws_as_one_with_its_seed_does(jobs):
    alone = [locox.gym.SchedulingEnv(jobs) for _ in range(3)]
    want = [arrivals(env, [seed, None, None]) for env, seed in zip(alone, (7, 8, 2**64 - 1))]
    together = locox.gym.SchedulingVectorEnv(jobs, 3)
    got = arrivals(together, [[7, 8, 2**64 - 1], None, [None, None, None]])
    assert (numpy.array(got) == numpy.array(want).swapaxes(0, 1)).all()
    seeds = numpy.array([7, 8, 9])
    by_one, by_many = arrivals(together, [7]), arrivals(locox.gym.SchedulingVectorEnv(jobs, 3), [seeds])
    assert (by_one[0] == by_many[0]).all()


def test_without_a_seed_the_first_reset_takes_a_new_one(jobs):
    first, second = (arrivals(locox.gym.SchedulingVectorEnv(jobs, 8), [None])[0] for _ in range(2))
    assert (first != second).any() and (first[0] != first[1]).any()
    envs = locox.gym.SchedulingVectorEnv(jobs, 8)
    some, others = (arrivals(envs, [[3] + [None] * 7])[0] for _ in range(2))
    assert (some[0] == others[0]).all() and (some[1:] != others[1:]).any()


def test_environments_together_are_as_each_alone(jobs):
    together = locox.gym.SchedulingVectorEnv(jobs, 5, jobs=200, backfilling="easy", per_step=True)
    alone = [locox.gym.SchedulingEnv(jobs, jobs=200, backfilling="easy", per_step=True) for _ in range(5)]
    observations, info = together.reset(seed=[0, 1, 2, 3, 4], options={"start": [7, 8, 9, None, None]})
    for env, seed, start in zip(alone, range(5), [7, 8, 9, None, None]):
        env.reset(seed=seed, options={"start": start})
    random = numpy.random.default_rng(1)
    steps, done = 0, numpy.zeros(5, dtype=bool)
    while not done.any():
        steps += 1
        actions = (random.random(5) * info["waiting"]).astype(int)
        observations, rewards, done, _, info = together.step(actions)
        for index, env in enumerate(alone):
            observation, reward, ended, _, _ = env.step(actions[index])
            assert (observations[index] == observation).all()
            assert rewards[index] == reward and done[index] == ended
            assert (together.starts[index] == env.starts).all()
            assert (together.action_masks()[index] == env.action_masks()).all()
    assert steps > 20


def test_the_info_of_many_says_who_has_what(jobs):
    """As Gymnasium adds up the infos of environments."""
    envs = locox.gym.SchedulingVectorEnv(jobs, 3, window=9)
    for _, info in (envs.reset(seed=1), envs.step(numpy.zeros(3, dtype=int))[3:]):
        assert sorted(info) == ["_action_mask", "_waiting", "action_mask", "waiting"]
        assert info["action_mask"].shape == (3, 9) and info["action_mask"].dtype == bool
        assert info["waiting"].dtype == numpy.int64
        assert (info["_action_mask"] & info["_waiting"]).all() and info["_waiting"].shape == (3,)


def test_an_environment_that_is_done_begins_anew_at_the_next_step(jobs):
    envs = gymnasium.make_vec("locox/Scheduling-v0", num_envs=3, workload=jobs, jobs=20)
    _, info = envs.reset(seed=1)
    ends = 0
    before = numpy.zeros(3, dtype=bool)
    for _ in range(200):
        _, rewards, done, truncated, info = envs.step(numpy.zeros(3, dtype=int))
        assert (rewards[before] == 0).all() and not (before & done).any() and not truncated.any()
        before = done.copy()
        ends += done.sum()
    assert ends > 20


def test_arrays_are_new_at_each_step_unless_copy_is_false(jobs):
    for is_copied in (True, False):
        envs = locox.gym.SchedulingVectorEnv(jobs, 2, copy=is_copied)
        envs.reset(seed=1)
        one, other = (envs.step(numpy.zeros(2, dtype=int)) for _ in range(2))
        for index in (0, 1, 2):
            assert numpy.shares_memory(one[index], other[index]) != is_copied
        assert numpy.shares_memory(one[4]["action_mask"], other[4]["action_mask"]) != is_copied


def test_no_job_means_the_first_in_line_unless_strict(jobs):
    loose, other, strict = (locox.gym.SchedulingEnv(jobs, strict=strict) for strict in (False, False, True))
    loose.reset(seed=1), other.reset(seed=1), strict.reset(seed=1)
    first = other.step(0)[0]
    assert (loose.step(127)[0] == first).all()
    with pytest.raises(ValueError, match="the action is 127, which action_mask rules out: 1 jobs wait"):
        strict.step(127)
    assert (strict.step(0)[0] == first).all()
    envs = locox.gym.SchedulingVectorEnv(jobs, 2, jobs=1, strict=True)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="rules out"):
        envs.step([0, 1])
    envs.step([0, 0])
    envs.step([5, 5]), "the action of one that is done is not looked at"


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("make", [copy.deepcopy, copy.copy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("options", [{}, {"backfilling": "easy", "per_step": True, "observation": "image", "window": 4}])
def test_a_copy_goes_on_as_the_original_and_apart_from_it(jobs, many, make, options):
    env = (locox.gym.SchedulingVectorEnv if many else locox.gym.SchedulingEnv)(jobs, jobs=100, **options)
    env.reset(seed=5)
    action = numpy.ones(1, dtype=int) if many else 1
    for _ in range(17):
        env.step(action)
    other = make(env)
    ahead = [other.step(action) for _ in range(10)]
    for step in ahead:
        mine = env.step(action)
        assert (mine[0] == step[0]).all() and mine[1] == step[1] and mine[2] == step[2]
    # Later episodes are the same, too.
    assert (env.reset()[0] == other.reset()[0]).all() and (env.starts == other.starts).all()
    assert (env.step(action)[0] == other.step(action)[0]).all()


def test_environments_are_copied_before_their_first_reset_after_their_end_and_in_wrappers(jobs):
    env = copy.deepcopy(gymnasium.make("locox/Scheduling-v0", workload=jobs, jobs=3))
    env.reset(seed=1)
    for _ in range(3):
        done = env.step(0)[2]
    assert done
    other = pickle.loads(pickle.dumps(env))
    assert (other.unwrapped.starts == env.unwrapped.starts).all()
    with pytest.raises(ResetNeeded, match="the episode has ended"):
        other.unwrapped.step(0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"jobs": 0}, "give 1 to 3000"),
        ({"jobs": -1}, "give 1 to 3000"),
        ({"jobs": 5000}, "give 1 to 3000"),
        ({"window": 0}, "1 to 65536"),
        ({"window": -5}, "window is -5; it can be 1 to 65536"),
        ({"window": 10**12}, "1 to 65536"),
        ({"processors": 0}, "processors is 0; it can be 1 to 16777216"),
        ({"processors": 16777217}, "processors is 16777217; it can be 1 to 16777216"),
        ({"processors": 8}, "asks for"),
        ({"observation": "picture"}, "full, compact, rlscheduler or image"),
        ({"backfilling": "conservative"}, "none or easy"),
        ({"reward": "money"}, "it can be"),
        ({"reward": "utilisation", "per_step": True}, "at the end alone"),
    ],
)
def test_wrong_options_are_refused(jobs, options, words):
    with pytest.raises(ValueError, match=words):
        locox.gym.SchedulingEnv(jobs, **options)
    with pytest.raises(ValueError, match=words):
        locox.gym.SchedulingVectorEnv(jobs, 2, **options)


@pytest.mark.parametrize("number", [0, -1, 2**32, 2**63, 2**70, -(2**70), 2**127, 10**45, -(10**45)])
@pytest.mark.parametrize(("name", "most"), [("processors", 16777216), ("window", 65536), ("jobs", 3000)])
def test_a_number_of_any_size_is_refused_in_one_line_with_its_range(jobs, name, most, number):
    for make in (locox.gym.SchedulingEnv, lambda workload, **options: locox.gym.SchedulingVectorEnv(workload, 2, **options)):
        with pytest.raises(ValueError, match=f"^{name} is {number}; .*1 to {most}$") as refused:
            make(jobs, **{name: number})
        assert not hasattr(refused.value, "__notes__")
    if name == "window":
        with pytest.raises(ValueError, match=f"^the number of environments is {number}; it can be 1 to {most}$"):
            locox.gym.SchedulingVectorEnv(jobs, number)


def test_other_wrong_options_are_refused(jobs):
    with pytest.raises(ValueError, match="number of environments is 0; it can be 1 to 65536"):
        locox.gym.SchedulingVectorEnv(jobs, 0)
    for options in ({"jobs": 1.5}, {"window": "8"}, {"processors": [1]}, {"strict": 1}, {"per_step": "no"}, {"reward": 3}):
        (name,) = options
        with pytest.raises(TypeError, match=f"^{name} is .*, and must be (a whole number|True or False|text)"):
            locox.gym.SchedulingEnv(jobs, **options)
    for wrong in (3, [jobs], {"a": 1}):
        with pytest.raises(TypeError, match="^workload is .*, neither a Workload nor the path of a trace$"):
            locox.gym.SchedulingEnv(wrong)
    with pytest.raises(TypeError, match="SchedulingEnv got an unexpected keyword argument 'copy'; its options are processors, jobs"):
        locox.gym.SchedulingEnv(jobs, copy=False)
    with pytest.raises(TypeError, match="unexpected keyword argument 'windows'"):
        locox.gym.SchedulingEnv(jobs, windows=3)
    with pytest.raises(FileNotFoundError, match="nowhere.swf"):
        locox.gym.SchedulingEnv("nowhere.swf")


def test_a_machine_has_at_most_as_many_processors_as_elsewhere(jobs):
    assert locox.gym.SchedulingEnv(jobs, processors=2**24).reset(seed=1)


@pytest.mark.parametrize(
    ("reset", "fault", "words"),
    [
        ({"options": {"start": 2745}}, ValueError, "start is 2745; a sequence can start at job 0 to 2744"),
        ({"options": {"start": 10**30}}, ValueError, "start is 10{30}; a sequence can start at job 0 to 2744"),
        ({"options": {"start": -(2**63) - 1}}, ValueError, "start is -9223372036854775809; a sequence"),
        ({"options": {"start": -1}}, ValueError, "job 0 to 2744"),
        ({"options": {"start": 1.5}}, TypeError, "start is 1.5; it can be the number of a job"),
        ({"options": {"begin": 1}}, ValueError, "a reset has no option 'begin'; there is start alone"),
        ({"options": {"start": [1, 2, 3]}}, ValueError, "3 starts for"),
        ({"seed": -1}, ValueError, "the seed is -1; it can be 0 to"),
        ({"seed": 2**64}, ValueError, "it can be 0 to"),
        ({"seed": 0.5}, TypeError, "the seed is 0.5"),
        ({"seed": "one"}, TypeError, "the seed is 'one'"),
    ],
)
def test_wrong_resets_are_refused_and_change_nothing(jobs, reset, fault, words):
    for env in (locox.gym.SchedulingEnv(jobs), locox.gym.SchedulingVectorEnv(jobs, 2)):
        env.reset(seed=3)
        before = env.starts
        with pytest.raises(fault, match=words):
            env.reset(**reset)
        assert (env.starts == before).all()


def test_wrong_seeds_of_many_are_refused(jobs):
    envs = locox.gym.SchedulingVectorEnv(jobs, 2)
    with pytest.raises(ValueError, match="3 seeds for 2 environments"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="the seed is -2"):
        envs.reset(seed=[1, -2])


@pytest.mark.parametrize(
    ("action", "fault", "words"),
    [
        (128, ValueError, "the action is 128; it can be 0 to 127"),
        (-1, ValueError, "the action is -1; it can be 0 to 127"),
        (float("nan"), TypeError, "the action is nan; it can be a whole number"),
        (1.0, TypeError, "the action is 1.0"),
        (None, TypeError, "the action is None"),
        (2**63, ValueError, "the action is 9223372036854775808; it can be 0 to 127"),
        (2**70, ValueError, "the action is 1180591620717411303424; it can be 0 to 127"),
        (numpy.zeros(2, dtype=int), TypeError, "the action is array"),
    ],
)
def test_wrong_actions_are_refused_and_change_nothing(jobs, action, fault, words):
    env = locox.gym.SchedulingEnv(jobs)
    env.reset(seed=1)
    before = env.starts
    with pytest.raises(fault, match=words):
        env.step(action)
    assert (env.starts == before).all()


@pytest.mark.parametrize(
    ("actions", "fault", "words"),
    [
        ([0, 128], ValueError, "the action is 128; it can be 0 to 127"),
        (numpy.array([0, 2**63], dtype="uint64"), ValueError, "the action is 9223372036854775808; it can be 0 to 127"),
        ([0, 0, 0], TypeError, r"the actions are int64 of shape \(3,\); they can be 2 whole numbers"),
        (0, TypeError, r"int64 of shape \(\)"),
        ([[0, 0]], TypeError, r"shape \(1, 2\)"),
        ([0.0, float("nan")], TypeError, "the actions are float64"),
        ([True, False], TypeError, "the actions are bool"),
        ([2**70, 0], TypeError, "the actions are object"),
    ],
)
def test_wrong_actions_of_many_are_refused_and_change_nothing(jobs, actions, fault, words):
    envs = locox.gym.SchedulingVectorEnv(jobs, 2)
    envs.reset(seed=1)
    before = envs.starts
    with pytest.raises(fault, match=words):
        envs.step(actions)
    assert (envs.starts == before).all()


def test_a_step_before_the_first_reset_or_after_the_end_is_refused(jobs):
    env, envs = locox.gym.SchedulingEnv(jobs, jobs=1), locox.gym.SchedulingVectorEnv(jobs, 2)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    with pytest.raises(ResetNeeded, match="call reset"):
        envs.step([0, 0])
    env.reset(seed=1)
    assert env.step(0)[2]
    with pytest.raises(ResetNeeded, match="the episode has ended; call reset"):
        env.step(0)


@pytest.mark.parametrize("kind", [locox.gym.SchedulingEnv, locox.gym.SchedulingVectorEnv])
@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.reset(seed=1),
        lambda env: env.step([0]),
        lambda env: env.starts,
        lambda env: env.action_masks(),
        pickle.dumps,
        copy.deepcopy,
    ],
)
def test_a_closed_environment_says_so(jobs, kind, use):
    env = kind(jobs)
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(ClosedEnvironmentError, match="the environment is closed; make another one"):
        use(env)


def test_a_buffer_that_cannot_be_written_is_named(jobs):
    envs = locox.gym.SchedulingVectorEnv(jobs, 2, copy=False)
    shown, _ = envs.reset(seed=1)
    shown.setflags(write=False)
    with pytest.raises(ValueError, match="a buffer of the environment cannot be written"):
        envs.step([0, 0])


def test_two_threads_do_not_break_it(jobs):
    env = locox.gym.SchedulingVectorEnv(jobs, 64)
    env.reset(seed=1)
    raised = []

    def steps():
        for _ in range(300):
            try:
                env.step(numpy.zeros(64, dtype=int))
            except RuntimeError as fault:
                raised.append(str(fault))

    threads = [threading.Thread(target=steps) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert set(raised) <= {"another thread uses this environment; give each thread its own"}


def test_info_counts_the_jobs_that_the_window_shows(jobs):
    env = locox.gym.SchedulingEnv(jobs.scaled(1000.0), window=4)
    _, info = env.reset(seed=1)
    while info["waiting"] < 4:
        _, _, _, _, info = env.step(0)
    hidden = env.step(0)[0][0, 6]
    assert hidden > 0 and info["action_mask"].sum() == info["waiting"] == 4


STEPPED_TO_THE_END = """
import sys, threading
import numpy
import locox, locox.gym

jobs = locox.lublin(3000, processors=256, seed=1)
began = threading.Barrier(3)

def one():
    env = locox.gym.SchedulingEnv(jobs)
    env.reset(seed=1)
    began.wait()
    while True:
        if env.step(0)[2]:
            env.reset()

def many():
    envs = locox.gym.SchedulingVectorEnv(jobs, 16)
    envs.reset(seed=1)
    began.wait()
    while True:
        envs.step(numpy.zeros(16, dtype=int))

def replays():
    began.wait()
    while True:
        locox.replay(jobs)

for _ in range(2):
    threading.Thread(target=globals()[sys.argv[1]], daemon=True).start()
began.wait()
"""


@pytest.mark.parametrize("what", ["one", "many", "replays"])
def test_an_interpreter_may_end_while_daemon_threads_step(what):
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", STEPPED_TO_THE_END, what], capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")


def test_a_workload_can_be_sent_to_other_processes(jobs):
    assert len(pickle.loads(pickle.dumps(jobs))) == len(jobs)
