"""Parts that must be equal, and may be something else together; and parts that are one of a few."""

from collections import defaultdict
from collections.abc import Sequence

from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.explaining.case_parts import Part
from wynot.explaining.findings import Findings, FoundPart, PartSpan
from wynot.explaining.free_parts import FreeParts
from wynot.explaining.value_classes import chosen
from wynot.explaining.value_kinds import PartSort
from wynot.explaining.variant_questions import OutOfTests, VariantQuestions
from wynot.explaining.variant_sources import VariantSources

EQUAL_SORTS = frozenset(
    {
        PartSort.INTEGER,
        PartSort.DECIMAL,
        PartSort.STRING,
        PartSort.WORD,
        PartSort.FIELD,
        PartSort.LINE,
        PartSort.LIST,
    }
)
MAX_FEW = 6
"""How many texts are tested in place of a part that cannot be anything."""
MAX_FEW_BYTES = 24
"""Bytes of a part of which it is asked whether it is one of a few."""


def equal_parts(free: FreeParts, sources: VariantSources, findings: Findings) -> Search[None]:
    """Vary parts with the same text together, where none of them may vary alone."""
    groups: dict[tuple[PartSort, bytes], list[Part]] = defaultdict(list)
    for part in sources.parts.largest_first:
        sort = sources.sort(part)
        if sort in EQUAL_SORTS and part.size and not findings.covers(part):
            groups[sort, part.text].append(part)
    for places in groups.values():
        left = [part for part in places if not findings.covers(part)]
        if len(left) > 1:
            try:
                yield from free.vary(left)
            except OutOfTests:
                return


def one_of_few(
    questions: VariantQuestions, sources: VariantSources, findings: Findings
) -> Search[None]:
    """Find other texts with which a part fails as well: of its kind, or of its family."""
    for part in sources.parts.largest_first:
        is_empty = not part.size and sources.sort(part) is not PartSort.FIELD
        if is_empty or part.size > MAX_FEW_BYTES or findings.covers(part):
            continue
        try:
            yield from _few(questions, sources, findings, part)
        except OutOfTests:
            return


def _few(
    questions: VariantQuestions, sources: VariantSources, findings: Findings, part: Part
) -> Search[None]:
    texts, tested = _to_ask(questions, sources, part)
    fails, other = [part.text], list[bytes]()
    for text in texts:
        variant = sources.variant([part], text)
        said = yield from questions.verdict(f"few {part.number} {len(fails)}", variant)
        (fails if said is Verdict.INTERESTING else other).append(text)
    if len(fails) > 1:
        findings.free.append(
            FoundPart(
                *("choice", (PartSpan(part.path, part.start, part.stop),), part.text, tested),
                chosen("choice", fails).draw,
                choices=tuple(fails),
                refused=tuple(other),
            )
        )


def _to_ask(
    questions: VariantQuestions, sources: VariantSources, part: Part
) -> tuple[Sequence[bytes], int]:
    """Return what to try: all that is known, and a few more; and how many that are."""
    texts = sources.few(part)
    known = [text for text in texts if questions.known(sources.variant([part], text))]
    more = [text for text in texts if text not in known][:MAX_FEW]
    return [*known, *more], len(known) + len(more)
