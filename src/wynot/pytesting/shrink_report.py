"""What is said about an input that was made smaller, in the report of its test."""

import pprint
from collections.abc import Sequence

import pytest

from wynot.core.foreign_text import for_terminal
from wynot.document.sentences import proof
from wynot.pytesting.inputs import Input
from wynot.pytesting.shrink import Shrinking

TITLE = "wynot: minimal input"
MAX_SHOWN_LINES = 200
"""Lines of an input that are shown."""
MAX_LINE_CHARS = 400
"""Characters of a line that are shown."""


def add(report: pytest.TestReport, text: str, title: str = TITLE) -> None:
    """Add a section to a report; to the traceback, if there is one, so that it is always shown."""
    add_section = getattr(report.longrepr, "addsection", None)
    if add_section is not None:
        add_section(title, text)
    else:
        report.sections.append((title, text))


def hint(report: pytest.TestReport) -> None:
    """Say that the input of a test could be made smaller."""
    add(report, "run pytest with --wynot to find the part of the input that makes it fail", "wynot")


def minimal(shrinking: Shrinking, saved: Sequence[str], *, is_shown: bool) -> str:
    """Return what was found."""
    runs = _counted(shrinking.runs)
    lines = [_listed(shrinking)]
    if shrinking.needs_nothing:
        lines.append(f"The test fails in the same way with nothing left ({runs}).")
    elif shrinking.stopped:
        lines.append(f"Stopped after {runs}: {shrinking.stopped}. It may not be minimal.")
    elif shrinking.is_minimal:
        lines.append(proof(["parts"], end=f" (1-minimal, {runs})."))
    else:
        lines.append(f"Not proved to be minimal ({runs}).")
    if is_shown:
        lines.append("The traceback above is that of this input.")
    else:
        lines.append(
            "When it was run once more, the failure did not show: it is not reliable. "
            "The traceback above is that of the first run."
        )
    return "\n".join([*lines, *saved])


def interrupted(shrinking: Shrinking) -> str:
    """Return what was found until the session was ended."""
    return f"{_listed(shrinking)}\nInterrupted after {_counted(shrinking.runs)}: the best so far."


def unreliable(shrinking: Shrinking) -> str:
    """Return why nothing was left out."""
    return (
        "Not looked for: run again on a copy of the same input, the test did not fail in the same "
        f"way ({_counted(shrinking.runs)}). The report is that of the first run."
    )


def _listed(shrinking: Shrinking) -> str:
    return (
        "\n\n".join(
            _one(source, best)
            for source, best in zip(shrinking.inputs, shrinking.best, strict=True)
        )
        + "\n"
    )


def _one(source: Input, value: object) -> str:
    lines = [f"{source.name}: {source.size(value)}", *_cut(_written(source, value))]
    if source.note:
        lines.append(f"({source.note})")
    return "\n".join(lines)


def _written(source: Input, value: object) -> list[str]:
    """Return the lines of a value: a file as it is, all else as Python writes it."""
    if source.kind == "file" and isinstance(value, bytes):
        try:
            text = value.decode()
        except UnicodeDecodeError:
            text = repr(value)
        if text.isprintable() or all(line.isprintable() for line in text.split("\n")):
            return [f"  | {for_terminal(line)}" for line in text.removesuffix("\n").split("\n")]
        return [f"  {value!r}"]
    try:
        written = pprint.pformat(value, width=88, sort_dicts=False)
    except Exception as error:  # noqa: BLE001 - it is another's class, and may refuse in any way
        written = f"<it cannot be written: {type(error).__name__}>"
    return [f"  {for_terminal(line)}" for line in written.splitlines()]


def _cut(lines: list[str]) -> list[str]:
    shown = [
        line if len(line) <= MAX_LINE_CHARS else f"{line[:MAX_LINE_CHARS]}…"
        for line in lines[:MAX_SHOWN_LINES]
    ]
    if shown != lines:
        shown.append(f"  … ({len(lines)} lines; --wynot-save DIR writes all of it)")
    return shown


def _counted(runs: int) -> str:
    return "1 run" if runs == 1 else f"{runs} runs"
