"""What is told of options: those that a failure needs, and those that prevent it."""

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.core.phrases import listed
from wynot.core.typed import typed_line
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
    """Word which options prevent the failure."""
    names = listed([case.name(delta) for delta in found])
    verb = "prevents" if len(found) == 1 else "together prevent"
    argv = case.chosen(case.deltas.toggle(found)).argv
    data = {"options": [list(case.tried[delta]) for delta in found], "argv": list(argv)}
    shown = Shown(f"passes: {typed_line(argv)}")
    return Worded(f"{names} {verb} the failure", (shown,), data)
