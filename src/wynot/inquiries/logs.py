"""The log of an inquiry, as its options ask for it, and what candidates are called there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wynot.commands.inquiry_options import InquiryOptions
from wynot.core.candidate import Candidate
from wynot.core.errors import InvalidLog
from wynot.core.foreign_text import for_shell_line
from wynot.inquiries.circumstances import Circumstances, Describable
from wynot.job.inquiry_log import InquiryLog, LogEntry, read_log

LEGEND = "verdict, seconds, digest, what was asked; to correct a verdict, change it and --replay"


def transcript_of(options: InquiryOptions, command: str) -> InquiryLog:
    """Read the log that is to be replayed, and begin the one that is to be written.

    They may be the same file.
    """
    known = _replayed(options.replay, command) if options.replay else ()
    if not options.log:
        return InquiryLog(known)
    remarks = [asked_by(options, command), LEGEND]
    return InquiryLog.begin(Path(options.log), command, remarks, known)


def asked_by(options: InquiryOptions, command: str) -> str:
    """Return a command line that asks the same."""
    return for_shell_line(["wynot", command, *_arguments(options)])


def words_of(case: Circumstances[Any], candidate: Candidate) -> str:
    """Return what a candidate is, in the words of whoever asks; if need be, how much of all."""
    if isinstance(case, Describable):
        return case.describe(candidate)
    return f"{len(candidate.kept):,} of {len(case.deltas):,} {case.levels[-1].name}"


def _replayed(path: str, command: str) -> tuple[LogEntry, ...]:
    log = read_log(Path(path))
    if log.command != command:
        raise InvalidLog(
            f"{path!r} is a log of wynot {log.command}, not of wynot {command}",
            hint="give the command that it was written by",
        )
    return log.entries


def _arguments(options: InquiryOptions) -> Iterator[str]:
    """Yield the arguments that make such options, but for what is told of them."""
    given = [
        (each, value)
        for each in options.options()
        if (value := getattr(options, each.name)) != each.default
        and each.name not in {"log", "replay", "json", "quiet"}
    ]
    if options.test:
        yield options.test
    for each, value in given:
        values = [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
        if not each.flags:
            yield from values
        elif each.is_flag:
            yield each.flags[-1] if value else each.spellings[-1]
        else:
            yield from (word for one in values for word in (each.flags[-1], one))
    if options.command:
        yield from ("--", *options.command)
