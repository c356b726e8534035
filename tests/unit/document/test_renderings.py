"""The same blocks for a terminal, a page and Markdown: each makes foreign text harmless."""

import re

from unit.reporters.story import HOSTILE
from wynot.document.blocks import (
    Bar,
    Block,
    CodeBlock,
    Difference,
    Facts,
    Fold,
    Hyperlink,
    Inline,
    Items,
    Paragraph,
    StyledText,
    TextTable,
    code,
)
from wynot.document.html import html
from wynot.document.markdown import markdown
from wynot.document.terminal import plain_lines

MARKUP = "<img src=x onerror=run()>"
FOREIGN = f"{HOSTILE}{MARKUP}"
BLOCKS: list[Block] = [
    Paragraph(["why ", code(FOREIGN)], "heading"),
    Items([FOREIGN, [Hyperlink(FOREIGN, f"javascript:{FOREIGN}")]]),
    Facts([("result", [StyledText("path", FOREIGN)])]),
    CodeBlock(f"{FOREIGN}\n```\n", name=FOREIGN, language="text"),
    CodeBlock([StyledText("mark", "<a>"), FOREIGN], most_lines=3),
    Difference(FOREIGN, FOREIGN.encode("utf-8", "surrogateescape"), b"other"),
    TextTable("parts", ("part", "is"), [(FOREIGN, [code(FOREIGN)])]),
    TextTable("needed", ("part", "line", "without it"), [([code("x")], 3, FOREIGN)], ["other"]),
    Fold(FOREIGN, [Paragraph(FOREIGN, "note")]),
]


def test_foreign_text_is_text_for_every_reader() -> None:
    assert all(line.isprintable() for line in plain_lines(BLOCKS))
    page = html(BLOCKS)
    assert not re.search("<img|<a>|\x1b|\u202e", page)
    assert not re.search('href="javascript:', page)
    text = markdown(BLOCKS)
    assert not re.search("\x1b|\u202e", text)
    outside = re.sub(r"(?ms)^(`{3,}).*?^\1$|(`+).*?\2", "", text)
    assert "<img" not in outside


def test_a_table_is_what_its_reader_has_room_for() -> None:
    rows = [("a", 1, "passes"), ("b", 1200, "passes"), ("c", 3, "fails")]
    table = TextTable("needed", ("part", "line", "without it"), rows, [row[2] for row in rows])
    assert plain_lines([table]) == ["needed:", "  passes", "    a  b", "  fails", "    c"]
    assert '<td class="n">1,200</td><td>passes</td>' in html([table])
    labelled = TextTable("", ("part", "may be", "share"), [("x", "any number", Bar(0.5))])
    assert plain_lines([labelled]) == ["x  any number"]
    assert "width:50.0%" in html([labelled])


def test_long_lines_are_folded_and_no_label_is_cut() -> None:
    text: list[Inline] = ["k" * 20, StyledText("mark", "<integer>"), "m" * 30]
    lines = plain_lines([CodeBlock(text, most_lines=9)], 30)
    assert [line.strip() for line in lines] == ["k" * 20, "<integer>" + "m" * 15, "m" * 15]


def test_a_path_is_not_wrapped_and_a_sentence_is() -> None:
    place = "/a folder/with blanks/" + 20 * "x"
    facts = Facts([("result", [StyledText("path", place)]), ("was:", "one two three four five")])
    assert plain_lines([facts], 30) == [
        f"result    {place}",
        "was:      one two three four",
        "          five",
    ]
