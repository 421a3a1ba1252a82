"""Pictures of outcomes; needs matplotlib."""


def gantt(outcome, axes=None, first=None, last=None):
    """Who holds which processors when, of a replay with ``allocations=True``.

    :param axes: where to draw; a new figure if not given.
    :param first: seconds from which on, and ``last`` until when; all if not given.
    """
    import matplotlib.pyplot

    jobs = outcome.jobs
    begin = int(jobs["submit"].min()) if first is None else first
    end = int(jobs["finish"].max()) if last is None else last
    if axes is None:
        axes = matplotlib.pyplot.subplots(figsize=(10, 5))[1]
    colours = matplotlib.colormaps["tab20"].colors
    for number, (held, start, finish) in enumerate(zip(outcome.allocated, jobs["start"], jobs["finish"])):
        if held is None:
            if jobs["ran"][number]:
                raise ValueError("the replay kept no processors; say allocations=True")
            continue
        if finish <= begin or start >= end:
            continue
        for run in held.split():
            low, _, high = run.partition("-")
            height = int(high or low) - int(low) + 1
            axes.barh(
                int(low), (finish - start) / 3600, height, (start - begin) / 3600, align="edge",
                color=colours[number % len(colours)], edgecolor="white", linewidth=0.3,
            )
    axes.set(xlabel="hours", ylabel="processor", xlim=(0, (end - begin) / 3600), ylim=(0, outcome.processors))
    axes.set_title(f"{outcome.queue} on {outcome.processors} processors")
    return axes
