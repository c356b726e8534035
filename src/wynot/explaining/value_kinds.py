"""Kinds of values and lists, and what else a value of a kind could be."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from wynot.explaining.case_parts import CaseParts, Part

_INTEGER = re.compile(rb"-?\d{1,40}")


_DECIMAL = re.compile(rb"-?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")


_QUOTED = re.compile(rb"([A-Za-z]{0,2})(\"\"\"|'''|\"|'|`)(.*)\2", re.DOTALL)


_BRACKETS = {b"[": b"]", b"(": b")", b"{": b"}"}


CONSTANTS = (
    (b"true", b"false", b"null"),
    (b"True", b"False", b"None"),
    (b"TRUE", b"FALSE", b"NULL"),
    (b"yes", b"no"),
    (b"nil",),
    (b"undefined",),
)


OPERATORS = (
    (b"<", b"<=", b">", b">=", b"==", b"!="),
    (b"=", b"<>"),
    (b"+", b"-", b"*", b"/", b"%"),
    (b"&&", b"||"),
    (b"and", b"or"),
    (b"AND", b"OR"),
    (b"&", b"|", b"^"),
    (b"<<", b">>"),
    (b"is", b"in"),
    (b"++", b"--"),
)
"""Texts that can stand for each other, at least as far as grammars are concerned."""


_PLAIN_WORDS = frozenset({"word", "number", "string_scalar"})


_PLAIN_LINES = frozenset({"line", "text"})


class PartSort(Enum):
    """How a part can be varied."""

    INTEGER = "integer"
    DECIMAL = "number"
    STRING = "string"
    NAME = "name"
    CONSTANT = "constant"
    OPERATOR = "operator"
    LIST = "list"
    WORD = "word"
    LINE = "line"
    FIELD = "field"
    NODE = "node"
    MARK = "mark"
    """Punctuation, or a keyword: there is nothing to vary."""


class QuotedText(NamedTuple):
    """A string literal: what is before its quotes, the quotes, and what is in them."""

    prefix: bytes
    quote: bytes
    content: bytes

    @classmethod
    def of(cls, text: bytes) -> "QuotedText | None":
        """Take a literal apart; None if it is none."""
        found = _QUOTED.fullmatch(text)
        return cls(*found.groups()) if found else None

    def holding(self, content: bytes) -> bytes:
        """Return the literal with another content."""
        return self.prefix + self.quote + content + self.quote


def sort_of(part: Part, parts: CaseParts) -> PartSort:
    """Return what sort of thing a part is."""
    language, kinds, text = parts.language(part), frozenset(part.kinds), part.text
    is_leaf, is_word = parts.is_leaf(part), any(text in family for family in CONSTANTS)
    is_operator = not part.named and not language.tags and bool(alternatives(text, OPERATORS))
    signs = {
        PartSort.FIELD: "field" in kinds and language.parser is not None,
        PartSort.STRING: QuotedText.of(text) and (kinds & language.strings or is_leaf),
        PartSort.INTEGER: _INTEGER.fullmatch(text),
        PartSort.DECIMAL: _DECIMAL.fullmatch(text),
        PartSort.CONSTANT: is_leaf and is_word,
        PartSort.WORD: is_leaf and kinds & _PLAIN_WORDS,
        PartSort.NAME: is_leaf and kinds & language.names,
        PartSort.OPERATOR: is_operator,
        PartSort.MARK: not part.named,
        PartSort.LIST: len(text) > 1 and _BRACKETS.get(text[:1]) == text[-1:],
        PartSort.LINE: kinds & _PLAIN_LINES,
    }
    return next((sort for sort, sign in signs.items() if sign), PartSort.NODE)


def alternatives(text: bytes, families: tuple[tuple[bytes, ...], ...]) -> list[bytes]:
    """Return what can stand for a text in the families that it is in."""
    return [each for family in families if text in family for each in family if each != text]


SEPARATORS = (b",", b";")


PAIRED_KINDS = frozenset({"object", "dictionary", "flow_mapping", "hash", "table_constructor"})
"""Kinds of lists whose items are a key and a value each."""


class ListForm(NamedTuple):
    """How a list is written."""

    opens: bytes
    closes: bytes
    separator: bytes
    items: tuple[bytes, ...]
    atoms: tuple[bytes, ...]
    """Other items that it could have; of pairs, each with another key."""
    kind: str
    """What such a list is called."""

    @property
    def is_distinct(self) -> bool:
        """Whether no two items may be the same, as with keys and parameters."""
        return self.kind in {"object", "parameters"}

    def of(self, items: Sequence[bytes]) -> bytes:
        """Return a list of other items."""
        return self.opens + self.separator.join(items) + self.closes

    def counted(self, count: int) -> bytes:
        """Return a list of so many items: those that there are, and then more like the last."""
        have = self.items or self.atoms[:1]
        more = [self.added(number) for number in range(count - len(have))]
        return self.of([*have[:count], *more])

    def added(self, number: int) -> bytes:
        """Return one more item."""
        if self.is_distinct:
            return self.atoms[0].replace(b"0", b"%d" % number, 1)
        return (self.items or self.atoms)[-1 if self.items else 0]


def list_form(part: Part, parts: CaseParts, atoms: Sequence[bytes]) -> ListForm | None:
    """Take a list apart; None if it is nothing whose items could be counted."""
    text = part.text
    children = parts.children.get(part.number, ())
    inner = [child for child in children if child.start > part.start and child.stop < part.stop]
    marks = {child.text for child in inner if not child.named} & {*SEPARATORS}
    named = [child for child in inner if child.named]
    if len(marks) > 1 or (not marks and len(named) > 1):
        return None
    [separator] = marks or {b","}
    items = _items(inner, separator, parts)
    kind = _kind(part)
    if kind == "object":
        quote = b"'" if b"'" in text and b'"' not in text else b'"'
        atoms = [b"%sk0%s: 0" % (quote, quote)]
    elif kind == "parameters":
        atoms = [b"p0"] if b"a" in atoms else []
    if not kind or not (atoms or items):
        return None
    spaced = separator + b" "
    parted = spaced if spaced in text or not marks else separator
    return ListForm(text[:1], text[-1:], parted, items, (*atoms,), kind)


def _kind(part: Part) -> str:
    """Return what a list is called; empty if it is none, but a block."""
    kinds = " ".join(part.kinds)
    if part.text[:1] == b"{":
        return "object" if PAIRED_KINDS & {*part.kinds} else ""
    if part.text[:1] == b"[":
        return "list"
    for sign, name in (("argument", "arguments"), ("param", "parameters"), ("tuple", "tuple")):
        if sign in kinds:
            return name
    return "sequence"


def _items(inner: Sequence[Part], separator: bytes, parts: CaseParts) -> tuple[bytes, ...]:
    """Return the items, each from its first part to its last."""
    groups: list[list[Part]] = [[]]
    for child in inner:
        if not child.named and child.text == separator:
            groups.append([])
        else:
            groups[-1].append(child)
    return tuple(
        parts.files.contents[group[0].path][group[0].start : group[-1].stop]
        for group in groups
        if group
    )
