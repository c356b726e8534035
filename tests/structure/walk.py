"""The files that one accepted candidate goes through, found by profiling a small reduction.

Every process of the reduction notes each step from one file of wynot into another. A candidate's
walk goes from one step of the search to the next. Of all that were accepted, the candidate that
enters the fewest files is shown: no pass begins with it, and the result is not written just then.
"""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import wynot

SOURCE = Path(wynot.__file__).parent
TESTS = Path(__file__).parents[1]
COMMITTED = "engine/recorder.py", "Recorder.commit"
ACCEPTED = "reduction/best.py", "Best.accept"
MARKED = re.compile(r"(<!-- walk -->\n).*?(<!-- end of walk -->\n)", re.DOTALL)


class Entry(NamedTuple):
    """A call from one file into another."""

    at: int
    process: int
    thread: str
    file: str
    function: str


class Walk(NamedTuple):
    """The files of each process, in the order in which they are first entered."""

    main: tuple[str, ...]
    worker: tuple[str, ...]
    """Those that only a worker's thread of the main process enters."""
    agent: tuple[str, ...]
    crossings: int
    """How often the main process goes from one file into another."""


class Profile:
    """Notes calls into other files; each line is written at once, since agents end abruptly."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._last: dict[int, str] = {}

    def start(self) -> None:
        """Profile this thread, and those that it starts."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(f"{SOURCE}{os.sep}"):
            return
        file, thread = name.removeprefix(f"{SOURCE}{os.sep}"), threading.get_ident()
        function = frame.f_code.co_qualname
        if self._last.get(thread) == file and (file, function) not in {COMMITTED, ACCEPTED}:
            return
        self._last[thread] = file
        kind = "main" if thread == threading.main_thread().ident else "worker"
        line = f"{time.monotonic_ns()}\t{os.getpid()}\t{kind}\t{file}\t{function}\n"
        log = os.open(self._log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(log, line.encode())
        os.close(log)


def walked(folder: Path) -> Walk:
    """Reduce a small file, and return the walk of one of its accepted candidates."""
    source = folder / "prog.c"
    lines = [f"int {name}(void) {{ return {name[0] == 'f'}; }}" for name in ("f", "g", "h", "i")]
    source.write_text("\n".join([*lines, "int crash;", *lines[::-1]]).replace("g(", "k(", 1) + "\n")
    test = folder / "test.sh"
    test.write_text("#!/bin/sh\ngrep -q crash prog.c\n")
    test.chmod(0o755)
    python = folder / "python"
    log = folder / "calls"
    # What wynot starts with its own Python is profiled as well.
    again = f'exec {sys.executable} -m structure.walk {log} "$@"'
    python.write_text(f"#!/bin/sh\nPYTHONPATH={TESTS} {again}\n")
    python.chmod(0o755)
    command = ("reduce", "--quiet", "-j", "1", str(test), str(source))
    subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-m", "structure.walk", str(log), str(python), *command],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        check=True,
        capture_output=True,
    )
    rows = (line.split("\t") for line in log.read_text().splitlines())
    entries = [Entry(int(row[0]), int(row[1]), *row[2:]) for row in rows]
    entries.sort()
    main = next(entry.process for entry in entries if entry[3:] == COMMITTED)
    return min(_walks(entries, main), key=lambda walk: len(walk.main) + len(walk.worker))


def _walks(entries: list[Entry], main: int) -> Iterator[Walk]:
    """Yield the walks of those accepted, each from one step of the search to the next."""
    steps, has_committed = [0], False
    for at, entry in enumerate(entries):
        has_committed = has_committed or entry[3:] == COMMITTED
        if has_committed and entry.process == main and entry.file.startswith("search/"):
            steps.append(at)
            has_committed = False
    for start, stop in pairwise(steps):
        walk = entries[start:stop]
        if not any(each[3:] == ACCEPTED for each in walk):
            continue
        ours = [each for each in walk if each.process == main]
        files = dict.fromkeys(each.file for each in ours if each.thread == "main")
        others = dict.fromkeys(each.file for each in ours if each.thread == "worker")
        agent = dict.fromkeys(each.file for each in walk if each.process != main)
        worker = tuple(file for file in others if file not in files)
        yield Walk(tuple(files), worker, tuple(agent), len(ours))


def rewalked(page: str, walk: Walk) -> str:
    """Return a page with the walk of a candidate as it is now."""

    def way(files: tuple[str, ...]) -> str:
        return " → ".join(f"`{file.removesuffix('.py')}`" for file in files)

    ours = f"{len(walk.main) + len(walk.worker)} files, {walk.crossings} steps from one to another"
    text = (
        f"**wynot's process** ({ours}). The thread that calls `run()`: {way(walk.main)}.\n\n"
        f"A worker's thread: {way(walk.worker)}.\n\n"
        f"**The agent** ({len(walk.agent)} files): {way(walk.agent)}.\n"
    )
    return MARKED.sub(lambda found: f"{found[1]}{text}{found[2]}", page)


def _run(log: Path, arguments: list[str]) -> None:
    """Run wynot, or what it starts with its own Python, with a profile."""
    Profile(log).start()
    if arguments[0] == "-I":  # an agent, which is given as code
        sys.argv = ["-c", *arguments[3:]]
        exec(compile(arguments[2], "<agent>", "exec"), {"__name__": "__main__"})  # noqa: S102
        return
    from wynot.cli.main import main  # noqa: PLC0415 - only the process that is to be profiled

    sys.executable = arguments[0]
    sys.exit(main(arguments[1:]))


if __name__ == "__main__":
    _run(Path(sys.argv[1]), sys.argv[2:])
