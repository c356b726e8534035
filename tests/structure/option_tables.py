"""The tables of options in the reference, made from the records of the commands."""

import re

from wynot.commands.table import COMMANDS
from wynot.core.options.option import CommandOption

MARKED = re.compile(
    r"(?P<begin><!-- options of (?P<command>\w+)(?:: (?P<heading>[^\n]+))? -->\n)"
    r"(?P<table>.*?)(?P<end><!-- end of options -->\n)",
    re.DOTALL,
)
HEAD = "| option | what it does | default |\n| --- | --- | --- |\n"
MODEL = "reduce"
AS_IN = f"As in [`wynot {MODEL}`](#wynot-{MODEL})"
HELP = "| `-h`, `--help` | show the options | not given |\n"
CODE = re.compile(
    r"--[a-z][a-z-]*|@?\b(?!JSON)[A-Z][A-Z0-9]+\b(?:\.[A-Za-z]+)?|\{\}|\$1|\[tool\.wynot\]"
    r"|\b[a-z-]+\.(?:toml|json|patch)\b|\bwynot languages"
)
"""What can be typed, in the words of the help."""


def retabled(page: str) -> str:
    """Return a page with its tables of options as the records have them now."""
    return MARKED.sub(
        lambda found: found["begin"] + table(found["command"], found["heading"]) + found["end"],
        page,
    )


def table(command: str, heading: str | None = None) -> str:
    """Return the table of a command, or of one heading of its help.

    A row that `reduce` has as well, to the letter, is not repeated: its option is only named.
    """
    options = [each for each in COMMANDS[command].record.options() if each.flags]
    if heading is not None:
        mine = [each for each in options if short(each) == heading]
        return HEAD + "".join(map(rows, mine)) + (HELP if mine[-1] is options[-1] else "")
    model = [] if command == MODEL else COMMANDS[MODEL].record.options()
    known = {rows(each) for each in model if each.flags}
    own = [each for each in options if rows(each) not in known]
    shared = [f"`{flag}`" for each in options if each not in own for flag in each.spellings]
    made = HEAD + "".join(map(rows, own)) + HELP
    return made + (f"\n{AS_IN}: {', '.join(shared)}.\n" if shared else "")


def short(option: CommandOption) -> str:
    """Return what an option is shown under, without what is said of it."""
    assert option.heading is not None
    return option.heading.value.partition(" (")[0]


def rows(option: CommandOption) -> str:
    """Return the row of an option, and of the flag that says the contrary."""
    *before, last = option.flags
    value = " ".join([last, *option.values])
    if option.alone is not None:
        value = f"{last} [{option.values[0]}]"
    what = option.help + ("; can be repeated" if option.is_many else "")
    values = ", ".join(f"`{each}`" for each in option.choices)
    spelled = ", ".join(f"`{each}`" for each in (*before, value))
    told = coded(what) + (f": {values}" if values else "")
    made = f"| {spelled} | {told} | {default(option)} |\n"
    if option.off:
        flag, _, contrary = option.off.partition(" ")
        made += f"| `{flag}` | {contrary} | not given |\n"
    return made


def default(option: CommandOption) -> str:
    """Return what holds if an option is not given."""
    if option.usual:
        return coded(option.usual)
    if option.is_flag:
        return "not given"
    if option.default in (None, "", ()):
        return "not asked" if option.is_seen else "none"
    return f"`{option.default}`"


def coded(words: str) -> str:
    """Return words of the help with what can be typed marked as that."""
    return CODE.sub(r"`\g<0>`", words)
