"""Names: every name gets one letter.

Which letters it has tells nothing to the program, mostly; so one bulk try comes first. In data the
strings that are values stand for names.
"""

import re
from collections.abc import Iterator
from itertools import count, product
from string import ascii_lowercase, ascii_uppercase

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId, TokenId
from wynot.passes.rewrites.tree_queries import value_around

_NAME = re.compile(rb"([^A-Za-z_\x80-\xff]*)(.*?)([\"']*)", re.DOTALL)


def renames(forest: Forest) -> Iterator[Rewrite]:
    """Give each name the shortest one that is free, in the order of first mention."""
    mentions: dict[bytes, list[TokenId]] = {}
    for token, leaf in forest.token_leaves:
        language = forest.language(leaf)
        is_name = forest.kind(leaf) in language.names
        if is_name or (not language.names and is_value(forest, leaf)):
            mentions.setdefault(forest.word(token), []).append(token)
    taken = set(forest.words)
    free = {letters: fresh(letters) for letters in (ascii_lowercase, ascii_uppercase)}
    for name, places in mentions.items():
        match = _NAME.fullmatch(name)
        before, bare, after = match.groups() if match else (b"", b"", b"")
        if len(bare) < 2:  # noqa: PLR2004 - it is one letter already
            continue
        letters = ascii_uppercase if bare[:1].isupper() else ascii_lowercase
        short = next(
            whole for word in free[letters] if (whole := before + word + after) not in taken
        )
        if len(short) < len(name):
            patches = tuple(Patch(*forest.span_of_token(place), short) for place in places)
            yield Rewrite("rename", patches)


def is_value(forest: Forest, leaf: NodeId) -> bool:
    """Tell whether a node of data is a string that is a value, not a key."""
    is_string = forest.kind(leaf) in forest.language(leaf).strings
    return is_string and value_around(forest, leaf) is not None


def fresh(letters: str) -> Iterator[bytes]:
    """Return all words, the shortest first."""
    for length in count(1):
        for each in product(letters, repeat=length):
            yield "".join(each).encode()
