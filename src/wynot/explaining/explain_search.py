"""The searches of an explanation, and the nearest input that passes.

Each search may take so many tests and no more: the confidence rests on the last one, of all free
parts together.

*The nearest input that passes* is a variant whose difference from the case is narrowed as long as
it passes (``ddmax``); the case itself stays the failing side.

*Other causes* (Zeller & Hildebrandt 2002, ``003``, footnote 12): all lines that the case comes from
are taken out of the original. If the rest passes, no other cause shows; if it still fails, there is
another one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate, count
from typing import TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.files import Files, RenderedCase
from wynot.core.round import FirstRound, Pick, Round, Search
from wynot.core.texts.patched_text import Splice
from wynot.core.texts.rewrites import Patch
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.findings import Findings, LeftOut, NearPass, PartSpan
from wynot.explaining.free_parts import (
    JOINT_VARIANTS,
    FreeParts,
    equal_parts,
    one_of_few,
    vary_together,
)
from wynot.explaining.variants import OutOfTests, Variant, VariantQuestions, VariantSources, applied
from wynot.formats.language import Language
from wynot.inquiries.inputs.circumstance import InputDifference
from wynot.report.origins import NO_STEP, Origins, Run
from wynot.report.step_view import changed
from wynot.search.causes import causes
from wynot.search.combinators import driven
from wynot.search.lists.ddmin import ddmin
from wynot.search.script import Script
from wynot.search.sides.dd import Pair
from wynot.search.sides.ddmax import ddmax

Found = TypeVar("Found")


def asked_as_variants(
    questions: VariantQuestions, case: RenderedCase, search: Search[Found], name: str
) -> Search[Found]:
    """Run a search to its end; it asks rounds of the first kind only."""
    numbers = count()

    def ask(round_: Round) -> Search[Pick | None]:
        assert isinstance(round_, FirstRound)  # noqa: S101 - what ddmax runs asks no other
        for position, candidate in enumerate(round_.candidates):
            files, label = case.render(candidate), f"{name} {next(numbers)}"
            verdict = yield from questions.verdict(label, Variant(()), of=files)
            if verdict in round_.wanted:
                return Pick(position, verdict, candidate)
        return None

    return (yield from driven(search, ask))


class TokenDifference(InputDifference):
    """The difference of two inputs by tokens; candidates are known by their content alone."""

    def __init__(self, passing: Files, failing: Files) -> None:
        super().__init__(passing, failing, "tokens")

    def _digest(self, files: Files) -> bytes:
        return files.digest


def nearest_pass(questions: VariantQuestions, findings: Findings) -> Search[None]:
    """Find what makes the least difference between passing and failing."""
    if not questions.passing:
        return
    nearest = min(questions.passing, key=lambda variant: variant.cost)
    passing, failing = applied(questions.files, nearest.patches), questions.files
    findings.nearest = NearPass(passing, failing)
    case = TokenDifference(passing, failing)
    if len(case.deltas) < 2:  # noqa: PLR2004 - one difference is as near as can be
        return
    try:
        search = ddmax(Pair(NONE, case.deltas), ddmin)
        pair = yield from asked_as_variants(questions, case, search, "nearest")
    except OutOfTests:
        return
    findings.nearest = NearPass(case.written(pair.passing), failing)


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
            verdict = yield from questions.verdict(f"without {unit.number}", variant, odds=0.05)
        except OutOfTests:
            return
        span = PartSpan(unit.path, unit.start, unit.stop)
        findings.left_out.append(LeftOut(span, unit.text, variant, verdict))
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


MAX_LINES = 20_000
"""Lines of a text whose other causes are looked for."""


class LinesLeft(RenderedCase):
    """Files whose lines are deltas."""

    def __init__(self, files: Files) -> None:
        self._lines = {
            path: content.splitlines(keepends=True) for path, content in files.contents.items()
        }
        super().__init__(files, sum(map(len, self._lines.values())))

    def _write(self, candidate: Candidate) -> Files:
        kept, contents, first = candidate.kept, {}, 0
        for path, lines in self._lines.items():
            inside = kept.part(kept.rank(first), kept.rank(first + len(lines)))
            contents[path] = b"".join(lines[number - first] for number in inside)
            first += len(lines)
        return self.files.replaced(contents)


def survivors(journal: Journal) -> dict[str, list[Run]]:
    """Return which bytes of the original went with which step, and which are still there."""
    before = journal.original()
    origins = {path: Origins(content) for path, content in before.contents.items()}
    for row, (after, _) in zip(journal.steps(), journal.states(), strict=True):
        for change in changed(before, after):
            origins[change.path].go(change.after, row.number, change.head, change.tail)
        before = after
    return {path: each.runs() for path, each in origins.items()}


def rest_of(original: Files, runs: Mapping[str, Sequence[Run]]) -> Files | None:
    """Return the original without the lines that the case comes from; None: nothing is left."""
    contents = {}
    for path, content in original.contents.items():
        lines = content.splitlines(keepends=True)
        kept = [run for run in runs.get(path, ()) if run.step == NO_STEP]
        if len(lines) == 1:  # the line itself would be all
            contents[path] = b"".join(
                content[run.start : run.end] for run in runs.get(path, ()) if run.step != NO_STEP
            )
            continue
        ends = [*accumulate(map(len, lines))]
        contents[path] = b"".join(
            line
            for line, end in zip(lines, ends, strict=True)
            if not any(run.start < end and end - len(line) < run.end for run in kept)
        )
    rest = original.replaced(contents)
    return rest if any(content.strip() for content in contents.values()) else None


def other_causes(
    questions: VariantQuestions, rest: Files | None, findings: Findings, *, find_all: bool
) -> Search[None]:
    """Ask about the rest of the original; if it fails, and all are asked for, find the others."""
    if rest is None:
        findings.rest = Verdict.UNINTERESTING
        return
    try:
        findings.rest = yield from questions.verdict("rest", Variant(()), of=rest, odds=0.1)
        case = LinesLeft(rest)
        if not find_all or findings.rest is not Verdict.INTERESTING or len(case.deltas) > MAX_LINES:
            return
        found = yield from asked_as_variants(questions, case, causes(ddmin, case.deltas), "cause")
    except OutOfTests:
        return
    findings.causes = tuple(case.render(Candidate.whole(each)) for each in found)


FREE_SHARE, EQUAL_SHARE, FEW_SHARE = 0.5, 0.56, 0.62
"""Up to which share of all tests single parts, equal parts and choices are looked at."""
LAST_TESTS = 8
"""How many tests are kept for the nearest variant that passes."""
JOINT_SHARE = 1 / 3
"""The share of all tests that is kept for variants in which all parts differ."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What is explained, and what is known of it."""

    case: Files
    original: Files
    languages: Mapping[str, Language]
    known: Mapping[bytes, Verdict]
    """Verdicts of the reduction by digest."""
    rest: Files | None
    """The original without what the case comes from."""
    find_all: bool
    """Whether other causes are looked for, if there are any."""


def explain(
    subject: Explained, most: int, findings: Findings | None, script: Script
) -> Search[Findings]:
    """Find out what a case needs in at most so many tests.

    What was found so far is in ``findings``, if it is given, whenever it is ended. Who looks ahead
    has several searches under way, and gives none.
    """
    found = Findings() if findings is None else findings
    parts, sources = script.once(lambda: _sources(subject))
    questions = VariantQuestions(script, subject.case, subject.known, most)
    free = FreeParts(questions, sources, found)
    joint = min(JOINT_VARIANTS, int(most * JOINT_SHARE))
    phases: list[tuple[float, Search[None]]] = [
        (FREE_SHARE * most, free.run()),
        (EQUAL_SHARE * most, equal_parts(free, sources, found)),
        (FEW_SHARE * most, one_of_few(questions, sources, found)),
        (FEW_SHARE * most, free.measured_alone()),
        (most - joint, leave_out(questions, parts, found)),
        (most - LAST_TESTS, vary_together(questions, found)),
        (most - 1, nearest_pass(questions, found)),
        (most, other_causes(questions, subject.rest, found, find_all=subject.find_all)),
    ]
    try:
        for limit, phase in phases:
            questions.limit = max(questions.tests, int(limit))
            yield from phase
    finally:  # also if it is ended before its time
        found.tests, found.recalled = questions.tests, questions.recalled
        found.variants = questions.variants
    found.is_complete = True
    return found


def _sources(subject: Explained) -> tuple[CaseParts, VariantSources]:
    parts = CaseParts(subject.case, subject.languages)
    return parts, VariantSources(parts, subject.original, subject.languages)
