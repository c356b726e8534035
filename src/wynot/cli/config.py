"""Options from a file: ``[tool.wynot]`` of the nearest pyproject.toml, or a file of one's own."""

import tomllib
from argparse import Action, ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.cli.ownership import HARMLESS, strange_folder, strangers
from wynot.cli.parser import actions
from wynot.core.errors import InvalidOption, NoSuchFile, UnknownOption, nearest

NOT_THERE = {
    "help",
    "arguments",
    "config",
    "resume",
    "fresh",
    "shell",
    "file",
    "restore",
    "show",
    "diff",
}
"""What makes sense on the command line only."""


class Read(NamedTuple):
    """What was taken from a file, and what was not."""

    path: Path
    taken: tuple[str, ...]
    """The options of this command that it has."""
    refused: tuple[str, ...] = ()
    why: str = ""
    """Why some are not taken: whose the file is."""


def read(named: str | None, top: ArgumentParser, command: str) -> Read | None:
    """Make what a file says the defaults of a command; what is for another one is let pass.

    A file that the user names is the user's word. One that is only found may be somebody else's.
    """
    path = Path(named) if named else _nearest()
    if path is None:
        return None
    table = {
        name.replace("_", "-"): (name, value)
        for name, value in _table(path, own=bool(named)).items()
    }
    refused, why = ((), "") if named or not table else _distrusted(path, list(table))
    of = commands_of(top)
    everything = {name: action for each in of.values() for name, action in _long(each).items()}
    mine = _long(of[command])
    taken = []
    for option, (name, value) in table.items():
        if option in refused:
            continue
        if option not in everything:
            raise UnknownOption(
                f"{path}: there is no option {name!r}", hint=nearest(option, sorted(everything))
            )
        made = _value(path, name, value, everything[option])
        if option in mine:
            of[command].set_defaults(**{mine[option].dest: made})
            taken.append(option)
    return Read(path, tuple(taken), tuple(each for each in refused if each in mine), why)


def _distrusted(path: Path, options: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return which options are not taken from a file that was found, and why."""
    why = strangers(path)
    if path.parent != Path.cwd() and (why := why or strange_folder(path)):
        return options, why
    return ([each for each in options if each not in HARMLESS], why) if why else ((), "")


def _long(of: ArgumentParser) -> dict[str, Action]:
    """Return the options of a command that a file can have, by their long names."""
    return {
        name.removeprefix("--"): action
        for action in actions(of)
        if action.dest not in NOT_THERE
        for name in action.option_strings
        if name.startswith("--")
    }


def commands_of(top: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return the parsers of the commands."""
    [subparsers] = [action for action in actions(top) if action.nargs == "A..."]
    return dict(subparsers.choices)


def _nearest() -> Path | None:
    for folder in (Path.cwd(), *Path.cwd().parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return path
    return None


def _table(path: Path, *, own: bool) -> dict[str, object]:
    """Return the options of a file; a file of one's own may have them at the top."""
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoSuchFile(
            f"there is no config file {str(path)!r}", path=str(path), hint="check --config"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if not own:
            return {}  # a project's file in a bad state is not wynot's business
        raise InvalidOption(f"{path} cannot be read: {error}", hint="it must be TOML") from error
    tool = whole.get("tool", {})
    table = tool.get("wynot") if isinstance(tool, dict) else None
    if table is None:
        table = whole if own and "tool" not in whole else {}
    if not isinstance(table, dict):
        raise InvalidOption(f"{path}: tool.wynot is not a table", hint="write [tool.wynot]")
    return table


def _value(path: Path, name: str, value: object, action: Action) -> object:
    """Return a value as the command line would have it."""
    if action.nargs == 0:  # a flag
        if not isinstance(value, bool):
            raise InvalidOption(f"{path}: {name} is {value!r}", hint="it is true or false")
        return value if action.const is True else not value
    if isinstance(value, list) and not isinstance(action.default, list):
        raise InvalidOption(f"{path}: {name} is {value!r}", hint="it takes one value")
    given = value if isinstance(value, list) else [value]
    try:
        made = [_converted(action, str(each)) for each in given]
    except (ArgumentTypeError, ValueError) as error:
        raise InvalidOption(f"{path}: {name} is {value!r}", hint=str(error)) from error
    for each in made:
        if action.choices is not None and each not in action.choices:
            hint = nearest(str(each), [str(choice) for choice in action.choices])
            raise InvalidOption(f"{path}: {name} is {each!r}", hint=hint)
    if isinstance(action.default, list):
        return [part for each in made for part in (each if isinstance(each, list) else [each])]
    return made[0]


def _converted(action: Action, text: str) -> object:
    return action.type(text) if callable(action.type) else text
