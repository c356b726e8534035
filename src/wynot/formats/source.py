"""A text as passes and inquiries see it: its language, its tree, and how well it parses.

Where a grammar is not installed, brackets and lines tell enough to go on with. Grammars take their
time and forty times the size of a text in memory, so each caller says how large a text may be for
all its detail; of a larger one there are only the large parts, as far as brackets tell them.
"""

from collections.abc import Sequence

from wynot.core.tree import Tree
from wynot.formats import coarse
from wynot.formats.detect import language_of, tree_of
from wynot.formats.format import is_text
from wynot.formats.grammar import GrammarMissing, load
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS

LARGE_DETAIL = 20_000
"""How many brackets are looked into in a large text, at most."""


def parsable_as(
    path: str, content: bytes, named: Language | None = None, more: Sequence[Language] = ()
) -> tuple[Language | None, str]:
    """Return the language to parse a file as, and why it is not its own.

    That is the one which is named, if one is; and None if it is no text.
    """
    language = named or language_of(path, content, more)
    if language is None or not is_text(content):
        return None, ""
    if language.parser is None:
        try:
            load(language)
        except GrammarMissing as error:
            return BRACKETS, str(error)
    return language, ""


def is_by_lines(language: Language, content: bytes, most: int) -> bool:
    """Tell whether a text is too large for its tree, and brackets would tell little of it."""
    return len(content) > most and language.newline_sensitive


def tree_up_to(language: Language, content: bytes, most: int) -> Tree | None:
    """Return the tree of a text, with all detail up to so many bytes; None: there is none."""
    if not content or is_by_lines(language, content, most):
        return None
    if len(content) <= most:
        return tree_of(language, content)
    return coarse.parse(content, len(content) // LARGE_DETAIL)
