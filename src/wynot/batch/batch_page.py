"""The results of a batch as one page, in the frame that all pages have."""

from collections.abc import Iterator, Sequence

from wynot.batch.batch_outcome import DUPLICATE, OPEN, BatchOutcome, GroupOutcome
from wynot.core.files import is_text
from wynot.core.foreign_text import dotted, for_html, legible
from wynot.core.options.quantities import counted
from wynot.document.blocks import (
    Bar,
    Block,
    Cell,
    CodeBlock,
    Fold,
    Hyperlink,
    Items,
    Paragraph,
    StyledText,
    TextTable,
)
from wynot.document.html import fragment, framed, html, section, tag
from wynot.document.sentences import batch_facts

MAX_CONTENT_BYTES = 8192
MAX_OUTPUT_CHARS = 8192
MAX_MEMBERS = 200
"""Names that are listed of a group; results.json has all."""
HEADS = ("#", "failure", "inputs", "bytes", "tests", "state", "share")


def page(whole: BatchOutcome, folders: dict[int, str]) -> str:
    """Return the page."""
    causes = whole.causes
    failing = sum(len(group.members) for group in whole.groups)
    most = max((len(whole.members(group)) for group in causes), default=0) or 1
    table = TextTable("", HEADS, [_row(whole, group, most) for group in causes])
    details = (
        fragment(
            (
                tag("h2", for_html(f"{group.number}. {group.failure}"), id=f"g{group.number}"),
                html(_detail(whole, group, folders[group.number])),
            )
        )
        for group in causes
    )
    others = list(_others(whole))
    facts = [
        counted(whole.inputs, "input"),
        *batch_facts(*map(len, (whole.passing, whole.rejected, whole.hanging, whole.skipped))),
        counted(whole.tests, "test"),
        f"{whole.seconds:,.1f} s",
        f"ended: {whole.stopped}",
    ]
    opening = [Paragraph([StyledText("path", whole.command)]), Paragraph(" · ".join(facts))]
    sections = [
        html(opening),
        section("causes", "Causes", html([table])),
        tag("section", *details, id="cases"),
    ]
    parts = {"causes": "causes", "cases": "cases"}
    if others:
        sections.append(section("others", "In no group", html(others)))
        parts["others"] = "in no group"
    found = f"{counted(len(causes), 'cause')} of {counted(failing, 'failing input')}"
    return framed(f"{whole.folder}: {found}", fragment(sections, "\n"), parts)


def _row(whole: BatchOutcome, group: GroupOutcome, most: int) -> tuple[Cell, ...]:
    members = len(whole.members(group))
    size = f"{group.before:,} → {len(group.content):,}" if group.inputs else ""
    link = Hyperlink(group.failure, f"#g{group.number}")
    state = f"{group.state}: {group.why}" if group.why else group.state
    state = "not reduced yet" if group.state == OPEN else state
    return group.number, [link], members, size, group.tests, state, Bar(members / most)


def _detail(whole: BatchOutcome, group: GroupOutcome, folder: str) -> Iterator[Block]:
    if group.state != OPEN and group.file_name:
        yield Paragraph(
            [
                Hyperlink(group.file_name, f"{folder}/{group.file_name}"),
                f", {counted(len(group.content), 'byte')}, from ",
                StyledText("path", group.origin),
                f", {counted(group.before, 'byte')}",
            ]
        )
        yield CodeBlock(shown_content(group.content, MAX_CONTENT_BYTES))
    if group.output:
        output = CodeBlock(group.output[-MAX_OUTPUT_CHARS:])
        yield Fold("what the program prints for it", [output])
    for each in whole.groups:
        if each.state == DUPLICATE and each.same_as == group.number:
            yield Paragraph(f"The same after reduction: {each.failure}", "note")
    yield _names("inputs", whole.members(group))


def _others(whole: BatchOutcome) -> Iterator[Block]:
    kinds = {
        "inputs that do not fail": whole.passing,
        "inputs that are rejected with an ordinary error": whole.rejected,
        "inputs that did not end in time": whole.hanging,
        "not run": [f"{name}: {why}" for name, why in whole.skipped],
    }
    return (_names(title, names) for title, names in kinds.items() if names)


def _names(title: str, names: Sequence[str]) -> Fold:
    shown = [[StyledText("path", name)] for name in names[:MAX_MEMBERS]]
    left = len(names) - MAX_MEMBERS
    more = [[f"… {left:,} more"]] if left > 0 else []
    return Fold(f"{title}: {len(names):,}", [Items([*shown, *more])])


def shown_content(content: bytes, most: int) -> str:
    """Return the beginning of a file as text, or as a dump if it is not text."""
    part = content[:most]
    more = f"\n… {len(content) - most:,} more bytes" if len(content) > most else ""
    return f"{legible(part) if is_text(part) else _dump(part)}{more}"


def _dump(content: bytes) -> str:
    lines = []
    for at in range(0, len(content), 16):
        row = content[at : at + 16]
        lines.append(f"{at:08x}  {row.hex(' '):<47}  {dotted(row).replace('·', '.')}")
    return "\n".join(lines)
