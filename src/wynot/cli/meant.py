"""What was probably meant by a command line that is wrong."""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from operator import ne
from pathlib import Path

from wynot.commands.table import COMMANDS
from wynot.core.foreign_text import for_shell_line
from wynot.oracle.command import has_hole

NAME_LIKENESS = 0.6
"""How much the name of a file must be like another to be taken for it, and the part of it before
the suffix too: many names have that in common."""
MAX_NAMES = 10_000
"""Names of a folder that are looked at."""

FILES_FIRST = {"reduce", "check", "isolate"}
"""Commands that take files before another program's command line."""
AFTER = {"changes": 1, "options": 1, "packages": 1, "tests": 2}
"""Where that command line can begin at the earliest, in the other commands that take one."""


def with_dashes(given: Sequence[str]) -> str:
    """Return the command line with the ``--`` that was forgotten; empty: it was not."""
    action = next(iter(given), "")
    if "--" in given or action not in {*FILES_FIRST, *AFTER}:
        return ""
    file = ""
    for place in _positional(given, action):
        argument = given[place]
        if action in AFTER:
            found = place >= AFTER[action] and _is_program(argument)
        else:
            found = bool(file) and _follows(file, given[place:])
        if found:
            return for_shell_line(["wynot", *given[:place], "--", *given[place:]])
        if os.path.exists(argument):  # noqa: PTH110 - an argument may be anything
            file = argument
    return ""


def as_reduce(given: Sequence[str]) -> str:
    """Return the command line with ``reduce``, if it begins with a file in its place."""
    if not given or not os.path.exists(given[0]):  # noqa: PTH110
        return ""
    return for_shell_line(["wynot", "reduce", *given])


def near(path: str) -> str:
    """Return the path that is there and most like one that is not; empty: there is none."""
    there = Path()
    for number, part in enumerate(parts := Path(path).parts):
        if not os.path.lexists(there / part):
            rest = parts[number + 1 :]
            for close in _close(there, part):
                if os.path.lexists(found := there.joinpath(close, *rest)):
                    return str(found)
            return ""
        there /= part
    return ""


def _close(folder: Path, name: str) -> list[str]:
    """Return the names in a folder that are like one, the nearest first."""
    names: list[str] = []
    with suppress(OSError, ValueError), os.scandir(folder) as entries:
        names = [entry.name for entry in islice(entries, MAX_NAMES)]
    # What is hidden is not meant, unless what was given is.
    is_hidden = name.startswith(".")
    seen = [each for each in sorted(names) if each.startswith(".") == is_hidden]
    by_lower = {each.lower(): each for each in seen}
    close = get_close_matches(name.lower(), by_lower, 3, NAME_LIKENESS)
    return [by_lower[each] for each in close if _is_stem_like(Path(name).stem.lower(), each)]


def _is_stem_like(stem: str, name: str) -> bool:
    other = Path(name).stem
    is_swapped = sorted(stem) == sorted(other)
    is_one_off = len(stem) == len(other) > 1 and sum(map(ne, stem, other)) == 1
    return is_swapped or is_one_off or SequenceMatcher(None, stem, other).ratio() >= NAME_LIKENESS


def _positional(given: Sequence[str], action: str) -> list[int]:
    """Return the places of what is neither an option nor its value."""
    options = COMMANDS[action].record.options()
    taking = {flag for option in options if option.values for flag in option.flags}
    found = []
    is_value = False
    for place, argument in enumerate(given):
        if place and not is_value and not argument.startswith("-"):
            found.append(place)
        is_value = argument in taking
    return found


def _is_program(argument: str) -> bool:
    with suppress(ValueError):  # a NUL
        return shutil.which(argument) is not None
    return False


def _follows(file: str, line: Sequence[str]) -> bool:
    """Tell whether a command line begins here, after a file: not a test, and then the files."""
    if not _is_program(line[0]):
        return False
    if has_hole(line[1:]):
        return True
    is_test = os.access(file, os.X_OK) and not os.path.isdir(file)  # noqa: PTH112
    is_file = os.path.exists(line[0])  # noqa: PTH110
    return not is_test and (len(line) > 1 or not is_file)
