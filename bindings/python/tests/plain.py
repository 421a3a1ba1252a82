"""Simulations in plain Python, for comparison. Jobs are tuples (submit, processors, run, requested)."""

import heapq


def columns(workload):
    jobs = workload.jobs
    requested = [want if want >= 0 else run for want, run in zip(jobs["requested"], jobs["run"])]
    names = ("submit", "processors", "run")
    return list(zip(*(jobs[name].tolist() for name in names), (int(want) for want in requested)))


def simulate(jobs, processors, choose):
    """The start of each job if ``choose`` names who of those that wait is next, and nobody passes him."""
    running, waiting, starts = [], [], [None] * len(jobs)
    free, arrived, begun, chosen = processors, 0, 0, None
    while arrived < len(jobs) or running:
        now = min([running[0][0]] if running else [], default=None)
        if arrived < len(jobs) and (now is None or jobs[arrived][0] < now):
            now = jobs[arrived][0]
        if running and running[0][0] == now:
            free += jobs[heapq.heappop(running)[2]][1]
        else:
            waiting.append(arrived)
            arrived += 1
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
