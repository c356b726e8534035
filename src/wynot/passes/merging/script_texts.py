"""Texts of scripts: modules without their exports, and names that are called something else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

NAMED_FILE = rb"[\"'`](?P<name>[^\"'`\n]+)[\"'`]"
NAME_LIST = rb"\{[^{}]{,2000}\}"


@dataclass
class ScriptModule:
    """A module without its exports, and what they were."""

    body: bytes
    names: dict[bytes, bytes] = field(default_factory=dict)
    """What each export is called inside."""


def put(
    text: bytes,
    statements: Sequence[re.Match[bytes]],
    instead: Sequence[bytes],
    prefixes: Mapping[bytes, Mapping[bytes, bytes]],
) -> bytes:
    """Return the text with something else for statements, and without qualifiers elsewhere."""
    pieces: list[bytes] = []
    at = 0
    for statement, written in zip(statements, instead, strict=True):
        pieces += [_unqualified(text[at : statement.start()], prefixes), written]
        at = statement.end()
        if written and text[at : at + 1] not in {b"", b"\n"}:
            pieces.append(b"\n")
    return b"".join([*pieces, _unqualified(text[at:], prefixes)])


def _unqualified(text: bytes, prefixes: Mapping[bytes, Mapping[bytes, bytes]]) -> bytes:
    for prefix, names in prefixes.items():
        pattern = rb"(?<![\w$.])" + re.escape(prefix) + rb"\s*\.\s*([\w$]+)"
        text = re.sub(pattern, partial(_bare, names), text)
    return text


def _bare(names: Mapping[bytes, bytes], found: re.Match[bytes]) -> bytes:
    return names.get(found[1], found[1])


def aliases(
    what: bytes, default: bytes, names: Mapping[bytes, bytes], *, separator: bytes
) -> list[bytes]:
    """Return what gives names to exports that are called something else inside."""
    wanted = renamed(what.partition(b"{")[2].partition(b"}")[0], separator, inside_first=False)
    own = default_name(what) if separator == b"as" else b""
    if own:
        wanted[own] = b"default"
    lines = []
    for local, name in wanted.items():
        inside = names.get(name, default if name == b"default" else name)
        if inside != local:
            lines.append(b"var " + local + b"=" + inside + b";")
    return lines


def renamed(listed: bytes, separator: bytes, *, inside_first: bool = True) -> dict[bytes, bytes]:
    """Return the names of a list such as ``a, b as c``: those outside to those inside.

    Of an export ``inside as outside`` comes first what is inside; of ``outside: inside`` not, nor
    of an import, ``outside as inside``: which then are called by what they are here.
    """
    found: dict[bytes, bytes] = {}
    for item in listed.split(b","):
        names = item.replace(b":", b" ").split()
        if names[:1] == [b"type"] and len(names) > 1:
            names = names[1:]
        if not names:
            continue
        first, last = names[0], names[-1]
        if separator == b"as" and inside_first:
            found[last] = first
        elif inside_first:
            found[first] = last
        else:
            found[last] = first
    return found


def default_name(what: bytes) -> bytes:
    """Return what the default export is called where it is imported; empty if it is not."""
    found = re.match(rb"\s*(?!type\b)([\w$]+)", what)
    if found:
        return found[1]
    listed = renamed(what.partition(b"{")[2].partition(b"}")[0], b"as")
    return next((here for here, name in listed.items() if name == b"default"), b"")
