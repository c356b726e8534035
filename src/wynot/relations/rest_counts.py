"""Numbers at the beginning of a text that count words or lines of the rest, wherever they are."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import log2
from operator import itemgetter

from wynot.relations.measures import HeadedLines, Largest, Words
from wynot.relations.relation import Relation
from wynot.relations.ruled_text import Number, RuledText
from wynot.relations.writings import DECIMAL

HEAD_LINES = 8
"""How many lines are looked at for such a number."""
REST_EVIDENCE = 3.0
"""How much must speak for it, in bits."""
HEADER_BITS = 2.0
"""What speaks against a number that is not in the first line with numbers."""
MOST_HEADS = 8
"""How many of the words that lines begin with are looked at."""
_ENDS = b"0"
"""What ends an item that may go over several lines."""
_FACTORS = (1, 3)
"""How many words an item of a picture may have."""


def rest_counts(text: RuledText) -> tuple[list[Relation], float]:
    """Return what counts the rest of a text, and what speaks for it, in bits."""
    best: tuple[list[Relation], float] = [], 0.0
    headers = [line for line in range(min(len(text) - 1, HEAD_LINES)) if text.numbers(line)]
    for place, line in enumerate(headers):
        for skipped in (0, 1):
            after = line + 1 + skipped
            for found in _of_rest(text, line, after) if after < len(text) else ():
                bits = sum(log2(each.measure(text.content, each.scope, 0) + 1) for each in found)
                bits -= HEADER_BITS * place + skipped + 1
                best = max(best, (found, bits), key=itemgetter(1))
    return best if best[1] >= REST_EVIDENCE else ([], 0.0)


def _of_rest(text: RuledText, line: int, after: int) -> Iterator[list[Relation]]:
    """Return what the numbers of a line may tell of all that comes after another."""
    numbers = [number for number in text.numbers(line) if number.value > 1]
    rest, words = text.between(after, len(text)), text.words[-1] - text.words[after]
    for at, value in numbers:
        if value == words:
            yield [Relation(at, DECIMAL, Words(), rest, "words")]
    for (at, one), (beside, two) in combinations(numbers, 2):
        for factor in _FACTORS:
            if one * two * factor == words:
                yield [Relation(at, DECIMAL, Words(), rest, "product", factor, 0, beside)]
    ends = Words(_ENDS)(text.content, rest, 0) if text.line(len(text) - 1).endswith(_ENDS) else 0
    for at, value in reversed(numbers):
        if value == ends:
            counts = Relation(at, DECIMAL, Words(_ENDS), rest, "ended")
            yield [counts, *_largest(text.content, numbers, counts)]


def _largest(content: bytes, numbers: list[Number], counts: Relation) -> Iterator[Relation]:
    largest = Largest()(content, counts.scope, 0)
    for at, value in numbers:
        if value == largest and at != counts.at:
            yield Relation(at, DECIMAL, Largest(), counts.scope, "largest of ended")


def headed_lines(text: RuledText) -> Iterator[Relation]:
    """Return what counts the lines that begin with a certain word, if all of some words do."""
    heads = Counter(text.line(line).split(None, 1)[0] for line in range(len(text)))
    counted = {count: head for head, count in heads.most_common(MOST_HEADS)[::-1]}
    for line in range(min(len(text), HEAD_LINES)):
        for at, value in text.numbers(line):
            if value in counted and log2(value + 1) >= REST_EVIDENCE:
                measure = HeadedLines(counted.pop(value))
                rest = text.between(line + 1, len(text))
                if measure(text.content, rest, 0) == value:
                    yield Relation(at, DECIMAL, measure, rest, f"lines {measure.word!r}")
