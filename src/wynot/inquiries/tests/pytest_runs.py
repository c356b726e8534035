"""Tests that pytest runs, in the project's own folder and with its own Python."""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wynot.core.ending import Ending
from wynot.core.errors import NoSuchFile
from wynot.core.foreign_text import for_shell_line
from wynot.inquiries.splitting import split
from wynot.inquiries.tests.outcome import ByOutcome, seen
from wynot.inquiries.tests.selection import Listed, Selection
from wynot.oracle.provisioner import Invocation
from wynot.runners.read_back import read_back
from wynot.runners.removal import make_folder, put_file, remove
from wynot.runners.sandbox import Sandbox

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
        words: list[str] = []
        is_pytest = is_shuffled = False
        for piece in split(self.command, self.project):
            path = self.project / piece.words[0].partition(_SEPARATOR)[0]
            if is_pytest and not piece.is_option and os.path.lexists(path):
                continue
            is_pytest = is_pytest or "pytest" in piece.words[-1]
            if piece.words[0].startswith("--random"):  # the order is that of the tests now
                is_shuffled = is_shuffled or piece.words[0].startswith("--randomly")
                continue
            words += piece.words
        words += ["-p", "no:randomly"] if is_shuffled else []
        return for_shell_line([*words, *map(self._argument, (*subject.tests, *subject.imported))])

    def told(self, ending: Ending) -> str:
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
