"""The command line, as a table of options: what ``--help``, completion and config files read."""

import os
from argparse import SUPPRESS, ArgumentParser, HelpFormatter
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

from wynot import __version__
from wynot.cli.exit_codes import TABLE
from wynot.cli.inquiries import INQUIRIES
from wynot.cli.option_groups import (
    around,
    beside,
    confining,
    explaining,
    how_far,
    searching,
    what_else,
    what_fails,
    what_goes,
)
from wynot.cli.quantities import seconds, size
from wynot.core.errors import InvalidOption, UnknownOption
from wynot.core.typed import typed

MANUAL = """\
Which part of this makes it fail? wynot leaves out parts of a failing input, asks your test whether
the failure still shows, and goes on until every part that is left matters.
"""

OPTION_LIKENESS = 0.75
"""How much a wrong option must be like a right one to be taken for it."""

EXAMPLES = """\
examples:
  wynot reduce ./crash.sh prog.c           a script that exits with 0 if the failure shows
  wynot reduce prog.c -- gcc -O2 -c {}     no script: the first run shows what the failure is
  wynot reduce --stderr 'stack overflow' deep.json -- node parse.js {}
  wynot reduce -c 'grep -q boom log.txt' log.txt
  wynot isolate good.json bad.json -- node parse.js {}      what is the difference?
  wynot changes --good v1.2 --bad HEAD -- make test         which change broke it?
  wynot options -- gcc -O3 -funroll-loops -c prog.c         which options does it need?
  wynot packages --good old.txt --bad new.txt -- pytest     which upgrade broke it?
  wynot tests tests/test_a.py::test_b      which earlier tests make it fail?
  wynot check ./crash.sh prog.c            is the test any good?
"""


def formatter(prog: str) -> HelpFormatter:
    """Return what lays the help out; it is costly to import, and mostly not needed."""
    rich = import_module("rich_argparse")
    kind = rich.RawDescriptionRichHelpFormatter
    kind.group_name_formatter = str
    kind.help_markup = kind.text_markup = False  # [tool.wynot] is what it says
    made: HelpFormatter = kind(prog, max_help_position=28)
    return made


class CommandParser(ArgumentParser):
    """Raises wynot's own errors: the message, a hint, the documented exit code."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong with the arguments."""
        if message.startswith("unrecognized"):
            unknown = message.removeprefix("unrecognized arguments: ").split()[0]
            raise UnknownOption(f"there is no option {unknown!r}", hint=self._meant(unknown))
        hint = f"{self.prog} --help"
        if message.startswith("argument COMMAND: invalid choice: "):
            unknown = next(iter(self.given), "")
            message, hint = f"there is no command {unknown!r}", self._meant_command(unknown)
        elif message.endswith("expected one argument"):
            option = message.split(":")[0].removeprefix("argument ").split("/")[-1]
            hint = f"one that begins with a dash is written {option}=VALUE"
        raise InvalidOption(message, hint=hint)

    given: Sequence[str] = ()
    """What is parsed, for what is said of mistakes."""

    @property
    def commands(self) -> dict[str, ArgumentParser]:
        """The commands that there are."""
        found = [each.choices for each in actions(self) if isinstance(each.choices, dict)]
        return dict(found[0]) if found else {}

    def _meant_command(self, unknown: str) -> str:
        """Return what was probably meant by something that is no command."""
        close = get_close_matches(unknown, list(self.commands), 1)
        return f"did you mean {close[0]!r}?" if close else "wynot --help shows all"

    def _meant(self, unknown: str) -> str:
        """Return what was probably meant by something that is no option."""
        name = next((word for word in self.given if word in self.commands), "reduce")
        command = self.commands[name]
        if not unknown.startswith("-") and "-- CMD" in (command.usage or ""):
            return f"the command comes after --: wynot {name} … -- {typed(unknown)}"
        close = get_close_matches(
            unknown.partition("=")[0], option_strings(self), 1, OPTION_LIKENESS
        )
        if close == [unknown]:
            return f"{unknown!r} is an option of another command"
        if close:
            return f"did you mean {close[0]!r}?"
        return f"wynot {name} --help; a file of that name is given as {typed(f'./{unknown}')}"


def option_strings(of: ArgumentParser) -> list[str]:
    """Return the options of a parser and of its commands, as they are written."""
    found: set[str] = set()
    for action in actions(of):
        found.update(action.option_strings)
        if isinstance(action.choices, dict):
            found.update(*map(option_strings, action.choices.values()))
    return sorted(found)


def parser() -> CommandParser:
    """Return the parser of the whole command."""
    top = CommandParser(
        prog="wynot",
        description=MANUAL,
        epilog=f"{EXAMPLES}\nexit codes:\n{TABLE}",
        formatter_class=formatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"wynot {__version__}")
    # With `prog` given, argparse does not make a formatter, and so rich is not imported.
    commands = top.add_subparsers(
        dest="action", metavar="COMMAND", prog="wynot", parser_class=CommandParser
    )

    def command(name: str, what: str, fill: Callable[[Any], None]) -> None:
        added = commands.add_parser(
            name, help=what, description=what, formatter_class=formatter, allow_abbrev=False
        )
        fill(added)

    command("reduce", "leave out everything that the failure does not need", reduce_options)
    for name, what, fill in INQUIRIES:
        command(name, what, fill)
    command("check", "find out whether a test is any good, before reducing with it", check_options)
    command("history", "show or restore the steps of a reduction", history_options)
    command("languages", "show which languages are known, and how each is parsed", no_options)
    command("help", "show all commands, or the options of one", help_options)
    command("completion", "print what makes a shell complete wynot's options", completion_options)
    return top


def reduce_options(to: CommandParser) -> None:
    """Add the options of ``wynot reduce``."""
    to.usage = (
        "wynot reduce [OPTIONS] TEST FILE...\n       wynot reduce [OPTIONS] FILE... -- CMD {}"
    )
    to.epilog = f"{EXAMPLES}\nexit codes:\n{TABLE}"
    to.add_argument(
        "arguments",
        nargs="*",
        metavar="TEST FILE",
        help="the test, then files or folders; - is standard input",
    )
    fails = to.add_argument_group("what the failure is")
    what_fails(fails)
    what_else(fails)
    what_goes(to.add_argument_group("what may be left out"))
    how_far(to.add_argument_group("how far to go"))
    searching(to.add_argument_group("how to search (see docs/concepts/searches.md)"))
    output = to.add_argument_group("files and output")
    explaining(output)
    around(output)


def check_options(to: CommandParser) -> None:
    """Add the options of ``wynot check``."""
    to.usage = "wynot check [OPTIONS] TEST FILE...\n       wynot check [OPTIONS] FILE... -- CMD {}"
    to.add_argument("arguments", nargs="*", metavar="TEST FILE", help="as for wynot reduce")
    what_fails(to.add_argument_group("what the failure is"))
    group = to.add_argument_group("more")
    beside(group, "beside every candidate")
    group.add_argument("--timeout", type=seconds, metavar="TIME", help="for one test")
    group.add_argument("--memory", type=size, metavar="SIZE", help="for one test")
    confining(group)
    group.add_argument("--runs", type=int, metavar="N", default=10, help="how often to ask")
    group.add_argument("--config", metavar="FILE", help=SUPPRESS)


def history_options(to: CommandParser) -> None:
    """Add the options of ``wynot history``."""
    to.add_argument("file", metavar="FILE", help="the file that was reduced, or its journal")
    one = to.add_mutually_exclusive_group()
    one.add_argument(
        "--restore",
        type=int,
        metavar="STEP",
        help="write the case as it was after this step; 0 is the original",
    )
    one.add_argument(
        "--show",
        metavar="STEP[:PATH]",
        help="print the case as it was after this step; of a folder its files, or the one at PATH",
    )
    one.add_argument(
        "--diff", nargs=2, type=int, metavar=("A", "B"), help="print what differs between two steps"
    )
    to.add_argument("-o", "--out", metavar="OUT", help="where to write it (default: FILE.STEP)")
    to.add_argument("--json", action="store_true", help="the steps as JSON lines")


def help_options(to: CommandParser) -> None:
    """Add the options of ``wynot help``."""
    to.usage = "wynot help [COMMAND]"
    to.add_argument("which", nargs="?", metavar="COMMAND", help="the command that is asked about")


def no_options(_to: CommandParser) -> None:
    """Add nothing: the command has only ``--help``."""


def completion_options(to: CommandParser) -> None:
    """Add the options of ``wynot completion``."""
    to.add_argument(
        "which", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish"
    )


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def actions(of: ArgumentParser) -> "list[Any]":
    """Return the options of a parser, for completion and config files."""
    return list(of._actions)  # noqa: SLF001 - argparse has no other way to read them
