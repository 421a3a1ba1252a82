"""Pictures of outcomes; needs matplotlib."""

import numpy


def outcome(outcome, axes=None, first=None, last=None):
    """What ``Outcome.plot`` draws."""
    jobs = outcome.jobs
    ran = jobs["ran"]
    if not ran.any():
        raise ValueError("no job ran, so there is nothing to draw")
    begin = int(jobs["submit"][ran].min()) if first is None else first
    end = int(jobs["finish"].max()) if last is None else last
    if begin >= end:
        raise ValueError(f"first is {begin}, and must be before last, which is {end}")
    axes = _axes() if axes is None else axes
    if any(held is not None for held in outcome.allocated):
        _gantt(axes, outcome, begin, end)
    else:
        _held(axes, jobs, begin)
    axes.set(xlabel="hours", xlim=(0, (end - begin) / 3600), ylim=(0, outcome.processors))
    axes.set_title(f"{outcome.queue} on a {outcome.machine}")
    return axes


def _axes():
    try:
        import matplotlib.pyplot
    except ImportError as missing:
        raise ImportError("plot needs matplotlib; pip install matplotlib") from missing
    return matplotlib.pyplot.subplots(figsize=(10, 5))[1]


def _gantt(axes, outcome, begin, end):
    """Who holds which processors when."""
    from matplotlib import colormaps
    from matplotlib.collections import PolyCollection

    boxes, colours = [], []
    palette = colormaps["tab20"].colors
    jobs = outcome.jobs
    rows = zip(outcome.allocated, jobs["start"].tolist(), jobs["finish"].tolist())
    for number, (held, start, finish) in enumerate(rows):
        if held is None or finish <= begin or start >= end:
            continue
        left, right = (start - begin) / 3600, (finish - begin) / 3600
        for run in held.split():
            low, _, high = run.partition("-")
            bottom, top = int(low), int(high or low) + 1
            boxes.append([(left, bottom), (left, top), (right, top), (right, bottom)])
            colours.append(palette[number % len(palette)])
    axes.add_collection(PolyCollection(boxes, facecolors=colours, edgecolors="white", linewidths=0.3))
    axes.set_ylabel("processor")


def _held(axes, jobs, begin):
    """How many processors are held when."""
    ran = jobs["ran"]
    times = numpy.concatenate([jobs["start"][ran], jobs["finish"][ran]])
    changes = numpy.concatenate([jobs["held"][ran], -jobs["held"][ran]])
    order = numpy.argsort(times, kind="stable")
    axes.fill_between((times[order] - begin) / 3600, changes[order].cumsum(), step="post")
    axes.set_ylabel("processors held")
