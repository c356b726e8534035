"""Real reductions by the clock: wynot as users run it, with tests that sleep.

Several runs go on at once if they are narrow: a test that sleeps takes no processor time, and with
one worker alone the benchmark would take an hour.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Thread
from time import perf_counter

from benchmarks.width.outcome import Outcome, Setting
from benchmarks.width.recorded_test import RecordedTest

SLOTS, WIDEST_SLOTS = 16, 12
"""How many workers there are in all runs at once, about; and for how many the widest runs count:
some narrow ones may go on beside them."""


def run(test: RecordedTest, setting: Setting, seconds: float) -> Outcome:
    """Reduce a case, with tests that take so long."""
    with TemporaryDirectory(prefix="bench-width-") as name:
        folder = Path(name)
        file, program = test.placed(folder), test.written_to(folder / "test", seconds)
        # The recording is elsewhere, where a confined test may not write. The time limit is fixed:
        # what was not recorded yet takes longer on a busy machine.
        command = [
            *(sys.executable, "-m", "wynot", "reduce", "--json", "--no-confine"),
            *("--timeout", "60s", *setting.arguments, str(program), file.name),
        ]
        began = perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE)
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        took = perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
        ended = json.loads(printed.splitlines()[-1])
        return Outcome(
            *(test.name, setting, file.read_bytes(), ended["tests"], ended["extra"]),
            *(took, ended["test_seconds"], used.ru_utime + used.ru_stime),
        )


@dataclass(slots=True)
class Runs:
    """Runs that go on at once, as many as there are slots for; those that take longest first."""

    waiting: list[tuple[int, Callable[[], Outcome]]]
    done: Callable[[Outcome], None]
    _free: int = SLOTS
    _changed: Condition = field(default_factory=Condition)

    def run_all(self) -> None:
        """Return when all have ended."""
        threads = []
        with self._changed:
            while self.waiting:
                fitting = [each for each in self.waiting if slots(each[0]) <= self._free]
                if not fitting:
                    self._changed.wait()
                    continue
                self.waiting.remove(fitting[0])
                self._free -= slots(fitting[0][0])
                threads.append(Thread(target=self._run, args=fitting[0]))
                threads[-1].start()
        for thread in threads:
            thread.join()

    def _run(self, width: int, one: Callable[[], Outcome]) -> None:
        try:
            result = one()
            with self._changed:
                self.done(result)
        finally:
            with self._changed:
                self._free += slots(width)
                self._changed.notify_all()


def slots(width: int) -> int:
    """Return for how many workers a run counts."""
    return min(width, WIDEST_SLOTS)


def measured(
    tests: Sequence[tuple[RecordedTest, int]],
    settings: Sequence[Setting],
    seconds: float,
    done: Callable[[Outcome], None],
) -> dict[str, list[Outcome]]:
    """Reduce each case in each way; the cases come with how many tests they take, about."""
    found: dict[tuple[str, Setting], Outcome] = {}

    def keep(result: Outcome) -> None:
        found[result.case, result.setting] = result
        done(result)

    def one(test: RecordedTest, setting: Setting) -> Callable[[], Outcome]:
        return lambda: run(test, setting, seconds)

    asked = [
        (count / setting.width, setting.width, one(test, setting))
        for test, count in tests
        for setting in settings
    ]
    asked.sort(key=lambda each: -each[0])
    Runs([(width, run) for _, width, run in asked], keep).run_all()
    return {test.name: [found[test.name, each] for each in settings] for test, _ in tests}
