"""From which number or length on a part fails.

The search goes outwards from the value that fails, first to the very end of the scale: if that
fails, and some values near by do, there is no limit that could be seen. Else the limit is found by
doubling the step and halving the gap. That something fails again beyond it is not ruled out by
this: some more values on both sides are asked about, and if one of them is not as it should be, it
is said.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.value_kinds import ListForm, QuotedText

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


Asks = Callable[[int], Search[Verdict]]
"""Returns what the test says of the part with such a measure."""
Knows = Callable[[int], Verdict | None]
"""Returns what is known of it without a test."""
NEAR_STEPS = (1, 3, 9, 27)
"""How far away something is asked about that may not fail, though the end of the scale does."""
NEAR_VALUES = 40
"""How far around what fails, and around zero, values are looked up that may be known."""


def nothing_known(_value: int) -> Verdict | None:
    """The usual case: nobody has asked about it before."""
    return None


@dataclass(frozen=True, slots=True)
class ScaleLimits:
    """The measures between which a part fails, and what happens just outside of them."""

    low: int | None
    high: int | None
    below: Verdict | None = None
    above: Verdict | None = None
    steady: bool = True
    """Whether all that was asked about between them fails."""
    again: int | None = None
    """A measure beyond them that fails, too, if one was seen."""
    failed: int = 0
    """How many measures were seen to fail, besides that of the case."""

    def holds(self, value: int) -> bool:
        """Tell whether a measure is within the limits."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def are_wider(self, scale: Scale) -> bool:
        """Tell whether there is more between them than what there is."""
        low = scale.least if self.low is None else self.low
        high = scale.most if self.high is None else self.high
        return low < high


def limits_of(asks: Asks, scale: Scale, knows: Knows = nothing_known) -> Search[ScaleLimits]:
    """Return the limits around the measure that fails."""
    verdicts: dict[int, Verdict] = {}

    def ask(value: int) -> Search[Verdict]:
        verdicts[value] = yield from asks(value)
        return verdicts[value]

    known = _looked_up(scale, knows)
    high, above = yield from _limit(ask, scale.now, scale.most, known)
    low, below = yield from _limit(ask, scale.now, scale.least, known)
    found = ScaleLimits(low, high, below, above)
    outside, inside = _probes(found, scale)
    again = yield from _first(ask, outside, fails=True)
    gap = yield from _first(ask, inside, fails=False)
    failed = sum(verdict is Verdict.INTERESTING for verdict in verdicts.values())
    return replace(found, steady=gap is None, again=again, failed=failed)


def _first(asks: Asks, values: Sequence[int], *, fails: bool) -> Search[int | None]:
    """Return the first of some measures that fails, or does not."""
    for value in values:
        if ((yield from asks(value)) is Verdict.INTERESTING) is fails:
            return value
    return None


def _looked_up(scale: Scale, knows: Knows) -> dict[int, Verdict]:
    """Return the measures of which it is known what they do."""
    around = (scale.now, scale.least, 0)
    near = {middle + far for middle in around for far in range(-NEAR_VALUES, NEAR_VALUES + 1)}
    digits = str(abs(scale.now))
    near |= {int(digits[:at] + digits[at + 1 :] or "0") for at in range(len(digits))}
    near |= {scale.now // 2, scale.now // 10, scale.now * 2}
    inside = sorted(value for value in near if scale.least <= value <= scale.most)
    verdicts = {value: knows(value) for value in inside}
    return {value: verdict for value, verdict in verdicts.items() if verdict is not None}


def _limit(
    asks: Asks, now: int, end: int, known: Mapping[int, Verdict]
) -> Search[tuple[int | None, Verdict | None]]:
    """Return the last measure towards an end that fails, and what the next one does."""
    if now == end:
        return None, None
    way = 1 if end > now else -1
    ahead = sorted((value for value in known if (value - now) * way > 0), key=lambda v: v * way)
    passed = next((value for value in ahead if known[value] is not Verdict.INTERESTING), None)
    inside, outside, step = now, end if passed is None else passed, 1
    verdict = yield from asks(outside)
    if verdict is Verdict.INTERESTING:
        near = [now + way * far for far in NEAR_STEPS if (end - now - way * far) * way > 0]
        passed = yield from _first(asks, near, fails=False)
        if passed is None:
            return None, None
        outside, verdict = passed, (yield from asks(passed))
    for value in [each for each in ahead if (outside - each) * way > 0][-1:]:
        yield from asks(value)
        inside = value
    while abs(outside - inside) > 1:
        value = inside + way * step
        if step == 0 or (outside - value) * way <= 0:
            value, step = (inside + outside) // 2, 0
        verdicts = yield from asks(value)
        if verdicts is Verdict.INTERESTING:
            inside, step = value, step * 2
        else:
            outside, verdict, step = value, verdicts, 0
    return inside, verdict


def _probes(found: ScaleLimits, scale: Scale) -> tuple[list[int], list[int]]:
    """Return some more measures, beyond the limits and between them."""
    outside = {
        value
        for limit, way in ((found.high, 1), (found.low, -1))
        if limit is not None
        for value in (limit + 2 * way, limit + 5 * way, limit + 20 * way)
        if scale.least <= value <= scale.most
    }
    # What was asked about before takes no test: the ends of the scale.
    outside |= {
        end
        for limit, end in ((found.high, scale.most), (found.low, scale.least))
        if limit is not None
    }
    low = scale.least if found.low is None else found.low
    high = scale.most if found.high is None else found.high
    near = {(scale.now + high) // 2, (scale.now + low) // 2, (low + high) // 2, scale.now + 3}
    inside = {value for value in near if low < value < high and value != scale.now}
    return sorted(outside), sorted(inside)
