"""The results of a batch as one page: no scripts, nothing from elsewhere, all foreign text escaped.

Its content security policy forbids scripts and requests, so that even a text that got past the
escaping could do nothing.
"""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from wynot.batch.batch_outcome import DUPLICATE, OPEN, BatchOutcome, GroupOutcome
from wynot.batch.foreign_text import legible, shown_content
from wynot.core.phrases import counted

MAX_CONTENT_BYTES = 8192
MAX_OUTPUT_CHARS = 8192
MAX_MEMBERS = 200
"""Names that are listed of a group; results.json has all."""

HEAD = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>wynot batch</title>
<style>
:root { color-scheme: light dark; --line: #8884; --soft: #8882 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
td { overflow-wrap: anywhere }
pre { background: var(--soft); padding: .6rem .8rem; overflow: auto; max-height: 30rem }
.note { opacity: .75 }
</style></head><body>
"""


def page(whole: BatchOutcome, folders: dict[int, str]) -> str:
    """Return the page."""
    causes = whole.causes
    rows = "".join(_row(whole, group) for group in causes)
    details = "".join(_detail(whole, group, folders[group.number]) for group in causes)
    return (
        f"{HEAD}<h1>{_text(whole.folder)}: {counted(len(causes), 'cause')} of "
        f"{counted(sum(len(group.members) for group in whole.groups), 'failing input')}</h1>\n"
        f"<p><code>{_text(whole.command)}</code></p>\n<p>{_text(_figures(whole))}</p>\n"
        "<table><thead><tr><th class=n>#</th><th>failure</th><th class=n>inputs</th>"
        "<th class=n>bytes</th><th class=n>tests</th><th>state</th></tr></thead>\n"
        f"<tbody>{rows}</tbody></table>\n{details}{_others(whole)}</body></html>\n"
    )


def _figures(whole: BatchOutcome) -> str:
    facts = [
        counted(whole.inputs, "input"),
        f"{len(whole.passing):,} do not fail" if whole.passing else "",
        f"{len(whole.rejected):,} rejected with an ordinary error" if whole.rejected else "",
        f"{len(whole.hanging):,} did not end in time" if whole.hanging else "",
        f"{len(whole.skipped):,} not run" if whole.skipped else "",
        counted(whole.tests, "test"),
        f"{whole.seconds:,.1f} s",
        f"ended: {whole.stopped}",
    ]
    return " · ".join(filter(None, facts))


def _row(whole: BatchOutcome, group: GroupOutcome) -> str:
    size = f"{group.before:,} → {len(group.content):,}" if group.inputs else ""
    return (
        f'<tr><td class=n>{group.number}</td><td><a href="#g{group.number}">'
        f"{_text(group.failure)}</a></td><td class=n>{len(whole.members(group)):,}</td>"
        f"<td class=n>{size}</td><td class=n>{group.tests:,}</td>"
        f"<td>{_text(_state(group))}</td></tr>\n"
    )


def _state(group: GroupOutcome) -> str:
    if group.state == OPEN:
        return "not reduced yet"
    return f"{group.state}: {group.why}" if group.why else group.state


def _detail(whole: BatchOutcome, group: GroupOutcome, folder: str) -> str:
    parts = [f'<h2 id="g{group.number}">{group.number}. {_text(group.failure)}</h2>\n']
    if group.state != OPEN and group.file_name:
        link = quote(f"{folder}/{group.file_name}")
        parts.append(
            f'<p><a href="{link}">{_text(group.file_name)}</a>, '
            f"{counted(len(group.content), 'byte')}, from <code>{_text(group.origin)}</code>, "
            f"{counted(group.before, 'byte')}</p>\n"
            f"<pre>{escape(shown_content(group.content, MAX_CONTENT_BYTES))}</pre>\n"
        )
    if group.output:
        parts.append(
            "<details><summary>what the program prints for it</summary>"
            f"<pre>{_text(group.output[-MAX_OUTPUT_CHARS:])}</pre></details>\n"
        )
    same = [
        each for each in whole.groups if each.state == DUPLICATE and each.same_as == group.number
    ]
    parts += [
        f"<p class=note>The same after reduction: {_text(each.failure)}</p>\n" for each in same
    ]
    return "".join(parts) + _names("inputs", whole.members(group))


def _others(whole: BatchOutcome) -> str:
    skipped = [f"{name}: {why}" for name, why in whole.skipped]
    kinds = {
        "inputs that do not fail": whole.passing,
        "inputs that are rejected with an ordinary error": whole.rejected,
        "inputs that did not end in time": whole.hanging,
        "not run": skipped,
    }
    found = "".join(_names(title, names) for title, names in kinds.items() if names)
    return f"<h2>In no group</h2>\n{found}" if found else ""


def _names(title: str, names: Sequence[str]) -> str:
    items = "".join(f"<li><code>{_text(name)}</code></li>" for name in names[:MAX_MEMBERS])
    more = f"<li>… {len(names) - MAX_MEMBERS:,} more</li>" if len(names) > MAX_MEMBERS else ""
    return f"<details><summary>{len(names):,} {title}</summary><ul>{items}{more}</ul></details>\n"


def _text(text: str) -> str:
    return escape(legible(text))
