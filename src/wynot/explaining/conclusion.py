"""From what was found to an explanation: labels, the pattern, and what each thing is called."""

from collections import Counter
from collections.abc import Mapping, Sequence

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
from wynot.core.verdict import Verdict
from wynot.explaining.findings import Findings, FoundPart, LeftOut, NearPass, PartSpan
from wynot.report.explanation_text import CLOSES, OPENS

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
            label = f"{OPENS}{part.label}{CLOSES}"
            puts.setdefault(place.path, []).append((place.start, place.stop, label))
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
        words = seen.get(digest_of(each, case), "")
        outcome: Outcome = OUTCOMES[each.verdict]
        if outcome == "unclear" and words:
            outcome = "other"
        made.append(NeededPart(text(each.text), place(each.span, case), outcome, words))
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
        head = _common(content, other)
        tail = _common(content[head:][::-1], other[head:][::-1])
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
            words = "the original fails without this one as well"
            return OtherCauses(1 + max(1, len(found)), words, found)
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


def _common(one: bytes, other: bytes) -> int:
    """Return how many bytes two begin with alike."""
    least = min(len(one), len(other))
    return next((at for at in range(least) if one[at] != other[at]), least)
