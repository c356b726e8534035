"""What was found of a case, and what follows from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from wynot.core.explanation import (
    FreePart,
    JointCheck,
    NearestPass,
    NeededPart,
    OtherCauses,
    Outcome,
    PartPlace,
)
from wynot.core.files import Files
from wynot.core.texts.patches import common_ends
from wynot.core.verdict import Verdict
from wynot.explaining.case_parts import Part
from wynot.explaining.thresholds import ScaleLimits
from wynot.explaining.value_classes import Draw
from wynot.explaining.variants import ToldVariant, Variant, applied


class PartSpan(NamedTuple):
    """Bytes of a file."""

    path: str
    start: int
    stop: int

    def holds(self, part: Part) -> bool:
        """Tell whether a part is in here."""
        return self.path == part.path and self.start <= part.start and part.stop <= self.stop

    def meets(self, part: Part) -> bool:
        """Tell whether it has bytes in common with a part, or is in the same empty place."""
        if self.path != part.path:
            return False
        if self.start == self.stop or part.start == part.stop:
            return self.start <= part.stop and part.start <= self.stop
        return self.start < part.stop and part.start < self.stop


@dataclass(frozen=True, slots=True)
class FoundPart:
    """A part that may be something else, and how to draw what."""

    kind: str
    spans: tuple[PartSpan, ...]
    text: bytes
    tried: int
    draw: Draw
    scale: str = ""
    limits: ScaleLimits | None = None
    content: bool = True
    choices: tuple[bytes, ...] = ()
    refused: tuple[bytes, ...] = ()
    together: bool = True

    @property
    def is_steady(self) -> bool:
        """Whether what lies between its limits fails, and what lies outside does not."""
        return self.limits is None or self.limits.steady

    def drawn(self, random: Random) -> bytes:
        """Return another text of its kind, or the same."""
        return self.draw(random)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The case without a part, and what the test says of that."""

    span: PartSpan
    text: bytes
    variant: Variant
    verdict: Verdict

    def files(self, case: Files) -> Files:
        """Return the case without it."""
        return applied(case, self.variant.patches)


@dataclass(frozen=True, slots=True)
class NearPass:
    """Two sides that hardly differ: the second one fails."""

    passing: Files
    failing: Files


@dataclass(slots=True)
class Findings:
    """All that was found; what was not come to is empty."""

    free: list[FoundPart] = field(default_factory=list)
    refused: dict[int, list[ToldVariant]] = field(default_factory=dict)
    """Variants of a part that do not fail, by its number."""
    left: int = 0
    """Parts that were not varied."""
    left_out: list[LeftOut] = field(default_factory=list)
    joint: tuple[int, int] | None = None
    """How many variants failed in which all free parts differ at once, of how many."""
    nearest: NearPass | None = None
    rest: Verdict | None = None
    """What the test says of the original without the case."""
    causes: tuple[Files, ...] = ()
    """Other causes, each in a case of its own."""
    tests: int = 0
    recalled: int = 0
    variants: int = 0
    is_complete: bool = False

    def covers(self, part: Part) -> bool:
        """Tell whether a part is in one that may be something else, or has one in it."""
        return any(span.meets(part) for found in self.free for span in found.spans)

    def refuse(self, part: Part, variant: ToldVariant) -> None:
        """Take note of a variant that does not fail."""
        self.refused.setdefault(part.number, []).append(variant)


OUTCOMES: Mapping[Verdict, Outcome] = {
    Verdict.UNINTERESTING: "passes",
    Verdict.UNRESOLVED: "unclear",
    Verdict.INTERESTING: "fails",
}


def free_parts_of(findings: Findings, case: Files) -> tuple[FreePart, ...]:
    """Return the free parts in the order in which they stand, each with a label of its own."""
    ordered = sorted(findings.free, key=lambda found: found.spans[0])
    kinds = [_noun(found) for found in ordered]
    many, seen = Counter(kinds), Counter[str]()
    made = []
    for found, kind in zip(ordered, kinds, strict=True):
        seen[kind] += 1
        label = f"{kind}{seen[kind]}" if many[kind] > 1 else kind
        made.append(_free_part(found, label, case))
    return tuple(made)


def pattern_of(free: Sequence[FreePart], case: Files) -> tuple[tuple[str, str], ...]:
    """Return the texts of the case with labels in place of what may be something else."""
    puts: dict[str, list[tuple[int, int, str]]] = {}
    for part in free:
        for place in part.places if part.together else ():
            puts.setdefault(place.path, []).append((place.start, place.stop, part.shown_label))
    made = []
    for path, content in case.contents.items():
        pieces, reached = [], 0
        for start, stop, label in sorted(puts.get(path, ())):
            pieces += [text(content[reached:start]), label]
            reached = stop
        if pieces or len(case.contents) == 1:
            made.append((path, "".join([*pieces, text(content[reached:])])))
    return tuple(made)


def needed_of(
    left_out: Sequence[LeftOut], seen: Mapping[bytes, str], case: Files
) -> tuple[NeededPart, ...]:
    """Return what happens without each part; ``seen`` is what was shown instead, by digest."""
    made = []
    for each in left_out:
        description = seen.get(digest_of(each, case), "")
        outcome: Outcome = OUTCOMES[each.verdict]
        if outcome == "unclear" and description:
            outcome = "other"
        made.append(NeededPart(text(each.text), place(each.span, case), outcome, description))
    return tuple(made)


def digest_of(left_out: LeftOut, case: Files) -> bytes:
    """Return what the case without a part is known by."""
    return left_out.files(case).digest


def joint_of(findings: Findings) -> JointCheck | None:
    """Return what became of all parts together."""
    return JointCheck(*findings.joint) if findings.joint and findings.joint[1] else None


def nearest_of(near: NearPass | None) -> NearestPass | None:
    """Return where two sides differ, and in what: from the first to the last byte that does."""
    if near is None:
        return None
    for path, content in near.failing.contents.items():
        other = near.passing.contents.get(path, b"")
        if other == content:
            continue
        head, tail = common_ends(content, other)
        was, now = content[head : len(content) - tail], other[head : len(other) - tail]
        where = place(PartSpan(path, head, len(content) - tail), near.failing)
        return NearestPass(where, text(was), text(now))
    return None


def causes_of(findings: Findings) -> OtherCauses | None:
    """Return whether there are others."""
    found = tuple(
        text(b"".join(content for content in files.contents.values())) for files in findings.causes
    )
    match findings.rest:
        case None:
            return None
        case Verdict.INTERESTING:
            description = "the original fails without this one as well"
            return OtherCauses(1 + max(1, len(found)), description, found)
        case Verdict.UNINTERESTING:
            return OtherCauses(1, "the original without this one passes")
    return OtherCauses(1, "the original without this one gives no clear answer")


def place(span: PartSpan, case: Files) -> PartPlace:
    """Return where something is."""
    line = case.contents[span.path].count(b"\n", 0, span.start) + 1
    return PartPlace(span.path, span.start, span.stop, line)


def text(content: bytes) -> str:
    """Return bytes as text; a byte that is none stays what it is."""
    return content.decode("utf-8", "surrogateescape")


def _free_part(found: FoundPart, label: str, case: Files) -> FreePart:
    limits = found.limits
    return FreePart(
        label,
        found.kind,
        tuple(place(span, case) for span in found.spans),
        text(found.text),
        found.tried,
        found.scale,
        None if limits is None else limits.low,
        None if limits is None else limits.high,
        _beyond(None if limits is None else limits.below),
        _beyond(None if limits is None else limits.above),
        found.is_steady,
        None if limits is None else limits.again,
        found.content,
        tuple(map(text, found.choices)),
        tuple(map(text, found.refused)),
        found.together,
    )


def _beyond(verdict: Verdict | None) -> str:
    return OUTCOMES[verdict] if verdict is not None else ""


def _noun(found: FoundPart) -> str:
    """Return what stands for a part in the pattern."""
    return found.kind.partition(" of ")[0].replace(" ", "-")
