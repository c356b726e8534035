"""One spelling for each path that a command names.

``t.sh``, ``./t.sh`` and its full path are the same script, so a run that was begun with one of them
is the run that a later command with another means. Paths are seen from the folder of the result: so
a folder can be moved, and its journals go with it.
"""

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wynot.oracle.trials import in_full


@dataclass(frozen=True, slots=True)
class Spelling:
    """Paths as they are seen from a folder."""

    home: Path

    def path(self, path: str) -> str:
        """Return a path; a link keeps its own name, since tests see that name."""
        named = Path(path)
        whole = named.resolve()
        if named.name not in {"", ".."}:
            whole = named.parent.resolve() / named.name
        return os.path.relpath(whole, self.home)

    def test(self, test: str) -> str:
        """Return a test script; a program that is found elsewhere stays a name."""
        return self.path(test) if _is_there(test) else test

    def words(self, command: Sequence[str]) -> list[str]:
        """Return a command line, in which the files of the user are such paths."""
        argv = in_full(command) if command else []
        return [
            self.path(word) if word.startswith("/") and _is_there(word) else word for word in argv
        ]

    def line(self, line: str) -> list[str]:
        """Return the words of a command line that is given as one argument."""
        try:
            return self.words(shlex.split(line))
        except ValueError:  # it will be refused, by those who run it
            return [line]


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False
