"""The log of an inquiry, as its options ask for it, and what candidates are called there."""

from pathlib import Path
from typing import Any

from wynot.commands.inquiry_options import InquiryOptions
from wynot.core.candidate import Candidate
from wynot.core.errors import InvalidLog
from wynot.core.foreign_text import for_shell_line
from wynot.core.options.command_line import command_line
from wynot.inquiries.circumstances import Circumstances, Describable
from wynot.job.inquiry_log import InquiryLog, LogEntry, read_log

_REPORTING = {"log", "replay", "json", "quiet"}
"""Options that change what is reported, and not what is asked."""
LEGEND = "verdict, seconds, digest, what was asked; to correct a verdict, change it and --replay"


def log_of(options: InquiryOptions, command: str) -> InquiryLog:
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
    asks = {name: value for name, value in vars(options).items() if name not in _REPORTING}
    return for_shell_line(command_line(asks, command, type(options)))


def description_of(case: Circumstances[Any], candidate: Candidate) -> str:
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
