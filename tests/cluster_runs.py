"""Reductions under way on a cluster, and the processes of their tests: for tests that kill some."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from e2e.programs import PLAIN, told

LONGEST = 300.0
"""Seconds after which something that should happen does not."""
NUMBERS = "".join(f"l{each}\n" for each in range(60))


def write_test(folder: Path, line: str) -> None:
    """Write a test that says which processes it is run by."""
    (folder / "test.sh").write_text(f"#!/bin/sh\necho $$ >> {folder}/pids\n{line}\n")
    (folder / "test.sh").chmod(0o755)


@contextmanager
def reduction(
    folder: Path, address: str, tests: int = 12, env: Mapping[str, str] | None = None
) -> "Iterator[subprocess.Popen[bytes]]":
    """Have a reduction under way on a cluster, after so many tests."""
    with subprocess.Popen(  # noqa: S603 - the command is what is tested
        [
            *(sys.executable, "-m", "wynot", "reduce", "-q", "--timeout", "300", "-o", "out.txt"),
            *("--cluster", address, "./test.sh", "in.txt"),
        ],
        cwd=folder,
        env={**os.environ, **PLAIN, **(env or {})},
        stderr=subprocess.PIPE,
    ) as run:
        try:
            wait_until(lambda: len(pids(folder)) > tests or run.poll() is not None)
            yield run
        finally:
            run.kill()


def pids(folder: Path) -> list[int]:
    """Return all processes that were ever a test."""
    try:
        return [int(each) for each in (folder / "pids").read_text().split()]
    except FileNotFoundError:
        return []


def alive(folder: Path) -> list[int]:
    return [pid for pid in pids(folder) if is_test(pid, folder)]


def is_test(pid: int, folder: Path) -> bool:
    """Tell whether a process is still one of the tests: numbers are used again."""
    words = command(pid)
    return str(folder) in words or words.startswith("sleep\0" + "600")


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def wait_until(holds: Callable[[], object]) -> None:
    until = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def finish(folder: Path, run: "subprocess.Popen[bytes]") -> None:
    """Wait for a reduction; its result is that of one machine."""
    _, err = run.communicate(timeout=LONGEST)
    assert (run.returncode, err) == (0, b"")
    one = told(folder, "reduce", "-q", "-j", "4", "-o", "one.txt", "./test.sh", "in.txt")
    assert one.code == 0
    assert (folder / "out.txt").read_bytes() == (folder / "one.txt").read_bytes()
