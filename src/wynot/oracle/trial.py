"""One run of the test on a candidate, and what it means."""

import errno
import os
import shutil
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.oracle.command import Command
from wynot.oracle.dialects import ORDINARY
from wynot.oracle.expectation import Expectation
from wynot.oracle.provisioner import Invocation
from wynot.oracle.signature import signature
from wynot.oracle.vocabulary import NO_INPUT, Vocabulary
from wynot.runners.child import Limits
from wynot.runners.sandbox import Sandbox
from wynot.settings import Same

CANNOT_TELL = frozenset({124, 125, 126, 127})
"""Timed out (GNU timeout), cannot tell (git bisect), cannot run, not found (shells)."""

NOT_FOUND = Ending(127, 0.0)
"""How a shell says that there is no such program."""

NOTHING_KNOWN = "as the first run"
"""What the failure is known by before there was a run."""
CANNOT_RUN = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENOEXEC, errno.EACCES})
"""There is no such program, or it is none, or no longer."""

FIRST_SIGNAL_STATUS = 128
"""From here on exit statuses are those of shells for a signal."""


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
        """Say how it ended, in a few words."""
        return self.why or self.ending.words

    @property
    def seconds(self) -> float:
        """How long it took, all tries together."""
        return self.before + self.ending.seconds

    @property
    def timed_out(self) -> bool:
        """Whether it was cut off, and that was not what it was looked for."""
        return self.ending.limit == "timeout" and self.verdict is not Verdict.INTERESTING


class Criterion(Protocol):
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

    def after(self, first: Ending) -> "Criterion":
        """Return who judges from now on, given how the run ended that shows the failure."""
        ...


class Trial(Protocol):
    """Runs the test once, on what is in the sandbox's folder."""

    @property
    def words(self) -> str:
        """What the failure is known by, in one line."""
        ...

    def calibrated(self, said: TrialResult) -> "Trial":
        """Return the trial that looks for what the first run, on the original, has shown."""
        ...

    def run(
        self, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
    ) -> TrialResult:
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

    def after(self, _first: Ending) -> "ByExitStatus":
        """Learn nothing: the script knows what it looks for."""
        return self

    @property
    def words(self) -> str:
        """Say what is looked for."""
        return "the test fails" if self.invert else "the test exits with 0"


@dataclass(frozen=True, slots=True)
class ByBisect:
    """The convention of ``git bisect run``: 0 is good, 125 cannot tell, 1 to 124 are bad.

    It is refined by what the bad side shows. A command that a signal ends is bad if that is how the
    bad side ended; git would stop there. One that reports an error of another kind than the bad
    side does, say that it does not even compile, says nothing about the failure.
    """

    crash: int | None = None
    kind: str | None = None
    """The kind of error that the bad side reports, empty if none; None: it is not known yet."""
    captures: bool = True

    def judge(self, ending: Ending) -> Verdict:
        """Take the exit status for what the command says."""
        if ending.limit or ending.status in {125, 126, 127}:
            return Verdict.UNRESOLVED
        if ending.status == 0:
            return Verdict.UNINTERESTING
        if not 0 < ending.status < FIRST_SIGNAL_STATUS:
            return Verdict.INTERESTING if ending.status == self.crash else Verdict.UNRESOLVED
        if self.kind is not None and _kind(ending) != self.kind:
            return Verdict.UNRESOLVED
        return Verdict.INTERESTING

    def after(self, first: Ending) -> "ByBisect":
        """Take note of the error that the bad side reports, and of a crash if it is one."""
        if first.limit or first.status in {0, 125, 126, 127}:
            return self  # this run does not show the failure
        is_crash = not 0 <= first.status < FIRST_SIGNAL_STATUS
        return ByBisect(first.status if is_crash else None, _kind(first))

    @property
    def words(self) -> str:
        """Say what is looked for."""
        if self.crash is not None:
            return f"the command is {Ending(self.crash, 0.0).words}"
        error = f" and reports {self.kind}" if self.kind else ""
        return f"the command exits with 1 to 124{error} (125: cannot tell)"


@dataclass(frozen=True, slots=True)
class ByFirstRun:
    """Nothing is known yet: the first run will show what the failure looks like."""

    same: Same
    vocabulary: Vocabulary = NO_INPUT
    """What the original is made of."""
    captures: bool = True
    words: str = NOTHING_KNOWN

    def judge(self, _ending: Ending) -> Verdict:
        """Say nothing."""
        return Verdict.UNRESOLVED

    def after(self, first: Ending) -> Expectation:
        """Take from the run what there is to hold others against."""
        return Expectation.learned(first, self.same, self.vocabulary)


@dataclass(frozen=True, slots=True)
class OneCommand:
    """Run a command, and judge how it ends."""

    command: Command
    criterion: Criterion
    is_part: bool = False
    """Whether the program may be part of the candidate, and so may not be there."""

    @property
    def words(self) -> str:
        """What the failure is known by."""
        return self.criterion.words

    def calibrated(self, said: TrialResult) -> "OneCommand":
        """Learn from the first run, if that is what was asked for."""
        return replace(self, criterion=self.criterion.after(said.ending))

    def run(
        self, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
    ) -> TrialResult:
        """Run it and judge."""
        try:
            ending = run(
                self.command,
                sandbox,
                invocation,
                limits,
                capture=capture or self.criterion.captures,
            )
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

    def calibrated(self, said: TrialResult) -> "TwoCommands":
        """Hold on to how the two ended."""
        if said.other is None:
            return self
        return replace(self, statuses=(said.ending.status, said.other.status))

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
        second = run(self.other, sandbox, invocation, limits, capture=True)
        statuses = (first.status, second.status)
        ending = first._replace(seconds=first.seconds + second.seconds, limit=second.limit)
        verdict = Verdict.UNINTERESTING
        if second.limit or self.statuses not in {None, statuses}:
            verdict = Verdict.UNRESOLVED
        elif first.stdout != second.stdout or statuses[0] != statuses[1]:
            verdict = Verdict.INTERESTING
        return TrialResult(verdict, ending, second)


def run(
    command: Command, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
) -> Ending:
    """Run a command on the candidate that is in place."""
    if invocation.folder is not None:
        with sandbox.elsewhere(invocation.folder):
            return run(command, sandbox, invocation._replace(folder=None), limits, capture=capture)
    argv = [*(invocation.argv or command.filled(str(sandbox.folder), invocation.names))]
    path = invocation.env.get("PATH")
    if path and "/" not in argv[0]:  # it is the candidate's: another may have other programs there
        argv[0] = _found(argv[0], path)
    return sandbox.run(
        argv, limits=limits, stdin=invocation.stdin, capture=capture, env=invocation.env
    )


def _found(program: str, path: str) -> str:
    """Return where a program is; what was found for another candidate does not count."""
    found = shutil.which(program, path=path)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    return found


def _kind(ending: Ending) -> str:
    """Return the kind of error that a run reports; that a compiler refuses a program is one."""
    kind = signature(ending).kind
    if not kind and ORDINARY.search((ending.stdout + b"\n" + ending.stderr).decode("latin-1")):
        return "errors of a compiler"
    return kind
