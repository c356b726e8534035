"""Which of many failures are one: for groups of inputs, each of which fails by itself.

Two inputs belong together if each fails in the way that the other would be reduced for
(`learned_failure`). That is said of one input and what is left of it; two inputs that
have nothing to do with each other may also show different words of theirs in the same message,
quoted or not. So where kind and functions are the same, messages may differ in words that are in
the inputs; and where the line is known (`wynot.failures.failing_place`), in all that is in quotes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from wynot.core.ending import Ending
from wynot.failures.failing_place import NOWHERE, FailingPlace
from wynot.failures.learned_failure import LearnedFailure
from wynot.failures.signature import Signature, signature
from wynot.failures.wording import Vocabulary, worded
from wynot.settings import Same

_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"[\"'`\u2018\u201c].*[\"'`\u2019\u201d]")
"""From the first quote to the last: an input that is quoted may have quotes of its own."""


def shown_failure(ending: Ending, *, by_script: bool) -> Signature:
    """Return what a run shows; a script that says it by its exit status need not show anything.

    What a script prints tells failures apart only if it is the report of a known kind: much of it
    is the input, or how far the script has come.
    """
    if ending.limit:
        return Signature(0, f"stopped: {ending.limit}")
    seen = signature(ending if ending.status or not by_script else ending._replace(status=1))
    if by_script:
        seen = seen._replace(status=0)
        return seen if seen.kind else Signature(0)
    return seen


@dataclass(frozen=True, slots=True)
class FailureClass:
    """What the failures of a group have in common: all that one of them shows, but for its input.

    ``vocabulary`` is that of the input that shows it.
    """

    learned: LearnedFailure
    vocabulary: Vocabulary
    place: FailingPlace = NOWHERE
    """Where the program failed, if that tells failures apart."""

    @classmethod
    def of(
        cls,
        level: Same,
        seen: Signature,
        vocabulary: Vocabulary,
        place: FailingPlace = NOWHERE,
    ) -> "FailureClass":
        """Take what a run looks like, and the words of its input."""
        return cls(LearnedFailure.of(level, seen, vocabulary), vocabulary, place)

    @property
    def seen(self) -> Signature:
        """What the run looked like."""
        return self.learned.signature

    @property
    def key(self) -> str:
        """Some digits that stay the same from run to run, for names of folders."""
        seen = self.seen
        parts = (str(seen.status), seen.kind, seen.message, self.place.line, *self.learned.frames)
        return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:8]

    @property
    def words(self) -> str:
        """The failure in one line."""
        if not self.seen.kind and not self.seen.status:
            return "the test says so"
        line = self.place.line
        return f"{self.learned.words} ({line})" if line else self.learned.words

    def holds(self, other: "FailureClass") -> bool:
        """Tell whether another failure is the same."""
        if not self.place.is_near(other.place):
            return False
        if self.learned.is_shown_by(other.seen) and other.learned.is_shown_by(self.seen):
            return True
        mine, theirs = self.seen, other.seen
        # In one line it is one exception, by whatever calls: parsers call themselves in many ways.
        is_one_line = bool(self.place.line) and "Sanitizer" not in mine.kind
        calls = (
            (mine.frames[:1], theirs.frames[:1]) if is_one_line else (mine.frames, theirs.frames)
        )
        is_alike = (mine.status, mine.kind) == (theirs.status, theirs.kind) and calls[0] == calls[1]
        is_placed = bool(mine.frames or is_one_line)
        if not is_alike or not is_placed or mine.failed or self.learned.level == "exact":
            return False
        text_of = _outside_quotes if is_one_line else _with_quotes
        return _differ_in_input_only(
            text_of(mine), text_of(theirs), self.vocabulary.known, other.vocabulary.known
        )


def _outside_quotes(seen: Signature) -> str:
    """Return what is said, but nothing in quotes: in one line, that is about the input."""
    return worded(_QUOTED.sub("…", seen.text)).bare


def _with_quotes(seen: Signature) -> str:
    """Return what is said, and what stands in quotes in it as well."""
    return " ".join([seen.message, *(text for group in seen.quotes for text in group)])


def _differ_in_input_only(
    one: str,
    two: str,
    in_one: Callable[[set[str]], frozenset[str]],
    in_two: Callable[[set[str]], frozenset[str]],
) -> bool:
    """Tell whether two messages are the same but for words that are in their inputs."""
    if _WORD.sub("_", one) != _WORD.sub("_", two):
        return False
    pairs = zip(_WORD.findall(one), _WORD.findall(two), strict=True)  # as many, by the rest
    differing = [(mine, theirs) for mine, theirs in pairs if mine != theirs]
    known_one = in_one({mine for mine, _ in differing})
    known_two = in_two({theirs for _, theirs in differing})
    return all(
        mine.lower() in known_one and theirs.lower() in known_two for mine, theirs in differing
    )
