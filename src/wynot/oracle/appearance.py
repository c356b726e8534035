"""What a failure looks like to a person, as it was printed; and whether two runs look alike."""

import re
from typing import NamedTuple

from wynot.failures.learned_failure import LearnedFailure, short
from wynot.failures.signature import Signature, signature
from wynot.failures.wording import Vocabulary, words_of
from wynot.oracle.trial import TrialResult

MAX_SHOWN_CHARS = 240
"""Characters of one that are shown."""

_PRIVATE = re.compile(r"(?<![\w.+~-])/(?:[\w.+~-]++/)*?wynot-\d++-(?:[\w.+~-]*+/)++(?=[\w.+-])")
"""The private folder of a test, which tells nothing to anybody."""


class Likeness(NamedTuple):
    """What the original showed, and what the result shows; empty if that is not known."""

    was: str = ""
    now: str = ""
    differs: bool = False
    """Whether they differ in more than numbers and names of the input."""

    @classmethod
    def recalled(cls, texts: list[str]) -> "Likeness":
        """Return what was written down; nothing if it is damaged."""
        match texts:
            case [was, now, *more]:
                return cls(was, now, bool(more))
        return cls()

    @property
    def texts(self) -> list[str]:
        """What is written down."""
        return [self.was, self.now, *(["differs"] if self.differs else [])]


def likeness(
    first: TrialResult,
    last: TrialResult,
    vocabulary: Vocabulary,
    again: TrialResult | None = None,
) -> Likeness:
    """What the original showed, compared with what the result shows.

    What differs in another run of the original, ``again``, does not count.
    """
    was, now = _seen(first), _seen(last)
    if was is None or now is None or (first.ending.status == 0 and _is_echo(was, vocabulary)):
        return Likeness()
    learned = LearnedFailure.of("message", was, vocabulary)
    if again is not None and (other := _seen(again)):
        learned = learned.relaxed(other)
    same = learned.is_shown_by(now._replace(status=was.status))
    return Likeness(_description(was), _description(now), not same)


def looks(result: TrialResult) -> str:
    """Return what a run shows, on one line; empty if it shows nothing."""
    seen = _seen(result)
    return "" if seen is None else _description(seen)


def _seen(result: TrialResult) -> Signature | None:
    """Return what a run shows, if it shows anything.

    A script exits with 0 if the failure shows, so that its output tells of one all the same. Of two
    commands that differ, neither has to fail.
    """
    ending = result.ending
    if result.other is not None or ending.limit:
        return None
    seen = signature(ending if ending.status else ending._replace(status=1))
    return seen if seen.kind or seen.text else None


def _is_echo(seen: Signature, vocabulary: Vocabulary) -> bool:
    """Tell whether a script has printed a piece of its input, which tells of no failure."""
    tokens = {token.lower() for token in words_of(seen.text)}
    return not seen.kind and tokens <= vocabulary.known(tokens)


def _description(seen: Signature) -> str:
    text = ": ".join(filter(None, (seen.kind, _PRIVATE.sub("", seen.text))))
    if seen.frames and not seen.text:
        text += f" in {' ← '.join(map(short, seen.frames))}"
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[: MAX_SHOWN_CHARS - 1]}…"
