"""Numbers in the first lines of a text that count the rest of it.

Either several numbers count the lines of several sections, whose sum is the rest, as in PLY; or a
number counts the words of the rest, wherever they are, as in DIMACS and plain netpbm.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from math import log2
from operator import itemgetter

from wynot.relations.counted_text import (
    Counted,
    CountedBlock,
    CountedRecord,
    CountedText,
    Number,
    Section,
)
from wynot.relations.encodings import DECIMAL
from wynot.relations.relation import Lines, Relation, Words

MOST_HEADER_LINES = 48
"""How many lines a header with several sections may have."""
MOST_HEADER_NUMBERS = 10
"""How many of its numbers may count something."""
MOST_SECTIONS = 3
MOST_FOOTER_LINES = 2
"""How many lines may follow that are not counted, such as ``EOF``."""
SECTIONS_EVIDENCE = 2.0
"""In bits, after the number of sections is taken off."""
_DIGIT = re.compile(rb"[0-9]")

HEAD_LINES = 8
"""In how many lines a number that counts the words of the rest is looked for."""
REST_EVIDENCE = 3.0
"""In bits."""
HEADER_BITS = 2.0
"""What is taken off for a number that is not in the first line with numbers."""
_END = b"0"
"""The word that ends an item of several lines."""
_FACTORS = (1, 3)
"""How many words an item of a picture may have."""


def header_sections(text: CountedText) -> Counted | None:
    """Return the one record that a text may be."""
    return max(_sections(text), key=lambda each: each.evidence, default=None)


def _sections(text: CountedText) -> Iterator[Counted]:
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
        Section(CountedBlock(Lines(), number), first, stop)
        for number, (first, stop) in zip(chosen, pairwise(bounds), strict=True)
    )
    return Counted([CountedRecord(0, sections[-1].stop, numbers, sections)], None, evidence)


def _footer(text: CountedText) -> int:
    """Return how many lines at the end have no digits, where others do."""
    count = 0
    while count < min(MOST_FOOTER_LINES, len(text)) and not _DIGIT.search(
        text.line(len(text) - count - 1)
    ):
        count += 1
    return count


def _begins(text: CountedText, header: int, line: int) -> bool:
    """Tell whether data may begin in a line: after the header, or after a line without digits."""
    if not header < line <= MOST_HEADER_LINES:
        return False
    return line == header + 1 or not _DIGIT.search(text.line(line - 1))


def rest_count(text: CountedText) -> tuple[float, Relation | None]:
    """Return the number that counts the words of the rest, after the evidence in bits."""
    found = [each for each in _rest_counts(text) if each[0] >= REST_EVIDENCE]
    return max(found, key=itemgetter(0), default=(0.0, None))


def _rest_counts(text: CountedText) -> Iterator[tuple[float, Relation]]:
    headers = [line for line in range(min(len(text) - 1, HEAD_LINES)) if text.numbers(line)]
    for place, line in enumerate(headers):
        for skipped in (0, 1):
            after = line + 1 + skipped
            for bits, found in _of_rest(text, line, after) if after < len(text) else ():
                yield bits - HEADER_BITS * place - skipped - 1, found


def _of_rest(text: CountedText, line: int, after: int) -> Iterator[tuple[float, Relation]]:
    """Yield what the numbers of a line may count in all lines from another one on."""
    numbers = [number for number in text.numbers(line) if number.value > 1]
    rest, words = text.between(after, len(text)), sum(text.words[after:])
    ends = Words(_END)(text.content, rest, 0) if text.line(len(text) - 1).endswith(_END) else 0
    for at, value in numbers:
        if value == ends:  # that the last word ends an item, too, is no chance
            bits = log2(ends + 1) + log2(words / ends)
            yield bits, Relation(at, DECIMAL, Words(_END), rest, "ended")
        elif value == words:
            yield log2(words + 1), Relation(at, DECIMAL, Words(), rest, "words")
    for (at, one), (beside, two) in combinations(numbers, 2):
        for factor in _FACTORS:
            if one * two * factor == words:
                product = Relation(at, DECIMAL, Words(), rest, "product", factor, 0, beside)
                yield log2(words + 1), product
