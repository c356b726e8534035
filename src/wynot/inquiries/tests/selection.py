"""Tests by name, a way to run some of them in order, and what became of one."""

import json
import os
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple, Protocol

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import Criterion
from wynot.failures.expectation import Expectation
from wynot.oracle.provisioner import Invocation

OUTCOME_START = "wynot-outcome: "
"""How the plug-in begins a line that tells the outcome: it is not for people."""


class Listed(NamedTuple):
    """A test, as its runner names it."""

    name: str
    path: str = ""
    """The file that it is in, if that is known."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The tests that run, in order; the last one is the test in question."""

    tests: tuple[Listed, ...]
    imported: tuple[Listed, ...] = ()
    """Files that are imported besides: in the whole suite their tests come later."""

    @property
    def digest(self) -> bytes:
        """A key for the names and their order."""
        whole = sha256()
        for some in filter(None, (self.tests, self.imported)):
            for test in some:
                name = test.name.encode("utf-8", "surrogatepass")
                whole.update(b"%d " % len(name) + name)
            whole.update(b"\n")
        return whole.digest()


class TestRuns(Protocol):
    """Runs tests: a `Provisioner`, and what its runs show."""

    @property
    def criterion(self) -> Criterion:
        """Who tells whether the last test failed."""

    def provision(self, subject: Selection, sandbox: Sandbox) -> Invocation:
        """Return the command that runs them."""

    def line(self, subject: Selection) -> str:
        """Return a line of shell that people can run them with."""

    def outcome_of(self, ending: Ending) -> str:
        """Say what became of the last test, in a few words."""


def end_of(ending: Ending, most: int = 12) -> str:
    """Return the last lines that a program wrote, for a message."""
    text = os.fsdecode(ending.stderr.strip() or ending.stdout.strip())
    lines = [line[:200] for line in text.splitlines() if not line.startswith(OUTCOME_START)]
    return "\n".join(lines[-most:]).rstrip()


OUTCOME_MARK = OUTCOME_START.encode()
FAILURES = ("failed", "error", "crashed")
MAX_ROW_BYTES = 4096
"""Bytes of what the plug-in writes when a test begins, and again when it ends."""


class Seen(NamedTuple):
    """An outcome: passed, failed, error, skipped, crashed, stopped, or not run."""

    outcome: str
    why: str = ""

    @property
    def words(self) -> str:
        """The outcome in one line."""
        return f"{self.outcome}: {self.why}" if self.why else self.outcome


def seen(ending: Ending) -> Seen:
    """Return what the plug-in told last, in the light of how the interpreter ended."""
    _, mark, rest = ending.stdout.rpartition(OUTCOME_MARK)
    if not mark:
        return Seen("not run", ending.description)
    try:
        record = json.loads(rest.partition(b"\n")[0])
        last = Seen(str(record["outcome"]), str(record["why"]))
    except (ValueError, TypeError, KeyError, RecursionError):  # cut short, or a test printed it
        return Seen("not run", "what the plug-in told cannot be read")
    if last.outcome != "started":
        return last
    return Seen("stopped" if ending.limit else "crashed", ending.description)


def every_seen(rows: bytes, count: int, ending: Ending) -> list[Seen]:
    """Return what became of each of so many tests, by what the plug-in wrote of them."""
    found = [Seen("not run")] * count
    for line in rows.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):  # it was cut short, or a test wrote it
            continue
        match row:
            case [int(number), str(outcome), str(why)] if 0 <= number < count:
                died = Seen("stopped" if ending.limit else "crashed", ending.description)
                found[number] = died if outcome == "started" else Seen(outcome, why)
    return found


@dataclass(frozen=True, slots=True)
class ByOutcome:
    """The test in question fails; and if it is known how, in that way."""

    failure: str = ""
    captures: bool = True

    def judge(self, ending: Ending) -> Verdict:
        """Take only the test in question into account: others may fail as they like."""
        outcome = seen(ending).outcome
        if outcome == "passed":
            return Verdict.UNINTERESTING
        if outcome == self.failure or (not self.failure and outcome in FAILURES):
            return Verdict.INTERESTING
        return Verdict.UNRESOLVED

    def after(self, first: Ending) -> "ByOutcome":
        """Tell failures from errors in fixtures, and both from crashes of the interpreter."""
        outcome = seen(first).outcome
        return replace(self, failure=outcome) if outcome in FAILURES else self

    @property
    def words(self) -> str:
        """What is looked for, in words."""
        return {
            "": "the test fails",
            "failed": "the test fails",
            "error": "the test has an error in a fixture",
            "crashed": "the interpreter dies in the test",
        }[self.failure]


@dataclass(frozen=True, slots=True)
class FailsAsExpected:
    """The test in question fails, and the run looks as options say: another failure is not it."""

    usual: Criterion
    expectation: Expectation
    captures: bool = True

    def judge(self, ending: Ending) -> Verdict:
        """Take a failure that looks otherwise for neither."""
        verdict = self.usual.judge(ending)
        is_other = self.expectation.judge(ending) is not Verdict.INTERESTING
        return Verdict.UNRESOLVED if verdict is Verdict.INTERESTING and is_other else verdict

    def after(self, first: Ending) -> "FailsAsExpected":
        """Learn in which way the test fails."""
        return replace(self, usual=self.usual.after(first))

    @property
    def words(self) -> str:
        """Say what is looked for."""
        return f"{self.usual.words}, with {self.expectation.words}"
