"""What was learned from the first run, and how much of it has to stay."""

from itertools import takewhile
from typing import Literal, NamedTuple

from wynot.core.ending import signal_name
from wynot.core.foreign_text import legible_line
from wynot.failures.dialects import COMPILERS, SPOKEN
from wynot.failures.failed_tests import FailedTest, in_words, is_one_of
from wynot.failures.signature import Signature
from wynot.failures.wording import (
    NO_INPUT,
    VARYING,
    Quoting,
    Vocabulary,
    common,
    exactly,
    fits,
    shown,
    words_of,
)
from wynot.settings import Same

SignaturePart = Literal["status", "kind", "message", "text", "frames", "alone", "failed"]

SEVERAL_FRAMES = 2


class LearnedFailure(NamedTuple):
    """What the first run looked like, and how much of it has to stay."""

    level: Same
    signature: Signature
    quoting: Quoting = Quoting()
    """Which of the texts in quotes have to stay."""
    frames: tuple[str, ...] = ()
    """The functions that have to stay, the innermost first."""
    anywhere: bool = False
    """Whether the message may be in any line that complains, since their order varies."""

    @classmethod
    def of(cls, level: Same, seen: Signature, vocabulary: Vocabulary) -> "LearnedFailure":
        """Take what a run looks like; the vocabulary tells what in it may be the input's."""
        is_input = vocabulary.is_run and level != "trace"
        frames = _not_of_input(seen.frames, vocabulary) if is_input else seen.frames
        return cls(level, seen, Quoting.learned(seen.quotes, vocabulary), frames)

    def is_shown_by(self, seen: Signature) -> bool:
        """Tell whether a run fails in the way that was learned."""
        return all(self._agrees(part, seen) for part in parts(self.level, self.signature))

    def relaxed(self, seen: Signature) -> "LearnedFailure":
        """Return what another run of the same input has in common with this.

        A part of which there is little in common stays as it is: that is another failure.
        """
        mine = self.signature
        pairs = zip(self.frames, seen.frames, strict=False)
        frames = tuple(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        signature = mine._replace(
            message=common(mine.message, seen.message) or mine.message,
            text=common(mine.text, seen.text) or mine.text,
            failed=_common_test(mine.failed, seen.failed),
        )
        quoting = self.quoting.relaxed(seen.quotes)
        return self._replace(signature=signature, quoting=quoting, frames=frames or self.frames)

    def in_any_line(self, line: str) -> "LearnedFailure":
        """Return the same for one of several complaints, wherever it is printed."""
        seen = self.signature.with_message(line)
        quoting = Quoting.learned(seen.quotes, NO_INPUT)
        return self._replace(signature=seen, quoting=quoting, anywhere=True)

    def _agrees(self, part: SignaturePart, seen: Signature) -> bool:
        if part == "text":
            return fits(exactly(self.signature.text), exactly(seen.text))
        if part == "failed":
            return is_one_of(self.signature.failed[:1], seen.failed)
        if part == "frames" and len(self.frames) < len(self.signature.frames):
            return seen.frames[: len(self.frames)] == self.frames
        if part == "message":
            is_like = fits(self.signature.message, seen.message)
            return is_like and self.quoting.admits(seen.quotes)
        return bool(getattr(seen, part) == getattr(self.signature, part))

    @property
    def words(self) -> str:
        """Say what has to stay: only the parts that are compared."""
        seen = self.signature
        compared = parts(self.level, seen)
        if "failed" in compared:
            return in_words(seen.failed[:1])
        ended = signal_name(-seen.status) if seen.status < 0 else f"exit status {seen.status}"
        description = seen.kind.replace("Sanitizer: ", "Sanitizer ") if "kind" in compared else ""
        message = self._message(compared)
        if not description:
            silent = "no output" if "message" in compared else ""
            return " and ".join(filter(None, (ended, message or silent)))
        if message:
            description += f" {message}"
        if "frames" in compared and self.frames:
            description += f" in {' ← '.join(map(short, self.frames))}"
        if "alone" in compared:
            description += " and no other error"
        return description

    def _message(self, compared: tuple[SignaturePart, ...]) -> str:
        seen = self.signature
        if "text" in compared:
            return in_quotes(exactly(seen.text).replace(VARYING, "…")) if seen.text else ""
        if "message" not in compared or not seen.message:
            return ""
        # A text that is kept as it is has no quotes of its own to tell apart.
        text = shown(seen.text, self.quoting.kept) if seen.quotes else seen.message
        return in_quotes(text.replace(VARYING, "…"))


def parts(level: Same, seen: Signature) -> tuple[SignaturePart, ...]:
    """Return the parts of a signature that have to stay.

    ``auto`` asks for as much as tells failures apart, and no more: what a reduction changes without
    changing the failure must not be asked for.

    * A test that fails is told by its name and the kind of its error; of several, the first counts.
    * An assertion is told by its text.
    * An exception is told by its message and by functions, three of them: a parser raises all its
      errors from the same places. Functions of an input that is itself the program do not count.
    * What a sanitizer reports is told by functions, and with only one by its message too.
    * A kind without functions needs its message.
    * A signal is all there is, but who calls abort says why.
    * A compiler that broke on a right program has to break on a right program.
    * A plain exit status needs what the program complained about; if it was silent, it has to stay
      so: almost everything that fails with 1 says why.
    """
    if level != "auto":
        return LEVELS[level]
    if seen.failed:
        return ("status", "failed")
    tells: list[SignaturePart] = ["status", "kind"]
    told_by_text = seen.kind in SPOKEN
    only_a_signal = seen.status < 0 and seen.kind == signal_name(-seen.status) != "SIGABRT"
    enough = len(seen.frames) >= SEVERAL_FRAMES and "Sanitizer" in seen.kind
    if told_by_text or not (enough or only_a_signal):
        tells.append("message")
    if seen.frames and not told_by_text:
        tells.append("frames")
    if seen.alone and seen.kind in COMPILERS:
        tells.append("alone")
    return tuple(tells)


LEVELS: dict[Same, tuple[SignaturePart, ...]] = {
    "auto": (),
    "exit": ("status",),
    "signal": ("status",),
    "message": ("status", "kind", "message"),
    "exact": ("status", "kind", "text"),
    "trace": ("status", "kind", "frames"),
}


def _not_of_input(frames: tuple[str, ...], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the innermost functions up to the first that the input itself has.

    What is called from a program that is reduced belongs to the failure; the program's own
    functions do not: they are renamed, inlined and left out like all that is in it.
    """
    known = vocabulary.known({word for name in frames for word in words_of(name)})
    own = (all(word.lower() in known for word in words_of(name)) or "<" in name for name in frames)
    return frames[: next((at for at, is_own in enumerate(own) if is_own), len(frames))]


def _common_test(
    mine: tuple[FailedTest, ...], seen: tuple[FailedTest, ...]
) -> tuple[FailedTest, ...]:
    """Return the failed tests, the first of them with what varies in its name marked as such."""
    if not mine or is_one_of(mine[:1], seen):
        return mine
    names = (common(mine[0].name, each.name) for each in seen if each.kind == mine[0].kind)
    name = next(filter(None, names), mine[0].name)
    return (mine[0]._replace(name=name), *mine[1:])


def short(function: str) -> str:
    """Return a function's name with the class that it is in, but not where that is."""
    return "::".join(function.split("::")[-2:])


def in_quotes(text: str) -> str:
    """Return a text in quotes, on one line."""
    shown = legible_line(text)
    return f"'{shown}'" if '"' in shown else f'"{shown}"'
