"""Looking for relations in a text, once: which numbers count or measure which part of it."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import TypeAlias

from wynot.core.files import SNIFFED_BYTES
from wynot.relations.counted_blocks import counted_blocks, header_sections, rest_count
from wynot.relations.counted_text import CountedText, block_relations
from wynot.relations.relation import Relation, Relations
from wynot.relations.sized_records import AR, PROTOBUF, STRINGS, TAGGED_RECORDS, records
from wynot.relations.sizes import (
    COUNTS,
    HUNKS,
    PICTURES,
    checksum_at_end,
    line_sizes,
    placed_numbers,
)

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
    is_binary = _CONTROL.search(content, 0, SNIFFED_BYTES)
    found = _first(BINARY_MINERS if is_binary else TEXT_MINERS, content)
    return _apart(found, checksum_at_end(content))


def _first(miners: Mapping[str, Miner], content: bytes) -> list[Relation]:
    """Return the relations that the first miner finds, if it finds any."""
    return next(filter(None, (miner(content) for miner in miners.values())), [])


def _counted(content: bytes) -> list[Relation]:
    """Return the numbers that count lines, words or columns."""
    text = CountedText(content)
    evidence, rest = rest_count(text)
    guesses = (counted_blocks(text), header_sections(text))
    counted = max(filter(None, guesses), key=lambda each: each.evidence, default=None)
    if counted is not None and (rest is None or counted.evidence >= evidence):
        return list(block_relations(text, counted))
    return [rest] if rest else []


def _apart(*sources: Iterable[Relation]) -> Relations:
    """Return relations of which no two write the same number."""
    numbers: set[int] = set()
    kept: list[Relation] = []
    for each in chain(*sources):
        starts = {each.at.start, (each.beside or each.at).start}
        if not starts & numbers and len(kept) < MOST_RELATIONS:
            numbers |= starts
            kept.append(each)
    return tuple(kept)


TEXT_MINERS: dict[str, Miner] = {
    "hunks": partial(placed_numbers, formats=HUNKS),
    "archives": partial(records, formats=(AR,)),
    "strings": partial(records, formats=(STRINGS,)),
    "line sizes": line_sizes,
    "counts": _counted,
}
"""From the most certain formats to those that fit most easily."""
BINARY_MINERS: dict[str, Miner] = {
    "pictures": partial(placed_numbers, formats=PICTURES),
    "archives": partial(records, formats=(AR,)),
    "strings": partial(records, formats=(STRINGS,)),
    "tagged records": partial(records, formats=TAGGED_RECORDS),
    "protocol buffers": partial(records, formats=(PROTOBUF,)),
    "record counts": lambda content: placed_numbers(content, COUNTS)[:1],
}
