"""What comes from outside: interrupts, masks, limits."""

import numpy
import pytest

import locox


class Raises:
    def __init__(self, error):
        self.error = error

    def __array__(self, *_, **__):
        raise self.error

    def __index__(self):
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), RuntimeError("own")])
def test_exceptions_that_say_nothing_of_the_number_pass(error):
    with pytest.raises(type(error)):
        locox.Workload(Raises(error), [1], [1])
    with pytest.raises(type(error)):
        locox.Pool(Raises(error))


def test_what_is_masked_is_unknown():
    requested = numpy.ma.array([50, 60], mask=[False, True])
    jobs = locox.Workload([0, 1], [1, 1], [5, 5], requested=requested)
    assert jobs.jobs["requested"].tolist() == [50, -1]
    with pytest.raises(ValueError, match=r"run\[1\] is missing"):
        locox.Workload([0, 1], [1, 1], numpy.ma.array([5, 5], mask=[False, True]))


def test_a_model_s_machine_is_no_larger_than_a_pool_may_be():
    with pytest.raises(ValueError, match="processors is 2147483648, and must be 1 to 16777216"):
        locox.lublin(5, processors=2**31)
