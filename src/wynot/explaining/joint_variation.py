"""All free parts varied at once: what holds of each alone need not hold of all together.

If a variant does not fail, it is looked for the part that spoils it: its differences are put in one
after the other, and the one with which it no longer fails stays as it is from then on. A number
that must not be less than another is found like this.
"""

from collections.abc import Sequence
from random import Random

from wynot.core.rewrites import Patch
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.explaining.findings import Findings, FoundPart
from wynot.explaining.value_classes import SHORT_NAMES
from wynot.explaining.variant_questions import OutOfTests, VariantQuestions
from wynot.explaining.variants import Variant

JOINT_VARIANTS = 100
LEAST_JOINT = 10
"""With fewer variants nothing is said of all parts together."""
MAX_ROUNDS = 5
LIKELY_ODDS = 0.97
"""How likely such a variant is to fail."""


def vary_together(questions: VariantQuestions, findings: Findings) -> Search[None]:
    """Vary all parts at once; take out those that cannot be varied with the others."""
    for number in range(MAX_ROUNDS):
        parts = [part for part in findings.free if part.together]
        most = min(JOINT_VARIANTS, questions.left - len(parts))
        if not parts or most < LEAST_JOINT:
            return
        variants = _variants(parts, most, number)
        other = yield from questions.first_other(f"together {number}", variants, LIKELY_ODDS)
        findings.joint = questions.failed, questions.failed + (other is not None)
        if other is None:
            return
        try:
            spoiler = yield from _spoiler(questions, parts, other.variant, number)
        except OutOfTests:
            return
        place = findings.free.index(spoiler)
        pinned = {name: getattr(spoiler, name) for name in FoundPart.__slots__}
        findings.free[place] = FoundPart(**pinned | {"together": False})


def _variants(parts: Sequence[FoundPart], count: int, seed: int) -> list[Variant]:
    """Draw variants, all of them different, if there are so many."""
    random = Random(seed)  # noqa: S311 - the same each time
    found: dict[tuple[Patch, ...], None] = {}
    for _ in range(4 * count):
        if len(found) == count:
            break
        found[_drawn(parts, random)] = None
    return [Variant(patches) for patches in found]


def _drawn(parts: Sequence[FoundPart], random: Random) -> tuple[Patch, ...]:
    taken: set[bytes] = set()
    patches: list[Patch] = []
    for part in parts:
        text = part.drawn(random)
        while part.kind in {"name", SHORT_NAMES} and text in taken:
            text = part.drawn(random)
        taken.add(text)
        patches += [Patch(*span, text) for span in part.spans]
    return tuple(patches)


def _spoiler(
    questions: VariantQuestions, parts: Sequence[FoundPart], variant: Variant, number: int
) -> Search[FoundPart]:
    """Return the part with whose difference a variant does not fail any more."""
    so_far: tuple[Patch, ...] = ()
    for at, part in enumerate(parts[:-1]):
        own = {span[:2] for span in part.spans}
        so_far += tuple(patch for patch in variant.patches if patch[:2] in own)
        name = f"together {number} {at}"
        said = yield from questions.verdict(name, Variant(so_far), odds=LIKELY_ODDS)
        if said is not Verdict.INTERESTING:
            return part
    return parts[-1]
