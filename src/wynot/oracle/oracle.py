"""The one door to a test on disk: places the candidate, runs the test, says what came of it."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wynot.core.ending import Ending
from wynot.core.errors import BrokenRunner, NotExecutable, WynotError
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.oracle.patience import Patience
from wynot.oracle.repetition import RELIABLE, Repetition
from wynot.oracle.trial import Given, Said, Trial
from wynot.runners.bench import Bench
from wynot.runners.child import Limits
from wynot.runners.reaper import Survivors


class Outcome(NamedTuple):
    """A verdict, and how the run ended that decided it."""

    verdict: Verdict
    how: str
    seconds: float


def no_find(_files: Files, _ending: Ending) -> None:
    """Let it pass."""


@dataclass(slots=True)
class Oracle:
    """Asks the test about files."""

    trial: Trial
    given: Given
    limits: Limits
    patience: Patience
    fixed: Files = field(default_factory=lambda: Files({}))
    """Files that are there for every test and never reduced."""
    repetition: Repetition = RELIABLE
    also: frozenset[int] = frozenset()
    """Exit statuses of candidates that are kept, though they are not what is looked for."""
    find: Callable[[Files, Ending], None] = no_find

    def ask(self, files: Files, bench: Bench) -> Outcome:
        """Return the verdict on these files, asking as often as it takes to believe it."""
        repetition, shown, seconds = self.repetition, 0, 0.0
        for count in range(1, repetition.runs + 1):
            said = self.once(files, bench)
            seconds += said.ending.seconds
            shown += said.verdict is Verdict.INTERESTING
            if shown >= repetition.needed:
                return Outcome(Verdict.INTERESTING, said.ending.words, seconds)
            out_of_reach = shown + repetition.runs - count < repetition.needed
            if out_of_reach or (not shown and count >= repetition.tries):
                break
        verdict = Verdict.UNRESOLVED if shown else said.verdict
        return Outcome(verdict, said.ending.words, seconds)

    def once(self, files: Files, bench: Bench, *, capture: bool = False) -> Said:
        """Run the test once; again with more time if it took too long and that may be why."""
        said = self._run(files, bench, self.patience.limit, capture=capture)
        longer = self.patience.second_limit
        if said.ending.limit == "timeout" and said.verdict is Verdict.UNRESOLVED and longer:
            said = self._run(files, bench, longer, capture=capture)
            if said.ending.limit == "timeout":
                self.patience.hung()
            else:
                self.patience.was_slow(said.ending.seconds)
        if said.verdict is Verdict.INTERESTING:
            self.patience.learn(said.ending.seconds)
        if said.ending.status in self.also and not said.ending.limit:
            self.find(files, said.ending)
        return said

    def _run(self, files: Files, bench: Bench, timeout: float, *, capture: bool) -> Said:
        if self.fixed.contents:
            files = Files(
                {**self.fixed.contents, **files.contents},
                {**self.fixed.modes, **files.modes},
                {**self.fixed.links, **files.links},
            )
        limits = self.limits._replace(timeout=timeout)
        try:
            bench.place(files)
            return self.trial.run(bench, self.given, limits, capture=capture)
        except FileNotFoundError:  # a test beside it may have removed all there is
            bench.place(files)
            return self._tried(bench, limits, capture=capture)
        except (Survivors, OSError) as error:
            raise _in_words(error) from error

    def in_folder(self, folder: Path, bench: Bench) -> Said:
        """Run the test once in another folder, on what is there."""
        limits = self.limits._replace(timeout=self.patience.limit)
        with bench.elsewhere(folder):
            return self._tried(bench, limits, capture=True)

    def _tried(self, bench: Bench, limits: Limits, *, capture: bool) -> Said:
        """Run the test on what is there, or say why it cannot be run."""
        try:
            return self.trial.run(bench, self.given, limits, capture=capture)
        except (Survivors, OSError) as error:
            raise _in_words(error) from error


def _in_words(error: Survivors | OSError) -> WynotError:
    """Return what to raise for a test that cannot be run."""
    if isinstance(error, Survivors):
        return BrokenRunner(str(error), hint="find out what holds them, and end them")
    nothing_there = error.errno in {errno.ENOEXEC, errno.ENOENT}
    interpreter = _interpreter(error.filename) if nothing_there else ""
    return NotExecutable(
        f"the test {error.filename!r} cannot be started: {error.strerror}{interpreter}",
        hint=_advice(error, nothing_there=nothing_there),
    )


def _advice(error: OSError, *, nothing_there: bool) -> str:
    if nothing_there and not os.path.lexists(str(error.filename)):
        return "it is not there any more"
    if nothing_there:
        return "its first line must name an interpreter that is there, like #!/bin/sh"
    return "check its permissions, and those of its folder"


def _interpreter(path: object) -> str:
    """Return what the first line of a script names, in words."""
    with suppress(OSError), open(str(path), "rb") as stream:  # noqa: PTH123 - it may be no path
        first = stream.readline(200).decode("utf-8", "replace").strip()
        if first.startswith("#!"):
            return f" (its first line is {first!r})"
    return ""
