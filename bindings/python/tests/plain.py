"""Simulations and models in plain Python, for comparison. Jobs are tuples (submit, processors, run, requested)."""

import heapq


def columns(workload):
    jobs = workload.jobs
    requested = [want if want >= 0 else run for want, run in zip(jobs["requested"], jobs["run"])]
    names = ("submit", "processors", "run")
    return list(zip(*(jobs[name].tolist() for name in names), (int(want) for want in requested)))


def simulate(jobs, processors, choose):
    """The start of each job if ``choose`` names who of those that wait is next, and nobody passes him.

    At an instant arrivals come before ends, and a choice is made after each.
    """
    running, waiting, starts = [], [], [None] * len(jobs)
    free, arrived, begun, chosen = processors, 0, 0, None
    while arrived < len(jobs) or running:
        now = min([running[0][0]] if running else [], default=None)
        if arrived < len(jobs) and (now is None or jobs[arrived][0] <= now):
            now = jobs[arrived][0]
        if arrived < len(jobs) and jobs[arrived][0] == now:
            waiting.append(arrived)
            arrived += 1
        else:
            free += jobs[heapq.heappop(running)[2]][1]
        while waiting:
            if chosen is None:
                chosen = choose(waiting)
            if jobs[chosen][1] > free:
                break
            free -= jobs[chosen][1]
            heapq.heappush(running, (now + jobs[chosen][2], begun, chosen))
            begun += 1
            starts[chosen] = now
            waiting.remove(chosen)
            chosen = None
    return starts


def rlscheduler(jobs, processors, score):
    """The starts, and the average bounded slowdown, by RLScheduler's rule without backfilling (arXiv:1910.08925).

    Whoever has the least score of those that wait is taken. If it does not fit, the clock goes on, from one
    arrival or end to the next, until it does. When nobody waits, the clock goes on to the next arrival.
    """
    clock, coming, free = jobs[0][0], 1, processors
    waiting, ends, starts = [0], [], {}

    def go_on():
        nonlocal clock, coming, free
        if coming < len(jobs) and (not ends or jobs[coming][0] <= min(ends)[0]):
            clock = max(clock, jobs[coming][0])
            waiting.append(coming)
            coming += 1
        else:
            end = min(ends)
            ends.remove(end)
            clock, free = max(clock, end[0]), free + end[1]

    while waiting:
        job = min(waiting, key=lambda job: (score(jobs[job]), job))
        while jobs[job][1] > free:
            go_on()
        waiting.remove(job)
        starts[job], free = clock, free - jobs[job][1]
        ends.append((clock + jobs[job][2], jobs[job][1]))
        while not waiting and coming < len(jobs):
            go_on()
    slowdowns = [max(1, (starts[at] - job[0] + job[2]) / max(job[2], 10)) for at, job in enumerate(jobs)]
    return [starts[at] for at in range(len(jobs))], sum(slowdowns) / len(jobs)


class SharedNodes:
    """What each node has of some quantities, the last of which are devices in parts, and who holds what of it.

    Whoever holds something is a dict: ``nodes``, ``amounts`` on each (None for all), ``part`` as (device, parts) or None.
    """

    def __init__(self, nodes, parts):
        self.nodes, self.parts, self.held, self.out = nodes, parts, {}, set()

    def free(self, node):
        """What is free of each quantity, and the parts that are free of each device."""
        here = [it for it in self.held.values() if node in it["nodes"]]
        if node in self.out or any(it["amounts"] is None for it in here):
            return [0] * len(self.nodes[node]), [0] * self.nodes[node][-1]
        free = [has - sum(it["amounts"][at] for it in here) for at, has in enumerate(self.nodes[node])]
        parts = [self.parts - sum(it["part"][1] for it in here if it["part"] and it["part"][0] == device)
                 for device in range(self.nodes[node][-1])]
        free[-1] -= sum(left < self.parts for left in parts)
        return free, [left if left < self.parts or free[-1] else 0 for left in parts]

    def fits(self, node, amounts, part, exclusive):
        free, parts = self.free(node)
        empty = node not in self.out and not any(node in it["nodes"] for it in self.held.values())
        # A device of which nobody has a part is one of those that are free as a whole.
        devices = [left for left in parts if left >= part and (left < self.parts or free[-1] > amounts[-1])]
        enough = all(own <= left for own, left in zip(amounts, free))
        return enough and (not part or bool(devices)) and (empty or not exclusive)

    def fitting(self, amounts, part, exclusive, allowed):
        return [node for node in allowed if self.fits(node, amounts, part, exclusive)]
