"""A text as passes and inquiries see it: its language, its tree, and how well it parses.

Where a grammar is not installed, brackets and lines tell enough to go on with. Grammars take their
time and forty times the size of a text in memory, so each caller says how large a text may be.
"""

import re
from collections.abc import Sequence

from wynot.core.files import is_text
from wynot.core.texts.chains import height
from wynot.core.texts.tree import Tree
from wynot.formats.detect import language_of, tree_of
from wynot.formats.grammar import SLOW_SCANNERS, GrammarMissing, load
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS
from wynot.formats.parsers import nested_pairs

MAX_TAG_LEVELS = 256
"""Levels of tags that are left to a grammar."""
MIN_DEPTH = 64
"""Levels of brackets that are worth a look where a text does not follow its grammar."""
DEEPER_FACTOR = 4
"""How many times deeper brackets must be nested than the tree that a grammar makes of them."""
REPETITION_BYTES = 64 << 10
"""Bytes of a repetition up to which it is parsed."""
_SAMPLES, _LEAST_REPEATED = 64, 58
"""In how many places a text is looked at, and in how many of them it must repeat itself. Sources
and data repeat a few characters in half of their places at most: blanks, rules, tables of zeros."""
_REPEATED = re.compile(rb"(.{1,8}?)\1{7}", re.DOTALL)


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


def tree_up_to(language: Language, content: bytes, most: int) -> Tree | None:
    """Return the tree of a text of up to so many bytes; None: there is none."""
    if not content or len(content) > most:
        return None
    tags = language.tags
    if is_beyond_grammar(language, content):
        return nested_pairs.parse(content, tags=True)
    if is_repetition(content):
        nest = _deeper(Tree(), content, tags=tags)
        return nest if len(nest) else None
    tree = tree_of(language, content)
    return _deeper(tree, content, tags=tags) if tree.syntax_errors else tree


def is_beyond_grammar(language: Language, content: bytes) -> bool:
    """Tell whether tags are nested too deeply for a grammar, or it may take far too long."""
    if len(content) > SLOW_SCANNERS.get(language.grammar, len(content)):
        return True
    if not language.tags or content.count(b"<") < MAX_TAG_LEVELS:
        return False
    return nested_pairs.depth(content, tags=True) > MAX_TAG_LEVELS


def is_repetition(content: bytes) -> bool:
    """Tell whether a long text is hardly more than a few characters over and over.

    Nobody has written it, so no grammar tells much of it; but the error recovery of some grammars
    takes quadratic time: on ``a.a.a.…`` in Dart, and on ``<a><a><a>…`` in Ada.
    """
    if len(content) < REPETITION_BYTES:
        return False
    places = range(0, len(content), len(content) // _SAMPLES)
    return sum(_REPEATED.match(content, at) is not None for at in places) >= _LEAST_REPEATED


def _deeper(tree: Tree, content: bytes, *, tags: bool) -> Tree:
    """Return a tree, or that of brackets or tags if it does not tell of a deep nest."""
    levels = nested_pairs.depth(content, tags=tags)
    if levels < MIN_DEPTH or height(tree.parents) > levels // DEEPER_FACTOR:
        return tree
    nested = nested_pairs.parse(content, tags=tags)
    return nested if height(nested.parents) > levels // DEEPER_FACTOR else tree
