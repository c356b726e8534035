"""Configuration files: who may own one, and what they may set.

A file must belong to somebody who is trusted: otherwise whoever can write in a folder above, say in
/tmp, would choose what another user's wynot runs and where it writes.

The user's own is ``~/.config/wynot/config.toml``, and a file named by ``--config``. The nearest
pyproject.toml is the project's, and may be a stranger's: unless the user's own configuration lists
its folder as trusted, it sets harmless options only.

What stands in a table is for all commands that have the option; ``[tool.wynot.reduce]`` is for
one of them, and wins.
"""

import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wynot.commands.table import COMMANDS
from wynot.core.errors import InvalidOption, NoSuchFile, UnknownOption, nearest
from wynot.core.options.option import CommandOption
from wynot.core.system.user_folders import trusted_users, user_folder, user_name


def strangers(path: Path) -> str:
    """Return who else can write a file in words; empty if only the user and the system can."""
    seen = [path.lstat(), path.stat()]
    for each in seen:
        if each.st_uid not in trusted_users():
            return f"belongs to {user_name(each.st_uid)}, not to you"
    if seen[1].st_mode & stat.S_IWOTH:
        return "can be written by anyone"
    return ""


def strange_folder(path: Path) -> str:
    """Return whose the folder of a file is, if it is neither the user's own nor the system's."""
    owner = path.parent.stat().st_uid
    if owner in trusted_users():
        return ""
    return f"is in a folder that belongs to {user_name(owner)}, not to you"


TRUSTED = "trusted"
"""The one key of the user's own configuration that is no option: a list of folders."""
UNTRUSTED = "is not trusted"
_UNREADABLE = (OSError, ValueError, RecursionError)
"""What reading a bad file may raise: it may be no text, nested too deep, or have huge numbers."""


class ConfigFile(NamedTuple):
    """A file, and what of it counts."""

    path: Path
    table: Mapping[str, object]
    distrust: str = ""
    """Why it may not set all options; empty if it may."""
    is_ignored: bool = False
    """Whether not even harmless ones count."""


class Read(NamedTuple):
    """What was taken from a file, and what was not."""

    file: ConfigFile
    values: Mapping[str, Any]
    """What the fields of the command's record are to have, if nothing else is given."""
    applied: tuple[str, ...]
    """The options of this command that it has."""
    refused: tuple[str, ...]
    """Those that need trust, and are ignored."""


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
        values_ = value if isinstance(value, list) else [value]
        try:
            made = [option.parse(str(each)) if option.parse else str(each) for each in values_]
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


def read(named: str, command: str) -> Sequence[Read]:
    """Return what files say of a command's options, the most important file last.

    ``named`` is the file of ``--config``, which takes the place of the project's. A project that
    is not trusted changes nothing that the user's own configuration sets.
    """
    own = _own_file()
    folders: Sequence[Path] = ()
    if own is not None:
        table = dict(own.table)
        folders = _folders(own.path, table.pop(TRUSTED, []))
        own = own._replace(table=table)
    path = Path(named)
    other = ConfigFile(path, _table(path)) if named else _project_file(folders)
    files = (other, own) if other is not None and other.distrust else (own, other)
    return [_read(file, command) for file in files if file is not None and file.table]


def _read(file: ConfigFile, command: str) -> Read:
    """Return what counts of a file; an option that needs trust is not even looked at."""
    every = {name: entries(name) for name in COMMANDS}
    mine = every[command]
    values: dict[str, Any] = {}
    applied, refused = dict[str, None](), dict[str, None]()
    for place, name, value in _lines(file.path, file.table, command):
        option = name.replace("_", "-")
        if file.is_ignored:
            refused |= dict.fromkeys([option] if option in mine else [])
            continue
        where = f"{file.path}: {place}{name}"
        entry = mine.get(option) if place else _shared(where, option, every)
        if entry is None:
            hint = nearest(option, sorted(mine))
            raise UnknownOption(f"{file.path}: there is no option {place}{name!r}", hint=hint)
        is_mine = option in mine and (place or mine[option].option.in_config == "shared")
        if file.distrust and not (mine[option] if is_mine else entry).option.is_harmless:
            refused |= dict.fromkeys([option] if is_mine else [])
            continue
        made = entry.value(where, value)
        if is_mine:
            values[mine[option].option.name] = made
            applied[option] = None
    return Read(file, values, tuple(applied), tuple(refused))


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


def own_path() -> Path | None:
    """Return where the user's own configuration is; None if there is no place for it."""
    try:
        return user_folder("XDG_CONFIG_HOME", ".config") / "config.toml"
    except InvalidOption:
        return None


def _own_file() -> ConfigFile | None:
    """Return the user's own configuration; raise if somebody else can write it.

    To go on without it could drop a protection that the user has chosen there.
    """
    path = own_path()
    if path is None:
        return None
    try:
        why = strangers(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):  # the last: another's home
        return None
    if why:
        raise InvalidOption(f"{path} {why}", hint="make it yours alone, with chown and chmod")
    return ConfigFile(path, _table(path))


def _folders(path: Path, listed: object) -> Sequence[Path]:
    """Return the folders that the user trusts."""
    folders = []
    for each in listed if isinstance(listed, list) else [listed]:
        if not isinstance(each, str) or not each.startswith("/"):
            raise InvalidOption(
                f"{path}: {TRUSTED} has {each!r}",
                hint=f'list whole paths: {TRUSTED} = ["/path/to/project"]',
            )
        folders.append(Path(each).resolve())
    return folders


def _project_file(trusted: Sequence[Path]) -> ConfigFile | None:
    """Return the nearest pyproject.toml, with what of it counts."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            break
    else:
        return None
    table = _project_table(path)
    if folder.resolve() in trusted:
        return ConfigFile(path, table)
    why = strangers(path)
    if folder != Path.cwd() and (why := why or strange_folder(path)):
        return ConfigFile(path, table, why, is_ignored=True)
    return ConfigFile(path, table, why or UNTRUSTED)


def _project_table(path: Path) -> Mapping[str, object]:
    """Return the options of a project; a file in a bad state is not wynot's business."""
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
    except _UNREADABLE:
        return {}
    return _tool_table(path, whole) or {}


def _table(path: Path) -> Mapping[str, object]:
    """Return the options of a file of the user's, which may have them at the top."""
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoSuchFile(
            f"there is no config file {str(path)!r}", path=str(path), hint="check --config"
        ) from None
    except _UNREADABLE as error:
        raise InvalidOption(f"{path} cannot be read: {error}", hint="it must be TOML") from error
    table = _tool_table(path, whole)
    return table if table is not None else {} if "tool" in whole else whole


def _tool_table(path: Path, whole: Mapping[str, object]) -> Mapping[str, object] | None:
    tool = whole.get("tool", {})
    table = tool.get("wynot") if isinstance(tool, dict) else None
    if not isinstance(table, dict | None):
        raise InvalidOption(f"{path}: tool.wynot is not a table", hint="write [tool.wynot]")
    return table
