"""The programs of the guide's page on Python run as they stand there, one after the other."""

import pathlib
import re

import pytest

import locox

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/guide/python.md"


def test_programs_of_the_guide_run(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("gymnasium")
    pytest.importorskip("matplotlib").use("Agg")
    programs = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert len(programs) >= 5
    # The log that the page names is not part of the repository: jobs of a model stand for it.
    monkeypatch.chdir(tmp_path)
    locox.lublin(400, processors=128, seed=1).write_swf("KTH-SP2-1996-2.1-cln.swf.xz")
    names = {"pandas": pandas}
    for program in programs:
        exec(program, names)
    assert (tmp_path / "jobs.csv.gz").exists()
