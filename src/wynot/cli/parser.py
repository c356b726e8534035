"""The command line, as a table of options: what ``--help``, completion and config files read."""

import os
from argparse import SUPPRESS, ArgumentParser, HelpFormatter, _ArgumentGroup
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn, get_args

from wynot import __version__
from wynot.cli.exit_codes import TABLE, USAGE
from wynot.cli.quantities import parts, seconds, size, statuses
from wynot.core.errors import InvalidOption, UnknownOption
from wynot.settings import CHOICES, Atoms, Layout, Same, TreeSearch

MANUAL = """\
Which part of this makes it fail? wynot leaves out parts of a failing input, asks your test whether
the failure still shows, and goes on until every part that is left matters.
"""

CLOSE = 0.75
"""How much a wrong option must be like a right one to be taken for it."""

EXAMPLES = """\
examples:
  wynot reduce ./crash.sh prog.c           a script that exits with 0 if the failure shows
  wynot reduce prog.c -- gcc -O2 -c {}     no script: the first run shows what the failure is
  wynot reduce --stderr 'stack overflow' deep.json -- node parse.js {}
  wynot reduce -c 'grep -q boom log.txt' log.txt
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


class Parser(ArgumentParser):
    """Says what is wrong in wynot's way: the message, a hint, the documented exit code."""

    def error(self, message: str) -> NoReturn:
        """Say it and leave."""
        hint, slug = f"{self.prog} --help", InvalidOption.slug
        unknown = message.removeprefix("unrecognized arguments: ").split()[0]
        if message.startswith("unrecognized"):
            message, slug = f"there is no option {unknown!r}", UnknownOption.slug
            close = get_close_matches(unknown.partition("=")[0], option_strings(self), 1, CLOSE)
            hint = f"wynot reduce --help; a file of that name is given as ./{unknown}"
            if close:
                other = f"{unknown} is an option of another command"
                hint = other if close == [unknown] else f"did you mean {close[0]!r}?"
        self.exit(USAGE, f"wynot: {message} [{slug}]\nhint: {hint}\n")


def option_strings(of: ArgumentParser) -> list[str]:
    """Return the options of a parser and of its commands, as they are written."""
    found: set[str] = set()
    for action in actions(of):
        found.update(action.option_strings)
        if isinstance(action.choices, dict):
            found.update(*map(option_strings, action.choices.values()))
    return sorted(found)


def parser() -> Parser:
    """Return the parser of the whole command."""
    top = Parser(
        prog="wynot",
        description=MANUAL,
        epilog=f"{EXAMPLES}\nexit codes:\n{TABLE}",
        formatter_class=formatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"wynot {__version__}")
    # With `prog` given, argparse does not make a formatter, and so rich is not imported.
    commands = top.add_subparsers(
        dest="action", metavar="COMMAND", prog="wynot", parser_class=Parser
    )

    def command(name: str, what: str, fill: Callable[[Parser], None]) -> None:
        added = commands.add_parser(
            name, help=what, description=what, formatter_class=formatter, allow_abbrev=False
        )
        fill(added)

    command("reduce", "leave out everything that the failure does not need", reduce_options)
    command("check", "find out whether a test is any good, before reducing with it", check_options)
    command("history", "show or restore the steps of a reduction", history_options)
    command("languages", "show which languages are known, and how each is parsed", no_options)
    command("completion", "print what makes a shell complete wynot's options", completion_options)
    return top


def reduce_options(to: Parser) -> None:
    """Add the options of ``wynot reduce``."""
    to.usage = (
        "wynot reduce [OPTIONS] TEST FILE...\n       wynot reduce [OPTIONS] FILE... -- CMD {}"
    )
    to.epilog = f"{EXAMPLES}\nexit codes:\n{TABLE}"
    to.add_argument(
        "arguments", nargs="*", metavar="TEST FILE", help="the test, then files or folders"
    )
    fails = to.add_argument_group("what the failure is")
    _what_fails(fails)
    _what_else(fails)
    _what_goes(to.add_argument_group("what may be left out"))
    _how_far(to.add_argument_group("how far to go"))
    _searching(to.add_argument_group("how to search (see docs/concepts/searches.md)"))
    _around(to.add_argument_group("files and output"))


def _what_fails(group: _ArgumentGroup) -> None:
    group.add_argument(
        "-c",
        "--shell",
        metavar="LINE",
        default="",
        help="a line of shell in place of TEST; the file is $1",
    )
    group.add_argument(
        "--invert",
        action="store_true",
        help="the test exits with 0 if all is well, as for git bisect run",
    )
    group.add_argument(
        "--same",
        choices=get_args(Same),
        default="auto",
        help="of the first run of CMD, what must stay the same",
    )
    group.add_argument("--exit", type=int, metavar="N", help="CMD exits with N")
    group.add_argument("--signal", metavar="SIG", help="CMD dies of this signal")
    for stream in ("stdout", "stderr"):
        group.add_argument(f"--{stream}", metavar="REGEX", help=f"CMD prints this to {stream}")
        group.add_argument(f"--not-{stream}", metavar="REGEX", help="and does not print this")
    group.add_argument(
        "--hangs", action="store_true", help="CMD does not end (within --timeout, or 10 s)"
    )
    group.add_argument(
        "--differs", metavar="CMD2", default="", help="CMD and CMD2 print different things"
    )


def _what_else(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--also-interesting",
        type=statuses,
        metavar="N,..",
        default=[],
        help="keep candidates aside whose test exits with N",
    )
    group.add_argument(
        "--no-check",
        dest="check",
        action="store_false",
        help="do not ask about the original and the empty file first",
    )


def _what_goes(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--atoms", choices=get_args(Atoms), default="auto", help="the finest parts to leave out"
    )
    group.add_argument(
        "--language",
        metavar="NAME",
        default="",
        help="what the files are written in (default: found out; see wynot languages)",
    )
    group.add_argument(
        "--no-rename", dest="rename", action="store_false", help="leave names as they are"
    )
    group.add_argument(
        "--format",
        dest="layout",
        choices=get_args(Layout),
        default="tidy",
        help="white space: no blanks but lines, or indented, or none at all, or as it comes",
    )
    group.add_argument(
        "--keep",
        action="append",
        metavar="REGEX",
        default=[],
        help="never touch what matches; can be repeated",
    )
    group.add_argument(
        "--with",
        dest="fixed",
        action="append",
        metavar="FILE",
        default=[],
        help="put this file or folder beside every candidate; can be repeated",
    )


def _how_far(group: _ArgumentGroup) -> None:
    group.add_argument(
        "-j",
        "--jobs",
        type=int,
        metavar="N",
        default=None,
        help="tests at a time (default: one for each core)",
    )
    group.add_argument(
        "--timeout", type=seconds, metavar="TIME", help="for one test (default: learned)"
    )
    group.add_argument("--memory", type=size, metavar="SIZE", help="for one test")
    group.add_argument("--max-time", type=seconds, metavar="TIME", help="stop after this time")
    group.add_argument("--max-tests", type=int, metavar="N", help="stop after so many tests")
    group.add_argument("--target-size", type=size, metavar="SIZE", help="stop when this small")
    group.add_argument(
        "--fast",
        action="store_true",
        help="leave out the last sweep, which proves that nothing more can go",
    )
    group.add_argument(
        "--patience", type=int, metavar="N", help="stop after N tests in a row without progress"
    )


def _searching(group: _ArgumentGroup) -> None:
    for name, what in (
        ("search", "the algorithm"),
        ("order", "subsets, complements or both"),
        ("subset_iterator", "in what order subsets are tried"),
        ("complement_iterator", "in what order complements are tried"),
        ("memo", "which verdicts are not asked for again"),
        ("pick", "which of several successes counts"),
    ):
        group.add_argument(
            f"--{name.replace('_', '-')}",
            choices=[*CHOICES[name], *(get_args(TreeSearch) if name == "search" else ())],
            default=CHOICES[name][0] if name not in DEFAULTS else DEFAULTS[name],
            help=what,
        )
    group.add_argument(
        "--level-search",
        choices=[name for name in CHOICES["search"] if name != "auto"],
        default="opdd",
        help="with --search hdd and its kin: the algorithm on each level of the tree",
    )
    group.add_argument(
        "--split",
        choices=("weight", *CHOICES["split"]),
        default="weight",
        help="where a chunk is cut in two",
    )
    group.add_argument(
        "--granularity",
        type=parts,
        metavar="N",
        default=2,
        help="parts at the start, and how many times finer; 2 or more, or inf",
    )
    group.add_argument("--seed", type=int, metavar="N", default=0, help="for random iterators")
    group.add_argument(
        "--restart", action="store_true", help="go back to the first chunk after each success"
    )
    group.add_argument(
        "--combined", action="store_true", help="subsets and complements in one round"
    )
    group.add_argument(
        "--star", action="store_true", help="repeat each search until nothing changes"
    )


DEFAULTS = {"order": "complements-only"}


def _around(group: _ArgumentGroup) -> None:
    group.add_argument(
        "-o",
        "--out",
        metavar="OUT",
        default="",
        help="put the result there (default: in place; FILE.orig is kept)",
    )
    again = group.add_mutually_exclusive_group()
    again.add_argument(
        "--resume",
        action="store_true",
        help="go on with an earlier run, or say why not (default: if there is one)",
    )
    again.add_argument("--fresh", action="store_true", help="begin anew, whatever there is")
    group.add_argument(
        "--config",
        metavar="FILE",
        help="options from here (default: [tool.wynot] of pyproject.toml)",
    )
    group.add_argument("--json", action="store_true", help="events as JSON lines, for programs")
    group.add_argument("-q", "--quiet", action="store_true", help="one line at the end")


def check_options(to: Parser) -> None:
    """Add the options of ``wynot check``."""
    to.usage = "wynot check [OPTIONS] TEST FILE...\n       wynot check [OPTIONS] FILE... -- CMD {}"
    to.add_argument("arguments", nargs="*", metavar="TEST FILE", help="as for wynot reduce")
    _what_fails(to.add_argument_group("what the failure is"))
    group = to.add_argument_group("more")
    group.add_argument(
        "--with",
        dest="fixed",
        action="append",
        metavar="FILE",
        default=[],
        help="put this file beside every candidate",
    )
    group.add_argument("--timeout", type=seconds, metavar="TIME", help="for one test")
    group.add_argument("--memory", type=size, metavar="SIZE", help="for one test")
    group.add_argument("--runs", type=int, metavar="N", default=10, help="how often to ask")
    group.add_argument("--config", metavar="FILE", help=SUPPRESS)


def history_options(to: Parser) -> None:
    """Add the options of ``wynot history``."""
    to.add_argument("file", metavar="FILE", help="the file that was reduced, or its journal")
    to.add_argument(
        "--restore",
        type=int,
        metavar="STEP",
        help="write the case as it was after this step; 0 is the original",
    )
    to.add_argument("-o", "--out", metavar="OUT", help="where to write it (default: FILE.STEP)")
    to.add_argument("--json", action="store_true", help="the steps as JSON lines")


def no_options(_to: Parser) -> None:
    """Add nothing: the command has only ``--help``."""


def completion_options(to: Parser) -> None:
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
