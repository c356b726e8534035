r"""Foreign text and JSON made harmless, for each place where a person or a program reads it.

Names of files, output of tests, candidates, commit messages, names of packages and all that a
journal holds come from strangers. Each reader has its own way to be taken in; there is one function
for each reader, and no other module escapes anything.

- `for_terminal`: ``\x1b]0;title\x07`` sets the title of a terminal, ``\u202e`` turns the direction
  of writing, a line end begins a line that looks like ours. All of them are written as escapes.
- `for_log`: ``::add-mask::a`` and ``##[group]a`` are commands in the log of GitHub Actions. They
  become ``\x3a:add-mask::a`` and ``\x23#[group]a``.
- `for_html`: ``<script>`` begins an element of a page. It becomes ``&lt;script&gt;``.
- `for_xml` and `for_attribute`: XML cannot express ``\0`` or ``\ufffe``, and makes a blank of a
  line end in an attribute. They become ``\x00``, ``\ufffe`` and ``&#10;``.
- `for_json`: ``{"name": "##[group]a"}`` is a command in a log. It becomes ``\u0023#[group]a``.
- `for_script`: ``</script>`` in JSON ends the element that this is in. It becomes
  ``\u003c/script\u003e``.
- `for_uri`: ``javascript:a`` has a scheme, ``//host`` a host. They become ``javascript%3Aa`` and
  ``/host``.
- `for_markdown` and `for_code_span`: ``@all`` notifies people, ``<img>`` is an image. Text that may
  be markup is put into a code span.
- `for_fence`: three backticks end a block of code. Its fence becomes longer.
- `for_shell`: ``$(reboot)`` runs, and controls that are pasted are typed keys. They become
  ``'$(reboot)'`` and ``$'\x1b'``.
- `for_script_line`: ``sh`` takes ``$'\x1b'`` for something else. In a script it is
  ``"$(printf '\033')"``.

What cannot be seen is written as Python would write it in a string, ``\x1b``, ``\u202e``; a byte of
a name that is not UTF-8 as that byte, ``\xff``. Ordinary text stays as it is.
"""

import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NewType

Html = NewType("Html", str)
"""Text that a page shows as it is meant; `for_html` makes it, and elements are made of it."""
MAX_JSON_CHARS = 16 << 20
"""Characters; in memory that can be thirty times as much."""
_MAX_DIGITS = 18
"""Digits of a whole number: those with more do not fit into the numbers of other programs."""


def read_json(text: object) -> object:
    """Return what a text holds; None if it is no text, or not such JSON."""
    try:
        return parsed_json(text) if isinstance(text, str) else None
    except (ValueError, RecursionError, MemoryError):
        return None


def parsed_json(text: str) -> object:
    """Return what a text holds; raise ValueError or RecursionError if it is not such JSON."""
    if len(text) > MAX_JSON_CHARS:
        raise ValueError(f"it has more than {MAX_JSON_CHARS:,} characters")
    return json.loads(text, parse_int=_whole, parse_float=_real, parse_constant=_real)


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError("a number is too large")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number


_HOLE = "{}"
"""Where a file goes in a command; a shell leaves it alone, and so it needs no quotes."""

_WORKFLOW_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#\[)")
"""``::`` counts where a line begins, ``##[`` anywhere in it."""
_MARKUP = re.compile(
    r"[\\`*\[<&#@|~$]|(?<![^\W_])_|_(?![^\W_])|://|\bwww\.|:[a-z+-][\w+-]*:|\bGH-\d", re.ASCII
)
"""What may mean something in Markdown, as code hosts read it; ``snake_case`` does not."""
_STRAY_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Those that stand for no byte: only JSON can have them."""
_UNRESERVED = frozenset(b"-._~/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_HTML = {**_XML, '"': "&quot;", "'": "&#x27;"}
_ATTRIBUTE = {**_XML, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}


class _Visible(dict[int, str]):
    """What each character is written as, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = written = character if character.isprintable() else _escape(character)
        return written


_VISIBLE = _Visible()
_VISIBLE_LINES = _Visible({ord(each): each for each in "\n\t"})


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return ascii(character)[1:-1]


def legible(text: str | bytes) -> str:
    """Return text that is all visible, with its lines and tabs as they are."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    return text.translate(_VISIBLE_LINES)


def legible_line(text: str) -> str:
    """Return text that is all visible, on one line."""
    return text if text.isprintable() else text.translate(_VISIBLE)


def dotted(content: bytes) -> str:
    """Return what is no text, one character a byte."""
    return "".join(chr(each) if 32 <= each < 127 else "·" for each in content)  # noqa: PLR2004


def encoded(text: str) -> bytes:
    """Return the bytes of a text; those of names that are not UTF-8 are what they were."""
    return _STRAY_SURROGATE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def for_terminal(text: str) -> str:
    """Return one line of printable characters."""
    return for_log(legible_line(text))


def for_log(line: str) -> str:
    """Return a line that is no workflow command, if it is GitHub Actions that reads it.

    For the pieces of a line ``for_terminal`` has done that; the whole line is looked at once more,
    since they may make one together.
    """
    if not os.environ.get("GITHUB_ACTIONS"):
        return line
    return _WORKFLOW_COMMAND.sub(lambda match: rf"{match[1] or ''}\x{ord(match[0][-1]):x}", line)


def for_html(text: str | bytes) -> Html:
    """Return text for an element of a page, or for a value in quotes."""
    return Html(_replaced(text, _HTML))


def for_xml(text: str) -> str:
    """Return text for an element."""
    return _replaced(text, _XML)


def for_attribute(text: str) -> str:
    """Return text for a value in double quotes."""
    return _replaced(text, _ATTRIBUTE)


def _replaced(text: str | bytes, written: Mapping[str, str]) -> str:
    shown = legible(text)
    for character, entity in written.items():  # the ampersand is the first
        shown = shown.replace(character, entity)
    return shown


def for_json(value: object, *, indent: int | None = None) -> str:
    """Return JSON in ASCII; a lone surrogate is an escape in it, from which it can be had back."""
    return json.dumps(value, indent=indent).replace("##[", r"\u0023#[")


def for_script(value: object) -> Html:
    """Return JSON that cannot end the ``script`` element that it is in."""
    made = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return Html(made.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}))


def for_uri(path: str) -> str:
    """Return a path as a relative reference."""
    plain = re.sub("^/+", "/", path)
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in encoded(plain))


def for_markdown(text: str, most: int | None = None) -> str:
    """Return text for a sentence: as it is, or as a code span if it could be markup."""
    line = " ".join(legible(text).split())[:most]
    return for_code_span(line) if _MARKUP.search(line) else line


def for_code_span(text: str) -> str:
    """Return text as a code span, delimited by more backticks than there are in it."""
    line = " ".join(legible(text).split())
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if not line or "`" in (line[0], line[-1]) else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def for_fence(text: str | bytes, language: str = "") -> list[str]:
    """Return the lines of a block of code, fenced by more backticks than there are in it."""
    shown = legible(text)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return [f"{fence}{language}", *shown.split("\n"), fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def for_shell(argument: str) -> str:
    """Return one argument as it is typed; bash, zsh and ksh know what cannot be seen."""
    if argument.isprintable():
        return shlex.quote(argument)
    # Always of the same length: a digit that follows must not be taken for part of it.
    return f"$'{''.join(_typed(each) for each in argument)}'"


def _typed(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in encoded(character))


def for_shell_line(argv: Iterable[str]) -> str:
    """Return a whole command line."""
    return " ".join(each if each == _HOLE else for_shell(each) for each in argv)


def for_script_line(argv: Iterable[str]) -> str:
    """Return a command line for a script of any POSIX shell; it may have several lines."""
    return " ".join(map(_script_word, argv))


def _script_word(argument: str) -> str:
    if legible(argument) == argument:
        return shlex.quote(argument)
    body = argument.rstrip("\n")  # what $() would drop is put after it
    ends = argument[len(body) :]
    octal = "".join(
        each if each.isprintable() and each not in "\\'%-" else _octal(each) for each in body
    )
    return f"\"$(printf '{octal}')\"" + (shlex.quote(ends) if ends else "")


def _octal(character: str) -> str:
    return "%%" if character == "%" else "".join(f"\\{byte:03o}" for byte in encoded(character))
