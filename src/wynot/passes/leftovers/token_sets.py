"""Tokens that go together: windows of any length, two or three of them anywhere, all alike ones.

Each alone was tried, and neighbours whose loss leaves a text that parses. What is left then goes
only with something elsewhere (a bracket with its other half, a mark with the word it belongs to) or
in spite of what the grammar says.
"""

from collections.abc import Iterator
from itertools import combinations

from wynot.core.rewrites import Rewrite
from wynot.passes.forest import Forest
from wynot.passes.leftovers.short_text import runs_of, short_texts

MOST_PAIR_TOKENS, MOST_TRIPLE_TOKENS = 80, 24
"""Tokens of a text of which all pairs are tried, and all sets of three."""
MOST_WINDOW_PAIR_TOKENS, LONGEST_OF_PAIR = 40, 4
"""Tokens of a text of which pairs of windows are tried, and of each of the two."""


def windows(forest: Forest) -> Iterator[Rewrite]:
    """Leave out neighbouring tokens; or all but them."""
    for text in short_texts(forest):
        for size in range(1, text.count):
            sort = _size_sort(size)
            for start in range(text.count - size + 1):
                yield text.without(f"window of {sort}", [(start, start + size)])
        for size in range(1, text.count):
            sort = _size_sort(text.count - size)
            for start in range(1, text.count - size):
                yield text.alone(f"all around, {sort}", start, start + size)


def pairs(forest: Forest) -> Iterator[Rewrite]:
    """Leave out two or three tokens that are not next to each other."""
    for text in short_texts(forest):
        for size, most in ((2, MOST_PAIR_TOKENS), (3, MOST_TRIPLE_TOKENS)):
            if text.count <= most:
                for numbers in combinations(range(text.count), size):
                    if numbers[-1] - numbers[0] >= size:
                        yield text.without(f"{size} tokens apart", runs_of(numbers))


def window_pairs(forest: Forest) -> Iterator[Rewrite]:
    """Leave out two windows: what begins something, and what ends it."""
    for text in short_texts(forest):
        if text.count > MOST_WINDOW_PAIR_TOKENS:
            continue
        sizes = range(1, LONGEST_OF_PAIR + 1)
        for one, other in ((one, other) for one in sizes for other in sizes if one + other > 2):  # noqa: PLR2004 - single tokens are pairs
            for start in range(text.count - one - other):
                for after in range(start + one + 1, text.count - other + 1):
                    runs = [(start, start + one), (after, after + other)]
                    yield text.without("two windows", runs)


def alike(forest: Forest) -> Iterator[Rewrite]:
    """Leave out all tokens that are written the same; and those of two such sets."""
    for text in short_texts(forest):
        places: dict[bytes, list[int]] = {}
        for number, word in enumerate(text.words):
            places.setdefault(word, []).append(number)
        sets = [*places.values()]
        for size in (1, 2):
            for chosen in combinations(sets, size):
                numbers = sorted(number for each in chosen for number in each)
                if len(numbers) > size and len(numbers) < text.count:
                    yield text.without(f"alike, {size}", runs_of(numbers))


def _size_sort(size: int) -> str:
    """Return what sort of window this is: how often they can go depends on their size."""
    for most in (1, 2, 4, 8, 16, 32):
        if size <= most:
            return f"up to {most}"
    return "more"
