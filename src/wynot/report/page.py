"""The page: one file that needs nothing from elsewhere.

All foreign text is escaped. The policy of the page lets run nothing but the one script whose digest
it names, and no request be made: if a text should ever get past the escaping, it is only text.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files as resources
from shlex import join

from wynot.core.phrases import counted, listed
from wynot.report.again import command_of
from wynot.report.cut_map import MAX_MAP_CHARS, cut_map, strip
from wynot.report.story import INTERESTING, Story
from wynot.report.timeline import timeline
from wynot.report.visible import dotted, is_text, visible

GENERATOR = '<meta name="generator" content="wynot report">'
"""What a page of ours has near its beginning."""
MAX_RESULT_BYTES = 40_000
MAX_FILES = 200
"""Files whose maps are shown."""
MAX_WHAT_CHARS = 120


def page(story: Story, name: str, version: str) -> str:
    """Return the page of a reduction; ``name`` is what history is asked with to restore a step."""
    style, script = _asset("page.css"), _asset("page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    body = "\n".join(
        (
            _header(story, name),
            _result(story),
            _chart(story),
            _workers(story),
            _passes(story),
            _map(story),
            _steps(story),
            _settings(story, version),
        )
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"{GENERATOR}\n"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(name)}: {_sizes(story)}</title>\n<style>\n{style}</style></head>\n"
        f"<body>\n{body}\n"
        f'<script type="application/json" id="data">{_data(story, name)}</script>\n'
        f"<script>{script}</script>\n</body></html>\n"
    )


def _asset(name: str) -> str:
    return resources("wynot.report").joinpath(name).read_text("utf-8")


def _text(text: str) -> str:
    return escape(visible(text.encode("utf-8", "surrogateescape")))


def _sizes(story: Story) -> str:
    return f"{story.original.size:,} → {counted(story.result.size, 'byte')}"


def _header(story: Story, name: str) -> str:
    share = 100 * story.result.size / max(1, story.original.size)
    tiles = {
        "original": f"{story.original.size:,} B",
        "result": f"{story.result.size:,} B",
        "left": f"{share:.3g} %",
        "tests": f"{story.tests:,}",
        "interesting": f"{story.verdicts[INTERESTING]:,}",
        "steps": f"{len(story.steps):,}",
    }
    shown = "".join(f"<li><b>{value}</b> {what}</li>" for what, value in tiles.items())
    return f"""<header><h1>{_text(name)}: {_sizes(story)}</h1>
<label>theme <select id="theme"><option value="">as the system</option>
<option value="light">light</option><option value="dark">dark</option></select></label></header>
<main>
<p class="lead">{_text(_proof(story))}</p>
<ul class="tiles">{shown}</ul>
<nav aria-label="parts of this page"><a href="#result">result</a> <a href="#size">size</a>
<a href="#passes">passes</a> <a href="#map">cut map</a> <a href="#steps">steps</a>
<a href="#settings">settings</a></nav>"""


def _proof(story: Story) -> str:
    if not story.is_finished:
        return "This reduction has not come to its end: smaller may be possible."
    if not story.minimal:
        return "Finished; it is not proved that no single part can go."
    kinds = listed([each.removesuffix("s") for each in story.minimal], "or")
    return f"No single {kinds} can be left out: each was tried (1-minimal)."


def _result(story: Story) -> str:
    parts = ['<section><h2 id="result">What is left</h2>']
    room = MAX_RESULT_BYTES
    for path, content in story.result.contents.items():
        if len(story.original.contents) > 1:
            parts.append(f"<p><code>{_text(path)}</code>, {counted(len(content), 'byte')}</p>")
        shown = (visible if is_text(content) else dotted)(content[: max(0, room)])
        room -= len(content)
        parts.append(f'<pre class="result" tabindex="0">{escape(shown)}</pre>')
        if room < 0:
            parts.append('<p class="note">The rest is not shown.</p>')
            break
    if not story.result.contents:
        parts.append('<p class="note">No file is left.</p>')
    return "\n".join((*parts, "</section>"))


def _chart(story: Story) -> str:
    said = f"Size of the case: {_sizes(story)} in {counted(len(story.steps), 'step')}"
    return f"""<section><h2 id="size">Size</h2>
<div class="row"><span>over</span>
<button type="button" data-over="tests" aria-pressed="true">tests</button>
<button type="button" data-over="seconds" aria-pressed="false">time</button>
<span>scale</span><button type="button" data-log="0" aria-pressed="false">linear</button>
<button type="button" data-log="1" aria-pressed="true">logarithmic</button></div>
<svg id="chart" class="chart" viewBox="0 0 860 300" role="img" aria-label="{_text(said)}"></svg>
</section>"""


def _workers(story: Story) -> str:
    shown = timeline(story.test_spans, story.pass_spans)
    return f'<section><h2 id="workers">Workers</h2>\n{shown}</section>' if shown else ""


def _passes(story: Story) -> str:
    most = max((each.size for each in story.passes), default=0) or 1
    rows = "".join(
        f"<tr><td>{_text(each.name)}</td><td class=n>{each.tests:,}</td>"
        f"<td class=n>{each.steps:,}</td><td class=n>{each.seconds:,.1f}</td>"
        f"<td class=n>{each.size:,}</td><td class=bar-cell>"
        f'<span class=bar style="width:{max(0, 100 * each.size / most):.1f}%"></span></td></tr>\n'
        for each in story.passes
    )
    endings = "".join(
        f"<tr><td>{_text(how or 'unknown')}</td><td class=n>{count:,}</td></tr>\n"
        for how, count in story.endings.most_common(12)
    )
    return f"""<section><h2 id="passes">Passes</h2>
<table><thead><tr><th>pass</th><th class=n>tests</th><th class=n>accepted</th>
<th class=n>seconds</th><th class=n>bytes</th><th>share</th></tr>
</thead><tbody>{rows}</tbody></table>
<details><summary>How the tests ended</summary>
<table><thead><tr><th>ending</th><th class=n>tests</th></tr></thead><tbody>{endings}</tbody></table>
</details></section>"""


def _map(story: Story) -> str:
    parts = [
        """<section><h2 id="map">Cut map</h2>
<p class="legend">The original: what is left is <span class="k">marked</span>; the rest is coloured
by when it went, from blue (first) to red (last). Choose a part to see its step.</p>"""
    ]
    room, steps = MAX_MAP_CHARS, len(story.steps)
    for number, (path, runs) in enumerate(story.runs.items()):
        if number == MAX_FILES or room <= 0:
            left = counted(len(story.runs) - number, "file")
            parts.append(f'<p class="note">{left} more: not shown.</p>')
            break
        content = story.original.contents[path]
        if len(story.runs) > 1:
            parts.append(f"<p><code>{_text(path)}</code></p>")
        made, room = cut_map(content, runs, steps, room)
        parts.append(strip(runs, len(content), steps) + made)
    return "\n".join((*parts, "</section>"))


def _steps(story: Story) -> str:
    if not story.steps:
        return '<section><h2 id="steps">Steps</h2><p>Nothing could be left out.</p></section>'
    last = len(story.steps)
    return f"""<section><h2 id="steps">Steps</h2>
<div class="row"><button type="button" id="earlier" aria-label="the step before">&lsaquo;</button>
<input type="range" id="slider" min="1" max="{last}" value="1" aria-label="step">
<button type="button" id="later" aria-label="the next step">&rsaquo;</button>
<label>step <input type="number" id="number" min="1" max="{last}" value="1"></label>
<span class="note">keys: j, k</span></div>
<div class="steps"><ul class="list" id="list"></ul><div id="step" aria-live="polite"></div></div>
</section>"""


def _settings(story: Story, version: str) -> str:
    command = join(command_of(story.options))
    return f"""<section><h2 id="settings">Settings</h2>
<p>To run it again:</p><pre tabindex="0">{_text(command)}</pre>
<p class="note">wynot {_text(version)} · {counted(story.tests, "test")} in
{story.seconds:,.1f} s, all workers together</p></section></main>"""


def _data(story: Story, name: str) -> str:
    """Return what the script draws, as JSON that cannot end the element that it is in."""
    last = story.steps[-1].row if story.steps else None
    told = {
        "file": join([name]),
        "before": story.original.size,
        "tests": last.tests if last else story.tests,
        "seconds": last.seconds if last else 0,
        "names": len(story.original.contents),
        "steps": list(_step_rows(story)),
    }
    made = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    return made.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _step_rows(story: Story) -> Iterator[list[object]]:
    for step in story.steps:
        row = step.row
        what = _plain(row.candidate)[:MAX_WHAT_CHARS]
        lines = [[_plain(path), lines] for path, lines in step.lines]
        yield [row.tests, round(row.seconds, 2), row.size, _plain(row.pass_name), what, lines]


def _plain(text: str) -> str:
    return visible(text.encode("utf-8", "surrogateescape"))
