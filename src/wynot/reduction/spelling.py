"""One spelling for each path that a command names.

``t.sh``, ``./t.sh`` and its full path are the same script, so a run that was begun with one of them
is the run that a later command with another means.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from wynot.oracle.trials import in_full


def spelled(path: str) -> str:
    """Return a path in full; a link keeps its own name, since tests see that name."""
    named = Path(path)
    if named.name in {"", ".."}:
        return str(named.resolve())
    return str(named.parent.resolve() / named.name)


def spelled_test(test: str) -> str:
    """Return a test script in full; a program that is found elsewhere stays a name."""
    return spelled(test) if Path(test).exists() else test


def spelled_words(command: Sequence[str]) -> list[str]:
    """Return a command line in which files are named in full, as the tests get it."""
    return [spelled(word) if _is_path(word) else word for word in in_full(command)]


def spelled_line(line: str) -> list[str]:
    """Return the words of a command line that is given as one argument."""
    try:
        words = shlex.split(line)
    except ValueError:  # it will be refused, by those who run it
        words = []
    return spelled_words(words) if words else [line]


def _is_path(word: str) -> bool:
    try:
        return word.startswith("/") and Path(word).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False
