"""What happens without each part that is left: the reduction has asked most of that already."""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from wynot.core.rewrites import Patch
from wynot.core.round import Search
from wynot.core.splice import Splice
from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.findings import Findings, LeftOut, PartSpan
from wynot.explaining.variant_questions import OutOfTests, VariantQuestions
from wynot.explaining.variants import Variant

MAX_UNITS = 24
"""Into how many parts the case is cut, at most: a person has to read it."""
MAX_UNIT_PARTS = 6
"""A part with more parts than this in it is cut, if there is room."""
MAX_CUT_BYTES = 400
"""Bytes of a text of which each single one is looked up."""
PUNCTUATION = frozenset(bytes([sign]) for sign in b"()[]{},;:.\"'`")
SEPARATORS = frozenset({b",", b";"})


def leave_out(questions: VariantQuestions, parts: CaseParts, findings: Findings) -> Search[None]:
    """Leave out each part that matters, alone."""
    whole = questions.script.once(lambda: _whole_units(units_of(parts, findings), parts))
    for unit in whole:
        variant = _without(questions, unit, parts)
        try:
            said = yield from questions.verdict(f"without {unit.number}", variant, odds=0.05)
        except OutOfTests:
            return
        span = PartSpan(unit.path, unit.start, unit.stop)
        findings.left_out.append(LeftOut(span, unit.text, variant, said))
    yield from _recall_others(questions, parts)


def _recall_others(questions: VariantQuestions, parts: CaseParts) -> Search[None]:
    """Look at what the reduction knows of the case without smaller parts, down to characters.

    One of these may be what passes with the least difference.
    """
    cuts = {(part.path, *way) for part in parts.all for way in _ways(part, parts)}
    for path, content in parts.files.contents.items():
        if len(content) <= MAX_CUT_BYTES:
            cuts |= {(path, at, at + 1) for at in range(len(content))}
    known = questions.script.once(
        lambda: [
            variant
            for cut in sorted(cuts)
            if questions.known(variant := Variant((Patch(*cut),))) is not None
        ]
    )
    for number, variant in enumerate(known):
        yield from questions.verdict(f"cut {number}", variant)


def units_of(parts: CaseParts, findings: Findings) -> list[Part]:
    """Cut the case into parts that a person can look at, in the order in which they stand.

    A part that has a free one in it is cut in any case; then the largest ones, as long as there is
    room. Punctuation goes with what it belongs to.
    """
    waiting = [(-part.size, part.number) for part in parts.all if part.parent < 0]
    heapify(waiting)
    spans = [span for found in findings.free for span in found.spans]
    done: list[Part] = []
    while waiting:
        _, number = heappop(waiting)
        part = parts.all[number]
        inner = [child for child in parts.children[number] if _matters(child)]
        is_mixed = any(span.meets(part) and not span.holds(part) for span in spans)
        is_large = _count(parts, part) > MAX_UNIT_PARTS or part.parent < 0
        is_free = any(span.holds(part) for span in spans)
        has_room = len(done) + len(waiting) + len(inner) <= MAX_UNITS
        if inner and has_room and not is_free and (is_mixed or is_large):
            for child in inner:
                heappush(waiting, (-child.size, child.number))
        else:
            done.append(part)
    return sorted((part for part in done if part.size), key=lambda part: part.number)


def _whole_units(units: Sequence[Part], parts: CaseParts) -> list[Part]:
    """Put what a part belongs to in its place, if the rest does not follow the grammar without it.

    That a program refuses nonsense says nothing of the part: a key goes with its value.
    """
    found: dict[int, Part] = {}
    for unit in units:
        whole = unit
        while whole.parent >= 0 and not _parses_without(whole, parts):
            whole = parts.all[whole.parent]
        chosen = whole if whole.parent >= 0 else unit
        found[chosen.number] = chosen
    return [*found.values()]


def _parses_without(unit: Part, parts: CaseParts) -> bool:
    return any(parts.parses(unit.path, Splice(*way, b"")) for way in _ways(unit, parts))


def _matters(part: Part) -> bool:
    """Tell whether a part is more than a bracket, a quote or what stands between two items."""
    return part.named or (bool(part.size) and part.text not in PUNCTUATION)


def _count(parts: CaseParts, part: Part) -> int:
    return sum(part.holds(each) and parts.is_leaf(each) for each in parts.all)


def _without(questions: VariantQuestions, unit: Part, parts: CaseParts) -> Variant:
    """Return the case without a part; in a way that is known already, if there is one.

    Of all ways, one that follows the grammar.
    """
    spans = [*_ways(unit, parts)]
    good = [span for span in spans if parts.parses(unit.path, Splice(*span, b""))]
    ways = [Variant((Patch(unit.path, *span),)) for span in good or spans]
    return next(filter(questions.known, ways), ways[0])


def _ways(unit: Part, parts: CaseParts) -> Iterator[tuple[int, int]]:
    """Yield which bytes can go with a part: its line, a separator beside it, blanks, or none."""
    content = parts.files.contents[unit.path]
    start, stop = unit.start, unit.stop
    before = len(content[:start]) - len(content[:start].rstrip(b" \t"))
    after = len(content[stop:]) - len(content[stop:].lstrip(b" \t"))
    left, right = start - before, stop + after
    is_line = (not left or content[left - 1 : left] == b"\n") and (
        right == len(content) or content[right : right + 1] == b"\n"
    )
    if is_line:
        yield left, min(right + 1, len(content))
    if content[right : right + 1] in SEPARATORS:
        behind = content[right + 1 :]
        yield start, right + 1 + len(behind) - len(behind.lstrip(b" "))
        yield start, right + 1
    if content[left - 1 : left] in SEPARATORS:
        yield left - 1, stop
    yield start, stop
    yield left, stop
    yield start, right
