"""What is told of options: those that a failure needs, and those that prevent it."""

from collections.abc import Sequence

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.core.foreign_text import for_shell_line
from wynot.core.options.quantities import listed
from wynot.inquiries.options.circumstance import CommandOptions
from wynot.inquiries.options.preventing import Preventing
from wynot.inquiries.worded import Worded


def needed(case: CommandOptions, _question: str, found: Deltas) -> Worded:
    """Word what the failure needs."""
    names = [case.name(delta) for delta in found]
    every, only = len(case.deltas), f"its only {case.kind.removesuffix('s')}"
    title = f"it fails without {only if every == 1 else f'any of its {every} {case.kind}'}"
    if found:
        share = only if every == 1 else f"{len(found)} of {every} {case.kind}"
        title = f"it fails with {share}: {listed(names)}"
    data = {
        "options": [list(case.options[each]) for each in found if each < len(case.options)],
        "variables": [
            case.variables[each - len(case.options)].name
            for each in found
            if each >= len(case.options)
        ],
        "argv": list(case.chosen(found).argv),
        "line": case.line(found),
    }
    return Worded(title, (Shown(f"fails: {case.line(found)}"),), data)


def prevented(case: Preventing, _question: str, found: Deltas) -> Worded:
    """Word which options prevent the failure together; none of all does so by itself."""
    names = listed([case.name(delta) for delta in found])
    return Worded(
        f"no single option prevents the failure; together {names} do",
        (Shown(f"passes: {for_shell_line(case.given(found).argv)}"),),
        _alternatives(case, [found]),
    )


def prevented_alone(case: Preventing, found: Sequence[int], *, is_all: bool) -> Worded:
    """Word which options prevent the failure by themselves; ``is_all``: each one was tried."""
    sets = [Deltas.of([delta]) for delta in found]
    names, every = listed([case.name(delta) for delta in found]), len(case.deltas)
    if not found:
        title = "no option that was tried prevents the failure by itself"
    elif every == 1:
        title = f"{names} prevents the failure"
    elif len(found) == 1:
        title = f"1 of {every} options prevents the failure: {names}"
    else:
        title = f"{len(found)} of {every} options prevent the failure, each by itself: {names}"
    lines = [Shown(f"passes: {for_shell_line(case.given(alone).argv)}") for alone in sets]
    if not is_all:
        lines.append(Shown("not all of the options were tried"))
    return Worded(title, tuple(lines), _alternatives(case, sets))


def _alternatives(case: Preventing, sets: Sequence[Deltas]) -> dict[str, object]:
    return {
        "alternatives": [
            {
                "options": [list(case.tried[delta]) for delta in found],
                "argv": list(case.given(found).argv),
            }
            for found in sets
        ]
    }
