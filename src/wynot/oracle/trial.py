"""One run of the test on a candidate, and what it means."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.oracle.command import Command
from wynot.oracle.expectation import Expectation
from wynot.runners.bench import Bench
from wynot.runners.child import Limits
from wynot.settings import Same

CANNOT_TELL = frozenset({124, 125, 126, 127})
"""Timed out (GNU timeout), cannot tell (git bisect), cannot run, not found (shells)."""


class Given(NamedTuple):
    """What a test is given, by name."""

    names: Sequence[str]
    """The files or folders that the user named."""
    stdin: str | None
    """The one that comes in by standard input too: there can only be one, and no folder."""


class Said(NamedTuple):
    """What one run came to."""

    verdict: Verdict
    ending: Ending
    other: Ending | None = None
    """How the second of two commands ended."""


class Judging(Protocol):
    """Says what an ending means."""

    @property
    def captures(self) -> bool:
        """Whether it looks at the output."""
        ...

    @property
    def words(self) -> str:
        """What the failure is known by, in one line."""
        ...

    def judge(self, ending: Ending) -> Verdict:
        """Return the verdict."""
        ...


class Trial(Protocol):
    """Runs the test once, on what is in the bench's folder."""

    @property
    def words(self) -> str:
        """What the failure is known by, in one line."""
        ...

    def settled(self, said: Said) -> "Trial":
        """Return the trial that looks for what the first run, on the original, has shown."""
        ...

    def run(self, bench: Bench, given: Given, limits: Limits, *, capture: bool) -> Said:
        """Run it and judge."""
        ...


@dataclass(frozen=True, slots=True)
class ByExitStatus:
    """The convention of reducers: 0 is interesting; or that of ``git bisect run``: 0 is not."""

    invert: bool = False
    captures: bool = False

    def judge(self, ending: Ending) -> Verdict:
        """Take the exit status for what the script says; a script that was killed says nothing."""
        if ending.limit or ending.status < 0 or ending.status in CANNOT_TELL:
            return Verdict.UNRESOLVED
        if (ending.status == 0) is not self.invert:
            return Verdict.INTERESTING
        return Verdict.UNINTERESTING

    @property
    def words(self) -> str:
        """Say what is looked for."""
        return "the test fails" if self.invert else "the test exits with 0"


@dataclass(frozen=True, slots=True)
class ByFirstRun:
    """Nothing is known yet: the first run will show what the failure looks like."""

    same: Same
    captures: bool = True
    words: str = "as the first run"

    def judge(self, _ending: Ending) -> Verdict:
        """Say nothing."""
        return Verdict.UNRESOLVED


@dataclass(frozen=True, slots=True)
class OneCommand:
    """Run a command, and judge how it ends."""

    command: Command
    judging: Judging

    @property
    def words(self) -> str:
        """What the failure is known by."""
        return self.judging.words

    def settled(self, said: Said) -> "OneCommand":
        """Learn from the first run, if that is what was asked for."""
        if not isinstance(self.judging, ByFirstRun):
            return self
        return replace(self, judging=Expectation.learned(said.ending, self.judging.same))

    def run(self, bench: Bench, given: Given, limits: Limits, *, capture: bool) -> Said:
        """Run it and judge."""
        ending = run(self.command, bench, given, limits, capture=capture or self.judging.captures)
        return Said(self.judging.judge(ending), ending)


@dataclass(frozen=True, slots=True)
class TwoCommands:
    """Run two commands on the same candidate; interesting if they print different things.

    Both must end as they did on the original, else a candidate that one of them merely refuses
    would do. With statuses not known yet, any will do.
    """

    one: Command
    other: Command
    statuses: tuple[int, int] | None = None
    words: str = "the two commands differ"

    def settled(self, said: Said) -> "TwoCommands":
        """Hold on to how the two ended."""
        if said.other is None:
            return self
        return replace(self, statuses=(said.ending.status, said.other.status))

    def run(self, bench: Bench, given: Given, limits: Limits, *, capture: bool) -> Said:  # noqa: ARG002
        """Run both and compare."""
        first = run(self.one, bench, given, limits, capture=True)
        if first.limit:
            return Said(Verdict.UNRESOLVED, first)
        second = run(self.other, bench, given, limits, capture=True)
        statuses = (first.status, second.status)
        ending = first._replace(seconds=first.seconds + second.seconds, limit=second.limit)
        verdict = Verdict.UNINTERESTING
        if second.limit or self.statuses not in {None, statuses}:
            verdict = Verdict.UNRESOLVED
        elif first.stdout != second.stdout or statuses[0] != statuses[1]:
            verdict = Verdict.INTERESTING
        return Said(verdict, ending, second)


def run(command: Command, bench: Bench, given: Given, limits: Limits, *, capture: bool) -> Ending:
    """Run a command on the candidate in the bench's folder."""
    argv = command.filled(str(bench.folder), given.names)
    return bench.run(argv, limits=limits, stdin=given.stdin, capture=capture)
