import json
import re
from base64 import b64decode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from wynot.core.events import LINE_ENDS
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow, VerdictRow
from wynot.report.issue_text import IssueFacts, issue_text
from wynot.report.page import page
from wynot.report.story import Story, story_of

HOSTILE = (
    '<script>alert(1)</script>\n</pre><img src=x onerror="alert(2)">\n'
    "</script><!--\n\u202eright to left\x00\x1b[31m&amp;\n"
).encode() + b"\xff\xfe\n"


class Tags(HTMLParser):
    """Notes the elements of a page, and the text of what can be read."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def story(
    folder: Path, *contents: dict[str, bytes], finished: bool = False, final: str = "no<des"
) -> Story:
    """Return what a journal tells that goes through these cases."""
    original, *cases = map(Files, contents)
    options = {"files": ["a b.c"], "test": "./t.sh", "fast": True, "text": ["x", "y"]}
    journal = Journal.create(folder / "j.journal", original, {"options": json.dumps(options)})
    for number, files in enumerate(cases, 1):
        journal.keep_verdict(VerdictRow(files.digest, 0, Verdict.INTERESTING, "exit status 0", 0.5))
        name = final if files is cases[-1] else "no<des"
        row = StepRow(number, name, "1-2", 3 * number, 1.5 * number, files.size, files.digest)
        journal.keep_step(row, files)
    if finished:
        journal.note("state", "finished")
        journal.note("minimal", '["lines", "tokens"]')
    try:
        return story_of(journal)
    finally:
        journal.close()


def read(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    return tags


@pytest.mark.parametrize("names", [["x"], ["x", "</script><b>"]])
def test_foreign_text_is_only_text(tmp_path: Path, names: list[str]) -> None:
    first = dict.fromkeys(names, HOSTILE)
    second = dict.fromkeys(names, HOSTILE.replace(b"right", b""))
    text = page(story(tmp_path, first, second), "<script>alert(3)</script>", "1")
    tags = read(text)
    kinds = [name for name, _ in tags.elements]
    assert kinds.count("script") == 3
    assert not {"img", "iframe", "link", "object"} & set(kinds)
    assert not any(key.startswith("on") for _, given in tags.elements for key in given)
    assert not re.search("[\x00\x1b\u202e]", text)
    assert any("alert(1)" in each for each in tags.texts)  # as text, it is there
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = re.findall(r"'sha256-([^']+)'", unescape(text))
    assert list(map(b64decode, digests)) == [sha256(each.encode()).digest() for each in scripts]


def test_the_final_newline_is_not_claimed_to_be_needed(tmp_path: Path) -> None:
    cases = [{"f": b"one\ntwo\n"}, {"f": b"two"}, {"f": b"two\n"}]
    found = story(tmp_path, *cases, finished=True, final=LINE_ENDS)
    proved = "No single line or token except the final newline can be left out: each was tried"
    assert f"{proved} (1-minimal)." in " ".join(read(page(found, "f", "7.8")).texts)
    facts = IssueFacts("7.8", ["f"], "sh test.sh", "exit status 1", "")
    assert f"by wynot 7.8. {proved} (1-minimal).\n" in issue_text(found, facts)


def test_it_tells_the_figures_and_how_to_run_it_again(tmp_path: Path) -> None:
    cases = [{"f": b"one\ntwo\nthree\n"}, {"f": b"two\nthree\n"}, {"f": b"two\n"}]
    text = page(story(tmp_path, *cases, finished=True), "f", "7.8")
    whole = " ".join(read(text).texts)
    assert "14 → 4 bytes" in whole
    assert "No single line or token can be left out: each was tried (1-minimal)." in whole
    assert "wynot reduce --text x --text y --fast ./t.sh 'a b.c'" in whole
    assert "wynot 7.8" in whole
    data = re.search(r'id="data">(.*?)</script>', text)
    assert data
    told = json.loads(data[1])
    assert [step[:3] for step in told["steps"]] == [[3, 1.5, 10], [6, 3.0, 4]]
    assert told["steps"][1][5] == [["f", [[" ", "two"], ["-", "three"], [" ", ""]]]]
    marked = re.findall(
        r'<(s|b)[^>]*?(?:data-step="(\d+)")?>([^<]*)<', text.partition('class="map"')[2]
    )
    assert [(step, shown) for _, step, shown in marked[:3]] == [
        ("1", "one\n"),
        ("", "two\n"),
        ("2", "three\n"),
    ]


def test_of_a_run_without_a_step_or_with_a_file_that_is_not_text(tmp_path: Path) -> None:
    assert "Nothing could be left out" in page(story(tmp_path, {"f": b"x"}), "f", "1")
    assert "has not come to its end" in page(story(tmp_path, {"f": b""}), "f", "1")
    binary = bytes(range(256)) * 4
    text = page(story(tmp_path, {"f": binary}, {"f": binary[:100]}), "f", "1")
    assert "1,024 → 100 bytes, at 100" in text


def test_a_large_run_makes_a_page_of_limited_size(tmp_path: Path) -> None:
    lines = [b"<line> %d, with a few words more\n" % number for number in range(20_000)]
    cases = [{"f": b"".join(lines[step * 150 :])} for step in range(120)]
    text = page(story(tmp_path, *cases), "f", "1")
    assert 800_000 < len(text) < 5_000_000
    text = page(story(tmp_path, {"f": bytes(3_000_000)}), "f", "1")
    assert len(text) < 5_000_000
    assert "the rest is not shown" in text
