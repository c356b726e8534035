"""Sections that are counted in different lines of a header, as in PLY: their sum is the rest."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from math import log2

from wynot.relations.counted_blocks import Counted, CountedBlock, CountedRecord, Section, Sort
from wynot.relations.ruled_text import Number, RuledText

MOST_HEADER_LINES = 48
"""How many lines a header may have."""
MOST_HEADER_NUMBERS = 10
"""How many of its numbers may count something."""
MOST_SECTIONS = 3
MOST_FOOTER_LINES = 2
"""How many lines may follow that are not counted, such as ``EOF``."""
SECTIONS_EVIDENCE = 2.0
"""How much must speak for it, in bits, as there are many ways."""
_DIGIT = re.compile(rb"[0-9]")


def header_sections(text: RuledText) -> Counted | None:
    """Return the one record that a text may be."""
    return max(_found(text), key=lambda each: each.evidence, default=None)


def _found(text: RuledText) -> Iterator[Counted]:
    numbers = [
        (line, number)
        for line in range(min(len(text), MOST_HEADER_LINES))
        for number in text.numbers(line)
        if number.value > 1
    ][:MOST_HEADER_NUMBERS]
    for end in dict.fromkeys((len(text), len(text) - _footer(text))):
        for count in range(1, MOST_SECTIONS + 1):
            for chosen in combinations(range(len(numbers)), count):
                values = [numbers[each][1].value for each in chosen]
                begin, evidence = end - sum(values), log2(sum(values) + 1) - count
                header = numbers[chosen[-1]][0]
                if evidence >= SECTIONS_EVIDENCE and _begins(text, header, begin):
                    before = [number for line, number in numbers if line < begin]
                    yield _counted(before, chosen, begin, evidence)


def _counted(
    numbers: Sequence[Number], chosen: Sequence[int], begin: int, evidence: float
) -> Counted:
    bounds = accumulate((numbers[each].value for each in chosen), initial=begin)
    sections = tuple(
        Section(CountedBlock(Sort.LINES, number), first, stop)
        for number, (first, stop) in zip(chosen, pairwise(bounds), strict=True)
    )
    return Counted([CountedRecord(0, sections[-1].stop, numbers, sections)], None, evidence)


def _footer(text: RuledText) -> int:
    """Return how many lines at the end have no digits, where others do."""
    count = 0
    while count < min(MOST_FOOTER_LINES, len(text)) and not _DIGIT.search(
        text.line(len(text) - count - 1)
    ):
        count += 1
    return count


def _begins(text: RuledText, header: int, line: int) -> bool:
    """Tell whether data may begin in a line: after the header, or after a line without digits."""
    if not header < line <= MOST_HEADER_LINES:
        return False
    return line == header + 1 or not _DIGIT.search(text.line(line - 1))
