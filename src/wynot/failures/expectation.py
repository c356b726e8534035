"""What must hold for a run to be interesting: said by hand, or learned from the first run.

The verdicts are those of Zeller & Hildebrandt 2002, §2.3 and §4.4. A run that shows the failure is
interesting. One that went well is uninteresting: it *passes*. One that fails in another way is
neither, and unresolved: a candidate that was made from a program by cutting is often no program at
all any more, and to call that a pass would be as wrong as to call it the failure.
"""

import re
import signal as signals
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import get_args

from wynot.commands.shared_options import FailureOptions
from wynot.core.ending import Ending, signal_name
from wynot.core.errors import InvalidOption, NotInteresting, nearest
from wynot.core.options.pattern import compiled
from wynot.core.options.quantities import bounded_integer
from wynot.core.verdict import Verdict
from wynot.failures.learned_failure import LEVELS, LearnedFailure, in_quotes
from wynot.failures.signature import (
    SEEN_BYTES,
    SHELL_SIGNAL_BASE,
    Signature,
    as_signal,
    error_lines,
    readable,
    signature,
)
from wynot.failures.wording import NO_INPUT, Vocabulary, worded
from wynot.settings import Same

LARGEST_STATUS = 255
MAX_ERROR_LINES = 100
"""Lines of a run that are looked at where any of them may be the failure."""


@dataclass(frozen=True)
class Expectation:
    """What a run must look like to be interesting: everything that is asked holds.

    If it does not: a run that ended with exit status 0 is uninteresting (and, if there is something
    learned, shows no failure of any known kind); any other is unresolved. If it is to hang, a run
    that ends by itself is uninteresting, whatever its exit status. A run that wynot ended is
    unresolved, unless it is to hang and took too long.
    """

    same: LearnedFailure | None = None
    exit: int | None = None
    signal: int | None = None
    stdout: re.Pattern[bytes] | None = None
    stderr: re.Pattern[bytes] | None = None
    not_stdout: re.Pattern[bytes] | None = None
    not_stderr: re.Pattern[bytes] | None = None
    text: tuple[bytes, ...] = ()
    """What has to be there literally, on either output."""
    hangs: bool = False

    @classmethod
    def from_options(cls, options: FailureOptions) -> "Expectation | None":
        """Return what options say by hand; None if they do not.

        Patterns are Python's, searched for anywhere, with ``^`` and ``$`` at every line. Raises
        `InvalidOption` for a value that makes no sense.
        """
        if not options.by_hand:
            return None
        _refuse_impossible(options)
        return cls(
            exit=options.exit,
            signal=None if options.signal is None else _signal_number(options.signal),
            stdout=_pattern("stdout", options.stdout),
            stderr=_pattern("stderr", options.stderr),
            not_stdout=_pattern("not_stdout", options.not_stdout),
            not_stderr=_pattern("not_stderr", options.not_stderr),
            text=tuple(each.encode("utf-8", "surrogateescape") for each in options.text),
            hangs=options.hangs,
        )

    @classmethod
    def learned(
        cls, ending: Ending, same: Same = "auto", vocabulary: Vocabulary = NO_INPUT
    ) -> "Expectation":
        """Return what the first run shows, as far as ``same`` asks for it.

        Raises `NotInteresting` if it shows no failure, or nothing of what is asked.
        """
        if same not in get_args(Same):
            raise InvalidOption(f"is {same!r}", option="same", hint=nearest(same, [*LEVELS]))
        if ending.limit:
            raise NotInteresting(
                f"the first run did not end by itself: {ending.description}",
                hint="if the failure is that it hangs, give --hangs; else more time, --timeout",
            )
        seen = signature(ending)
        if not seen.status and not seen.kind:
            raise NotInteresting(
                "the first run shows no failure: exit status 0, and nothing known in its output"
                f"{ending.tail}",
                hint="say what to look for with --stdout REGEX or --stderr REGEX, or write a test",
            )
        how = ending.description
        lacks = {
            "exit": "" if ending.status else "its exit status is 0",
            "signal": "" if seen.status < 0 else f"no signal ended it: {how}",
            "message": "" if seen.kind or seen.message else f"it said nothing: {how}",
            "exact": "" if seen.kind or seen.text else f"it said nothing: {how}",
            "trace": "" if seen.frames else f"there are no functions in its output: {how}",
        }.get(same)
        if lacks:
            raise NotInteresting(
                f"is {same!r}, but the first run does not have that: {lacks}",
                option="same",
                hint="leave it at 'auto', which takes what there is",
            )
        return cls(same=LearnedFailure.of(same, seen, vocabulary))

    def judge(self, ending: Ending) -> Verdict:
        """Return what a run says about its candidate."""
        if ending.limit and not (self.hangs and ending.limit == "timeout"):
            return Verdict.UNRESOLVED
        seen = signature(ending) if self.same else Signature(ending.status)
        if self._holds(ending) and (self.same is None or _shows(ending, seen, self.same)):
            return Verdict.INTERESTING
        if ending.limit:
            return Verdict.UNRESOLVED
        ended_well = ending.status >= 0 if self.hangs else ending.status == 0
        return Verdict.UNINTERESTING if ended_well and not seen.kind else Verdict.UNRESOLVED

    def after(self, _first: Ending) -> "Expectation":
        """Unchanged: there is nothing more to learn."""
        return self

    def relaxed(self, first: Ending, again: Ending) -> "Expectation":
        """Return what two runs of the same input have in common, if there is something learned.

        If not even the same line was found to complain, the order of lines varies: then it is the
        first that both runs have.
        """
        if self.same is None or first.limit or again.limit:
            return self
        seen = signature(again)
        same = self.same.relaxed(seen)
        if not (same.is_shown_by(seen) or seen.kind or self.same.signature.kind):
            printed = {worded(line).bare for line in _error_lines(again)}
            shared = (line for line in _error_lines(first) if worded(line).bare in printed)
            lines = map(self.same.in_any_line, shared)
            same = next((each for each in lines if _shows(again, seen, each)), same)
        return replace(self, same=same)

    @property
    def captures(self) -> bool:
        """Whether the output of a run has to be there to judge it."""
        patterns = (self.stdout, self.stderr, self.not_stdout, self.not_stderr)
        return self.same is not None or any(patterns) or bool(self.text)

    def unsearched(self, ending: Ending) -> str:
        """Return a remark on an output that is too long to be searched as a whole; else empty."""
        if not self.captures or max(len(ending.stdout), len(ending.stderr)) <= 2 * SEEN_BYTES:
            return ""
        kilobytes = SEEN_BYTES >> 10
        return (
            f"the output is longer than {2 * kilobytes} KiB: wynot searches the first and the last "
            f"{kilobytes} KiB of it for the failure"
        )

    @property
    def words(self) -> str:
        """What must hold, on one line."""
        parts = []
        if self.same:
            parts.append(self.same.words)
        if self.hangs:
            parts.append("hangs")
        if self.exit is not None:
            parts.append(f"exit status {self.exit}")
        if self.signal is not None:
            parts.append(signal_name(self.signal))
        for pattern, where in (
            (self.stdout, "on stdout"),
            (self.stderr, "on stderr"),
            (self.not_stdout, "not on stdout"),
            (self.not_stderr, "not on stderr"),
        ):
            if pattern:
                parts.append(f"{in_quotes(pattern.pattern.decode(errors='replace'))} {where}")
        parts += [f"{in_quotes(each.decode(errors='replace'))} in its output" for each in self.text]
        return " and ".join(parts)

    def _holds(self, ending: Ending) -> bool:
        """Whether everything that was asked by hand holds."""
        status = as_signal(ending.status)
        return (
            (not self.hangs or ending.limit == "timeout")
            and (self.exit is None or status == as_signal(self.exit))
            and (
                self.signal is None
                or ending.status in (-self.signal, SHELL_SIGNAL_BASE + self.signal)
            )
            and all(
                pattern is None or (_found(pattern, output) == wanted)
                for pattern, output, wanted in (
                    (self.stdout, ending.stdout, True),
                    (self.stderr, ending.stderr, True),
                    (self.not_stdout, ending.stdout, False),
                    (self.not_stderr, ending.stderr, False),
                )
            )
            and all(_is_printed(text, ending) for text in self.text)
        )


def _shows(ending: Ending, seen: Signature, same: LearnedFailure) -> bool:
    """Tell whether a run fails in the way that was learned; ``seen`` is its signature."""
    if not same.anywhere or seen.kind:
        return same.is_shown_by(seen)
    return any(same.is_shown_by(seen.with_message(line)) for line in _error_lines(ending))


def _error_lines(ending: Ending) -> Iterator[str]:
    """Go through the lines of both outputs that look as if they told what is wrong."""
    found = chain(*(error_lines(readable(output)) for output in (ending.stderr, ending.stdout)))
    return islice(found, MAX_ERROR_LINES)


def _found(pattern: re.Pattern[bytes], output: bytes) -> bool:
    """Whether a pattern is in what is looked at of an output: its beginning and its end."""
    if len(output) <= 2 * SEEN_BYTES:
        return pattern.search(output) is not None
    return any(
        pattern.search(each) is not None for each in (output[:SEEN_BYTES], output[-SEEN_BYTES:])
    )


def _is_printed(text: bytes, ending: Ending) -> bool:
    """Whether a text is in what is looked at of either output."""
    literal = re.compile(re.escape(text))
    return _found(literal, ending.stdout) or _found(literal, ending.stderr)


def _pattern(option: str, text: str | None) -> re.Pattern[bytes] | None:
    """Compile what was asked for by hand."""
    return None if text is None else compiled(option, text)


def _refuse_impossible(options: FailureOptions) -> None:
    """Raise if no run could be what is asked for."""
    has_exit, has_signal = options.exit is not None, options.signal is not None
    if options.exit is not None and not 0 <= options.exit <= LARGEST_STATUS:
        raise InvalidOption(
            f"is {options.exit!r}, which is not an exit status",
            option="exit",
            hint="it is a number from 0 to 255",
        )
    if options.hangs and (has_exit or has_signal):
        raise InvalidOption(
            "a program that hangs has no exit status and no signal of its own",
            hint="ask for --hangs, or for --exit or --signal",
        )
    if has_exit and has_signal:
        raise InvalidOption(
            "a program ends with an exit status or by a signal, not both",
            hint="ask for --exit or for --signal",
        )
    if "" in options.text:
        raise InvalidOption(
            "is empty, which is in every output",
            option="text",
            hint="give what is to be found",
        )


def _signal_number(named: str) -> int:
    """Return the number of a signal: 11, "11", "SEGV", "SIGSEGV"."""
    text = named.strip().upper()
    number = bounded_integer(text)
    if number is not None and 0 < number < signals.NSIG:
        return number
    try:
        return signals.Signals[f"SIG{text.removeprefix('SIG')}"].value
    except KeyError:
        raise InvalidOption(
            f"is {named!r}, and there is no such signal",
            option="signal",
            hint="name it as `kill -l` does, or give its number: SEGV, SIGSEGV, 11",
        ) from None
