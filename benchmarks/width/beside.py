"""Other reducers with as many workers, on the same sleeping tests: how far they come, and when."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import NamedTuple

from benchmarks.peers import COMMANDS, waited
from benchmarks.width.markdown import print_head, print_row
from benchmarks.width.recorded_test import HOME, RecordedTest

TOOLS = {
    "wynot": str(Path(sys.executable).with_name("wynot")),
    "shrinkray": str(HOME / "peers/peers/bin/shrinkray"),
    "cvise": "cvise",
}


class PeerResult(NamedTuple):
    """What a tool came to."""

    calls: int
    """Tests that were started."""
    size: int
    """Bytes of the smallest case for which the test was run and was interesting."""
    reached: float
    """Seconds until that case was tested."""
    ended: float
    stopped: bool
    """Whether it had to be stopped."""

    @property
    def words(self) -> str:
        """What a table says of it."""
        when = "stopped" if self.stopped else f"ends at {self.ended:.0f} s"
        return f"{self.size:,} bytes at {self.reached:.0f} s, {self.calls:,} tests; {when}"


def ran(
    test: RecordedTest, tool: str, path: str, jobs: int, seconds: float, limit: float
) -> PeerResult:
    """Run a tool on a case, with tests that sleep."""
    with TemporaryDirectory(prefix="bench-width-") as name:
        folder, log = Path(name) / "here", Path(name) / "log"
        folder.mkdir()
        file = test.placed(folder)
        program = test.written_to(folder / "t.sh", seconds, log)
        words = COMMANDS[tool].format(tool=path, jobs=jobs, test=program, file=file.name)
        began = time()
        with (Path(name) / "output").open("wb") as output:
            stopped = waited(words.split(), folder, limit, output)
        ended = time() - began
        calls, size, reached = 0, len(test.original), 0.0
        for line in log.read_text().splitlines():
            began_at, status, left = line.split()
            known_at = float(began_at) - began + seconds
            if known_at <= limit:  # what it does after it was told to stop does not count
                calls += 1
                if status == "0" and int(left) < size:
                    size, reached = int(left), known_at
    return PeerResult(calls, size, reached, ended, stopped)


def compare(
    tests: Sequence[RecordedTest], jobs: int, seconds: float, limit: float, rounds: int
) -> None:
    """Print a table. Each tool runs several times; by the last its verdicts are mostly recorded."""
    there = {tool: path for tool, path in TOOLS.items() if shutil.which(path)}
    for tool in TOOLS.keys() - there.keys():
        print(f"{tool} is not there: benchmarks/width/install-peers.sh")
    print(f"\nthe last size within {limit:.0f} s, {jobs} workers, tests of {seconds:g} s")
    print_head("case", *there)
    for test in tests:
        found = []
        for tool, path in there.items():
            for _ in range(rounds):
                result = ran(test, tool, path, jobs, seconds, limit)
            found.append(result.words)
        print_row(test.name, *found)
