"""What can be pasted into a bug report: at most sixty lines, which a person reads in a minute."""

import platform
import re
import sys
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.core.phrases import counted, listed, proof
from wynot.report.story import Story
from wynot.report.visible import is_text, visible

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
        f"# {_line(title)[:MAX_TITLE_CHARS]}",
        "",
        *_case(story),
        "",
        "To reproduce, with the attached folder:",
        "",
        *_fenced("sh reproduce.sh", "sh"),
        "",
        "which runs, in a folder with the case:",
        "",
        *_fenced(facts.run.replace('"$here"/', "../"), "sh"),
        "",
        f"It ends with: {_line(facts.ending)}."
        if facts.ending
        else "It exits with 0 if the failure shows.",
        *([f"It shows: `{_line(facts.shown)}`"] if facts.shown else []),
        "",
    )
    after = (
        f"Seen on {_line(platform.platform())}, Python {sys.version.split()[0]}.",
        "",
        _origin(story, facts.version),
        "",
    )
    room = MAX_ISSUE_LINES - len(before) - len(after)
    return "\n".join((*before, *_explained(facts.explanation, room), *after))


def _explained(lines: Sequence[str], room: int) -> list[str]:
    """Return why it fails, as much of it as there is room for."""
    left = room - len(_EXPLAINED) - len(_fenced("", "text"))
    if not lines or left < MIN_EXPLAINED_LINES:
        return []
    kept = [*lines] if len(lines) <= left else [*lines[: left - 1], "…"]
    return [*_EXPLAINED, *_fenced(visible("\n".join(kept).encode("utf-8", "replace")), "text"), ""]


def _case(story: Story) -> list[str]:
    """Return the case, if it is small enough to be read here."""
    texts = []
    for path, content in story.result.contents.items():
        shown = visible(content).rstrip("\n")
        if not is_text(content) or not content:
            shown = f"({counted(len(content), 'byte')}, attached)"
        ending = PurePosixPath(path).suffix.removeprefix(".")
        texts += [f"`{_line(path)}`:", "", *_fenced(shown, ending if ending.isalnum() else "")]
    if len(texts) > MAX_CASE_LINES or sum(map(len, texts)) > MAX_CASE_CHARS:
        files = counted(len(story.result.contents), "file")
        return [f"The case is attached: {files}, {counted(story.result.size, 'byte')}."]
    return texts


def _origin(story: Story, version: str) -> str:
    claim = f" {_line(proof(story.minimal, line_ends=story.line_ends))}" if story.minimal else ""
    sizes = f"{story.original.size:,} to {counted(story.result.size, 'byte')}"
    return f"Reduced from {sizes} in {counted(story.tests, 'test')} by wynot {version}.{claim}"


def _fenced(text: str, language: str) -> list[str]:
    """Return a block of code, whatever is in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *text.split("\n"), fence]


def _line(text: str) -> str:
    """Return a text on one line, that ends no code."""
    return " ".join(visible(text.encode("utf-8", "surrogateescape")).split()).replace("`", "'")
