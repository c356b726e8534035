"""How an error is told: in the words of the command line, and fit for a terminal."""

import os
import sys
import traceback
from collections.abc import Sequence

from wynot.cli.exit_codes import BUG, FILES, USAGE
from wynot.cli.meant import as_reduce, near, with_dashes
from wynot.commands.table import COMMANDS
from wynot.core.errors import NoSuchFile, WynotError
from wynot.core.foreign_text import for_terminal
from wynot.reporters.outlet import Outlet
from wynot.reporters.words import cells, wrap

WYNOT, HINT = "wynot: ", "hint: "


def complain(error: Exception, given: Sequence[str]) -> int:
    """Say what went wrong with a command line, and return the exit code."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # only getcwd() says that
        error = NoSuchFile("the current folder has been removed", hint="cd to another one")
    if isinstance(error, WynotError):
        _say(error, given)
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


def _say(error: WynotError, given: Sequence[str]) -> None:
    outlet = Outlet(sys.stderr)
    first, *rest = worded(error, given).split("\n")
    lines = [f"{WYNOT}{for_terminal(first)} [{error.slug}]"]
    lines += map(for_terminal, [*rest, *getattr(error, "__notes__", ())])
    # A mistake in the value of an option is that, whatever else there may be.
    is_line = error.exit_code == USAGE and not error.option
    meant = _meant(given, error.hint) if is_line else ""
    if meant:
        lines.append(f"{HINT}did you mean: {for_terminal(meant)}")
    elif hint := _hint(error):
        lines += map(for_terminal, f"{HINT}{hint}".split("\n"))
    outlet.say(*(each for line in lines for each in _fitting(line, outlet)))


def _meant(given: Sequence[str], hint: str) -> str:
    """Return the whole command line that was probably meant, if it is not this one."""
    if given and given[0] in COMMANDS:
        return with_dashes(given)
    return "" if hint.startswith("did you mean") else as_reduce(given)


def _hint(error: WynotError) -> str:
    if isinstance(error, NoSuchFile) and error.path and (meant := near(error.path)):
        return f"did you mean {meant!r}?"
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


def worded(error: WynotError, given: Sequence[str]) -> str:
    """Return the message of an error in the words of the command line, without its hint."""
    return f"{flag(error.option, given)} {error.message}" if error.option else error.message


def flag(option: str, given: Sequence[str]) -> str:
    """Return how an option of the library or a settings record is written on the command line."""
    own = [COMMANDS[name] for name in given[:1] if name in COMMANDS]
    options = [each for command in (*own, *COMMANDS.values()) for each in command.record.options()]
    return next((each.flags[-1] for each in options if each.name == option and each.flags), option)
