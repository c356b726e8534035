"""Foreign text is only text, for each that reads it: real parsers say so."""

import io
import json
import os
import subprocess
import xml.etree.ElementTree as ET
from unittest.mock import patch
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from foreign_texts import PageReader, arguments, hidden, texts, workflow_commands
from wynot.core import foreign_text
from wynot.core.foreign_text import (
    encoded,
    for_attribute,
    for_code_span,
    for_fence,
    for_html,
    for_json,
    for_log,
    for_markdown,
    for_script,
    for_script_line,
    for_shell,
    for_shell_line,
    for_terminal,
    for_uri,
    for_xml,
    legible,
    legible_line,
)
from wynot.reporters.outlet import Outlet

IN_ACTIONS = {"GITHUB_ACTIONS": "true"}
ORDINARY = 'Grüße, "宽" it\'s 100 % a_b <c> & {d}: [e](f) #1 ::x ##[y] @z `q` $v \\n'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("\x1b[31m\x00\ufffe", "\\x1b[31m\\x00\\ufffe"),
        ("\u202eabc\u2028", "\\u202eabc\\u2028"),
        ("\udcff\ud800\U000e0001", "\\xff\\ud800\\U000e0001"),
        ("a\rb\x0cc\x9b", "a\\rb\\x0cc\\x9b"),
        (b"\xff\xc3\xa4\x1b", "\\xffä\\x1b"),
    ],
)
def test_hidden_characters_are_escapes(text: str | bytes, shown: str) -> None:
    assert legible(text) == shown


@given(texts)
def test_legible_text_shows_everything_and_stays_as_it_is(text: str) -> None:
    assert not hidden(legible(text), "\t")
    assert legible(legible(text)) == legible(text)
    assert legible_line(text).isprintable()
    assert legible_line(text) == legible(text).replace("\n", "\\n").replace("\t", "\\t")
    assert for_terminal(text) == legible_line(text)


def test_ordinary_text_stays_as_it_is() -> None:
    assert legible(ORDINARY) == legible_line(ORDINARY) == for_terminal(ORDINARY) == ORDINARY
    words = "IndexError: list index out of range, in snake_case.py:12 (x+y=3/4)"
    assert for_markdown(words) == words


@given(texts)
def test_a_log_of_github_actions_has_no_command(text: str) -> None:
    with patch.dict(os.environ, IN_ACTIONS):
        assert not workflow_commands(for_terminal(text))
        assert not workflow_commands(f"     {for_terminal(text)}")
        assert not workflow_commands("\n".join(map(for_log, text.splitlines())))


@given(st.lists(texts))
def test_pieces_of_a_line_make_no_command_together(pieces: list[str]) -> None:
    stream = io.StringIO()
    with patch.dict(os.environ, IN_ACTIONS):
        Outlet(stream).say("".join(map(for_terminal, pieces)))
        assert not workflow_commands(stream.getvalue())


def test_commands_are_defused_in_a_log_only() -> None:
    lines = {
        "  ::error file=a::b": r"  \x3a:error file=a::b",
        "::: ##[group]a": r"\x3a:: \x23#[group]a",
        "a ::b, ## c": "a ::b, ## c",
    }
    with patch.dict(os.environ, IN_ACTIONS):
        assert [*map(for_log, lines)] == [*lines.values()]
    assert [*map(for_log, lines)] == [*lines]


@given(texts)
def test_a_page_has_text_and_no_markup(text: str) -> None:
    read = PageReader(f"<p title=\"{for_html(text)}\" id='{for_html(text)}'>{for_html(text)}</p>")
    assert read.elements == [("p", {"title": legible(text), "id": legible(text)})]
    assert read.text == legible(text)
    assert not read.odd


@given(texts)
def test_xml_has_text_and_no_markup(text: str) -> None:
    made = f'<a b="{for_attribute(text)}">{for_xml(text)}</a>'
    root = ET.fromstring(made.encode())  # noqa: S314 - it is our own
    assert (root.tag, root.attrib, root.text or "", len(root)) == (
        *("a", {"b": legible(text)}),
        *(legible(text), 0),
    )


@given(texts)
def test_json_is_a_line_of_ascii_and_no_command(text: str) -> None:
    line = for_json({text: [text]})
    assert json.loads(line) == {text: [text]}
    assert line.isascii()
    assert line.isprintable()
    with patch.dict(os.environ, IN_ACTIONS):
        assert for_log(line) == line
    assert not workflow_commands(line)


@given(texts)
def test_json_in_a_page_does_not_end_its_element(text: str) -> None:
    read = PageReader(f"<script>{for_script([text])}</script><p>")
    assert read.elements == [("script", {}), ("p", {})]
    assert json.loads(read.text) == [text]


@given(texts)
def test_a_uri_is_a_path(path: str) -> None:
    parts = urlsplit(for_uri(path))
    assert parts._replace(path="") == ("", "", "", "", "")
    assert unquote_to_bytes(parts.path).lstrip(b"/") == encoded(path).lstrip(b"/")
    assert for_uri("a b/ä:\udcff?#%") == "a%20b/%C3%A4%3A%FF%3F%23%25"


@given(texts)
def test_a_sentence_of_markdown_has_text_and_code_only(text: str) -> None:
    line = " ".join(legible(text).split())
    opening, inline, closing = MarkdownIt("commonmark").parse(f"# {for_markdown(text)}\n")
    assert (opening.tag, closing.tag) == ("h1", "h1")
    found = inline.children or []
    assert {each.type for each in found} <= {"text", "code_inline"}
    assert "".join(each.content for each in found) == line
    for each in found:
        if each.type == "text":
            assert not {*"@#$|~"} & {*each.content}
            assert "://" not in each.content
            assert "www." not in each.content


@given(texts)
def test_a_code_span_is_one(text: str) -> None:
    _, inline, _ = MarkdownIt("commonmark").parse(f"{for_code_span(text)}\n")
    [code] = inline.children or []
    assert code.type == "code_inline"
    assert code.content.strip() == " ".join(legible(text).split())


@given(texts)
def test_a_fence_is_closed_by_its_own_end_only(text: str) -> None:
    made = "\n".join([*for_fence(text, "txt"), "", "after"])
    fence, *paragraph = MarkdownIt("commonmark").parse(made)
    assert (fence.type, fence.info, fence.content) == ("fence", "txt", f"{legible(text)}\n")
    assert [each.content for each in paragraph if each.type == "inline"] == ["after"]


def printed(shell: str, line: str) -> list[bytes]:
    """Return the arguments that a shell makes of a line."""
    done = subprocess.run(  # noqa: S603
        [shell, "-c", f"printf '%s\\0' {line}"],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout.split(b"\0")[:-1]


HOSTILE_ARGUMENTS = (
    *("plain", "two words", "it's", "$(touch x)", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "a\nb"),
    *("\x011", "back\\slash\x7f'", "\u202eabc", "\U000e0001d", "\udcff", "", "a\x1b\n\n", "\n"),
    *("-n\x1b", "-\x1b%s%%\\", "{}", "~/x", "`x`\x1b\"$y'", "\ud800"),
)


@pytest.mark.parametrize("argument", HOSTILE_ARGUMENTS, ids=ascii)
def test_a_shell_reads_what_was_meant_and_a_terminal_sees_nothing_of_it(argument: str) -> None:
    assert for_shell(argument).isprintable()
    assert printed("/bin/bash", for_shell(argument)) == [encoded(argument)]
    assert not hidden(for_script_line([argument]), "\t")
    assert printed("/bin/sh", for_script_line([argument])) == [encoded(argument)]


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(arguments, min_size=1, max_size=5))
def test_any_command_line_reaches_a_shell(argv: list[str]) -> None:
    assert for_shell_line(argv).isprintable()
    assert printed("/bin/bash", for_shell_line(argv)) == [*map(encoded, argv)]
    assert not hidden(for_script_line(argv), "\t")
    assert printed("/bin/sh", for_script_line(argv)) == [*map(encoded, argv)]


def test_holes_stay_as_people_write_them() -> None:
    assert for_shell_line(["gcc", "-c", "{}", "a b", "@@"]) == "gcc -c {} 'a b' @@"


def test_the_names_of_the_examples_are_functions() -> None:
    told = foreign_text.__doc__ or ""
    for name in vars(foreign_text):
        assert not name.startswith("for_") or f"`{name}`" in told or name == "for_shell_line"
