"""The whole of an explanation as one search, so that workers look ahead, and it can be resumed.

Each part of it may take so many tests and no more: what is asked last, all free parts together, is
what the confidence rests on.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.explaining.case_parts import CaseParts
from wynot.explaining.equal_parts import equal_parts, one_of_few
from wynot.explaining.findings import Findings
from wynot.explaining.free_parts import FreeParts
from wynot.explaining.independent_causes import other_causes
from wynot.explaining.joint_variation import JOINT_VARIANTS, vary_together
from wynot.explaining.nearest_pass import nearest_pass
from wynot.explaining.necessity import leave_out
from wynot.explaining.variant_questions import VariantQuestions
from wynot.explaining.variant_sources import VariantSources
from wynot.formats.language import Language
from wynot.search.script import Script

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
