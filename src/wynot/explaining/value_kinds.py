"""What sort of thing a part is, by its text and its kinds: that says how it can be varied."""

import re
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
