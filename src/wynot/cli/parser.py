"""The parser of the command line, made from the records of the commands."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, HelpFormatter
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

from wynot import __version__
from wynot.cli.exit_codes import TABLE
from wynot.commands.table import COMMANDS, Subcommand
from wynot.core.errors import InvalidOption, UnknownOption
from wynot.core.foreign_text import for_shell
from wynot.core.options.option import CommandOption, Heading
from wynot.core.options.quantities import Unparsable

WHAT = """\
Which part of this makes it fail? wynot leaves out all that does not.
"""
FURTHER = """\
To begin: wynot reduce FILE -- CMD {}. For options, examples and exit codes:
wynot COMMAND --help; for all of it: man wynot.
"""

OPTION_LIKENESS = 0.75
"""How much a wrong option must be like a right one to be taken for it."""


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

    argv: Sequence[str] = ()
    """What is parsed, for what is said of mistakes."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong with the arguments."""
        if message.startswith("unrecognized"):
            unknown = message.removeprefix("unrecognized arguments: ").split()[0]
            raise UnknownOption(f"there is no option {unknown!r}", hint=self._suggestion(unknown))
        hint = f"{self.prog} --help"
        if message.startswith("argument COMMAND: invalid choice: "):
            unknown = next(iter(self.argv), "")
            close = get_close_matches(unknown, list(COMMANDS), 1)
            message = f"there is no command {unknown!r}"
            hint = f"did you mean {close[0]!r}?" if close else "wynot --help shows all"
        elif message.endswith("expected one argument"):
            option = message.split(":")[0].removeprefix("argument ").split("/")[-1]
            hint = f"one that begins with a dash is written {option}=VALUE"
        raise InvalidOption(message, hint=hint)

    def _suggestion(self, unknown: str) -> str:
        """Return what was probably meant by something that is no option."""
        name = next((word for word in self.argv if word in COMMANDS), "reduce")
        if not unknown.startswith("-") and any("-- CMD" in way for way in COMMANDS[name].usage):
            return f"the command comes after --: wynot {name} … -- {for_shell(unknown)}"
        known = {flag for each in COMMANDS.values() for flag in each.flags}
        close = get_close_matches(unknown.partition("=")[0], sorted(known), 1, OPTION_LIKENESS)
        if close == [unknown]:
            return f"{unknown!r} is an option of another command"
        if close:
            return f"did you mean {close[0]!r}?"
        return f"wynot {name} --help; a file of that name is given as {for_shell(f'./{unknown}')}"


class TopParser(CommandParser):
    """Its help is a screen, and leads on: 24 rows of 80 columns."""

    def format_help(self) -> str:
        """Return what there is."""
        rows = "".join(f"  {name:<12}{each.what}\n" for name, each in COMMANDS.items())
        return f"usage: wynot COMMAND ...\n\n{WHAT}\n{rows}\n{FURTHER}"


def parser(argv: Sequence[str] = ()) -> CommandParser:
    """Return the parser of a command line; it knows only what was given, defaults are not its."""
    top = TopParser(prog="wynot", formatter_class=formatter, allow_abbrev=False)
    top.argv = argv
    top.add_argument("--version", action="version", version=f"wynot {__version__}")
    # With `prog` given, argparse does not make a formatter, and so rich is not imported.
    commands = top.add_subparsers(
        dest="action", metavar="COMMAND", prog="wynot", parser_class=CommandParser
    )
    for name, command in COMMANDS.items():
        added = commands.add_parser(
            name,
            help=command.what,
            description=command.what,
            epilog=_epilog(command.examples) if command.examples else None,
            formatter_class=formatter,
            allow_abbrev=False,
            argument_default=SUPPRESS,
        )
        if name in argv:
            added.usage = "\n       ".join(_usage(name, command)) or None
            _fill(added, command.record.options())
    return top


def _usage(name: str, command: Subcommand) -> list[str]:
    options = "[OPTIONS] " if command.flags else ""
    return [f"wynot {name} {options}{way}" for way in command.usage]


def _epilog(examples: str) -> str:
    return f"examples:\n  {examples}\n\nexit codes:\n{TABLE}"


def _fill(to: ArgumentParser, options: Sequence[CommandOption]) -> None:
    """Add options, in the groups that the help shows."""
    groups: dict[Heading | None, Any] = {Heading.ARGUMENTS: to}
    for each in options:
        if each.heading not in groups and each.heading is not None:
            groups[each.heading] = to.add_argument_group(each.heading.value)
        group = groups[each.heading]
        if each.flags:
            group.add_argument(*each.flags, dest=each.name, **_way(each), help=help_text(each))
        else:
            group.add_argument(each.name, **_way(each), help=help_text(each))
        if each.off:
            flag, _, help_ = each.off.partition(" ")
            group.add_argument(flag, dest=each.name, action="store_false", help=help_)


def help_text(option: CommandOption) -> str:
    """Return what the help says of an option."""
    repeated = "; can be repeated" if option.is_many and option.flags else ""
    usual = option.usual or (option.default if option.values and option.flags else "")
    default = "" if usual in (None, "", ()) else f" (default: {usual})"
    return f"{option.help}{repeated}{default}"


def _way(option: CommandOption) -> dict[str, Any]:
    """Return how argparse takes an option."""
    if option.is_flag:
        return {"action": "store_false" if option.default is True else "store_true"}
    way: dict[str, Any] = {"type": _reader(option.parse)} if option.parse else {}
    if option.choices:
        way["choices"] = option.choices
    if not option.flags:
        may_lack = {} if option.alone is None else {"nargs": "?"}
        more = {"nargs": "*"} if option.is_many else may_lack
        return {**way, "metavar": " ".join(option.values), **more}
    if option.is_many:
        way["action"] = "append"
    if option.alone is not None:
        way |= {"nargs": "?", "const": option.alone}
    if len(option.values) > 1:
        return {**way, "nargs": len(option.values), "metavar": option.values}
    return way if option.choices else {**way, "metavar": option.values[0]}


def _reader(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return what reads a value in the way of argparse, which has a kind of error of its own."""

    def read(text: str) -> Any:
        try:
            return parse(text)
        except Unparsable as error:
            raise ArgumentTypeError(str(error)) from None

    read.__name__ = parse.__name__  # argparse names it
    return read
