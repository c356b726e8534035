"""The manual pages, made from the records of the commands: one for wynot, and one for each command.

`make docs` writes them to man/, from where they go into the wheel.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from structure.option_tables import short
from wynot import __version__
from wynot.cli.exit_codes import CODES, WATCH_CODES
from wynot.cli.parser import WHAT, help_text
from wynot.commands.table import COMMANDS, Subcommand
from wynot.core.options.option import CommandOption
from wynot.reporters.controls import FIXED_KEYS, STEERING_KEYS, WATCHING_KEYS, KeyWords

MAN = Path(__file__).parents[2] / "man"
SITE = "https://github.com/wynot/wynot/blob/main/docs/README.md"
REVISED = "2026-11-17"
"""The date of the pages: set it with each version."""
BEGINNING = (
    "It begins with: wynot reduce FILE -- CMD {}. What CMD fails with on FILE is what is kept. "
    "Each command has a page of its own, such as man wynot-reduce, and wynot COMMAND --help."
)
KEYS = {"reduce": STEERING_KEYS, "batch": STEERING_KEYS, "watch": WATCHING_KEYS}
ENVIRONMENT = {
    "NO_COLOR": "no colours, if it is set to anything",
    "GITHUB_ACTIONS": "no text of others becomes a workflow command in the log",
    "TERM": "dumb: lines of progress in place of a view that is drawn anew",
    "COLUMNS": "how wide a line may be, if not as wide as the terminal",
}
FILES = {
    ".wynot/": "the journals of runs, beside what they reduce; any of them can be removed",
    "FILE.orig": "the original of FILE",
    "pyproject.toml": "its table [tool.wynot] has options that hold for every run in its folder; "
    "those that run programs or write files only if the folder is trusted",
    "~/.config/wynot/config.toml": "options for every run, and trusted folders: "
    'trusted = ["/path/to/project"]',
}


def pages() -> dict[str, str]:
    """Return the text of each page, by the name of its file."""
    made = {f"wynot-{name}.1": _page(name, command) for name, command in COMMANDS.items()}
    return {"wynot.1": _overview(), **made}


def written(folder: Path = MAN) -> list[Path]:
    """Write the pages, and remove those of commands that are no more; return what has changed."""
    texts = pages()
    stale = [path for path in folder.glob("*.1") if path.name not in texts]
    for path in stale:
        path.unlink()
    changed = [
        folder / name
        for name, text in texts.items()
        if not (folder / name).exists() or (folder / name).read_text() != text
    ]
    for path in changed:
        path.write_text(texts[path.name])
    return [*stale, *changed]


def _overview() -> str:
    what = WHAT.replace("\n", " ")
    commands = ((f"wynot-{name}", f"{each.what}.") for name, each in COMMANDS.items())
    return _roff(
        _head("wynot", "find which part of something makes it fail"),
        [".SH SYNOPSIS", ".B wynot", ".I COMMAND", "[\\fIOPTIONS\\fR] ..."],
        [".SH DESCRIPTION", escaped(what), ".PP", escaped(BEGINNING)],
        [".SH COMMANDS", *(row for name, does in commands for row in _reference(name, does))],
        _exits(CODES),
        _list("ENVIRONMENT", ((name, f"{does}.") for name, does in ENVIRONMENT.items())),
        _list("FILES", ((name, f"{does}.") for name, does in FILES.items())),
        _see(COMMANDS),
    )


def _page(name: str, command: Subcommand) -> str:
    ways = ("\n".join(_way(name, command, way)) for way in command.usage or ("",))
    options = command.record.options()
    return _roff(
        _head(f"wynot-{name}", command.what),
        [".SH SYNOPSIS", "\n.br\n".join(ways)],
        [".SH DESCRIPTION", escaped(f"{command.what[0].upper()}{command.what[1:]}.")],
        _arguments([each for each in options if not each.flags]),
        _options([each for each in options if each.flags]),
        _keys(KEYS.get(name, ())),
        _examples(command.examples),
        _exits(WATCH_CODES if name == "watch" else CODES),
        _see(["", *(each for each in ("reduce", "watch", "history") if each != name)]),
    )


def _way(name: str, command: Subcommand, way: str) -> Iterator[str]:
    yield f".B wynot {name}"
    arguments = ("[\\fIOPTIONS\\fR] " if command.flags else "") + escaped(way)
    if arguments:
        yield arguments


def _head(name: str, what: str) -> list[str]:
    title = f'.TH {escaped(name.upper())} 1 "{REVISED}" "wynot {__version__}" "wynot"'
    return [title, ".SH NAME", f"{escaped(name)} \\- {escaped(what)}"]


def _arguments(options: Sequence[CommandOption]) -> list[str]:
    items = [(" ".join(each.values), f"{help_text(each)}.") for each in options]
    return _list("ARGUMENTS", items) if items else []


def _options(options: Sequence[CommandOption]) -> list[str]:
    lines = [".SH OPTIONS"]
    for heading, group in groupby(options, key=short):
        lines.append(f".SS {escaped(heading[0].upper() + heading[1:])}")
        for each in group:
            lines += _option(each)
    return [*lines, ".SS Help", ".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "show the options."]


def _option(option: CommandOption) -> Iterator[str]:
    value = " ".join(f"\\fI{escaped(each)}\\fR" for each in option.values)
    value = f"[{value}]" if option.alone is not None and value else value
    spelled = ", ".join(f"\\fB{escaped(flag)}\\fR" for flag in option.flags)
    yield ".TP"
    yield f"{spelled} {value}".rstrip()
    choices = f" One of: {', '.join(option.choices)}." if option.choices else ""
    yield escaped(f"{help_text(option)}.{choices}")
    if option.off:
        flag, _, contrary = option.off.partition(" ")
        yield from (".TP", f"\\fB{escaped(flag)}\\fR", escaped(f"{contrary}."))


def _keys(keys: Sequence[KeyWords]) -> list[str]:
    if not keys:
        return []
    items = [*((each.key, each.help) for each in keys), *FIXED_KEYS]
    return _list("KEYS", ((key, f"{does}.") for key, does in items))


def _examples(examples: str) -> list[str]:
    lines = [escaped(line.strip()) for line in examples.splitlines()]
    return [".SH EXAMPLES", ".nf", *lines, ".fi"] if lines else []


def _exits(codes: Mapping[int, str]) -> list[str]:
    return _list("EXIT STATUS", ((str(code), f"{does}.") for code, does in codes.items()))


def _list(title: str, items: Iterable[tuple[str, str]]) -> list[str]:
    rows = (row for item, does in items for row in _item(item, does))
    return [f".SH {title}", *rows]


def _item(item: str, does: str) -> list[str]:
    return [".TP", f"\\fB{escaped(item)}\\fR", escaped(does)]


def _reference(name: str, does: str) -> list[str]:
    return [".TP", f".BR {escaped(name)} (1)", escaped(does)]


def _see(commands: Iterable[str]) -> list[str]:
    names = [f"wynot-{each}" if each else "wynot" for each in commands]
    more = [f".BR {escaped(name)} (1)," for name in names]
    return [".SH SEE ALSO", *more, escaped(SITE)]


def _roff(*parts: Sequence[str]) -> str:
    return "\n".join(line for part in parts for line in part) + "\n"


def escaped(text: str) -> str:
    """Return a text that roff shows as it is: what could be copied keeps its dashes and quotes."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("…", "\\&...").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^\.", r"\\&.", text)
