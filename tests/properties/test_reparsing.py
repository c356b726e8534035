"""A text that is parsed where it differs from another is parsed as it is from its first byte."""

from functools import cache
from pathlib import Path

import pytest
import tree_sitter
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.texts.patched_text import Splice, spliced
from wynot.formats import checked_text, detect, grammar
from wynot.formats.checked_text import CheckedText
from wynot.formats.detect import language_of, tree_of
from wynot.formats.language import Language

SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = (
    *("c.c", "python.py", "json.json", "javascript.js", "rust.rs", "yaml.yaml", "haskell.hs"),
    *("ruby.rb", "html.html", "markdown.md", "bash.sh", "go.go", "brackets.txt", "perl.pl"),
    *("sql.sql", "css.css"),
)


@cache
def original(name: str) -> CheckedText:
    content = (SAMPLES / name).read_bytes()
    language = language_of(name, content)
    assert language is not None
    return CheckedText(language, content)


@st.composite
def edits(draw: st.DrawFn, text: CheckedText) -> list[Splice]:
    """Return a few splices, at the nodes of a text's tree mostly."""
    tree = tree_of(text.language, text.content)
    spans = sorted({*zip(tree.starts, tree.stops, strict=True), (0, 0), (1, 3)})
    found: list[Splice] = []
    for start, stop in sorted(draw(st.lists(st.sampled_from(spans), min_size=1, max_size=3))):
        if not found or start >= found[-1].stop:
            instead = draw(st.sampled_from([b"", b"", b" ", b"\n", b"0", b"\n  a\n", b"\xc3\xa9"]))
            found.append(Splice(start, stop, instead))
    return found


@given(st.data(), st.sampled_from(NAMES))
def test_it_has_errors_where_it_has_from_the_start(data: st.DataObject, name: str) -> None:
    text = original(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checked_text, "MIN_BYTES_PER_SPLICE", 0)
        patch.setattr(checked_text, "SMALL_TEXT_BYTES", 0)
        patch.setattr(checked_text, "MIN_TEXT_BYTES", 0)
        patch.setattr(checked_text, "MAX_PIECE_BYTES", data.draw(st.sampled_from([1, 100, 1000])))
        patch.setattr(checked_text, "MIN_PIECES", 2)
        patch.setattr(grammar, "PARSE_SECONDS", 100)  # on a busy machine the time may be up
        for _ in range(3):
            splices = data.draw(edits(text))
            content = spliced(text.content, splices)
            edited = text.edited(splices, content)
            fresh = CheckedText(text.language, content)
            assert edited.content == content
            assert edited.has_errors == fresh.has_errors == (fresh.errors > 0)
            assert text.has_errors or bool(text.added_errors(splices, content)) == fresh.has_errors
            if fresh.has_errors or not content:
                return
            text = edited


@pytest.mark.parametrize("name", NAMES)
def test_a_text_stays_as_it_was_though_others_are_made_of_it(name: str) -> None:
    text = original(name)
    before = text.errors
    content = text.content[:-9]
    text.edited([Splice(len(content), len(text.content), b"")], content)
    assert text.edited([], text.content) is text
    again = text.edited([Splice(0, 1, text.content[:1])], text.content)
    assert (again.errors, CheckedText(text.language, text.content).errors) == (before, before)


PIECES = st.sampled_from([*"()[]{}\"'\\\n a1.=é", "\\(", "${", '"', " if ", " end "])


@given(st.lists(PIECES, max_size=60).map("".join))
def test_brackets_without_a_partner_are_counted_without_a_tree(text: str) -> None:
    content = text.encode()
    language = original("brackets.txt").language
    assert language.parser is not None
    assert detect.syntax_errors_of(language, content) == language.parser(content).syntax_errors


BRACKET_LINES = st.lists(st.text(alphabet="()[]{}\"'\\ a", max_size=6), max_size=8).map("\n".join)


@given(BRACKET_LINES, BRACKET_LINES, st.tuples(st.integers(0, 60), st.integers(0, 60)))
def test_of_brackets_only_lines_that_changed_are_looked_at(
    before: str, instead: str, where: tuple[int, int]
) -> None:
    content = before.encode()
    start, stop = sorted(min(place, len(content)) for place in where)
    splices = [Splice(start, stop, instead.encode())]
    after = spliced(content, splices)
    language = original("brackets.txt").language
    more = CheckedText(language, after).errors - CheckedText(language, content).errors
    assert (CheckedText(language, content).added_errors(splices, after) > 0) == (more > 0)


def test_brackets_can_be_nested_deeply() -> None:
    language = original("brackets.txt").language
    assert detect.syntax_errors_of(language, b"([" * 50_000 + b"])" * 49_999) == 2


@pytest.mark.parametrize(
    ("name", "head", "element", "parts", "tail", "broken"),
    [
        ("python.py", b"", b"if a:\n    f(%d)\n", b"\n# one more\n", b"", b"elif:"),
        ("c.c", b"", b"int f%d(void) { return 1; }", b"\n", b"\n", b"int ("),
        ("json.json", b'{"a": [', b'{"b": %d}', b",\n", b"]}\n", b'"b" 1'),
    ],
)
def test_only_what_is_around_an_edit_is_parsed_and_once(
    name: str,
    head: bytes,
    element: bytes,
    parts: bytes,
    tail: bytes,
    broken: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = head + parts.join(element % number for number in range(1000)) + tail
    text = CheckedText(original(name).language, content)
    parsed: list[int] = []

    def noted(
        language: Language, content: bytes, like: "tree_sitter.Tree | None" = None
    ) -> "tree_sitter.Tree | None":
        parsed.append(len(content))
        return grammar.sitter_tree(language, content, like)

    monkeypatch.setattr(checked_text, "sitter_tree", noted)
    first, last = (content.index(element % number) for number in (500, 600))
    after = content.index(element % 501)
    for splices, added in (
        ([Splice(first, after, b"")], 0),
        ([Splice(first, after, broken + b"\n")], 1),
        ([Splice(first, after, b""), Splice(last, last + 3, content[last : last + 3])], 0),
    ):
        assert bool(text.added_errors(splices, spliced(content, splices))) == added
    assert len(parsed) == 4, "two pieces, and what one of them becomes"
    assert max(parsed) < 2500


def test_a_token_that_nobody_sees_is_not_missed() -> None:
    text = CheckedText(original("sql.sql").language, b"SET price =")
    assert (text.errors, text.has_errors) == (0, False)


def test_a_text_that_takes_too_long_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"int f(void) { return 1; }\n" * 400
    text = CheckedText(original("c.c").language, content)
    parsed: list[int] = []

    def give_up(
        _language: Language, content: bytes, _like: "tree_sitter.Tree | None" = None
    ) -> None:
        parsed.append(len(content))

    monkeypatch.setattr(checked_text, "sitter_tree", give_up)
    assert text.edited([Splice(0, 1, b"")], content[1:]).errors == 1
    assert len(parsed) == 1


def test_no_candidate_is_parsed_where_parses_have_taken_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = b"int f(void) { return 1; }\n" * 400
    text = CheckedText(original("c.c").language, content)
    splices = [Splice(4, 13, b"(")]
    assert text.added_errors(splices, spliced(content, splices)) > 0
    monkeypatch.setattr(checked_text, "MAX_WASTED_SECONDS", -1)
    assert text.added_errors(splices, spliced(content, splices)) == 0
