"""Trains a small policy with numpy alone, for less than a minute, and compares it with FCFS on jobs it has not seen.

    python train.py

The policy gives each waiting job a score, a weighted sum of what is observed, and takes the highest. The
weights come from an evolution strategy: policies near the present one are tried in pairs on the same
sequences of jobs, and the weights move towards those that did better.
"""

import numpy

import locox
import locox.gym

PAIRS, SEQUENCES, GENERATIONS, NOISE, RATE = 8, 4, 40, 0.3, 0.3


def slowdowns(env, weights, seeds):
    """The mean bounded slowdown of each policy on each sequence; policies are the rows of ``weights``."""
    each = numpy.repeat(weights, len(seeds), axis=0)
    shown, info = env.reset(seed=list(seeds) * len(weights))
    done = numpy.zeros(env.num_envs, dtype=bool)
    while not done.all():
        scores = numpy.einsum("ejc,ec->ej", shown, each)
        scores[~info["action_mask"]] = -numpy.inf
        shown, rewards, done, _, info = env.step(scores.argmax(axis=1))
    return -rewards.reshape(len(weights), len(seeds))


history = locox.lublin(20_000, processors=256, seed=1).scaled(0.8)
env = locox.gym.SchedulingVectorEnv(history, 2 * PAIRS * SEQUENCES, copy=False)
random = numpy.random.default_rng(1)
weights = numpy.zeros(8)
for generation in range(GENERATIONS):
    noise = random.normal(size=(PAIRS, 8))
    tried = numpy.concatenate([weights + NOISE * noise, weights - NOISE * noise])
    seeds = random.integers(2**31, size=SEQUENCES).tolist()
    cost = numpy.log(slowdowns(env, tried, seeds)).mean(axis=1)
    gain = cost[PAIRS:] - cost[:PAIRS]
    weights = weights + RATE * (gain[:, None] * noise).mean(axis=0) / (gain.std() + 1e-9)
    if generation % 10 == 9:
        print(f"generation {generation + 1}: mean bounded slowdown {numpy.exp(cost.mean()):.1f}")

test = locox.lublin(20_000, processors=256, seed=2).scaled(0.8)
seeds = list(range(64))
env = locox.gym.SchedulingVectorEnv(test, 2 * len(seeds), copy=False)
learnt, first_come = slowdowns(env, numpy.array([weights, numpy.zeros(8)]), seeds)
print(f"on {len(seeds)} sequences of another seed: FCFS {first_come.mean():.1f}, learnt {learnt.mean():.1f}")
assert learnt.mean() < first_come.mean(), "the policy is worse than first come, first served"
