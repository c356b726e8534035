"""Looking for relations in a case, once: what counts what."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from wynot.formats.format import SNIFFED_BYTES
from wynot.relations.archives import archives
from wynot.relations.block_relations import block_relations
from wynot.relations.byte_lengths import byte_lengths
from wynot.relations.checksums import checksums
from wynot.relations.counted_blocks import counted_blocks
from wynot.relations.header_sections import header_sections
from wynot.relations.hunks import hunks
from wynot.relations.packed_values import packed_values
from wynot.relations.pdfs import pdfs
from wynot.relations.protobufs import protobufs
from wynot.relations.rasters import rasters
from wynot.relations.relation import Relation, Relations
from wynot.relations.rest_counts import headed_lines, rest_counts
from wynot.relations.rest_sizes import rest_sizes
from wynot.relations.ruled_text import RuledText
from wynot.relations.tagged_records import tagged_records

MOST_MINED_BYTES = 4 << 20
"""Larger texts are not looked at."""
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f]")
MOST_RELATIONS = 8192
"""How many relations of a text are kept track of."""


def mined(content: bytes) -> Relations:
    """Return the relations of a content; each number is in one of them at most."""
    if len(content) > MOST_MINED_BYTES:
        return ()
    if not content:
        return ()
    head = content[:SNIFFED_BYTES]
    is_printed = not _CONTROL.search(head)
    found: list[Relation] = []
    if not (is_printed and _is_unicode(head)):
        found = list(_of_bytes(content))
    if is_printed and not found:
        found = list(_of_text(content))
    return _apart(chain(found, checksums(content)))


def _is_unicode(head: bytes) -> bool:
    """Tell whether bytes are UTF-8, but for a character that may be cut off at their end."""
    try:
        head.decode()
    except UnicodeDecodeError as wrong:
        return wrong.start >= len(head) - 3
    return True


def _of_bytes(content: bytes) -> Iterator[Relation]:
    """Return the relations of what is not a text; the most certain ones alone."""
    miners = (pdfs, archives, rasters, tagged_records, packed_values, protobufs, rest_sizes)
    yield from next(filter(None, (list(miner(content)) for miner in miners)), [])


def _of_text(content: bytes) -> Iterator[Relation]:
    # What is the most certain comes first.
    for found in (hunks(content), pdfs(content), archives(content), byte_lengths(content)):
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
