"""Names that a program says rather than mentions: ``getattr(self, "do_" + command)``.

A string that is a single word may be the name of a member; one that ends with a low line, or goes
on with something that is put in, may be how the names of several begin.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping

from wynot.passes import kinds
from wynot.passes.forest import Forest

_SAID = re.compile(rb"""[a-zA-Z]{0,2}["'`]{0,3}([^\W\d]\w*)(%s|\{\w*\})?["'`]{0,3}""")


def said_names(forest: Forest, numbers: Mapping[bytes, int]) -> dict[int, list[int]]:
    """Return of strings that are a word the names, by number, that they are or begin."""
    names = sorted(numbers)
    found: dict[int, list[int]] = {}
    for (token, leaf), word in zip(forest.token_leaves, forest.words, strict=True):
        kind = forest.kind(leaf)
        if kind not in forest.language(leaf).strings and not kinds.is_string_piece(kind):
            continue
        match = _SAID.fullmatch(word)
        if match is None:
            continue
        said = match[1]
        if match[2] or said.endswith(b"_"):
            first = bisect_left(names, said)
            last = bisect_left(names, said + b"\xff", first)
            found[token] = [numbers[each] for each in names[first:last]]
        elif said in numbers:
            found[token] = [numbers[said]]
    return found
