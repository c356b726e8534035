"""One run of the test on a candidate."""

import errno
import os
import shutil
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import Criterion
from wynot.failures.expectation import Expectation
from wynot.failures.failing_place import ByPlace
from wynot.oracle.command import Command
from wynot.oracle.provisioner import Invocation
from wynot.wire.run_request import Limits, RunRequest

NOT_FOUND = Ending(127, 0.0)
"""How a shell says that there is no such program."""

CANNOT_RUN = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENOEXEC, errno.EACCES})
"""There is no such program, or it is none, or no longer."""


class TrialResult(NamedTuple):
    """What one run came to."""

    verdict: Verdict
    ending: Ending
    other: Ending | None = None
    """How the second of two commands ended."""
    why: str = ""
    """Why nothing was run, if so."""
    before: float = 0.0
    """Seconds of an earlier, shorter try of the same that took too long."""
    early: bool = False
    """Whether it was cut off by a tighter limit than there is."""

    @property
    def words(self) -> str:
        """How it ended, in a few words."""
        return self.why or self.ending.description

    @property
    def seconds(self) -> float:
        """How long it took, all tries together."""
        return self.before + self.ending.seconds

    @property
    def timed_out(self) -> bool:
        """Whether it was cut off, and that was not what it was looked for."""
        return self.ending.limit == "timeout" and self.verdict is not Verdict.INTERESTING


class Trial(Protocol):
    """Runs the test once, on what is in the sandbox's folder."""

    @property
    def words(self) -> str:
        """What the failure is known by, in one line."""

    def calibrated(self, result: TrialResult) -> "Trial":
        """Return the trial that looks for what the first run, on the original, has shown."""

    def relaxed(self, first: TrialResult, again: TrialResult) -> "Trial":
        """Return the trial that looks for what two runs of the original have in common."""

    def judged(self, result: TrialResult) -> TrialResult:
        """Return what a run came to, whatever was looked for when it was made."""

    def run(
        self, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
    ) -> TrialResult:
        """Run it and judge."""


@dataclass(frozen=True, slots=True)
class JudgedCommand:
    """A command, and what its ending is held against."""

    command: Command
    criterion: Criterion

    @property
    def words(self) -> str:
        """What the failure is known by."""
        return self.criterion.words

    def calibrated(self, result: TrialResult) -> Self:
        """Learn from the first run, if that is what was asked for."""
        return replace(self, criterion=self.criterion.after(result.ending))

    def relaxed(self, first: TrialResult, again: TrialResult) -> Self:
        """Look for what two runs of the original have in common, if that was learned from one."""
        criterion = self.criterion
        if not isinstance(criterion, Expectation | ByPlace):
            return self
        return replace(self, criterion=criterion.relaxed(first.ending, again.ending))

    def judged(self, result: TrialResult) -> TrialResult:
        """Hold the end of a run against what is looked for now, unless nothing was run."""
        if result.why:
            return result
        return result._replace(verdict=self.criterion.judge(result.ending))


@dataclass(frozen=True, slots=True)
class OneCommand(JudgedCommand):
    """Run a command, and judge how it ends."""

    is_part: bool = False
    """Whether the program may be part of the candidate, and so may not be there."""

    def run(
        self, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
    ) -> TrialResult:
        """Run it and judge."""
        capture = capture or self.criterion.captures
        try:
            ending = run(self.command, sandbox, invocation, limits, capture=capture)
        except OSError as error:
            if not self.is_part or error.errno not in CANNOT_RUN:
                raise
            why = f"{error.filename!r} cannot be started: {error.strerror}"
            return TrialResult(Verdict.UNRESOLVED, NOT_FOUND, why=why)
        return TrialResult(self.criterion.judge(ending), ending)


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

    def calibrated(self, result: TrialResult) -> "TwoCommands":
        """Remember how the two ended."""
        if result.other is None:
            return self
        return replace(self, statuses=(result.ending.status, result.other.status))

    def relaxed(self, _first: TrialResult, _again: TrialResult) -> "TwoCommands":
        """Unchanged: the two have to differ, in whatever way."""
        return self

    def judged(self, result: TrialResult) -> TrialResult:
        """Compare how the two ended, if both were run."""
        first, second = result.ending, result.other
        if second is None:
            return result
        statuses = (first.status, second.status)
        verdict = Verdict.UNINTERESTING
        if second.limit or self.statuses not in {None, statuses}:
            verdict = Verdict.UNRESOLVED
        elif first.stdout != second.stdout or statuses[0] != statuses[1]:
            verdict = Verdict.INTERESTING
        return result._replace(verdict=verdict)

    def run(
        self,
        sandbox: Sandbox,
        invocation: Invocation,
        limits: Limits,
        *,
        capture: bool,  # noqa: ARG002
    ) -> TrialResult:
        """Run both and compare."""
        first = run(self.one, sandbox, invocation, limits, capture=True)
        if first.limit:
            return TrialResult(Verdict.UNRESOLVED, first)
        uncounted = limits._replace(note_start=None)  # both are one run of the test
        second = run(self.other, sandbox, invocation, uncounted, capture=True)
        ending = first._replace(seconds=first.seconds + second.seconds, limit=second.limit)
        return self.judged(TrialResult(Verdict.UNRESOLVED, ending, second))


def run(
    command: Command, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
) -> Ending:
    """Run a command on the candidate that is in place."""
    argv = argv_of(command, sandbox, invocation)
    stdin, env, folder = invocation.stdin, invocation.env, invocation.folder
    return sandbox.run(RunRequest(argv, limits, stdin, capture, env, folder))


def argv_of(command: Command, sandbox: Sandbox, invocation: Invocation) -> list[str]:
    """Return what is run for the candidate that is in place."""
    folder = str(invocation.folder or sandbox.folder)
    argv = [*(invocation.argv or command.filled(folder, invocation.names))]
    path = invocation.env.get("PATH")
    if path and "/" not in argv[0]:  # it is the candidate's: another may have other programs there
        argv[0] = _found(argv[0], path)
    return argv


def _found(program: str, path: str) -> str:
    """Return where a program is; what was found for another candidate does not count."""
    found = shutil.which(program, path=path)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    return found
