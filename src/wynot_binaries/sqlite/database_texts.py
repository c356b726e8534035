"""The texts that stand for the objects and the settings of a database.

They are read so leniently that any text makes a database. A value that is missing is NULL, one too
many is passed over, and so is whatever makes no sense.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from wynot.formats.containers.container import CUT_SHORT, check

MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
LEAST_PAGE_BYTES, MOST_PAGE_BYTES = 512, 65536
_ENCODINGS = ("UTF-8", "UTF-16le", "UTF-16be")
_WITH_LOG = b"\2\2"
"""Written and read with a write-ahead log."""
_WITHOUT_LOG = b"\1\1"
_VERSIONS = slice(18, 20)
_CHANGES, _SCHEMA_CHANGES, _VALID_FOR = slice(24, 28), slice(40, 44), slice(92, 96)
_ONE = struct.pack(">I", 1)
_SIGNED = range(-(1 << 31), 1 << 31)


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """By name, as pragmas call them; what is left out is as it is by default."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, content: bytes) -> "DatabaseSettings":
        """Read them."""
        check(len(content) >= HEADER_BYTES, CUT_SHORT)
        (page,) = struct.unpack_from(">H", content, 16)
        (largest_root, encoding, user) = struct.unpack_from(">IIi", content, 52)
        (is_incremental, application) = struct.unpack_from(">Ii", content, 64)
        check(encoding <= len(_ENCODINGS), "its encoding is unknown")
        values = {
            "page_size": MOST_PAGE_BYTES if page == 1 else page,
            "encoding": _ENCODINGS[max(encoding, 1) - 1],
            "auto_vacuum": (2 if is_incremental else 1) if largest_root else 0,
            "user_version": user,
            "application_id": application,
            "journal_mode": "WAL" if content[_VERSIONS] == _WITH_LOG else "DELETE",
        }
        return cls({name: str(value) for name, value in values.items()})

    @classmethod
    def stated(cls, settings: Iterable[tuple[str, str]]) -> "DatabaseSettings":
        """Take those that can be; the last of a name counts."""
        return cls({name: value for name, value in settings if _can_be(name, value)})

    @property
    def unusual(self) -> dict[str, str]:
        """Those that are not as by default."""
        return {name: value for name, value in self.values.items() if value != DEFAULTS.get(name)}

    def __getitem__(self, name: str) -> str:
        """Return one, as it is or by default."""
        return self.values.get(name, DEFAULTS[name])

    def headed(self, content: bytes) -> bytes:
        """Return a database that says so in its first bytes, and not how often it was changed."""
        header = bytearray(content[:HEADER_BYTES])
        header[_CHANGES] = header[_SCHEMA_CHANGES] = header[_VALID_FOR] = _ONE
        if self["journal_mode"] == "WAL":
            header[_VERSIONS] = _WITH_LOG
        return bytes(header) + content[HEADER_BYTES:]


DEFAULTS = {
    "page_size": str(LEAST_PAGE_BYTES),
    "encoding": "UTF-8",
    "auto_vacuum": "0",
    "user_version": "0",
    "application_id": "0",
    "journal_mode": "DELETE",
}
_PAGES = frozenset(str(1 << power) for power in range(9, 17))
_CHOICES = {
    "page_size": _PAGES,
    "encoding": frozenset(_ENCODINGS),
    "auto_vacuum": frozenset("012"),
    "journal_mode": frozenset({"WAL", "DELETE"}),
}


def _can_be(name: str, value: str) -> bool:
    if name in _CHOICES:
        return value in _CHOICES[name]
    digits = value.removeprefix("-")
    is_number = digits.isdecimal() and digits.isascii() and len(digits) <= len("2147483648")
    return name in DEFAULTS and is_number and int(value) in _SIGNED


def without_log(content: bytes) -> bytes:
    """Return a database that can be read without its write-ahead log."""
    return content[: _VERSIONS.start] + _WITHOUT_LOG + content[_VERSIONS.stop :]


SqlValue: TypeAlias = int | float | str | bytes | None

_INTEGERS = range(-(1 << 63), 1 << 63)
_MAX_DIGITS = 400
"""Of a number; one with more is not a number in any database."""
_TOKEN = re.compile(
    r"""(?P<nothing>--[^\n]*|/\*(?s:.)*?(?:\*/|\Z)|\s+)
    | CAST\s*\(\s*[xX]'(?P<text>(?:[0-9a-fA-F]{2})*)'\s+AS\s+TEXT\s*\)
    | [xX]'(?P<blob>(?:[0-9a-fA-F]{2})*)'
    | '(?P<string>(?:[^']|'')*+)'
    | "(?P<double>(?:[^"]|"")*+)" | `(?P<tick>(?:[^`]|``)*+)` | \[(?P<bracket>[^\]]*+)\]
    | (?P<real>[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?)
    | (?P<integer>[-+]?\d+)
    | (?P<word>[^\W\d][\w$]*)
    | (?P<mark>\[[^\]]*+|.)""",
    re.VERBOSE | re.ASCII,
)
_QUOTES = {"string": "'", "double": '"', "tick": "`"}
_NAMES = frozenset({"word", "double", "tick", "bracket", "string"})
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SETTING = re.compile(r"\bPRAGMA\s+(\w+)\s*=\s*'?([-\w]+)", re.IGNORECASE)


class OddText(bytes):
    """A text of a database that is not one of ours: it is not UTF-8."""

    __slots__ = ()


class SqlToken(NamedTuple):
    """A word, a literal or a mark of a text."""

    kind: str
    text: str
    start: int
    stop: int


class SqlStatement(NamedTuple):
    """A statement of a text, and its tokens; without its semicolon."""

    text: str
    tokens: list[SqlToken]

    @property
    def words(self) -> list[str]:
        """What its first tokens say, in upper case."""
        return [token.text.upper() for token in self.tokens[:5]]


class StatedRows(NamedTuple):
    """What is to be put into a table."""

    table: str
    columns: list[str]
    rows: list[list[SqlValue]]


def setting(name: str, value: object) -> str:
    """Return the text that sets something of a whole database."""
    return f"PRAGMA {name}={value};\n"


def stated_setting(text: str) -> tuple[str, str] | None:
    """Return what a text sets, and to what."""
    found = _SETTING.search(text)
    return (found[1].lower(), found[2]) if found else None


def named(name: str) -> str:
    """Return a name as it is written in SQL."""
    return name if _PLAIN_NAME.fullmatch(name) else quoted([name])


def quoted(names: Iterable[str]) -> str:
    """Return names as SQLite understands them in any case."""
    return ",".join('"' + name.replace('"', '""') + '"' for name in names)


def insertion(
    table: str, columns: Sequence[str], rows: Iterable[Sequence[SqlValue]]
) -> Iterator[str]:
    """Write rows, each on a line of its own."""
    before = f"INSERT INTO {named(table)}({','.join(map(named, columns))}) VALUES\n("
    for row in rows:
        yield before + ",".join(map(_literal, row)) + ")"
        before = ",\n("
    if before.startswith(","):
        yield ";\n"


def _literal(value: SqlValue) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, OddText):
        return f"CAST(X'{value.hex()}' AS TEXT)"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return repr(value).replace("inf", "1e999")


def text_value(content: bytes) -> SqlValue:
    """Return a text of a database, if need be as its bytes."""
    with suppress(UnicodeDecodeError):
        text = content.decode()
        if "\0" not in text:
            return text
    return OddText(content)


def statements(text: str) -> Iterator[SqlStatement]:
    """Cut a text into its statements; those of a trigger belong to it."""
    begin, found = 0, list[SqlToken]()
    for token in _tokens(text):
        if token.text != ";" or token.kind != "mark":
            found.append(token)
            continue
        if _is_inside_trigger(found):
            found.append(token)
            continue
        yield SqlStatement(text[begin : token.start].strip(), found)
        begin, found = token.stop, []
    if found:
        yield SqlStatement(text[begin:].strip(), found)


def _tokens(text: str) -> Iterator[SqlToken]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        if kind != "nothing":
            text = match[kind]
            if kind in _QUOTES:
                text = text.replace(_QUOTES[kind] * 2, _QUOTES[kind])
            yield SqlToken(kind, text, match.start(), match.end())


def _is_inside_trigger(tokens: Sequence[SqlToken]) -> bool:
    """Tell whether a semicolon after these ends only a statement of a trigger."""
    first = [token.text.upper() for token in tokens[:3]]
    if first[:1] != ["CREATE"] or "TRIGGER" not in first:
        return False
    return [token.text.upper() for token in tokens[-2:]] != [";", "END"]


def stated_rows(tokens: Sequence[SqlToken]) -> StatedRows | None:
    """Return what ``INSERT INTO name(column, …) VALUES (…), …`` says; None if it is not that."""
    if len(tokens) < 3 or tokens[2].kind not in _NAMES:  # noqa: PLR2004 - up to the name
        return None
    columns, rest = list[str](), iter(tokens[3:])
    for token in rest:
        if token.kind == "word" and token.text.upper() == "VALUES":
            break
        if token.kind in _NAMES:
            columns.append(token.text)
    rows = list[list[SqlValue]]()
    for token in rest:
        if token.kind == "mark":
            if token.text == "(":
                rows.append([])
        elif rows:
            rows[-1].append(_value(token))
    return StatedRows(tokens[2].text, columns, rows)


def _value(token: SqlToken) -> SqlValue:
    """Return what a literal stands for; any other word for nothing."""
    kind, text = token.kind, token.text
    if kind in _QUOTES:
        return text
    if kind == "blob":
        return bytes.fromhex(text)
    if kind == "text":
        return _decoded(bytes.fromhex(text))
    if kind not in {"integer", "real"} or len(text) > _MAX_DIGITS:
        return None
    number = int(text) if kind == "integer" else float(text)
    return number if isinstance(number, float) or number in _INTEGERS else float(text)


def _decoded(content: bytes) -> SqlValue:
    with suppress(UnicodeDecodeError):
        return content.decode()
    return OddText(content)
