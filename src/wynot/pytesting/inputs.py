"""An input of a test: what it was, how it is cut, and how the test is given a copy of it."""

import copy
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, cast

from wynot.core.errors import InvalidArgument
from wynot.core.files import is_text
from wynot.formats.cuts import Format, characters, lines, octets, tokens
from wynot.pytesting import shapes

UTF_8 = ("utf-8", "surrogatepass")
TextValue = str | bytes | bytearray
InputKind: TypeAlias = Literal["items", "keys", "text", "bytes", "file"]


class PartedValue(NamedTuple):
    """A value cut into parts of one kind."""

    size: int
    keep: Callable[[Sequence[int]], object]
    """Makes the value of the parts that are kept, by number and in order."""


ValueCutter: TypeAlias = Callable[[object], PartedValue]


class ValueCut(NamedTuple):
    """One way to cut a value."""

    noun: str
    """What the parts are called."""
    cutter: ValueCutter


@dataclass(frozen=True, slots=True)
class Input:
    """What a test was given, as it was before the test did anything to it."""

    name: str
    kind: InputKind
    value: object
    cuts: tuple[ValueCut, ...]
    """From coarse to fine."""
    note: str = ""
    """What the user should know about it."""

    def parts(self, value: object) -> int:
        """Return how many parts a value has, of all kinds."""
        return sum(cut.cutter(value).size for cut in self.cuts)

    def key(self, value: object) -> bytes:
        """Return what is equal for values of the same parts."""
        if isinstance(value, str | bytes | bytearray):
            content = _encoded(value)
        else:
            content = repr(shapes.key(value, len(self.cuts))).encode()
        return hashlib.blake2b(content, digest_size=16).digest()

    def copy(self, value: object) -> object:
        """Return a copy that the test may do with what it likes."""
        if not self.note:
            return copy.deepcopy(value)
        return shapes.copied(value, len(self.cuts))

    def size(self, value: object) -> str:
        """Return in words how much of the input a value has."""
        found = [
            (cut.noun, cut.cutter(value).size, cut.cutter(self.value).size) for cut in self.cuts
        ]
        if self.kind in {"items", "keys"}:
            inner = found[1:]
            found = found[:1]
            if inner:
                whole, left = sum(each[2] for each in inner), sum(each[1] for each in inner)
                found.append(("parts inside of them", left, whole))
        elif len(found) > 1:
            found = [found[0], found[-1]]
        found = [each for each in found if each[2]] or found[:1]
        return ", ".join(f"{left} of {whole} {noun}" for noun, left, whole in found)


def check(value: object, name: str, depth: int | None) -> None:
    """Raise unless something can be left out of a value."""
    if not isinstance(value, TextValue) and not shapes.is_container(value):
        raise InvalidArgument(
            f"{name} is of type {type(value).__name__}, and nothing can be left out of that",
            hint="give a list, a dict, a text or bytes; of an iterator, list(...)",
        )
    if depth is not None and depth < 1:
        raise InvalidArgument(f"depth is {depth!r}", hint="1 or more; None: as deep as it goes")


def input_of(value: object, name: str, depth: int | None = None) -> Input:
    """Take a copy of a value that was checked."""
    if isinstance(value, str):
        return Input(name, "text", value, _cuts(LINES, CHARACTERS))
    if isinstance(value, bytes | bytearray):
        return Input(name, "bytes", copy.copy(value), _cuts(LINES, OCTETS))
    settled, note = _copied(shapes.settled(value))
    kind: InputKind = "keys" if isinstance(settled, dict) else "items"
    deepest = shapes.depth_of(settled)
    levels = range(1, min(deepest, depth or deepest) + 1)
    cuts = tuple(ValueCut(kind, partial(_inside, level)) for level in levels)
    return Input(name, kind, settled, cuts, note)


def file_of(content: bytes, name: str) -> Input:
    """Return an input that the test gets as a file."""
    cuts = _cuts(LINES, TOKENS, CHARACTERS) if is_text(content) else _cuts(OCTETS)
    return Input(name, "file", content, cuts)


def _copied(value: object) -> tuple[object, str]:
    """Return a copy in depth; of what cannot be copied, of its containers only, and say so."""
    try:
        return copy.deepcopy(value), ""
    except Exception as error:  # noqa: BLE001 - it is another's class, and may refuse in any way
        note = (
            f"it cannot be copied ({type(error).__name__}: {error}), so each run was handed the "
            "same objects: if the test changes them, do not trust the result"
        )
        return shapes.copied(value, shapes.depth_of(value)), note


def _inside(depth: int, value: object) -> PartedValue:
    return PartedValue(shapes.count(value, depth), partial(shapes.keep, value, depth))


LINES, TOKENS, CHARACTERS, OCTETS = (
    *(("lines", lines), ("tokens", tokens)),
    *(("characters", characters), ("bytes", octets)),
)
"""Formats of texts, and what their parts are called."""


def _cuts(*formats: tuple[str, Format]) -> tuple[ValueCut, ...]:
    return tuple(ValueCut(noun, partial(_parts, each)) for noun, each in formats)


def _parts(cut: Format, value: object) -> PartedValue:
    text = cast("TextValue", value)
    content = _encoded(text)
    starts, stops, _ = cut(content)

    def keep(kept: Sequence[int]) -> TextValue:
        left = b"".join(content[starts[number] : stops[number]] for number in kept)
        return left.decode(*UTF_8) if isinstance(text, str) else type(text)(left)

    return PartedValue(len(starts), keep)


def _encoded(text: TextValue) -> bytes:
    return text.encode(*UTF_8) if isinstance(text, str) else bytes(text)
