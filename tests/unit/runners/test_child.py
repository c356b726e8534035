"""One process, and the limits that are set from outside while it runs."""

import os
import resource
from pathlib import Path

import pytest

from wynot.runners.child import HAS_PRLIMIT, Child

pytestmark = pytest.mark.skipif(not HAS_PRLIMIT, reason="limits cannot be set from outside")

INFINITE = resource.RLIM_INFINITY


class Waiting:
    """A shell that lowers its own limits, and then waits to be let go."""

    def __init__(self, folder: Path, first: str) -> None:
        self._read, self._write = os.pipe()
        ours = [f"{name}={value}".encode() for name, value in os.environ.items()]
        null = os.open(os.devnull, os.O_RDWR)
        script = f"{first}; read line; exit 7"
        self.child = Child(["/bin/sh", "-c", script], folder, ours, (self._read, null, null))
        os.close(null)

    def limit(self, which: int) -> tuple[int, int]:
        return resource.prlimit(self.child.pid, which)

    def until(self, which: int, hard: int) -> None:
        """Look until it has lowered its limit; the test's own time-out is the end of that."""
        while self.limit(which)[1] != hard:
            os.sched_yield()

    def let_go(self) -> int:
        os.close(self._write)
        os.close(self._read)
        return self.child.status()


def test_core_dumps_and_memory_are_bounded(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, ":")
    waiting.child.limit(1 << 30)
    assert waiting.limit(resource.RLIMIT_CORE)[0] == 0
    assert waiting.limit(resource.RLIMIT_AS)[0] == 1 << 30
    assert waiting.let_go() == 7


def test_a_child_that_has_lowered_its_own_limit_is_left_in_peace(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, "ulimit -c 0")
    waiting.until(resource.RLIMIT_CORE, 0)
    waiting.child.limit(None)
    assert waiting.limit(resource.RLIMIT_CORE) == (0, 0)
    assert waiting.let_go() == 7


def test_a_limit_of_its_own_that_is_lower_stays(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, f"ulimit -v {(512 << 20) // 1024}")
    waiting.until(resource.RLIMIT_AS, 512 << 20)
    waiting.child.limit(1 << 30)
    assert waiting.limit(resource.RLIMIT_AS) == (512 << 20, 512 << 20)
    assert waiting.let_go() == 7


def test_without_a_bound_memory_is_left_alone(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, ":")
    before = waiting.limit(resource.RLIMIT_AS)
    waiting.child.limit(None)
    assert waiting.limit(resource.RLIMIT_AS) == before
    assert not waiting.child.has_ended()
    assert waiting.let_go() == 7
