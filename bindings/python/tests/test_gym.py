import pickle
import threading

import gymnasium
import numpy
import pytest
from conftest import logs
from gymnasium.utils.env_checker import check_env
from plain import columns, simulate

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


def test_gymnasium_finds_no_fault(jobs):
    env = gymnasium.make("locox/Scheduling-v0", workload=jobs)
    check_env(env.unwrapped)


@pytest.mark.parametrize("options", [{}, {"observation": "compact"}, {"per_step": True, "backfilling": "easy"}])
def test_observations_are_in_their_space(jobs, options):
    env = locox.gym.SchedulingEnv(jobs, jobs=500, window=16, **options)
    observation, info = env.reset(seed=3)
    random, done = numpy.random.default_rng(3), False
    while not done:
        assert env.observation_space.contains(observation)
        assert info["action_mask"].sum() == info["waiting"] <= 16
        observation, _, done, _, info = env.step(random.integers(info["waiting"]))
    assert (observation == 0).all() and info["waiting"] == 0
    assert (env.starts >= 0).all()


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


def test_environments_together_are_as_each_alone(jobs):
    together = locox.gym.SchedulingVectorEnv(jobs, 5, jobs=60, backfilling="easy", per_step=True)
    alone = [locox.gym.SchedulingEnv(jobs, jobs=60, backfilling="easy", per_step=True) for _ in range(5)]
    observations, info = together.reset(seed=[0, 1, 2, 3, 4], options={"start": 7})
    for env in alone:
        env.reset(seed=0, options={"start": 7})
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
    assert steps > 20


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


def test_no_job_means_the_first_in_line(jobs):
    one, other = (locox.gym.SchedulingEnv(jobs) for _ in range(2))
    one.reset(seed=1), other.reset(seed=1)
    assert (one.step(127)[0] == other.step(0)[0]).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"jobs": 0}, "give 1 to 3000"),
        ({"jobs": 5000}, "give 1 to 3000"),
        ({"window": 0}, "1 to 65536"),
        ({"window": 10**12}, "1 to 65536"),
        ({"processors": 0}, "processors is 0"),
        ({"processors": 8}, "asks for"),
        ({"observation": "image"}, "full or compact"),
        ({"backfilling": "conservative"}, "none or easy"),
        ({"reward": "money"}, "it can be"),
        ({"reward": "utilisation", "per_step": True}, "at the end alone"),
    ],
)
def test_wrong_options_are_refused(jobs, options, words):
    with pytest.raises(ValueError, match=words):
        locox.gym.SchedulingEnv(jobs, **options)


def test_a_start_beyond_the_last_is_refused(jobs):
    env = locox.gym.SchedulingEnv(jobs)
    with pytest.raises(ValueError, match="job 0 to 2744"):
        env.reset(options={"start": 2745})


def test_buffers_of_another_shape_are_refused(jobs):
    envs = locox.gym.SchedulingVectorEnv(jobs, 2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="3 actions for 2 environments"):
        envs.step(numpy.zeros(3, dtype=int))


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
    assert all("borrowed" in text for text in raised)


def test_a_workload_can_be_sent_to_other_processes(jobs):
    assert len(pickle.loads(pickle.dumps(jobs))) == len(jobs)
