"""A language: a table, not code; and words that its grammar does not know.

A word that a grammar does not know can send error recovery astray for thousands of lines: what is
in a namespace is then no longer in it. So the parser is shown blanks in their place, and the words
become tokens of the tree all the same.

Everything that passes know of a language is in here; the rest they learn from the tree and from the
verdicts. A row with a name, its suffixes and a grammar is enough.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from wynot.core.texts.tree import TOKEN, Tree

Mask: TypeAlias = Callable[[bytes], bytes]
"""Returns a text of the same length, with blanks for what a grammar does not know."""

_GNU_ATTRIBUTE = rb"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)"
_OF_NAMESPACE = re.compile(rb"(\bnamespace\s+(?:[\w:]+\s*)?)((?:" + _GNU_ATTRIBUTE + rb"\s*)+)")
_OF_FRIEND = re.compile(rb"()(\[\[[^\[\]]*\]\])(?=\s*friend\b)")
_EXTERN_TEMPLATE = re.compile(rb"()(\bextern)(?=\s+template\b)")
_TRAILING = re.compile(_GNU_ATTRIBUTE)
_LEADING = re.compile(rb"\[\[[^\[\]]*\]\]|extern")


def cpp_mask(content: bytes) -> bytes:
    """Mask what libraries of C++ say to a compiler beside the language, as GNU's does."""
    if b"__attribute__" in content:
        content = _OF_NAMESPACE.sub(_blank, content)
    if b"]]" in content:
        content = _OF_FRIEND.sub(_blank, content)
    return _EXTERN_TEMPLATE.sub(_blank, content) if b"extern" in content else content


def belongs_to_next(text: bytes) -> bool:
    """Tell whether a text that was masked belongs to what comes after it."""
    return _LEADING.fullmatch(text) is not None


def is_masked(text: bytes) -> bool:
    """Tell whether a text that is in no node was masked, and means nothing to those around it."""
    return belongs_to_next(text) or _TRAILING.match(text) is not None


def _blank(found: re.Match[bytes]) -> bytes:
    kept, masked = found[1], found[2]
    return kept + bytes(each if each in b"\r\n" else 0x20 for each in masked)


NOTHING: Mapping[str, tuple[bytes, ...]] = MappingProxyType({})
NO_TYPES: Mapping[bytes, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How to recognise a language, how to parse it, and what its kinds of nodes mean."""

    name: str
    suffixes: tuple[str, ...] = ()
    """With their dots, in lower case: ``.c``."""
    file_names: tuple[str, ...] = ()
    """Names that tell it without a suffix: ``Makefile``."""
    interpreters: tuple[str, ...] = ()
    """What a first line ``#!…`` may name."""
    grammar: str = ""
    """The module of its tree-sitter grammar: ``tree_sitter_c``; or empty."""
    function: str = "language"
    """The function of that module that returns the grammar."""
    package: str = ""
    """What to install if the grammar is not there."""
    parser: Callable[[bytes], Tree] | None = None
    """Our own parser, for languages without such a grammar."""
    flaws: Callable[[bytes], int] | None = None
    """How many flaws that parser marks in a text, if there is a quicker way to tell."""
    loose: Callable[[bytes], bytes] | None = None
    """All of some lines that matters to the flaws of a text, if it is less than the lines."""
    mask: Mask | None = None
    """Hides from the grammar what it does not know."""
    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment"})
    names: frozenset[str] = frozenset({"identifier"})
    """Kinds of tokens that are names given by whoever wrote the text: they can be renamed."""
    strings: frozenset[str] = frozenset({"string", "string_literal"})
    """Kinds of nodes, or tokens, that are quoted strings."""
    numbers: frozenset[str] = frozenset({"number", "number_literal", "integer", "float"})
    keywords: str = ""
    """How the kinds of nodes begin that are reserved words, if those are nodes: ``keyword_``."""
    replacements: Mapping[str, tuple[bytes, ...]] = field(
        default_factory=lambda: NOTHING, hash=False
    )
    """Short texts that can stand for a kind of node, the shortest first:
    ``{"compound_statement": (b"{}",)}``."""
    plain_type: bytes = b""
    """The plainest type that is built in, where types can be defined: ``int``."""
    library_types: Mapping[bytes, bytes] = field(default_factory=lambda: NO_TYPES, hash=False)
    """Types of common libraries, in lower case, and what is built in that can stand for each."""
    bodiless: tuple[bytes, ...] = ()
    """What can stand for the body of a function that is only declared: ``;``."""
    any_body: bytes = b""
    """The shortest body that any function can have, whatever it gives back: ``{throw null;}``;
    empty: one with nothing in it will do."""
    newline_sensitive: bool = False
    """Whether line ends and indentation mean something."""
    lisp_like: bool = False
    """Whether the first token of a node tells what it is, rather than its kind: as in Lisp."""
    tags: bool = False
    """Whether it is nested by tags: grammars of such lose count of many that are open."""
    accepts_any_text: bool = False
    """Whether any text is well-formed: then single characters are worth a try, blanks as well."""


LONGEST_STRING = 4
"""How many nodes a string has that is only text: its quotes and what is between them."""


def is_plain_string(tree: Tree, number: int, language: Language) -> bool:
    """Tell whether a node is a string with nothing but text in it: then it is one token."""
    if (
        tree.kind(number) not in language.strings
        or tree.subtree_ends[number] - number > LONGEST_STRING
    ):
        return False
    inside = range(number + 1, tree.subtree_ends[number])
    return all(tree.flags[each] & TOKEN for each in inside)
