"""The one door to a test on disk: places the candidate, runs the test, says what came of it."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from wynot.core.ending import Ending
from wynot.core.errors import BrokenRunner, NotExecutable, WynotError
from wynot.core.verdict import Verdict
from wynot.oracle.patience import Patience
from wynot.oracle.placing import Given, Inapplicable, Placing
from wynot.oracle.repetition import RELIABLE, Repetition
from wynot.oracle.trial import Said, Trial
from wynot.oracle.watch import UNWATCHED, Watch
from wynot.runners.bench import Bench
from wynot.runners.child import Limits
from wynot.runners.reaper import Survivors

Subject = TypeVar("Subject")


class Outcome(NamedTuple):
    """A verdict, and how the run ended that decided it."""

    verdict: Verdict
    how: str
    seconds: float
    timed_out: bool = False
    """Whether it ran into the time limit, and nothing is known for that reason."""


NOT_RUN = Ending(125, 0.0)
"""How a test ends that was not even begun; 125 is what ``git bisect`` has for it."""


def no_find(_subject: object, _ending: Ending) -> None:
    """Let it pass."""


@dataclass(slots=True)
class Oracle(Generic[Subject]):
    """Asks the test about candidates."""

    trial: Trial
    placing: Placing[Subject]
    limits: Limits
    patience: Patience
    repetition: Repetition = RELIABLE
    also: frozenset[int] = frozenset()
    """Exit statuses of candidates that are kept, though they are not what is looked for."""
    find: Callable[[Subject, Ending], None] = no_find
    watch: Watch = UNWATCHED
    """The files of the test itself: if one of them changes, no verdict can be believed."""

    def ask(self, subject: Subject, bench: Bench) -> Outcome:
        """Return the verdict on a candidate, asking as often as it takes to believe it."""
        repetition, shown, seconds = self.repetition, 0, 0.0
        for count in range(1, repetition.runs + 1):
            said = self.once(subject, bench)
            seconds += said.seconds
            shown += said.verdict is Verdict.INTERESTING
            if shown >= repetition.needed:
                return Outcome(Verdict.INTERESTING, said.words, seconds)
            out_of_reach = shown + repetition.runs - count < repetition.needed
            if out_of_reach or (not shown and count >= repetition.tries):
                break
        verdict = Verdict.UNRESOLVED if shown else said.verdict
        return Outcome(verdict, said.words, seconds, timed_out=said.timed_out)

    def once(self, subject: Subject, bench: Bench, *, capture: bool = False) -> Said:
        """Run the test once; again with more time if it took too long and that may be why."""
        said = self._run(subject, bench, self.patience.limit, capture=capture)
        longer = self.patience.second_limit
        if said.timed_out and longer:
            before = said.ending.seconds
            said = self._run(subject, bench, longer, capture=capture)._replace(before=before)
            self.patience.tried_longer(in_vain=said.verdict is not Verdict.INTERESTING)
        if said.verdict is Verdict.INTERESTING:
            self.patience.learn(said.ending.seconds)
        if said.ending.status in self.also and not said.ending.limit:
            self.find(subject, said.ending)
        return said

    def _run(self, subject: Subject, bench: Bench, timeout: float, *, capture: bool) -> Said:
        limits = self.limits._replace(timeout=timeout)
        try:
            given = self.placing.place(subject, bench)
            try:
                said = self.trial.run(bench, given, limits, capture=capture)
            except FileNotFoundError:  # a test beside it may have removed all there is
                given = self.placing.place(subject, bench)
                said = self.trial.run(bench, given, limits, capture=capture)
        except Inapplicable as why:
            return Said(Verdict.UNRESOLVED, NOT_RUN, why=str(why))
        except (Survivors, OSError) as error:
            self.watch.require_unchanged()  # that it is gone, or being written, may be why
            raise _in_words(error) from error
        # Only now: what was run is what it was before, if it still is.
        self.watch.require_unchanged()
        return said

    def in_folder(self, folder: Path, given: Given, bench: Bench) -> Said:
        """Run the test once in another folder, on what is there."""
        limits = self.limits._replace(timeout=self.patience.limit)
        return self._tried(bench, given._replace(folder=folder), limits, capture=True)

    def _tried(self, bench: Bench, given: Given, limits: Limits, *, capture: bool) -> Said:
        """Run the test on what is there, or say why it cannot be run."""
        try:
            return self.trial.run(bench, given, limits, capture=capture)
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
