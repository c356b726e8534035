"""What the fault tests share: inputs, test scripts that keep a log, and wynot as a real process."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from agents import agents, hosts

WYNOT = str(Path(sys.executable).with_name("wynot"))

LONGEST = 400.0
"""Seconds after which something hangs: below pytest's limit, so that it fails by name."""

FILLER = ["foo", "bar", "lorem", "ipsum", "x=1;", "(", ")", "and so on"]


def text(*needed: str, lines: int = 60, seed: int = 0) -> bytes:
    """Return lines of filler with the needed words spread among them, in this order."""
    chance = random.Random(seed)
    made = [" ".join(chance.choices(FILLER, k=chance.randint(1, 5))) for _ in range(lines)]
    for number, word in enumerate(needed):
        at = (2 * number + 1) * lines // (2 * len(needed))
        made[at] += f" {word}"
    return ("\n".join(made) + "\n").encode()


def script(path: Path, body: str) -> Path:
    """Write a test script, ready to run."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def has(*needed: str) -> str:
    """Return a line of shell whose status is 0 if the file holds these words in this order."""
    pattern = "".join(f"*{word}" for word in needed)
    return f'case $(cat "$1" 2>/dev/null) in {pattern}*) true;; *) false;; esac'


def logging(path: Path, log: Path, test: str) -> Path:
    """Write a script that logs the digest of each candidate when it begins and when it ends."""
    return script(
        path,
        f"""
        d=$(sha256sum <"$1")
        echo "begin ${{d%% *}} $PWD" >>'{log}'
        {test}
        r=$?
        echo "end ${{d%% *}} $PWD $r" >>'{log}'
        exit $r
        """,
    )


def root_of(folder: str | Path) -> Path:
    """Return the private folder of the run that a candidate's folder is in."""
    return Path(folder).parents[2]


class Line(NamedTuple):
    """A line of such a log."""

    what: str
    digest: str
    folder: str
    """Where it ran: each worker of each run has its own."""
    status: str = ""

    @property
    def root(self) -> Path:
        """The private folder of the run that asked."""
        return root_of(self.folder)


def read(log: Path, start: int = 0) -> list[Line]:
    """Return the whole lines of a log from that byte on."""
    if not log.exists():
        return []
    with log.open() as stream:
        stream.seek(start)
        whole, _, _ = stream.read().rpartition("\n")
    return [Line(*line.split(" ")) for line in whole.splitlines()]


def begun(log: Path, start: int) -> int:
    """Count the tests that have begun since the log was so long; cheap enough for a loop."""
    if not log.exists():
        return 0
    with log.open("rb") as stream:
        stream.seek(start)
        return stream.read().count(b"begin ")


def size(log: Path) -> int:
    """Return how long a log is."""
    return log.stat().st_size if log.exists() else 0


def ended(lines: Sequence[Line]) -> Counter[str]:
    """Count how often the test of each candidate came to its end."""
    return Counter(line.digest for line in lines if line.what == "end")


def interesting(lines: Sequence[Line]) -> set[str]:
    """Return the candidates that the test said yes of."""
    return {line.digest for line in lines if line.what == "end" and line.status == "0"}


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def until(condition: Callable[[], bool], what: str, seconds: float = LONGEST) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.002)


def soon(condition: Callable[[], bool], seconds: float = LONGEST) -> bool:
    """Tell whether something becomes true."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@dataclass
class Place:
    """A folder with a case in it, and wynot at work on that."""

    folder: Path
    original: bytes
    name: str = "case.txt"
    env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.file.write_bytes(self.original)

    @property
    def file(self) -> Path:
        return self.folder / self.name

    @property
    def backup(self) -> Path:
        return self.folder / f"{self.name}.orig"

    @property
    def journal(self) -> Path:
        return self.folder / ".wynot" / f"{self.name}.journal"

    def start(
        self, *arguments: str | Path, before: Callable[[], None] | None = None
    ) -> "subprocess.Popen[str]":
        """Start ``wynot reduce``.

        With a time limit that no test comes near: the one it would learn is made for machines
        that have nothing else to do.
        """
        return subprocess.Popen(  # noqa: S603 - our own command
            [WYNOT, "reduce", "--timeout", "300", *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, "PYTHONFAULTHANDLER": "1", **self.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=before,  # noqa: PLW1509 - the tests start it from one thread
        )

    def run(self, *arguments: str | Path, before: Callable[[], None] | None = None) -> "Ended":
        """Run ``wynot reduce`` to its end."""
        return finish(self.start(*arguments, before=before))

    def others(self) -> set[str]:
        """Return what is in the folder besides what wynot is supposed to leave there."""
        expected = {self.name, f"{self.name}.orig", ".wynot"}
        return {path.name for path in self.folder.iterdir()} - expected


class Ended(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """All of it as one line: paragraphs are wrapped."""
        return " ".join(f"{self.out} {self.err}".split())


def finish(process: "subprocess.Popen[str]") -> Ended:
    """Wait for the end of a command; kill it if that takes too long."""
    try:
        out, err = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"it hangs:\n{where(process)}") from None
    return Ended(process.returncode, out, err)


def where(process: "subprocess.Popen[str]") -> str:
    """End a command that hangs, and return where it was."""
    process.send_signal(signal.SIGABRT)  # with PYTHONFAULTHANDLER, it says where
    out, err = process.communicate()
    return f"{out}\n{err}"


def kill(process: "subprocess.Popen[str]", number: int = signal.SIGKILL) -> Ended:
    """Send a signal, and wait for the end."""
    process.send_signal(number)
    return finish(process)


def kill_with_agents(process: "subprocess.Popen[str]") -> Ended:
    """Kill a run and all of its agents at one stroke, so that nobody sees another end."""
    everybody = [process.pid, *hosts(process.pid), *agents(process.pid)]
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in everybody:
            os.kill(pid, number)
    return finish(process)


@contextmanager
def killed_at_last(process: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    """See to it that a failed assertion leaves nothing running."""
    try:
        yield process
    finally:
        if process.poll() is None:
            sys.stderr.write(where(process))
        elif process.stdout and not process.stdout.closed:
            process.communicate()


def unique_nap() -> str:
    """Return how many seconds to sleep: so many that no other process of any test run does."""
    return f"{1000 + os.getpid()}.{time.monotonic_ns()}"


def processes(mark: str | Path) -> set[tuple[int, str]]:
    """Return the living processes that have this in their command line or environment."""
    found = set()
    needle = os.fsencode(mark)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            shown = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if needle in shown and fields[0] not in "ZX":
            found.add((int(entry.name), fields[19]))  # the time of its start: numbers come again
    return found
