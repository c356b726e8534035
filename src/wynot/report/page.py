"""The page of a reduction: one file that needs nothing else."""

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import InvalidOption
from wynot.core.files import is_text
from wynot.core.foreign_text import Html, dotted, for_html, for_script_line, legible
from wynot.core.options.command_line import command_line
from wynot.core.options.quantities import counted
from wynot.disk.write import write
from wynot.document.blocks import Bar, Block, CodeBlock, Fold, Paragraph, TextTable, code
from wynot.document.explanation_blocks import explanation_blocks
from wynot.document.html import (
    GENERATOR,
    fragment,
    framed,
    html,
    note,
    own_file,
    section,
    tag,
    tiles,
)
from wynot.document.sentences import proof
from wynot.report.origins import MAX_MAP_CHARS, MapColours, cut_map, strip
from wynot.report.story import INTERESTING, Story
from wynot.report.timeline import timeline

MAX_RESULT_BYTES = 40_000
MAX_FILES = 200
"""Files whose maps are shown."""
MAX_WHAT_CHARS = 120
MAX_ENDINGS = 12
TITLES = {
    "result": ("result", "What is left"),
    "explanation": ("why it fails", "Why it fails"),
    "size": ("size", "Size"),
    "workers": ("workers", "Workers"),
    "passes": ("passes", "Passes"),
    "map": ("cut map", "Cut map"),
    "steps": ("steps", "Steps"),
    "settings": ("settings", "Settings"),
}
"""What each part is called above all of them, and above itself."""


def page(story: Story, name: str, version: str) -> str:
    """Return the page of a reduction; ``name`` is what history is asked with to restore a step."""
    found = story.explanation
    parts = {
        "result": html(_result(story)),
        "explanation": html(explanation_blocks(found)) if found else None,
        "size": _chart(story),
        "workers": timeline(story.test_spans, story.pass_spans),
        "passes": html(_passes(story)),
        "map": _map(story),
        "steps": _steps(story),
        "settings": html(_settings(story, version)),
    }
    there = {key: part for key, part in parts.items() if part}
    sections = (section(key, TITLES[key][1], part) for key, part in there.items())
    return framed(
        f"{name}: {_sizes(story)}",
        fragment((_headline(story), *sections), "\n"),
        {key: TITLES[key][0] for key in there},
        scripts=[own_file("wynot.report", "page.js")],
        data=_data(story, name),
    )


def _sizes(story: Story) -> str:
    return f"{story.original.size:,} → {counted(story.result.size, 'byte')}"


def _headline(story: Story) -> Html:
    share = 100 * story.result.size / max(1, story.original.size)
    figures = {
        "original": f"{story.original.size:,} B",
        "result": f"{story.result.size:,} B",
        "left": f"{share:.3g} %",
        "tests": f"{story.tests:,}",
        "interesting": f"{story.verdicts[INTERESTING]:,}",
        "steps": f"{len(story.steps):,}",
    }
    blocks: list[Block] = [Paragraph(_proof(story), "lead")]
    if story.seen:
        blocks.append(Paragraph(["It shows: ", code(story.seen)]))
    return fragment((html(blocks), tiles(figures)))


def _proof(story: Story) -> str:
    if not story.is_finished:
        return "This reduction has not come to its end: smaller may be possible."
    if not story.minimal:
        return "Finished; it is not proved that no single part can go."
    return proof(story.minimal, line_ends=story.line_ends)


def _result(story: Story) -> Iterator[Block]:
    room = MAX_RESULT_BYTES
    for path, content in story.result.contents.items():
        if len(story.original.contents) > 1:
            yield Paragraph([code(path), f", {counted(len(content), 'byte')}"])
        part = content[: max(0, room)]
        yield CodeBlock(legible(part) if is_text(content) else dotted(part), kind="result")
        room -= len(content)
        if room < 0:
            yield Paragraph("The rest is not shown.", "note")
            return
    if not story.result.contents:
        yield Paragraph("No file is left.", "note")


def _chart(story: Story) -> Html:
    label = f"Size of the case: {_sizes(story)} in {counted(len(story.steps), 'step')}"
    chart = tag("svg", id="chart", class_="chart", role="img", aria_label=label)
    return fragment((own_file("wynot.report", "chart.html"), chart))


def _passes(story: Story) -> Iterator[Block]:
    most = max((each.size for each in story.passes), default=0) or 1
    yield TextTable(
        "",
        ("pass", "tests", "accepted", "seconds", "bytes", "share"),
        [
            (each.name, each.tests, each.steps, each.seconds, each.size, Bar(each.size / most))
            for each in story.passes
        ],
    )
    endings = [(how or "unknown", count) for how, count in story.endings.most_common(MAX_ENDINGS)]
    yield Fold("How the tests ended", [TextTable("", ("ending", "tests"), endings)])


def _map(story: Story) -> Html:
    colours = MapColours.of([(each.row.number, each.row.pass_name) for each in story.steps])
    maps: list[Html] = []
    room = MAX_MAP_CHARS
    for number, (path, runs) in enumerate(story.runs.items()):
        if number == MAX_FILES or room <= 0:
            left = counted(len(story.runs) - number, "file")
            maps.append(note(f"{left} more: not shown."))
            break
        content = story.original.contents[path]
        if len(story.runs) > 1:
            maps.append(html([Paragraph([code(path)])]))
        made, room = cut_map(content, runs, colours, room)
        maps += [strip(runs, len(content), colours), made]
    passes = (
        tag("li", tag("span", class_=f"swatch p{number}"), for_html(f" {', '.join(names)}"))
        for number, names in colours.named.items()
    )
    legend = tag("ul", *passes, class_="legend pass")
    return tag("div", own_file("wynot.report", "map.html"), legend, *maps, id="maps")


def _steps(story: Story) -> Html:
    if not story.steps:
        return html([Paragraph("Nothing could be left out.")])
    return own_file("wynot.report", "steps.html")


def _settings(story: Story, version: str) -> Iterator[Block]:
    made_on = f"Python {sys.version.split()[0]}, {platform.platform()}"
    yield Paragraph("To run it again:")
    yield CodeBlock(for_script_line(command_line(story.options, "reduce", ReduceOptions)))
    yield Paragraph(
        f"{counted(story.tests, 'test')} in {story.seconds:,.1f} s, all workers together. "
        f"This page was made by wynot {version} with {made_on}.",
        "note",
    )


def _data(story: Story, name: str) -> dict[str, object]:
    """Return what the script draws."""
    last = story.steps[-1].row if story.steps else None
    pass_tests = sum(span.tests for span in story.pass_spans)
    ended = max((span.ended for span in story.test_spans), default=0)
    return {
        "file": for_script_line([name]),
        "before": story.original.size,
        "tests": max(pass_tests, last.tests if last else story.tests),
        "seconds": max(ended, last.seconds if last else 0),
        "names": len(story.original.contents),
        "steps": list(_step_rows(story)),
    }


def _step_rows(story: Story) -> Iterator[list[object]]:
    for step in story.steps:
        row = step.row
        what = legible(row.candidate)[:MAX_WHAT_CHARS]
        lines = [[legible(path), lines] for path, lines in step.lines]
        yield [row.tests, round(row.seconds, 2), row.size, legible(row.pass_name), what, lines]


SEEN_BYTES = 200
"""Bytes of a page in which it says that it is ours."""


def refuse_foreign(out: Path) -> None:
    """Raise if there is something that is no page of ours."""
    if out.exists() and not _is_page(out):
        raise InvalidOption(f"{str(out)!r} is there already", hint="give another name for the page")


def write_page(out: Path, text: str) -> None:
    """Write a page."""
    refuse_foreign(out)
    write(out, text.encode("utf-8", "replace"))


def _is_page(path: Path) -> bool:
    if not path.is_file():  # a FIFO would be waited for
        return False
    try:
        with path.open("rb") as stream:
            return GENERATOR.encode() in stream.read(SEEN_BYTES)
    except OSError:
        return False
