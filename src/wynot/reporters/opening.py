"""The first lines: what is reduced or asked about, how, and by what the failure is known."""

from wynot.core.events import InquiryStarted, ReductionStarted
from wynot.core.foreign_text import for_terminal
from wynot.core.quantities import counted
from wynot.reporters.words import LINE_COLUMNS, cut, instant, subject, wrap

_NAME_COLUMNS = 40
_KEEPS_COLUMNS = 200


def opening(began: ReductionStarted | InquiryStarted, width: int = LINE_COLUMNS) -> list[str]:
    """Return lines without colour."""
    if isinstance(began, ReductionStarted):
        what = f"reducing {subject(began.names, _NAME_COLUMNS)}, {counted(began.size, 'byte')}"
    else:
        what = for_terminal(began.subject)
    facts = [
        f"{what}; {counted(began.jobs, 'test')} at a time, {instant(began.seconds)} each",
        f"keeps: {cut(for_terminal(began.keeps), _KEEPS_COLUMNS)}",
        *(f"passes: {cut(for_terminal(words), _KEEPS_COLUMNS)}" for words in began.passes),
    ]
    if began.writable is not None:
        is_default = began.options.keys().isdisjoint({"confine", "writable"})
        facts.append(_confined(began.writable, is_default=is_default))
    if began.known:
        facts.append(f"{counted(began.known, 'verdict')} of an earlier run known already")
    return [
        line for fact in facts for line in wrap(f"wynot: {fact}", indent="       ", width=width)
    ]


def _confined(writable: tuple[str, ...], *, is_default: bool) -> str:
    """Say where tests can write, and which of them could write elsewhere."""
    more = "".join(f", or to {for_terminal(folder)}" for folder in writable)
    besides = "; the original may also run unconfined, except with --confine" if is_default else ""
    return (
        f"confined: tests can write only to their private folders{more} "
        f"(--no-confine lifts that){besides}"
    )
