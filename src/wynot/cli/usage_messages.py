"""Messages about a command line: where its options come from, what is wrong with it, a guess."""

import json
import os
import shutil
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from operator import ne
from pathlib import Path

from wynot.cli.config import TRUSTED, Read, own_path
from wynot.cli.exit_codes import BUG, FILES, USAGE
from wynot.commands.table import COMMANDS
from wynot.core.errors import NoSuchFile, WynotError
from wynot.core.events import Noticed
from wynot.core.foreign_text import for_shell, for_shell_line, for_terminal
from wynot.disk.output import shown
from wynot.document.text_width import cells, wrap
from wynot.oracle.command import has_hole
from wynot.reporters.outlet import Outlet
from wynot.reporters.reporter import notice

NAME_LIKENESS = 0.6
"""How much the name of a file must be like another to be taken for it, and the part of it before
the suffix too: many names have that in common."""
MAX_NAMES = 10_000
"""Names of a folder that are looked at."""

FILES_FIRST = {"reduce", "check", "isolate"}
"""Commands that take files before another program's command line."""
AFTER = {"changes": 1, "options": 1, "packages": 1, "tests": 2}
"""Where that command line can begin at the earliest, in the other commands that take one."""


def with_dashes(argv: Sequence[str]) -> str:
    """Return the command line with the ``--`` that was forgotten; empty: it was not."""
    action = next(iter(argv), "")
    if "--" in argv or action not in {*FILES_FIRST, *AFTER}:
        return ""
    file = ""
    for place in _positional(argv, action):
        argument = argv[place]
        if action in AFTER:
            found = place >= AFTER[action] and _is_program(argument)
        else:
            found = bool(file) and _follows(file, argv[place:])
        if found:
            return for_shell_line(["wynot", *argv[:place], "--", *argv[place:]])
        if os.path.exists(argument):  # noqa: PTH110 - an argument may be anything
            file = argument
    return ""


def as_reduce(argv: Sequence[str]) -> str:
    """Return the command line with ``reduce``, if it begins with a file in its place."""
    if not argv or not os.path.exists(argv[0]):  # noqa: PTH110
        return ""
    return for_shell_line(["wynot", "reduce", *argv])


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


def _positional(argv: Sequence[str], action: str) -> list[int]:
    """Return the places of what is neither an option nor its value."""
    options = COMMANDS[action].record.options()
    taking = {flag for option in options if option.values for flag in option.flags}
    found = []
    is_value = False
    for place, argument in enumerate(argv):
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


WYNOT, HINT = "wynot: ", "hint: "


def report_error(error: Exception, argv: Sequence[str]) -> int:
    """Say what went wrong with a command line, and return the exit code."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # only getcwd() says that
        error = NoSuchFile("the current folder has been removed", hint="cd to another one")
    if isinstance(error, WynotError):
        _say(error, argv)
        return error.exit_code
    if isinstance(error, OSError) and error.filename is None:  # of a stream, not of a file
        if not isinstance(error, BrokenPipeError):  # if who reads has gone, nobody need be told
            sys.stderr.write(f"wynot: {error.strerror}\nhint: check what the output goes to\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FILES
    for line in "".join(traceback.format_exception(error)).splitlines():
        sys.stderr.write(f"{for_terminal(line)}\n")
    sys.stderr.write("wynot: this is an error in wynot itself; please report it\n")
    return BUG


def _say(error: WynotError, argv: Sequence[str]) -> None:
    outlet = Outlet(sys.stderr)
    first, *rest = worded(error, argv).split("\n")
    lines = [f"{WYNOT}{for_terminal(first)} [{error.slug}]"]
    lines += map(for_terminal, [*rest, *getattr(error, "__notes__", ())])
    # A mistake in the value of an option is that, whatever else there may be.
    is_line = error.exit_code == USAGE and not error.option
    guess = _guess(argv, error.hint) if is_line else ""
    if guess:
        lines.append(f"{HINT}did you mean: {for_terminal(guess)}")
    elif hint := _hint(error):
        lines += map(for_terminal, f"{HINT}{hint}".split("\n"))
    outlet.say(*(each for line in lines for each in _fitting(line, outlet)))


def _guess(argv: Sequence[str], hint: str) -> str:
    """Return the whole command line that was probably meant, if it is not this one."""
    if argv and argv[0] in COMMANDS:
        return with_dashes(argv)
    return "" if hint.startswith("did you mean") else as_reduce(argv)


def _hint(error: WynotError) -> str:
    if isinstance(error, NoSuchFile) and error.path and (guess := near(error.path)):
        return f"did you mean {guess!r}?"
    return error.hint


def _fitting(line: str, outlet: Outlet) -> list[str]:
    """Return a line as a terminal shows it; what is read by a program stays one line."""
    if not outlet.isatty() or cells(line) <= outlet.width:
        return [line]
    label = next((each for each in (WYNOT, HINT) if line.startswith(each)), "")
    before, colon, command = line.partition(": wynot ")
    if label == HINT and colon:  # what may be copied is not cut in two
        return [*_fitting(f"{before}:", outlet), f"  wynot {command}"]
    indent = " " * len(label)
    return wrap(line.removeprefix(label), first=label, indent=indent, width=outlet.width)


def worded(error: WynotError, argv: Sequence[str]) -> str:
    """Return the message of an error in the words of the command line, without its hint."""
    return f"{flag(error.option, argv)} {error.message}" if error.option else error.message


def flag(option: str, argv: Sequence[str]) -> str:
    """Return how an option of the library or a settings record is written on the command line."""
    own = [COMMANDS[name] for name in argv[:1] if name in COMMANDS]
    options = [each for command in (*own, *COMMANDS.values()) for each in command.record.options()]
    return next((each.flags[-1] for each in options if each.name == option and each.flags), option)


def report_config(found: Read, *, briefly: bool) -> None:
    """Say where options come from, and which ones are not taken, before anything else is said.

    It goes to standard error: what a program reads from standard output is for it.
    """
    outlet, where = Outlet(sys.stderr), for_terminal(shown(found.file.path))
    if found.refused:
        outlet.say(*notice(Noticed("not-obeyed", _refusal(found)), outlet))
    if found.applied and not briefly:
        line = f"wynot: options from {where}: {', '.join(found.applied)}"
        outlet.say(*wrap(line, indent="       ", width=outlet.width))


def _refusal(found: Read) -> str:
    """Return which options are ignored, why, and the ways to have them."""
    file, names = found.file, ", ".join(f"--{name}" for name in found.refused)
    path = shown(file.path)
    lines = [
        f"{path} {file.distrust}: these options in it are ignored: {names}",
        f"to use them, give them on the command line, or give --config {for_shell(path)}",
    ]
    if (own := own_path()) is not None:
        # The quotes of JSON are those of TOML.
        folder = json.dumps(str(file.path.parent), ensure_ascii=False)
        lines.append(f"or trust the folder: write {TRUSTED} = [{folder}] into {own}")
    return "\n".join(lines)
