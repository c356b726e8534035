"""A program, and a sandbox to run it in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warm_program import Program
from wynot.agents.workers import LoneSandbox


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    sandbox = LoneSandbox()
    yield Program(tmp_path, sandbox)
    sandbox.close()
