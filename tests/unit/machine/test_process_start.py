"""One process, and the limits that it has from its first instruction on."""

import os
import resource
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agents import agent_in_thread
from wynot.agents.workers import LoneSandbox
from wynot.machine import process_start
from wynot.machine.process_start import Bounds, Child
from wynot.machine.run_label import HAS_PRLIMIT, RunLabel
from wynot.wire.run_request import Limits, RunRequest

pytestmark = pytest.mark.skipif(not HAS_PRLIMIT, reason="limits cannot be looked at from outside")

MEMORY = 1 << 30


class Waiting:
    """A shell that waits to be let go."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self._read, self._write = os.pipe()
        ours = [f"{name}={value}".encode() for name, value in os.environ.items()]
        null = os.open(os.devnull, os.O_RDWR)
        argv = ["/bin/sh", "-c", "read line; exit 7"]
        streams = (self._read, null, null)
        self.child = Child(argv, folder, ours, streams, RunLabel(b"", None), bounds=bounds)
        os.close(null)

    def limit(self, which: int) -> int:
        return resource.prlimit(self.child.pid, which)[0]

    def let_go(self) -> int:
        os.close(self._write)
        os.close(self._read)
        return self.child.status()


@pytest.fixture
def _with_core_dumps() -> None:
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


@pytest.mark.usefixtures("_with_core_dumps")
def test_there_are_no_core_dumps_of_tests_and_our_own_stay(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_CORE)
    waiting = Waiting(tmp_path, Bounds())
    assert waiting.limit(resource.RLIMIT_CORE) == 0
    assert resource.getrlimit(resource.RLIMIT_CORE) == before
    assert waiting.let_go() == 7


def test_without_bounds_limits_are_left_alone(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, Bounds())
    for which in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE):
        assert waiting.limit(which) == resource.getrlimit(which)[0]
    assert not waiting.child.has_ended()
    assert waiting.let_go() == 7


@pytest.mark.parametrize("between", ["prlimit", "sh"])
def test_every_test_sees_its_limits_however_busy_the_machine_is(
    between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each looks at once, and many are started at a time."""
    if between == "sh":
        monkeypatch.setattr(process_start, "_prlimit", lambda: "")
    limits = Limits(timeout=300, memory=MEMORY)

    def job(_: int) -> set[bytes]:
        argv = ["sh", "-c", "ulimit -v; ulimit -c"]
        with agent_in_thread() as (sandbox,):
            return {
                sandbox.run(RunRequest(argv, limits=limits, capture=True)).stdout for _ in range(12)
            }

    with ThreadPoolExecutor(16) as threads:
        seen = set().union(*threads.map(job, range(16)))
    assert seen == {b"%d\n0\n" % (MEMORY // 1024)}


def test_a_bound_beyond_what_is_allowed_is_the_most_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (1 << 29, 1 << 29))
    assert Bounds(MEMORY).within() == Bounds(1 << 29)
    assert "--as=536870912:" in process_start.launched(["x"], b"/bin/sh", Bounds(MEMORY))
    assert process_start.launched(["x"], os.fsencode(tmp_path / "none"), Bounds(MEMORY)) == ["x"]


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, FileNotFoundError), ("true\n", OSError), ("#!/no/such\n", FileNotFoundError)],
)
def test_what_cannot_be_started_is_told_as_without_limits(
    tmp_path: Path, content: str | None, error: type[OSError]
) -> None:
    program = tmp_path / "program"
    if content is not None:
        program.write_text(content)
        program.chmod(0o755)
    sandbox = LoneSandbox()
    with pytest.raises(error):
        sandbox.run(RunRequest([str(program)], limits=Limits(memory=MEMORY)))
    sandbox.close()


def test_the_environment_and_the_arguments_are_the_same_within_limits() -> None:
    sandbox = LoneSandbox()
    env = {"odd-name%%": "() {", "EMPTY": ""}
    script = "cat /proc/$$/environ /proc/$$/cmdline | tr '\\0' '\\n' | grep -v WYNOT_TEST"
    argv = ["sh", "-c", script, "--", "-a", ""]
    seen = [
        sandbox.run(RunRequest(argv, limits=limits, capture=True, env=env)).stdout
        for limits in (Limits(), Limits(memory=MEMORY))
    ]
    assert seen[0] == seen[1]
    sandbox.close()


@pytest.mark.skipif(process_start._LIBRARY is None, reason="the C library has no such posix_spawn")  # noqa: SLF001
def test_spawn_holds_its_file_actions_while_the_library_uses_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library: Any = process_start._LIBRARY  # noqa: SLF001
    posix_spawn = library._spawn  # noqa: SLF001
    null = os.open(os.devnull, os.O_RDWR)
    start = str(tmp_path), (null, null, null)
    file_actions = weakref.ref(library._actions(*start))  # noqa: SLF001

    def evicting(*args: Any) -> int:
        """Starts after other threads have started so much that the cache holds none of ours."""
        library._actions.cache_clear()  # noqa: SLF001
        assert file_actions() is not None
        return int(posix_spawn(*args))

    monkeypatch.setattr(library, "_spawn", evicting)
    pid = library.spawn(b"/bin/sh", ["sh", "-c", "exit 7"], start[0], [], start[1])
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    os.close(null)


def test_program_is_missing_though_a_folder_of_path_cannot_be_read(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    code = (
        "import os, subprocess, sys\n"
        "from wynot.machine.process_start import spawn\n"
        "os.geteuid() or os.setuid(65534)  # root may read anything\n"
        "spawn(['no-such-program'], '/', [b'PATH=' + os.fsencode(sys.argv[1])], (0, 1, 2))\n"
    )
    done = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", code, str(locked)], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == (
        "FileNotFoundError: [Errno 2] No such file or directory: 'no-such-program'"
    )
