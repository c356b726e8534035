"""Options from a file: ``[tool.wynot]`` of the nearest pyproject.toml, or a file of one's own.

What stands in that table is for all commands that have the option; ``[tool.wynot.reduce]`` is for
one of them, and wins.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wynot.cli.ownership import strange_folder, strangers
from wynot.commands.table import COMMANDS
from wynot.core.errors import InvalidOption, NoSuchFile, UnknownOption, nearest
from wynot.core.option import CommandOption


class Read(NamedTuple):
    """What was taken from a file, and what was not."""

    path: Path
    values: Mapping[str, Any]
    """What the fields of the command's record are to have, if nothing else is given."""
    taken: tuple[str, ...]
    """The options of this command that it has."""
    refused: tuple[str, ...] = ()
    why: str = ""
    """Why some are not taken: whose the file is."""


class Entry(NamedTuple):
    """An option as a file has it."""

    option: CommandOption
    is_off: bool
    """Whether it is the flag that says the contrary."""

    def value(self, where: str, value: object) -> object:
        """Return a value as the command line would have it; ``where`` is what is wrong if it is."""
        option = self.option
        if option.is_flag:
            if not isinstance(value, bool):
                raise InvalidOption(f"{where} is {value!r}", hint="it is true or false")
            return value != (self.is_off or option.default is True)
        is_list = isinstance(option.default, tuple)
        if isinstance(value, list) and not is_list:
            raise InvalidOption(f"{where} is {value!r}", hint="it takes one value")
        given = value if isinstance(value, list) else [value]
        try:
            made = [option.parse(str(each)) if option.parse else str(each) for each in given]
        except ValueError as error:
            raise InvalidOption(f"{where} is {value!r}", hint=str(error)) from error
        for each in made:
            if option.choices and each not in option.choices:
                raise InvalidOption(f"{where} is {each!r}", hint=nearest(each, [*option.choices]))
        if is_list:
            return [part for each in made for part in (each if isinstance(each, list) else [each])]
        return made[0]


def entries(command: str) -> dict[str, Entry]:
    """Return the options of a command that a file can have, by the names that they have there."""
    options = COMMANDS[command].record.options()
    return {
        spelling.removeprefix("--"): Entry(each, spelling not in each.flags)
        for each in options
        if each.in_config != "never"
        for spelling in each.spellings
        if spelling.startswith("--")
    }


def read(named: str, command: str) -> Read | None:
    """Return what a file says of a command's options; what is for another one is let pass.

    A file that the user names is the user's word. One that is only found may be somebody else's:
    what is not taken from that is not even looked at.
    """
    path = Path(named) if named else _nearest()
    table = {} if path is None else _table(path, own=bool(named))
    if path is None or not table:
        return None
    every = {name: entries(name) for name in COMMANDS}
    mine = every[command]
    why, trusted = ("", set[str]()) if named else _distrusted(path, every)
    values: dict[str, Any] = {}
    taken, refused = [], []
    for place, name, value in _lines(path, table, command):
        option = name.replace("_", "-")
        if why and option not in trusted:
            refused += [option] if option in mine and option not in refused else []
            continue
        where = f"{path}: {place}{name}"
        entry = mine.get(option) if place else _shared(where, option, every)
        if entry is None:
            hint = nearest(option, sorted(mine))
            raise UnknownOption(f"{path}: there is no option {place}{name!r}", hint=hint)
        made = entry.value(where, value)
        if option in mine and (place or mine[option].option.in_config == "shared"):
            values[mine[option].option.name] = made
            taken += [option] if option not in taken else []
    return Read(path, values, tuple(taken), tuple(refused), why)


def _lines(
    path: Path, table: Mapping[str, object], command: str
) -> Iterator[tuple[str, str, object]]:
    """Yield the lines of a file that count for a command; first those that do for others, too."""
    for name, value in table.items():
        if name not in COMMANDS:
            yield "", name, value
        elif not isinstance(value, dict):
            raise InvalidOption(f"{path}: {name} is {value!r}", hint=f"write [tool.wynot.{name}]")
    own = table.get(command, {})
    assert isinstance(own, dict)  # noqa: S101
    yield from ((f"{command}.", name, value) for name, value in own.items())


def _shared(where: str, option: str, every: Mapping[str, Mapping[str, Entry]]) -> Entry:
    """Return an option that all commands share which have it."""
    having = {name: of[option] for name, of in every.items() if option in of}
    if not having:
        known = sorted({each for of in every.values() for each in of})
        path, _, name = where.rpartition(": ")
        raise UnknownOption(f"{path}: there is no option {name!r}", hint=nearest(option, known))
    for entry in having.values():
        if entry.option.in_config == "shared":
            return entry
    hint = " or ".join(f"[tool.wynot.{name}]" for name in having)
    raise InvalidOption(f"{where} means something else in each command", hint=f"write {hint}")


def _distrusted(path: Path, every: Mapping[str, Mapping[str, Entry]]) -> tuple[str, set[str]]:
    """Return why a file that was found is not obeyed, if it is not, and for what it still is."""
    why = strangers(path)
    if path.parent != Path.cwd() and (why := why or strange_folder(path)):
        return why, set()
    of_all = [pair for of in every.values() for pair in of.items()]
    return why, {name for name, entry in of_all if entry.option.is_harmless}


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
