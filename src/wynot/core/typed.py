"""Arguments as they are typed in a shell: for commands that are suggested and may be pasted."""

import shlex
from collections.abc import Iterable

HOLE = "{}"
"""Where a file goes; a shell leaves it alone, and so it needs no quotes."""


def typed(argument: str) -> str:
    """Return one argument; whatever would do something to a terminal is written as an escape."""
    if argument == HOLE:
        return argument
    if argument.isprintable():
        return shlex.quote(argument)
    return f"$'{''.join(map(_escaped, argument))}'"


def typed_line(argv: Iterable[str]) -> str:
    """Return a whole command line."""
    return " ".join(map(typed, argv))


def _escaped(character: str) -> str:
    """Return a character as it is written between the quotes of ``$'…'``."""
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":  # a byte of a name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    # Always of the same length: a digit that follows must not be taken for part of it.
    return f"\\x{ord(character):02x}" if character < "\x80" else f"\\U{ord(character):08x}"
