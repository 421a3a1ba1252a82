"""Random calls of each structure beside a naive model of it: nothing else is raised than ``Refused`` and
``Misused``, and these only where the model says so.

LOCOX_CALLS says how many examples.
"""

import itertools
import os

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

import locox
from plain import SharedNodes

CALLS = int(os.environ.get("LOCOX_CALLS", 200))
STRATEGIES = ["buddy", "gray-code", "free-list", "free-list-plain", "complete"]


def examples(*strategies):
    """So many random cases, always the same."""

    def of(test):
        return seed(1)(settings(max_examples=CALLS, deadline=None, database=None)(given(*strategies)(test)))

    return of


def calls(names, *arguments):
    return st.lists(st.tuples(st.sampled_from(names), *arguments), max_size=40)


def attempt(call):
    """What a call gives, or why it gives nothing."""
    try:
        return call(), None
    except (locox.Refused, locox.Misused) as no:
        assert str(no) and no.reason == no.reason.lower()
        return None, no.reason


def subcubes(dims, dim):
    """All, as sets of nodes."""
    for mask in range(2**dims):
        if bin(mask).count("1") == dim:
            for base in range(2**dims):
                if base & mask == 0:
                    yield frozenset(node for node in range(2**dims) if node & ~mask == base)


@examples(
    st.sampled_from(STRATEGIES),
    calls(["allocate", "allocate", "release", "fail", "drain", "repair"], st.integers(0, 17)),
)
def test_pools(strategy, all_calls):
    pool, held, out = locox.Pool(4, strategy=strategy), {}, set()
    for name, number in all_calls:
        free = set(range(16)).difference(out, *map(set, held))
        if name == "allocate":
            dim = number % 6
            fits = pool.fits(dim)
            lease, why = attempt(lambda dim=dim: pool.allocate(dim))
            fitting = dim <= 4 and any(cube <= free for cube in subcubes(4, dim))
            assert fits == (lease is not None)
            if lease is not None:
                assert set(lease) in map(set, subcubes(4, dim)) and set(lease) <= free
                held[lease] = dim
            elif dim > 4:
                assert why == "too-large"
            else:
                assert why in ("too-few-free", "fragmented", "faulty")
                assert not fitting or strategy in ("buddy", "gray-code", "free-list-plain")
                assert why != "too-few-free" or len(free) < 2**dim
        elif name == "release":
            if held:
                lease = sorted(held, key=lambda it: min(it))[number % len(held)]
                lease.release()
                del held[lease]
                assert attempt(lease.release)[1] == "stale"
        elif number > 15:
            assert attempt(lambda name=name, number=number: getattr(pool, name)(number))[1] == "no-such-node"
        elif name == "repair":
            pool.repair(number)
            out.discard(number)
        else:
            hit = getattr(pool, name)([number])
            assert hit == [lease for lease in held if number in lease]
            out.add(number)
        assert pool.free == len(set(range(16)).difference(out, *map(set, held)))
        assert set(pool) == set(held) and len(pool) == len(held)


@examples(
    st.sampled_from(STRATEGIES),
    st.booleans(),
    calls(["allocate", "allocate", "release", "fail", "repair"], st.integers(0, 70), st.integers(0, 9), st.integers(1, 3)),
)
def test_mesh_pools(strategy, reuse, all_calls):
    pool, held = locox.MeshPool(5, strategy=strategy, reuse=reuse), []
    for name, number, x, y in all_calls:
        if name == "allocate":
            lease, why = attempt(lambda x=x, y=y: pool.allocate((x, y)))
            if x == 0:
                assert lease is None
            elif lease is not None:
                assert len(set(lease)) == x * y == len(lease)
                assert not any(set(lease) & set(other) for other in held)
                held.append(lease)
        elif name == "release" and held:
            held.pop(number % len(held)).release()
        elif name in ("fail", "repair"):
            _, why = attempt(lambda name=name, number=number: getattr(pool, name)(number))
            assert (why is None) == (number < 32)
        assert sorted(map(min, pool)) == sorted(map(min, held))
    stats = pool.stats()
    assert stats["asked"] == sum(map(len, held)) and stats["free"] == pool.free


def boxes(sides, shape):
    """The nodes of each box of this shape in a torus."""
    return [
        {sum(stride * ((at + step) % side) for at, step, side, stride in zip(origin, steps, sides, (1, sides[0]), strict=True))
         for steps in itertools.product(*map(range, shape))}
        for origin in itertools.product(*map(range, sides))
    ]


@examples(
    st.sampled_from(["first", "corner", "fewest"]),
    calls(["allocate", "allocate", "release", "fail", "repair"], st.integers(0, 14), st.integers(1, 5), st.integers(1, 4)),
)
def test_pools_of_boxes(placement, all_calls):
    pool, held, out = locox.GridPool("torus:4x3", placement=placement), [], set()
    for name, number, x, y in all_calls:
        free = set(range(12)).difference(out, *held)
        if name == "allocate":
            lease, why = attempt(lambda x=x, y=y: pool.allocate((x, y), turned=False))
            places = boxes((4, 3), (x, y)) if x <= 4 and y <= 3 else []
            assert (lease is not None) == any(place <= free for place in places)
            if lease is None:
                assert (why == "too-large") == (not places)
                assert (why == "faulty") == (bool(places) and not any(place.isdisjoint(out) for place in places))
            else:
                assert set(lease) in places and lease.shape == [x, y]
                held.append(lease)
            useful = set().union(*(place for place in places if place <= set(range(12)).difference(out, *held)))
            assert pool.stranded((x, y), turned=False) == pool.free - len(useful)
        elif name == "release" and held:
            held.pop(number % len(held)).release()
        elif name in ("fail", "repair"):
            _, why = attempt(lambda name=name, number=number: getattr(pool, name)(number))
            assert why == (None if number < 12 else "no-such-node")
            if number < 12:
                (out.add if name == "fail" else out.discard)(number)
        assert set(pool) == set(held) and pool.free == len(set(range(12)).difference(out, *held))


@examples(
    st.sampled_from(["first", "best", "fewest"]),
    calls(
        ["nodes", "nodes", "tasks", "part", "release", "fail", "repair"],
        st.integers(0, 4), st.integers(1, 4), st.integers(0, 6), st.integers(0, 2), st.booleans(),
        st.none() | st.lists(st.integers(0, 3), max_size=3),
    ),
)
def test_pools_of_nodes(placement, all_calls):
    classes = [{"cores": 4, "memory": 8}, {"cores": 2, "memory": 6, "gpus": 2}]
    pool = locox.NodePool(classes, [3, 1], placement=placement, parts=("gpus", 4), room=5)
    model, leases = SharedNodes([[4, 8, 0]] * 3 + [[2, 6, 2]], 4), []
    for name, number, cores, memory, gpus, exclusive, only in all_calls:
        free = [model.free(node) for node in range(4)]
        assert [list(pool.free(node).values()) for node in range(4)] == [amounts for amounts, _ in free]
        assert pool.free_parts(3)[:2] == free[3][1] and pool.free_parts(0) == [0] * 16
        if name == "release" and leases:
            lease = leases.pop(number % len(leases))
            pool.release(lease)
            del model.held[lease]
            assert attempt(lease.release)[1] == "stale" and lease not in pool
        elif name in ("fail", "repair"):
            hit, why = attempt(lambda name=name, number=number: getattr(pool, name)(number))
            assert why == (None if number < 4 else "no-such-node")
            if name == "fail" and number < 4:
                assert set(hit) == {it for it in leases if number in it}
            (model.out.add if name == "fail" else model.out.discard)(number)
        elif name in ("nodes", "tasks", "part"):
            amounts, number = [cores, memory, gpus], number + 1
            how = {"only": only} if only is not None else {}
            how.update({name: number, "exclusive": exclusive})
            asked = dict(zip(("cores", "memory", "gpus"), amounts))
            pool.learn(asked, **how)
            fits = pool.fits(asked, **how)
            lease, why = attempt(lambda asked=asked, how=how: pool.allocate(asked, **how))
            allowed = range(4) if only is None else sorted(set(only))
            ways = {"nodes": [number], "part": [1], "tasks": [n for n in range(1, 5) if number % n == 0]}[name]
            part = number if name == "part" else 0
            each = {n: [it * number // n for it in amounts] if name == "tasks" else amounts for n in ways}
            found = [n for n in ways if len(model.fitting(each[n], part, exclusive, allowed)) >= n]
            assert (lease is not None) == fits and (fits or why == "full") == bool(found)
            if lease is None:
                assert (why == "full") == (bool(found) and len(leases) == 5)
                continue
            fitting = model.fitting(each[found[0]], part, exclusive, allowed)
            assert len(lease) == found[0] and set(lease) <= set(fitting)
            assert placement != "first" or list(lease) == fitting[: len(lease)]
            taken = None if exclusive else each[found[0]]
            assert lease.amounts == (taken and dict(zip(asked, taken))) and bool(part) == bool(lease.part)
            model.held[lease] = {"nodes": set(lease), "amounts": taken, "part": lease.part}
            leases.append(lease)
        assert set(pool) == set(leases) and len(pool) == len(leases)


TIME = 80


class Busy:
    """For each tick the busy processing elements."""

    def __init__(self, pes):
        self.pes, self.now = pes, 0
        self.held = {}

    def busy(self, tick):
        return set().union(*(pes for start, end, pes in self.held.values() if start <= tick < end))

    def free(self, start, end):
        return self.pes - len(set().union(*(pes for s, e, pes in self.held.values() if s < end and start < e)))

    def earliest(self, pes, duration, ready):
        start = max(self.now, ready)
        while self.free(start, start + duration) < pes:
            start += 1
        return start


small = st.integers(0, 12)


@examples(
    st.sampled_from(["FF", "PE_B", "PE_W", "Du_B", "Du_W", "PEDu_B", "PEDu_W"]),
    calls(["reserve", "reserve", "cancel", "advance", "move", "add"], small, small, small, st.none() | st.integers(0, 60)),
)
def test_timelines(policy, all_calls):
    timeline, model, gone = locox.Timeline(8, room=6), Busy(8), []
    for name, a, b, c, deadline in all_calls:
        before = timeline.slots()
        if name == "reserve":
            pes, duration, ready = a, b, c
            placed, why = attempt(
                lambda a=(a, b), ready=c, by=deadline: timeline.reserve(*a, ready=ready, deadline=by, policy=policy)
            )
            if pes == 0 or duration == 0:
                assert why in ("no-pes", "no-time")
            elif deadline is not None and deadline < ready + duration:
                assert why == "deadline-too-early"
            elif pes > 8:
                assert why == "too-large"
            elif placed is None:
                late = deadline is not None and model.earliest(pes, duration, ready) + duration > deadline
                assert why == "late" and late or why == "full" and len(model.held) == 6
            else:
                assert placed.end - placed.start == duration and placed.start >= max(ready, model.now)
                assert deadline is None or placed.end <= deadline
                assert len(placed.pes) == pes
                assert not any(set(placed.pes) & model.busy(tick) for tick in range(placed.start, placed.end))
                if policy == "FF":
                    assert placed.start == model.earliest(pes, duration, ready)
                model.held[placed] = (placed.start, placed.end, set(placed.pes))
        elif name == "add":
            placed, why = attempt(lambda a=a, b=b, c=c: timeline.add(a, b, [c, (c + 1) % 8]))
            wrong = c > 7 or a < model.now or b <= a
            if wrong:
                assert why in ("no-such-pe", "past", "no-time")
            elif placed is None:
                busy = any({c, (c + 1) % 8} & model.busy(tick) for tick in range(a, b))
                assert why == "busy" and busy or why == "full" and len(model.held) == 6
            else:
                model.held[placed] = (a, b, set(placed.pes))
        elif name == "cancel" and model.held:
            one = sorted(model.held, key=lambda it: model.held[it][0])[a % len(model.held)]
            timeline.cancel(one)
            del model.held[one]
            gone.append(one)
        elif name == "advance":
            why = attempt(lambda a=a: timeline.advance(a))[1]
            assert why == ("past" if a < model.now else None)
            model.now = max(a, model.now)
            gone += [one for one, (_, end, _) in model.held.items() if end <= model.now]
            model.held = {one: it for one, it in model.held.items() if it[1] > model.now}
        elif name == "move" and model.held:
            one = sorted(model.held, key=lambda it: model.held[it][0])[a % len(model.held)]
            start, end, pes = model.held[one]
            moved, why = attempt(lambda one=one, b=b: timeline.move_to(one, b))
            if moved is None:
                others = [it for other, it in model.held.items() if other != one]
                busy = any(s < b + end - start and b < e and pes & p for s, e, p in others)
                assert why == "busy" and busy or why == "past" and b < model.now
                assert [it.tolist() for it in before] == [it.tolist() for it in timeline.slots()]
            else:
                model.held[one] = (moved.start, moved.end, pes)
        assert set(timeline) == set(model.held) and len(timeline) == len(model.held)
        for tick in range(model.now, model.now + 30):
            assert timeline.free_at(tick) == 8 - len(model.busy(tick))
        for one in gone:
            assert attempt(lambda one=one: timeline.look_up(one))[1] == "stale"


@examples(calls(["reserve", "add", "cancel", "advance", "forward"], small, small, small))
def test_profiles(all_calls):
    profile, held, now = locox.Profile(8, room=6), {}, 0

    def busy(tick, without=None):
        return sum(it.pes for it in held.values() if it != without and it.start <= tick < it.end)

    for name, a, b, c in all_calls:
        if name in ("reserve", "add"):
            call = (lambda a=a, b=b, c=c: profile.reserve(a, b, ready=c)) if name == "reserve" else (
                lambda a=a, b=b, c=c: profile.add(a, b, c)
            )
            placed, why = attempt(call)
            if placed is None:
                assert why in ("no-pes", "no-time", "too-large", "full", "busy", "past")
                assert why != "full" or len(held) == 6
                assert why != "busy" or any(busy(tick) + c > 8 for tick in range(a, b))
            else:
                assert all(busy(tick) + placed.pes <= 8 for tick in range(placed.start, placed.end))
                held[placed] = placed
        elif name == "cancel" and held:
            one = list(held)[a % len(held)]
            profile.cancel(one)
            del held[one]
        elif name == "advance" and a >= now:
            profile.advance(a)
            now = a
            held = {one: it for one, it in held.items() if it.end > now}
        elif name == "forward" and held:
            one = list(held)[a % len(held)]
            was = held[one]
            held[one] = profile.bring_forward(one)
            assert held[one].start <= was.start and held[one].end - held[one].start == was.end - was.start
        for tick in range(now, now + 30):
            assert profile.free_at(tick) == 8 - busy(tick)
        assert set(profile) == set(held)


@examples(
    st.sampled_from(["fcfs", "scan-up", "scan-down", "lazy", "window:3", "easy", "easy:1", "conservative", "conservative:1"]),
    calls(["submit", "submit", "finish", "cancel", "requeue", "hold", "release", "withdraw", "repair"], small, small),
)
def test_queues(discipline, all_calls):
    queue = locox.Queue(8, discipline, room=10)
    waiting, running, on_hold, out = [], [], set(), 0
    plans = discipline.startswith(("easy", "conservative"))
    for now, (name, a, b) in enumerate(all_calls):
        one = (waiting + running)[a % len(waiting + running)] if waiting + running else None
        if name == "submit":
            job, why = attempt(lambda now=now, a=a, b=b: queue.submit(now, a, b))
            if job is None:
                reasons = {"no-pes": a == 0, "no-time": b == 0, "too-large": a > 8}
                assert reasons.get(why, False) or why == "full" and len(waiting + running) == 10
            else:
                waiting.append(job)
        elif name in ("withdraw", "repair"):
            why = attempt(lambda now=now, a=a, name=name: getattr(queue, name)(now, a))[1]
            assert why == ("outage" if a > (8 - out if name == "withdraw" else out) else None)
            if why is None:
                out += a if name == "withdraw" else -a
        elif one is not None:
            why = attempt(lambda now=now, name=name, one=one: getattr(queue, name)(now, one))[1]
            right = running if name in ("finish", "requeue") else waiting
            assert (why is None) == (one in right), why
            if why is None and name in ("finish", "cancel"):
                right.remove(one)
                assert attempt(lambda now=now, one=one: queue.finish(now, one))[1] == "stale"
            elif why is None and name == "requeue":
                running.remove(one)
                waiting.append(one)
                waiting.sort(key=lambda job: job.id)
            elif why is None:
                (on_hold.add if name == "hold" else on_hold.discard)(one)
        started = queue.start(now)
        assert set(started) <= set(waiting) - on_hold and len(set(started)) == len(started)
        eligible = [job for job in waiting if job not in on_hold]
        free = 8 - out - sum(job.processors for job in running)
        if discipline == "fcfs":
            expected = []
            for job in eligible:
                if job.processors > free:
                    break
                expected.append(job)
                free -= job.processors
            assert started == expected
        elif started:
            assert sum(job.processors for job in started) <= free
        waiting = [job for job in waiting if job not in started]
        running += started
        assert list(queue) == waiting and set(queue.running()) == set(running) and len(queue) == len(waiting)
        if plans:
            for job in waiting:
                planned, estimate = queue.planned(job), queue.estimate(job)
                assert planned is None or planned[1] - planned[0] == job.requested
                assert estimate is None or estimate[1] - estimate[0] == job.requested
        head = [job for job in waiting if job not in on_hold and job.processors <= 8 - out]
        if head and discipline in ("easy", "fcfs"):
            free = max(8 - out - sum(job.processors for job in running), 0)
            first = head[0] if plans else [job for job in waiting if job not in on_hold][0]
            assert first.processors > free


@examples(
    st.integers(1, 5),
    calls(["wants", "holds", "decide", "weight", "advance"], st.integers(0, 6), st.integers(0, 5)),
)
def test_fair_shares(stations, all_calls):
    fair = locox.FairShare(stations, processors=4, half_life=50, quantum=5)
    wants, holds, now = [0] * stations, [0] * stations, 0
    for name, station, number in all_calls:
        if name in ("wants", "holds"):
            _, why = attempt(lambda: fair.demand(station, **{name: number}))  # noqa: B023
            assert why == (None if station < stations else "no-such-station")
            if why is None:
                (wants if name == "wants" else holds)[station] = number
        elif name == "weight":
            _, why = attempt(lambda: fair.set_weight(station, number))  # noqa: B023
            assert (why is None) == (station < stations and number > 0)
        elif name == "advance":
            now += number
            fair.advance(now)
        else:
            now += number
            decisions, why = attempt(lambda: fair.decide(now))  # noqa: B023
            if why is not None:
                assert why == "holdings-exceed-capacity" and sum(holds) > 4
                continue
            for one in decisions:
                if one.taken_from is None:
                    assert sum(holds) < 4
                else:
                    assert sum(holds) == 4 and holds[one.taken_from] > 0 and holds[one.to] == 0
                    holds[one.taken_from] -= 1
                    wants[one.taken_from] += 1
                assert wants[one.to] > 0
                wants[one.to] -= 1
                holds[one.to] += 1
            assert sum(holds) == 4 or sum(wants) == 0
        assert fair.wants.tolist() == wants and fair.holds.tolist() == holds


@examples(
    st.sampled_from(["olb", "best-assignment", "min-min", "max-min", "sufferage", "duplex", "pjs", "genetic"]),
    st.integers(1, 3).flatmap(lambda machines: st.tuples(
        st.lists(st.lists(st.integers(-1, 9), min_size=machines + 1, max_size=machines + 1), max_size=6),
        st.lists(st.integers(0, 5), min_size=machines, max_size=machines),
    )),
    st.sampled_from(["completion", "execution"]),
)
def test_mappers(mapper, site, best):
    times, free_from = site
    machines = len(free_from)
    if not times:
        return
    options = {"clusters": [list(range(machines))], "free_from": free_from, "best": best, "generations": 3}
    plan, why = attempt(lambda: locox.map_jobs(times, mapper, **options))
    impossible = any(all(time == -1 for time in row[:machines]) for row in times)
    assert (why == "no-machine") == impossible and why in (None, "no-machine")
    if plan is None:
        return
    taken = {machine: [] for machine in range(machines)}
    for job, (resource, start, end) in enumerate(zip(plan.resource, plan.start, plan.end)):
        assert end - start == times[job][resource] >= 0
        for machine in range(machines) if resource == machines else [resource]:
            assert start >= free_from[machine]
            taken[machine].append((start, end))
    for runs in taken.values():
        runs.sort()
        assert all(before[1] <= after[0] for before, after in zip(runs, runs[1:]))
    assert plan.merit == plan.end.sum() >= plan.lower_bound
    if mapper == "olb":
        free = list(free_from)
        for job, row in enumerate(times):
            can = [machine for machine in range(machines) if row[machine] >= 0]
            chosen = min(can, key=lambda machine: (free[machine], machine))
            assert plan.resource[job] == chosen
            free[chosen] += row[chosen]


strange = st.one_of(
    st.none(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(-2, 2**33), max_size=3), st.booleans(),
    st.sampled_from([2**31, 2**32, 2**63, 2**64 - 1, 2**64, -1]),
)


@examples(st.data())
def test_whatever_is_given_is_refused_in_a_sentence(data):
    made = [
        locox.Pool(3), locox.MeshPool(3), locox.Timeline(4), locox.Profile(4), locox.Queue(4), locox.FairShare(2, 2),
        locox.GridPool("torus:3x2"), locox.SlicePool(), locox.GridPool("mesh:3").allocate(1), locox.SlicePool().allocate("1g"),
        locox.NodePool([[2, 2]], [3]), locox.NodePool([{"cores": 2}], [3]).allocate({"cores": 1}),
        locox.Pool(3).allocate(1), locox.Timeline(4).reserve(1, 1), locox.Queue(4).submit(0, 1, 1),
    ]
    it = data.draw(st.sampled_from(made))
    own = st.sampled_from(made)
    for _ in range(5):
        name = data.draw(st.sampled_from([name for name in dir(it) if not name.startswith("_")]))
        if not callable(getattr(it, name)):
            continue
        arguments = data.draw(st.lists(strange | own, max_size=4))
        try:
            getattr(it, name)(*arguments)
        except (locox.Refused, ValueError, TypeError) as fault:
            assert str(fault) and "panic" not in str(fault) and len(str(fault)) < 500
        repr(it)


def test_makers_refuse_strange_arguments():
    for maker in (locox.Pool, locox.MeshPool, locox.GridPool, locox.SlicePool, locox.NodePool, locox.Timeline, locox.Profile, locox.Queue, locox.FairShare, locox.map_jobs):
        for first in (None, -1, 2**64, 1.5, "x", [], {}, object()):
            for rest in ((), (None,), (-1,), ("x",)):
                with pytest.raises((ValueError, TypeError, locox.Refused)):
                    maker(first, *rest)
