"""Texts that would like to be more than text, and readers that find out whether they are."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser

from hypothesis import strategies as st

HOSTILE_PIECES = (
    *("\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://a\x1b\\", "\x9b31m", "\x00", "\x7f", "\b"),
    *("\r", "\n", "\r\n", "\t", "\u2028", "\u2029", "\x85", "\u202e", "\u2066", "\u200b", "\ufeff"),
    *("\udcff", "\ud800", "\ufffe", "\U000e0001", "\xad", "é", "宽"),
    *("</script>", "<!--", "<img src=x onerror=alert(1)>", "]]>", "&lt;", "&", '"', "'", "<", ">"),
    *("`", "``", "```", "~~~", "@all", "#1", "[a](javascript:b)", "![a](b)", "|", "*", "_", "\\"),
    *("http://a.b", "www.a.b", ":smile:", "- ", "1. ", "# ", "$", "$(touch x)", "%s", "%0A", "!"),
    *("::error::", "::add-mask::a", " ::set-output name=a::b", "##[", "##[group]a", "#", ":", "]"),
    *("//", "../", "javascript:", "?", "~", "-", "--", "{}", "plain words", " ", "1"),
)

texts = st.lists(st.sampled_from(HOSTILE_PIECES) | st.text(st.characters()), max_size=8).map(
    "".join
)
"""Any text, with lone surrogates, and much of what means something somewhere."""

arguments = texts.map(lambda text: text.replace("\0", ""))
"""No argument of a program has a zero byte."""

_COMMAND_NAMES = (
    *("add-matcher", "add-mask", "add-path", "debug", "echo", "endgroup", "error", "group"),
    *("internal-set-repo-path", "notice", "remove-matcher", "save-state", "set-env", "set-output"),
    *("stop-commands", "warning"),
)
_NEW_COMMAND = re.compile(rf"\s*::({'|'.join(_COMMAND_NAMES)})( .*?)?::")
_OLD_COMMAND = re.compile(rf"##\[({'|'.join(_COMMAND_NAMES)})( [^]]*)?\]")


def workflow_commands(log: str) -> list[str]:
    """Return the lines that the runner of GitHub Actions takes for commands, as it finds them."""
    return [
        line
        for line in re.split("[\r\n]", log)
        if _NEW_COMMAND.match(line) or _OLD_COMMAND.search(line)
    ]


def hidden(text: str, *besides: str) -> list[str]:
    """Return what cannot be seen in a text, but for line ends and the characters that may be."""
    return [each for each in text if not each.isprintable() and each not in ("\n", *besides)]


class PageReader(HTMLParser):
    """Reads a page as a browser does: its elements with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.odd: list[str] = []
        self._pieces: list[str] = []
        self.feed(page)
        self.close()

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self._pieces.append(data)

    def handle_comment(self, data: str) -> None:
        self.odd.append(data)

    def handle_pi(self, data: str) -> None:
        self.odd.append(data)

    def unknown_decl(self, data: str) -> None:
        self.odd.append(data)


OURS = {
    *("html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "h4", "nav"),
    *("main", "section", "p", "code", "pre", "a", "b", "s", "i", "mark", "span", "div", "label"),
    *("select", "option", "ul", "li", "br", "table", "thead", "tbody", "tr", "th", "td", "details"),
    *("summary", "svg", "path", "text", "button", "input", "noscript", "script"),
}
"""The elements that pages have, none of which fetches anything."""


def require_only_ours(page: str) -> PageReader:
    """Check that a page has no element, attribute or link that foreign text has made."""
    assert not hidden(page, "\t")
    read = PageReader(page)
    kinds = [kind for kind, _ in read.elements]
    assert {*kinds} <= OURS
    assert kinds.count("main") == kinds.count("title") == kinds.count("body") == 1
    assert not read.odd
    for kind, values in read.elements:
        assert not any(name.startswith("on") or name in {"src", "srcdoc"} for name in values)
        if href := values.get("href"):
            assert kind == "a"
            assert ":" not in href
            assert not href.startswith("//")
    return read


def strings_in(value: object) -> Iterator[str]:
    """Return all that is text in what JSON has."""
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from strings_in(each)
        case dict():
            for key, each in value.items():
                yield key
                yield from strings_in(each)


def require_json_lines(out: str) -> list[object]:
    """Check that each line is JSON in plain ASCII."""
    assert out.isascii()
    assert not hidden(out)
    return [json.loads(line) for line in out.splitlines()]


def require_xml(content: bytes) -> ET.Element:
    """Check that this is XML which shows everything that is in it."""
    root = ET.fromstring(content)  # noqa: S314 - it is our own
    for element in root.iter():
        for text in (element.text or "", *element.attrib.values()):
            assert not hidden(text, "\t")
    return root
