"""The page of a run: one file that needs nothing else.

All foreign text is escaped. The policy of a page lets run nothing but the scripts whose digests it
names, and no request be made: if a text should ever get past the escaping, it is only text.
"""

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from wynot.core.errors import InvalidOption
from wynot.core.foreign_text import for_html, for_script_line, legible
from wynot.core.options.quantities import counted
from wynot.disk.write import write
from wynot.document.sentences import proof
from wynot.report.explanation_text import explanation_section
from wynot.report.origins import MAX_MAP_CHARS, PASS_COLOURS, MapColours, cut_map, strip
from wynot.report.page_frame import GENERATOR, framed, scrolled, titled
from wynot.report.reproduction import command_of
from wynot.report.step_view import dotted, is_text
from wynot.report.story import INTERESTING, Story, timeline

MAX_RESULT_BYTES = 40_000
MAX_FILES = 200
"""Files whose maps are shown."""
MAX_WHAT_CHARS = 120
PARTS = {
    "result": "result",
    "explanation": "why it fails",
    "size": "size",
    "workers": "workers",
    "passes": "passes",
    "map": "cut map",
    "steps": "steps",
    "settings": "settings",
}


def page(story: Story, name: str, version: str) -> str:
    """Return the page of a reduction; ``name`` is what history is asked with to restore a step."""
    sections = {
        "result": _result(story),
        "explanation": explanation_section(story.explanation) if story.explanation else "",
        "size": _chart(story),
        "workers": _workers(story),
        "passes": _passes(story),
        "map": _map(story),
        "steps": _steps(story),
        "settings": _settings(story, version),
    }
    there = {key: PARTS[key] for key, section in sections.items() if section}
    body = "\n".join((_headline(story), *filter(None, sections.values())))
    title = f"{name}: {_sizes(story)}"
    return framed(title, body, there, scripts=("page.js",), data=_data(story, name))


def _sizes(story: Story) -> str:
    return f"{story.original.size:,} → {counted(story.result.size, 'byte')}"


def _headline(story: Story) -> str:
    share = 100 * story.result.size / max(1, story.original.size)
    tiles = {
        "original": f"{story.original.size:,} B",
        "result": f"{story.result.size:,} B",
        "left": f"{share:.3g} %",
        "tests": f"{story.tests:,}",
        "interesting": f"{story.verdicts[INTERESTING]:,}",
        "steps": f"{len(story.steps):,}",
    }
    tiled = "".join(f"<li><b>{value}</b> {what}</li>" for what, value in tiles.items())
    seen = f"<p>It shows: <code>{for_html(story.seen)}</code></p>\n" if story.seen else ""
    return f'<p class="lead">{for_html(_proof(story))}</p>\n{seen}<ul class="tiles">{tiled}</ul>'


def _proof(story: Story) -> str:
    if not story.is_finished:
        return "This reduction has not come to its end: smaller may be possible."
    if not story.minimal:
        return "Finished; it is not proved that no single part can go."
    return proof(story.minimal, line_ends=story.line_ends)


def _result(story: Story) -> str:
    parts = []
    room = MAX_RESULT_BYTES
    for path, content in story.result.contents.items():
        if len(story.original.contents) > 1:
            parts.append(f"<p><code>{for_html(path)}</code>, {counted(len(content), 'byte')}</p>")
        shown = (legible if is_text(content) else dotted)(content[: max(0, room)])
        room -= len(content)
        parts.append(f'<pre class="result" tabindex="0">{for_html(shown)}</pre>')
        if room < 0:
            parts.append('<p class="note">The rest is not shown.</p>')
            break
    if not story.result.contents:
        parts.append('<p class="note">No file is left.</p>')
    return titled("result", "What is left", *parts)


def _chart(story: Story) -> str:
    said = f"Size of the case: {_sizes(story)} in {counted(len(story.steps), 'step')}"
    return titled(
        "size",
        "Size",
        f"""<div class="row"><span>over</span>
<button type="button" data-over="tests" aria-pressed="true">tests</button>
<button type="button" data-over="seconds" aria-pressed="false">time</button>
<span>scale</span><button type="button" data-log="0" aria-pressed="false">linear</button>
<button type="button" data-log="1" aria-pressed="true">logarithmic</button></div>
<svg id="chart" class="chart" role="img" aria-label="{for_html(said)}"></svg>""",
    )


def _workers(story: Story) -> str:
    shown = timeline(story.test_spans, story.pass_spans)
    return titled("workers", "Workers", shown) if shown else ""


def _passes(story: Story) -> str:
    most = max((each.size for each in story.passes), default=0) or 1
    rows = "".join(
        f"<tr><td>{for_html(each.name)}</td><td class=n>{each.tests:,}</td>"
        f"<td class=n>{each.steps:,}</td><td class=n>{each.seconds:,.1f}</td>"
        f"<td class=n>{each.size:,}</td><td class=bar-cell>"
        f'<span class=bar style="width:{max(0, 100 * each.size / most):.1f}%"></span></td></tr>\n'
        for each in story.passes
    )
    endings = "".join(
        f"<tr><td>{for_html(how or 'unknown')}</td><td class=n>{count:,}</td></tr>\n"
        for how, count in story.endings.most_common(12)
    )
    table = f"""<table><thead><tr><th scope=col>pass</th><th scope=col class=n>tests</th>
<th scope=col class=n>accepted</th><th scope=col class=n>seconds</th>
<th scope=col class=n>bytes</th><th scope=col class=bar-cell>share</th></tr>
</thead><tbody>{rows}</tbody></table>"""
    return titled(
        "passes",
        "Passes",
        scrolled(table, "table of passes"),
        f"""<details><summary>How the tests ended</summary><table><thead><tr>
<th scope=col>ending</th><th scope=col class=n>tests</th></tr></thead><tbody>{endings}</tbody>
</table></details>""",
    )


def _map(story: Story) -> str:
    colours = MapColours.of([(each.row.number, each.row.pass_name) for each in story.steps])
    names = "".join(
        f'<li><span class="swatch p{number}"></span> {for_html(", ".join(named))}</li>'
        for number, named in colours.named.items()
    )
    hues = "".join(f'<i class="h{number}"></i>' for number in range(PASS_COLOURS))
    parts = [
        f"""<p>The original: what is left is <span class="k">marked</span>, everything else has a
colour. Choose a part to see the step that it went with.</p>
<div class="row"><span>coloured by</span>
<button type="button" data-by="when" aria-pressed="true">when it went</button>
<button type="button" data-by="pass" aria-pressed="false">which pass took it</button>
<span class="legend when">first <span class="ramp" aria-hidden="true">{hues}</span> last</span>
<ul class="legend pass">{names}</ul></div>"""
    ]
    room = MAX_MAP_CHARS
    for number, (path, runs) in enumerate(story.runs.items()):
        if number == MAX_FILES or room <= 0:
            left = counted(len(story.runs) - number, "file")
            parts.append(f'<p class="note">{left} more: not shown.</p>')
            break
        content = story.original.contents[path]
        if len(story.runs) > 1:
            parts.append(f"<p><code>{for_html(path)}</code></p>")
        made, room = cut_map(content, runs, colours, room)
        parts.append(strip(runs, len(content), colours) + made)
    return titled("map", "Cut map", f'<div id="maps">{"".join(parts)}</div>')


def _steps(story: Story) -> str:
    if not story.steps:
        return titled("steps", "Steps", "<p>Nothing could be left out.</p>")
    last = len(story.steps)
    return titled(
        "steps",
        "Steps",
        f"""<div class="row">
<button type="button" id="earlier" aria-label="the step before">&lsaquo;</button>
<input type="range" id="slider" min="1" max="{last}" value="1" aria-label="step">
<button type="button" id="later" aria-label="the next step">&rsaquo;</button>
<label>step <input type="number" id="number" min="1" max="{last}" value="1"></label>
<span class="note">keys: j, k</span></div>
<div class="steps"><ul class="list" id="list"></ul><div id="step" aria-live="polite"></div></div>
<noscript><p class="note">The chart and the steps need the script of this page.</p></noscript>""",
    )


def _settings(story: Story, version: str) -> str:
    command = for_script_line(command_of(story.options))
    made_on = f"Python {sys.version.split()[0]}, {platform.platform()}"
    return titled(
        "settings",
        "Settings",
        f'<p>To run it again:</p><pre tabindex="0">{for_html(command)}</pre>',
        f"""<p class="note">{counted(story.tests, "test")} in {story.seconds:,.1f} s, all workers
together. This page was made by wynot {for_html(version)} with {for_html(made_on)}.</p>""",
    )


def _data(story: Story, name: str) -> dict[str, object]:
    """Return what the script draws."""
    last = story.steps[-1].row if story.steps else None
    asked = sum(span.tests for span in story.pass_spans)
    ended = max((span.ended for span in story.test_spans), default=0)
    return {
        "file": for_script_line([name]),
        "before": story.original.size,
        "tests": max(asked, last.tests if last else story.tests),
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
