"""Tests that any other runner runs, by a command with a place for their names."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption
from wynot.core.foreign_text import for_shell_line
from wynot.inquiries.tests.selection import Listed, Selection
from wynot.oracle.criteria import ByBisect
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.runners.sandbox import Sandbox

HOLE = "{tests}"
MAX_COMMAND_BYTES = 1_000_000
"""Bytes of names that fit on a command line: systems take two million, with the environment."""


@dataclass(frozen=True, slots=True)
class CommandRuns:
    """A command whose exit status tells whether the last test failed, as for ``git bisect run``.

    The status is that of all tests together, so those before the last one should pass, or the
    command should be a script that looks at the last one only.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    project: Path
    criterion: ByBisect = field(default_factory=ByBisect)

    @classmethod
    def read(cls, command: Sequence[str], project: Path) -> "CommandRuns":
        """Find the place of the tests."""
        holes = [at for at, word in enumerate(command) if HOLE in word]
        if len(holes) != 1 or command[holes[0]] != HOLE or holes == [0]:
            raise InvalidOption(
                f"the command {for_shell_line(command)!r} has no place for several tests",
                hint=f"write {HOLE} once, as an argument of its own: ./run-tests {HOLE}",
            )
        at = holes[0]
        return cls(tuple(command[:at]), tuple(command[at + 1 :]), project)

    def provision(self, subject: Selection, sandbox: Sandbox) -> Invocation:  # noqa: ARG002 - as all placings
        """Put the names where they belong."""
        argv = self._argv(subject.tests)
        if (
            sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in argv)
            > MAX_COMMAND_BYTES
        ):
            raise Inapplicable("the names of the tests do not fit on a command line")
        return Invocation(argv=argv, folder=self.project)

    def line(self, subject: Selection) -> str:
        """Return the command."""
        return for_shell_line(self._argv(subject.tests))

    def told(self, ending: Ending) -> str:
        """How the command ended."""
        return ending.words

    def _argv(self, tests: Sequence[Listed]) -> tuple[str, ...]:
        return (*self.before, *(test.name for test in tests), *self.after)
