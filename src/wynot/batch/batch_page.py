"""The results of a batch as one page, in the frame that all pages have."""

from collections.abc import Sequence

from wynot.batch.batch_outcome import DUPLICATE, OPEN, BatchOutcome, GroupOutcome
from wynot.core.foreign_text import for_html, for_uri
from wynot.core.options.quantities import counted
from wynot.report.page_frame import framed, scrolled, titled
from wynot.report.step_view import dotted

MAX_CONTENT_BYTES = 8192
MAX_OUTPUT_CHARS = 8192
MAX_MEMBERS = 200
"""Names that are listed of a group; results.json has all."""
NUMBER = " class=n"
COLUMNS = {
    "#": NUMBER,
    "failure": "",
    "inputs": NUMBER,
    "bytes": NUMBER,
    "tests": NUMBER,
    "state": "",
    "share": " class=bar-cell",
}
"""Those of the table, and their classes."""


def page(whole: BatchOutcome, folders: dict[int, str]) -> str:
    """Return the page."""
    causes = whole.causes
    failing = sum(len(group.members) for group in whole.groups)
    most = max((len(whole.members(group)) for group in causes), default=0) or 1
    rows = "".join(_row(whole, group, most) for group in causes)
    details = "".join(_detail(whole, group, folders[group.number]) for group in causes)
    heads = "".join(f"<th scope=col{kind}>{words}</th>" for words, kind in COLUMNS.items())
    table = f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>"
    others = _others(whole)
    body = "\n".join(
        (
            f"<p><code>{for_html(whole.command)}</code></p>\n<p>{for_html(_figures(whole))}</p>",
            titled("causes", "Causes", scrolled(table, "table of causes")),
            f'<section id="cases">{details}</section>',
            titled("others", "In no group", others) if others else "",
        )
    )
    title = (
        f"{whole.folder}: {counted(len(causes), 'cause')} of {counted(failing, 'failing input')}"
    )
    parts = {"causes": "causes", "cases": "cases"} | ({"others": "in no group"} if others else {})
    return framed(title, body, parts)


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


def _row(whole: BatchOutcome, group: GroupOutcome, most: int) -> str:
    size = f"{group.before:,} → {len(group.content):,}" if group.inputs else ""
    return (
        f'<tr><td class=n>{group.number}</td><td><a href="#g{group.number}">'
        f"{for_html(group.failure)}</a></td><td class=n>{len(whole.members(group)):,}</td>"
        f"<td class=n>{size}</td><td class=n>{group.tests:,}</td>"
        f"<td>{for_html(_state(group))}</td><td class=bar-cell>"
        f'<span class=bar style="width:{100 * len(whole.members(group)) / most:.1f}%"></span>'
        "</td></tr>\n"
    )


def _state(group: GroupOutcome) -> str:
    if group.state == OPEN:
        return "not reduced yet"
    return f"{group.state}: {group.why}" if group.why else group.state


def _detail(whole: BatchOutcome, group: GroupOutcome, folder: str) -> str:
    parts = [f'<h2 id="g{group.number}">{group.number}. {for_html(group.failure)}</h2>\n']
    if group.state != OPEN and group.file_name:
        link = for_uri(f"{folder}/{group.file_name}")
        parts.append(
            f'<p><a href="{link}">{for_html(group.file_name)}</a>, '
            f"{counted(len(group.content), 'byte')}, from <code>{for_html(group.origin)}</code>, "
            f"{counted(group.before, 'byte')}</p>\n"
            f"<pre tabindex=0>{for_html(shown_content(group.content, MAX_CONTENT_BYTES))}</pre>\n"
        )
    if group.output:
        parts.append(
            "<details><summary>what the program prints for it</summary>"
            f"<pre tabindex=0>{for_html(group.output[-MAX_OUTPUT_CHARS:])}</pre></details>\n"
        )
    same = [
        each for each in whole.groups if each.state == DUPLICATE and each.same_as == group.number
    ]
    parts += [
        f"<p class=note>The same after reduction: {for_html(each.failure)}</p>\n" for each in same
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
    return "".join(_names(title, names) for title, names in kinds.items() if names)


def _names(title: str, names: Sequence[str]) -> str:
    items = "".join(f"<li><code>{for_html(name)}</code></li>" for name in names[:MAX_MEMBERS])
    more = f"<li>… {len(names) - MAX_MEMBERS:,} more</li>" if len(names) > MAX_MEMBERS else ""
    return f"<details><summary>{title}: {len(names):,}</summary><ul>{items}{more}</ul></details>\n"


def shown_content(content: bytes, most: int) -> str:
    """Return the beginning of a file as text, or as a dump if it is not text."""
    part = content[:most]
    more = f"\n… {len(content) - most:,} more bytes" if len(content) > most else ""
    try:
        text = part.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < most - 4 or not more:  # not only cut in the middle of a character
            return _dump(part) + more
        text = part.decode("utf-8", "replace")
    return _dump(part) + more if "\0" in text else text + more


def _dump(content: bytes) -> str:
    lines = []
    for at in range(0, len(content), 16):
        row = content[at : at + 16]
        lines.append(f"{at:08x}  {row.hex(' '):<47}  {dotted(row).replace('·', '.')}")
    return "\n".join(lines)
