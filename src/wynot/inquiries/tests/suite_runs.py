"""How tests are run: by pytest in the project, or by a command with a place for their names."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.foreign_text import for_shell_line
from wynot.failures.criteria import ByBisect
from wynot.inquiries.splitting import split
from wynot.inquiries.tests.selection import ByOutcome, Listed, Selection, seen
from wynot.machine.capture import read_back
from wynot.machine.removal import make_folder, put_file, remove
from wynot.oracle.provisioner import Inapplicable, Invocation

SOURCE = Path(__file__).with_name("ordering.py")
PLUGIN = "wynot_ordering"
"""What the plug-in is called where the tests run: no name that a project may have."""
TASK = "WYNOT_TASK"
"""The variable by which the plug-in finds what it is to do."""
_REPORTS = "tests"
"""The folder, among those that tests can write, for what is reported by the plug-in."""
_SEPARATOR = "::"


@dataclass(frozen=True, slots=True)
class PytestRuns:
    """A command that runs pytest, with our plug-in added to it.

    The command is the same each time: which tests run is in a file, and the plug-in sees to it. So
    pytest finds its settings, its root and its first ``conftest.py`` as it does for the user.
    Nothing is written into the project, but for what its tests write there.
    """

    command: tuple[str, ...]
    project: Path
    criterion: ByOutcome = field(default_factory=ByOutcome)

    def provision(self, subject: Selection, sandbox: Sandbox) -> Invocation:
        """Write down which tests to run."""
        return self.given(sandbox, self.task(subject))

    def task(self, subject: Selection) -> dict[str, object]:
        """Return what the plug-in is to do."""
        files = dict.fromkeys(test.path for test in (*subject.tests, *subject.imported))
        return {"tests": [test.name for test in subject.tests], "files": [*files]}

    def given(self, sandbox: Sandbox, task: Mapping[str, object], *more: str) -> Invocation:
        """Return the command that has the plug-in do something."""
        folder = sandbox.private / "tests"
        make_folder(folder)
        cache = new_report(sandbox, "cache")
        put_file(folder / f"{PLUGIN}.py", SOURCE.read_bytes())
        put_file(folder / "task.json", json.dumps(task).encode())
        path = os.environ.get("PYTHONPATH")
        return Invocation(
            argv=(*self.command, "-p", PLUGIN, "-o", f"cache_dir={cache}", *more),
            env={
                "PYTHONPATH": f"{folder}{os.pathsep}{path}" if path else str(folder),
                "PYTHONDONTWRITEBYTECODE": "1",
                TASK: str(folder / "task.json"),
            },
            folder=self.project,
        )

    def line(self, subject: Selection) -> str:
        """Return the user's command, with these tests for the files that it has.

        pytest imports all files that are named before it runs the first test.
        """
        argv: list[str] = []
        is_pytest = is_shuffled = False
        for piece in split(self.command, self.project):
            path = self.project / piece.tokens[0].partition(_SEPARATOR)[0]
            if is_pytest and not piece.is_option and os.path.lexists(path):
                continue
            is_pytest = is_pytest or "pytest" in piece.tokens[-1]
            if piece.tokens[0].startswith("--random"):  # the order is that of the tests now
                is_shuffled = is_shuffled or piece.tokens[0].startswith("--randomly")
                continue
            argv += piece.tokens
        argv += ["-p", "no:randomly"] if is_shuffled else []
        return for_shell_line([*argv, *map(self._argument, (*subject.tests, *subject.imported))])

    def outcome_of(self, ending: Ending) -> str:
        """The outcome of the last test."""
        return seen(ending).words

    def _argument(self, test: Listed) -> str:
        """Return how a test is named on the command line: from here, not from pytest's root."""
        path = Path(test.path)
        if path.is_relative_to(self.project):
            path = path.relative_to(self.project)
        _, separator, inner = test.name.partition(_SEPARATOR)
        return f"{path}{separator}{inner}"


def new_report(sandbox: Sandbox, name: str) -> Path:
    """Return where the plug-in can write a report; nothing is there."""
    make_folder(sandbox.scratch / _REPORTS)
    path = sandbox.scratch / _REPORTS / name
    remove(path)
    return path


def read_report(sandbox: Sandbox, name: str, most: int) -> bytes | None:
    """Return the beginning of a report, None if there is none."""
    return read_back(sandbox.scratch, f"{_REPORTS}/{name}", most)


def usual_command(project: Path) -> tuple[str, ...]:
    """Return the command that runs pytest if none is given.

    With the Python of the virtual environment that is active, or else of the one that is in the
    project, or else with the one that is found first.
    """
    active = os.environ.get("VIRTUAL_ENV")
    homes = [Path(active)] if active else [project / ".venv", project / "venv"]
    for home in homes:
        python = home / "bin" / "python"
        if python.is_file():
            return (str(python), "-m", "pytest")
    found = next(filter(shutil.which, ("python", "python3")), None)
    if found is None:
        raise NoSuchFile(
            "there is no python", hint="name the command: wynot tests TEST -- PYTHON -m pytest"
        )
    return (found, "-m", "pytest")


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

    def outcome_of(self, ending: Ending) -> str:
        """How the command ended."""
        return ending.description

    def _argv(self, tests: Sequence[Listed]) -> tuple[str, ...]:
        return (*self.before, *(test.name for test in tests), *self.after)
