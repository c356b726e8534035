"""The first lines: what is reduced, how, and by what the failure is known."""

from wynot.core.events import ReductionStarted
from wynot.reporters.words import LINE_COLUMNS, clean, counted, cut, instant, subject, wrap

_NAME_COLUMNS = 40
_KEEPS_COLUMNS = 200


def guards(passes: tuple[str, ...]) -> list[str]:
    """Return what else must hold of every case, a fact each."""
    return [f"passes: {cut(clean(words), _KEEPS_COLUMNS)}" for words in passes]


def opening(began: ReductionStarted, width: int = LINE_COLUMNS) -> list[str]:
    """Return lines without colour."""
    what = f"reducing {subject(began.names, _NAME_COLUMNS)}, {counted(began.size, 'byte')}"
    pace = f"{counted(began.jobs, 'test')} at a time, {instant(began.seconds)} each"
    facts = [
        f"{what}; {pace}",
        f"keeps: {cut(clean(began.keeps), _KEEPS_COLUMNS)}",
        *guards(began.passes),
    ]
    if began.writable is not None:
        facts.append(confined(began.writable))
    if began.known:
        facts.append(f"{counted(began.known, 'verdict')} of an earlier run known already")
    return [
        line for fact in facts for line in wrap(f"wynot: {fact}", indent="       ", width=width)
    ]


def confined(writable: tuple[str, ...]) -> str:
    """Say where tests can write."""
    more = "".join(f", or to {clean(folder)}" for folder in writable)
    return (
        f"confined: tests can write only to their private folders{more} (--no-confine lifts that)"
    )
