"""Looking for relations in a case, once: what counts what."""

from collections.abc import Iterable, Iterator

from wynot.formats.format import is_text
from wynot.relations.block_relations import block_relations
from wynot.relations.byte_lengths import byte_lengths
from wynot.relations.counted_blocks import counted_blocks
from wynot.relations.header_sections import header_sections
from wynot.relations.hunks import hunks
from wynot.relations.relation import Relation, Relations
from wynot.relations.rest_counts import headed_lines, rest_counts
from wynot.relations.ruled_text import RuledText

MOST_MINED_BYTES = 4 << 20
"""Larger texts are not looked at."""
MOST_RELATIONS = 8192
"""How many relations of a text are kept track of."""


def mined(content: bytes) -> Relations:
    """Return the relations of a content; each number is in one of them at most."""
    if len(content) > MOST_MINED_BYTES:
        return ()
    found = _of_text(content) if is_text(content) else ()
    return _apart(found)


def _of_text(content: bytes) -> Iterator[Relation]:
    # What is the most certain comes first.
    for found in (hunks(content), byte_lengths(content)):
        if relations := list(found):
            yield from relations
            return
    text = RuledText(content)
    rest, evidence = rest_counts(text)
    guesses = (counted_blocks(text), header_sections(text))
    counted = max(filter(None, guesses), key=lambda each: each.evidence, default=None)
    if counted is not None and counted.evidence >= evidence:
        yield from block_relations(text, counted)
    elif rest:
        yield from rest
    else:
        yield from headed_lines(text)


def _apart(found: Iterable[Relation]) -> Relations:
    """Return relations of which no two write the same number."""
    taken: set[int] = set()
    kept: list[Relation] = []
    for each in found:
        places = {each.at.start, *(each.beside or each.at)[:1]}
        if not places & taken and len(kept) < MOST_RELATIONS:
            taken |= places
            kept.append(each)
    return tuple(kept)
