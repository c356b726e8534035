"""What of a part can be measured: its value, its length, its items, how deep or how often it is."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.list_forms import ListForm
from wynot.explaining.value_kinds import QuotedText

MAX_VALUE = 10**12
MIN_VALUE = -(10**12)
MAX_LENGTH = 1_000
MAX_ITEMS = 64
MAX_DEPTH = 200
MAX_REPEATS = 250
MIN_LEVELS, MIN_REPEATS = 3, 3
"""Of so many levels, or neighbours that are alike, it may matter how many there are."""


class Scale(NamedTuple):
    """A measure of a part, and the text of the part for each value that it can have."""

    what: str
    now: int
    least: int
    most: int
    write: Callable[[int], bytes]
    start: int
    stop: int
    """Which bytes of the file are written."""


def value_scale(part: Part, *, signed: bool) -> Scale:
    """Return the value of a number; it may be below zero if it is ``signed``."""
    least = MIN_VALUE if signed else 0
    return Scale("value", int(part.text), least, MAX_VALUE, _digits, part.start, part.stop)


def length_scale(part: Part) -> Scale:
    """Return the length of a string, or of a word."""
    quoted = QuotedText.of(part.text)
    content = quoted.content if quoted else part.text

    def write(length: int) -> bytes:
        stretched = (content or b"a") * (length // max(1, len(content)) + 1)
        return quoted.holding(stretched[:length]) if quoted else stretched[:length]

    least, most = 0 if quoted else 1, max(MAX_LENGTH, 2 * len(content))
    return Scale("length", len(content), least, most, write, part.start, part.stop)


def count_scale(part: Part, form: ListForm) -> Scale:
    """Return how many items a list has."""
    now = len(form.items)
    most = max(MAX_ITEMS, 2 * now)
    return Scale("count", now, 0, most, form.counted, part.start, part.stop)


def depth_scale(part: Part, parts: CaseParts) -> Scale | None:
    """Return how deep a part of a kind is nested in others of that kind, if it is at all."""
    chain = [part]
    content = parts.files.contents[part.path]
    while True:
        last = chain[-1]
        inner = [each for each in parts.children.get(last.number, ()) if each.named]
        alike = [each for each in inner if {*each.kinds} & {*part.kinds}]
        if len(alike) != 1:
            break
        chain.append(alike[0])
    opens = [content[a.start : b.start] for a, b in pairwise(chain)]
    closes = [content[b.stop : a.stop] for a, b in pairwise(chain)]
    if len(chain) < MIN_LEVELS or len({*opens}) > 1 or len({*closes}) > 1:
        return None
    core, wrap = chain[-1].text, (opens[0], closes[0])

    def write(depth: int) -> bytes:
        return wrap[0] * (depth - 1) + core + wrap[1] * (depth - 1)

    most = max(MAX_DEPTH, 2 * len(chain))
    return Scale("depth", len(chain), 1, most, write, part.start, part.stop)


def repeat_scale(part: Part, parts: CaseParts) -> Scale | None:
    """Return how often a part is repeated right after itself, if it is the first of such a row."""
    if part.parent < 0 or not part.size or part in parts.inside:
        return None
    siblings = parts.children[part.parent]
    at = siblings.index(part)
    if at and siblings[at - 1].text == part.text:
        return None
    row = [part]
    for each in siblings[at + 1 :]:
        if each.text != part.text:
            break
        row.append(each)
    content = parts.files.contents[part.path]
    gaps = {content[a.stop : b.start] for a, b in pairwise(row)}
    if len(row) < MIN_REPEATS or len(gaps) != 1:
        return None
    [gap] = gaps

    def write(times: int) -> bytes:
        return gap.join([part.text] * times)

    most = max(MAX_REPEATS, 2 * len(row))
    return Scale("repeats", len(row), 1, most, write, part.start, row[-1].stop)


def _digits(value: int) -> bytes:
    return b"%d" % value
