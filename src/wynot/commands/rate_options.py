"""Options for failures that are not a matter of yes or no."""

from dataclasses import dataclass
from functools import partial
from typing import Self

from wynot.core.errors import InvalidOption
from wynot.core.option import Heading, OptionRecord, harmless

USUAL_CONFIDENCE, LEAST_CONFIDENCE = 0.97, 0.5
"""How probable an answer must be, if nothing else is said; less than the second makes no sense."""

failing = partial(harmless, heading=Heading.FAILURE)
"""It is shown with what the failure is, whichever record has it first."""


@dataclass(frozen=True, kw_only=True)
class RateOptions(OptionRecord):
    """What is asked if the failure shows now and then on both sides."""

    worse: str = failing(
        *("--worse METRIC", "not a failure, but worse: time, output (its size), number[:REGEX]", "")
    )
    threshold: float | None = failing(
        *("--threshold X", "from where on it is worse"),
        usual="between both sides",
        parse=float,
    )
    flaky: bool = failing(
        "--flaky", "the failure shows now and then on both sides: find what makes it more frequent"
    )
    confidence: float = failing(
        *("--confidence P", "how probable an answer must be where chance plays a part"),
        default=USUAL_CONFIDENCE,
        parse=float,
        matters=False,
    )

    def validate(self) -> Self:
        """Raise if a value makes no sense, alone or with another."""
        if not LEAST_CONFIDENCE <= self.confidence < 1:
            raise InvalidOption(
                f"is {self.confidence}", option="confidence", hint="from 0.5 up to less than 1"
            )
        if self.threshold is not None and not self.worse:
            raise InvalidOption(
                "is given without --worse", option="threshold", hint="say what is measured"
            )
        return super().validate()
