"""Tests by name, and a way to run some of them in order."""

import os
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol

from wynot.core.ending import Ending
from wynot.oracle.criteria import Criterion
from wynot.oracle.provisioner import Invocation
from wynot.runners.sandbox import Sandbox

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

    def told(self, ending: Ending) -> str:
        """Say what became of the last test, in a few words."""


def end_of(ending: Ending, most: int = 12) -> str:
    """Return the last lines that a program wrote, for a message."""
    text = os.fsdecode(ending.stderr.strip() or ending.stdout.strip())
    lines = [line[:200] for line in text.splitlines() if not line.startswith(OUTCOME_START)]
    return "\n".join(lines[-most:]).rstrip()
