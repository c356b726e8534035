"""What an explanation has found so far, on its way."""

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.explaining.case_parts import Part
from wynot.explaining.thresholds import ScaleLimits
from wynot.explaining.value_classes import Draw
from wynot.explaining.variant_questions import ToldVariant
from wynot.explaining.variants import Variant, applied


class PartSpan(NamedTuple):
    """Bytes of a file."""

    path: str
    start: int
    stop: int

    def holds(self, part: Part) -> bool:
        """Tell whether a part is in here."""
        return self.path == part.path and self.start <= part.start and part.stop <= self.stop

    def overlaps(self, other: "PartSpan") -> bool:
        """Tell whether two have bytes in common."""
        return self.path == other.path and self.start < other.stop and other.start < self.stop

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

    def refuse(self, part: Part, told: ToldVariant) -> None:
        """Take note of a variant that does not fail."""
        self.refused.setdefault(part.number, []).append(told)
