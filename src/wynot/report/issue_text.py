"""What can be pasted into a bug report: at most sixty lines, which a person reads in a minute."""

import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.core.files import is_text
from wynot.core.foreign_text import legible
from wynot.core.options.quantities import counted, listed
from wynot.document.blocks import Block, CodeBlock, Paragraph, code
from wynot.document.markdown import markdown
from wynot.document.sentences import proof
from wynot.report.story import Story

MAX_ISSUE_LINES = 60
MIN_EXPLAINED_LINES = 6
"""With fewer lines nothing is said of why it fails."""
FRAME_LINES = 5
"""Lines of what frames it."""
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
    ends = "It exits with 0 if the failure shows."
    before = markdown(
        (
            Paragraph(" ".join(title.split())[:MAX_TITLE_CHARS], "heading"),
            *_case(story),
            Paragraph("To reproduce, with the attached folder:"),
            CodeBlock("sh reproduce.sh", language="sh"),
            Paragraph("which runs, in a folder with the case:"),
            CodeBlock(facts.run.replace('"$here"/', "../"), language="sh"),
            Paragraph(["It ends with: ", facts.ending, "."] if facts.ending else ends),
            *([Paragraph(["It shows: ", code(facts.shown)])] if facts.shown else []),
        )
    )
    proved = f" {proof(story.minimal, line_ends=story.line_ends)}" if story.minimal else ""
    sizes = f"{story.original.size:,} to {counted(story.result.size, 'byte')}"
    tests = counted(story.tests, "test")
    after = markdown(
        (
            Paragraph(["Seen on ", platform.platform(), f", Python {sys.version.split()[0]}."]),
            Paragraph(f"Reduced from {sizes} in {tests} by wynot {facts.version}.{proved}"),
        )
    )
    room = MAX_ISSUE_LINES - before.count("\n") - after.count("\n")
    return before + markdown(_explained(facts.explanation, room)) + after


def _explained(lines: Sequence[str], room: int) -> Iterator[Block]:
    """Yield why it fails, as much of it as there is room for."""
    left = room - FRAME_LINES
    if lines and left >= MIN_EXPLAINED_LINES:
        kept = [*lines] if len(lines) <= left else [*lines[: left - 1], "…"]
        yield Paragraph("What it needs, found by varying each part of it:")
        yield CodeBlock("\n".join(kept), language="text")


def _case(story: Story) -> Sequence[Block]:
    """Return the case, if it is small enough to be read here."""
    blocks = []
    for path, content in story.result.contents.items():
        is_shown = bool(content) and is_text(content)
        shown = legible(content) if is_shown else f"({counted(len(content), 'byte')}, attached)"
        ending = PurePosixPath(path).suffix.removeprefix(".")
        blocks.append(CodeBlock(shown.rstrip("\n"), path, ending if ending.isalnum() else ""))
    whole = markdown(blocks)
    if whole.count("\n") > MAX_CASE_LINES or len(whole) > MAX_CASE_CHARS:
        files = counted(len(story.result.contents), "file")
        size = counted(story.result.size, "byte")
        return [Paragraph(f"The case is attached: {files}, {size}.")]
    return blocks
