"""A shell script that is one command, and what it does to its streams and its status.

Only what is fully understood counts: words without anything that the shell would replace, but for
the arguments of the script. Everything else has to be run by a shell.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

Word: TypeAlias = tuple[str | int, ...]
"""A word of a command: pieces of text, and numbers of arguments in between; one that is not quoted
has a negative number."""

_MAX_SCRIPT_BYTES = 1 << 14
_SHELLS = re.compile(r"#!\s*(/usr)?/bin/(env\s+)?(sh|bash|dash)\s*(-[eu]+)?\s*")
_SET = re.compile(r"set\s+(-[eu]+|-o\s+pipefail|-[eu]+o\s+pipefail)")
_PIECE = re.compile(
    r"""
    '(?P<single>[^'\n]*)'
    | "(?P<double>(?:[^"$`\\\n]|\$[1-9](?!\d)|\$\{[1-9]\})*)"
    | (?P<plain>[\w./:=,@%+-]+)
    | \$(?P<bare>[1-9])(?!\d)
    """,
    re.VERBOSE | re.ASCII,
)
_UNCHANGED = re.compile(r"[\w./:=,@%+-]+", re.ASCII)
"""What stays one word, also if it is not quoted."""
_ARGUMENT = re.compile(r"\$\{?([1-9])\}?")
_REDIRECTION = re.compile(r"(?P<number>[12]?)>\s*(?P<target>/dev/null|&1|&2)(?=\s|$)")
_KILLED_STATUS = 128


class ShellLine(NamedTuple):
    """One command of a script."""

    words: tuple[Word, ...]
    streams: tuple[int, int] = (1, 2)
    """Where its two outputs go: to one of the script's (1, 2), or nowhere (0)."""
    is_negated: bool = False
    replaces_shell: bool = False
    """Whether the shell becomes the command: then a signal that kills it is seen from outside."""
    before: int = 1
    """How many words of the script's own command line come before its arguments."""

    @property
    def text(self) -> str:
        """It as a line of text."""
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> "ShellLine":
        """Return what a line of text says."""
        words, streams, *rest = json.loads(text)
        return cls(tuple(map(tuple, words)), tuple(streams), *rest)

    def argv(self, script: Sequence[str]) -> list[str] | None:
        """Return the command, given the command line of the script; None if that cannot be."""
        arguments = script[self.before - 1 :]
        filled = []
        for word in self.words:
            text = ""
            for piece in word:
                if isinstance(piece, str):
                    text += piece
                    continue
                if abs(piece) >= len(arguments):
                    return None
                value = arguments[abs(piece)]
                if piece < 0 and not _UNCHANGED.fullmatch(value):
                    return None
                text += value
            filled.append(text)
        return filled

    def status(self, status: int) -> int:
        """Return how the script ends if the command ends like this."""
        if not self.replaces_shell and status < 0:
            status = _KILLED_STATUS - status
        return int(status == 0) if self.is_negated else status


def unwrapped(argv: Sequence[str]) -> ShellLine | None:
    """Return the one command that a script or a line of shell is; None if it is another thing."""
    if argv[:2] == ["/bin/sh", "-c"] and len(argv) > len(("sh", "-c", "line")):
        line = shell_command(argv[2])
        # A shell that has a single command to run becomes that command.
        return line and line._replace(before=4, replaces_shell=not line.is_negated)
    with suppress(OSError, UnicodeDecodeError):
        path = Path(argv[0])
        if path.is_file() and path.stat().st_size <= _MAX_SCRIPT_BYTES:
            return shell_script(path.read_text("utf-8"))
    return None


def shell_script(text: str) -> ShellLine | None:
    """Return the one command that a script is; None if it is more, or is not understood."""
    first, *lines = text.split("\n")
    if not _SHELLS.fullmatch(first):
        return None
    stripped = (line.strip() for line in lines)
    commands = [line for line in stripped if line and not line.startswith("#")]
    while commands and _SET.fullmatch(commands[0]):
        del commands[0]
    return shell_command(commands[0]) if len(commands) == 1 else None


def shell_command(line: str) -> ShellLine | None:
    """Return what a line says."""
    negated = line.startswith("! ")
    rest = line.removeprefix("! ").lstrip()
    replaces = rest.startswith("exec ")
    if replaces and negated:
        return None
    rest = rest.removeprefix("exec ").lstrip()
    words: list[Word] = []
    streams = [1, 2]
    while rest:
        redirection = _REDIRECTION.match(rest)
        if redirection:
            _redirect(redirection, streams)
            rest = rest[redirection.end() :].lstrip()
            continue
        word, rest = _word(rest)
        if not word or (rest and not rest[0].isspace()):
            return None
        words.append(word)
        rest = rest.lstrip()
    if not words or not isinstance(words[0][0], str):
        return None
    return ShellLine(tuple(words), (streams[0], streams[1]), negated, replaces)


def _redirect(found: re.Match[str], streams: list[int]) -> None:
    """Follow a redirection; its target is what the other stream is by then."""
    targets = {"/dev/null": 0, "&1": streams[0], "&2": streams[1]}
    streams[int(found["number"] or 1) - 1] = targets[found["target"]]


def _word(text: str) -> tuple[Word, str]:
    """Return the first word of a text, and what is left; an empty word is not understood."""
    pieces: list[str | int] = []
    is_quoted = False
    while found := _PIECE.match(text):
        if found["single"] is not None:
            pieces.append(found["single"])
        elif found["double"] is not None:
            parts = _ARGUMENT.split(found["double"])
            pieces += [int(part) if place % 2 else part for place, part in enumerate(parts)]
        else:
            pieces.append(-int(found["bare"]) if found["bare"] else found["plain"])
        is_quoted |= found["single"] is not None or found["double"] is not None
        text = text[found.end() :]
    kept = tuple(each for each in pieces if each != "")
    return kept or (("",) if is_quoted else ()), text
