"""What the tests share: workloads, and the traces if LOCOX_DATA names their folder."""

import os
import pathlib

import pytest

import locox


@pytest.fixture(scope="session")
def jobs():
    return locox.lublin(3000, processors=256, seed=1, estimates=3.0)


def logs():
    """Workloads of real machines; none without LOCOX_DATA."""
    folder = os.environ.get("LOCOX_DATA")
    return sorted(pathlib.Path(folder, "traces").glob("*-cln.swf.xz")) if folder else []
