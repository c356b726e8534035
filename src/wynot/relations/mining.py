"""Looking for relations in a text, once: which numbers count or measure which part of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TypeAlias

from wynot.formats.format import SNIFFED_BYTES
from wynot.relations.checksums import checksums
from wynot.relations.counted_blocks import counted_blocks
from wynot.relations.counted_text import CountedText, block_relations
from wynot.relations.header_counts import header_sections, rest_count
from wynot.relations.records import BYTE_RECORDS, TEXT_RECORDS, records
from wynot.relations.relation import Relation, Relations
from wynot.relations.sizes import COUNTS, HUNKS, PICTURES, line_sizes, placed_numbers

Miner: TypeAlias = Callable[[bytes], list[Relation]]
MOST_MINED_BYTES = 4 << 20
"""Larger texts are not looked at."""
MOST_RELATIONS = 8192
"""How many relations of a text are kept track of."""
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f]")


def mine(content: bytes) -> Relations:
    """Return the relations of a text; each number is in one of them at most."""
    if not 0 < len(content) <= MOST_MINED_BYTES:
        return ()
    head = content[:SNIFFED_BYTES]
    is_printed = not _CONTROL.search(head)
    found: list[Relation] = []
    if not (is_printed and _is_unicode(head)):
        found = _of_bytes(content)
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


def _of_bytes(content: bytes) -> list[Relation]:
    """Return the relations of binary data: those of the most certain format."""
    miners: tuple[Miner, ...] = (
        partial(placed_numbers, formats=PICTURES),
        *(partial(records, formats=formats) for formats in BYTE_RECORDS),
        partial(placed_numbers, formats=COUNTS),
    )
    return next(filter(None, (miner(content) for miner in miners)), [])


def _of_text(content: bytes) -> Iterator[Relation]:
    """Return the relations of a text: those of the most certain format."""
    hunks = [each for side in HUNKS for each in placed_numbers(content, (side,))]
    of_records = (partial(records, formats=formats) for formats in TEXT_RECORDS)
    miners: tuple[Miner, ...] = (*of_records, line_sizes)
    if found := hunks or next(filter(None, (miner(content) for miner in miners)), []):
        yield from found
        return
    text = CountedText(content)
    evidence, rest = rest_count(text)
    guesses = (counted_blocks(text), header_sections(text))
    counted = max(filter(None, guesses), key=lambda each: each.evidence, default=None)
    if counted is not None and (rest is None or counted.evidence >= evidence):
        yield from block_relations(text, counted)
    elif rest is not None:
        yield rest


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
