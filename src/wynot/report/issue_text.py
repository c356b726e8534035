"""What can be pasted into a bug report: at most sixty lines, which a person reads in a minute."""

import platform
import sys
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.core.foreign_text import for_code_span, for_fence, for_markdown, legible
from wynot.core.options.quantities import counted, listed
from wynot.document.sentences import proof
from wynot.report.step_view import is_text
from wynot.report.story import Story

MAX_ISSUE_LINES = 60
MIN_EXPLAINED_LINES = 6
"""With fewer lines nothing is said of why it fails."""
_EXPLAINED = ("What it needs, found by varying each part of it:", "")
MAX_CASE_LINES = 24
MAX_CASE_CHARS = 3_000
MAX_TITLE_CHARS = 100


class IssueFacts(NamedTuple):
    """What is known beside the steps."""

    version: str
    names: Sequence[str]
    run: str
    ending: str
    """How the command ends; empty if it is a script, which says whether the failure shows."""
    shown: str
    """What the failure looks like, in a line; empty if that is not known."""
    explanation: Sequence[str] = ()
    """Why it fails, in lines; empty if that is not known."""


def issue_text(story: Story, facts: IssueFacts) -> str:
    """Return the text, as Markdown."""
    title = facts.shown or facts.ending or f"a failure with {listed(facts.names)}"
    before = (
        f"# {for_markdown(title, MAX_TITLE_CHARS)}",
        "",
        *_case(story),
        "",
        "To reproduce, with the attached folder:",
        "",
        *for_fence("sh reproduce.sh", "sh"),
        "",
        "which runs, in a folder with the case:",
        "",
        *for_fence(facts.run.replace('"$here"/', "../"), "sh"),
        "",
        f"It ends with: {for_markdown(facts.ending)}."
        if facts.ending
        else "It exits with 0 if the failure shows.",
        *([f"It shows: {for_code_span(facts.shown)}"] if facts.shown else []),
        "",
    )
    after = (
        f"Seen on {for_markdown(platform.platform())}, Python {sys.version.split()[0]}.",
        "",
        _origin(story, facts.version),
        "",
    )
    room = MAX_ISSUE_LINES - len(before) - len(after)
    return "\n".join((*before, *_explained(facts.explanation, room), *after))


def _explained(lines: Sequence[str], room: int) -> list[str]:
    """Return why it fails, as much of it as there is room for."""
    left = room - len(_EXPLAINED) - len(for_fence("", "text"))
    if not lines or left < MIN_EXPLAINED_LINES:
        return []
    kept = [*lines] if len(lines) <= left else [*lines[: left - 1], "…"]
    return [*_EXPLAINED, *for_fence("\n".join(kept), "text"), ""]


def _case(story: Story) -> list[str]:
    """Return the case, if it is small enough to be read here."""
    texts = []
    for path, content in story.result.contents.items():
        shown = legible(content).rstrip("\n")
        if not is_text(content) or not content:
            shown = f"({counted(len(content), 'byte')}, attached)"
        ending = PurePosixPath(path).suffix.removeprefix(".")
        language = ending if ending.isalnum() else ""
        texts += [f"{for_code_span(path)}:", "", *for_fence(shown, language)]
    if len(texts) > MAX_CASE_LINES or sum(map(len, texts)) > MAX_CASE_CHARS:
        files = counted(len(story.result.contents), "file")
        return [f"The case is attached: {files}, {counted(story.result.size, 'byte')}."]
    return texts


def _origin(story: Story, version: str) -> str:
    proved = proof(story.minimal, line_ends=story.line_ends) if story.minimal else ""
    claim = f" {for_markdown(proved)}" if proved else ""
    sizes = f"{story.original.size:,} to {counted(story.result.size, 'byte')}"
    return f"Reduced from {sizes} in {counted(story.tests, 'test')} by wynot {version}.{claim}"
