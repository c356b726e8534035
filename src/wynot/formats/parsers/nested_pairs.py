"""Deep nests that a grammar gives up on: brackets and tags as nodes, also those never closed.

What is never closed goes on to the end of what it is in. Of a text that overflows a parser, mostly
only the opening half is left, and of that a grammar tells nothing: it is one error, full of marks.
"""

import re

from wynot.core.texts.tree import Tree
from wynot.formats.parsers.nesting import UNCLOSED

_TOKEN = re.compile(
    rb"""(?P<string>"(?:(?:[^"\\\n]|\\.)*+"|"""
    + UNCLOSED[0]
    + rb""")|(?<![\w\x80-\xff])'(?:(?:[^'\\\n]|\\.)*+'|"""
    + UNCLOSED[1]
    + rb"""))
    | (?P<number>[0-9][.\w]*)
    | (?P<word>[\w\x80-\xff]+)
    | (?P<OPEN>[(\[{])
    | (?P<CLOSE>[)\]}])
    | (?P<MARK>\S)""",
    re.VERBOSE,
)
_TAG = re.compile(
    rb"""(?P<comment><!--(?s:.*?)(?:-->|\Z))
    | (?P<EMPTY><!(?:[^<>"']|"[^"]*"|'[^']*')*+> | <\?(?s:.*?)(?:\?>|\Z))
    | (?P<CLOSE></[^<>\s]*\s*>)
    | (?P<ALONE><[\w\x80-\xff:](?:[^<>"']|"[^"]*"|'[^']*')*+(?<=/)>)
    | (?P<OPEN><[\w\x80-\xff:](?:[^<>"']|"[^"]*"|'[^']*')*+>)
    | (?P<broken><[!\w\x80-\xff:](?:[^<>"']|"[^"<]*"|'[^'<]*')*+
        (?:"[^"]*"|'[^']*')(?:[^<>"']|"[^"]*"|'[^']*')*+) # never closed, with < in quotes
    | (?P<text>[^<\s](?:[^<]*[^<\s])?)
    | (?P<MARK>\S)""",
    re.VERBOSE,
)
_NAME = re.compile(rb"[^\s<>/]+")
_OPENS = frozenset(b"([{")
_OTHERS = bytes(set(range(256)) - set(b"()[]{}"))
_PARTNERS = {b"(": b")", b"[": b"]", b"{": b"}"}


def depth(content: bytes, *, tags: bool = False) -> int:
    """Return how deeply brackets, or tags, are nested; those that are never closed count."""
    opens = {"OPEN": True, "CLOSE": False}
    kinds = (match.lastgroup for match in _TAG.finditer(content)) if tags else ()
    marks = [opens[kind] for kind in kinds if kind in opens]
    reached = deepest = 0
    for is_open in marks if tags else map(_OPENS.__contains__, content.translate(None, _OTHERS)):
        if is_open:
            reached += 1
            deepest = max(deepest, reached)
        elif reached:
            reached -= 1
    return deepest


def parse(content: bytes, *, tags: bool = False) -> Tree:
    """Return the tree of a text: a node for each pair, with what is in it."""
    tree = Tree()
    tree.open("document", 0, 0)
    waiting: list[tuple[int, bytes]] = []
    """The nodes that are open, and what closes each."""
    open_names: dict[bytes, int] = {}
    reached = 0
    for match in (_TAG if tags else _TOKEN).finditer(content):
        kind, text = match.lastgroup or "", match[0]
        parent = waiting[-1][0] if waiting else 0
        if kind == "OPEN":
            partner = b"</" + _name(text) if tags else _PARTNERS[text]
            node = tree.open("element" if tags else text.decode(), match.start(), parent)
            waiting.append((node, partner))
            open_names[partner] = open_names.get(partner, 0) + 1
            _leaf(tree, kind, match, node)
        elif kind == "CLOSE" and open_names.get(partner := b"</" + _name(text) if tags else text):
            while waiting:
                node, expected = waiting.pop()
                open_names[expected] -= 1
                if expected == partner:
                    _leaf(tree, kind, match, node)
                    tree.close(node, match.end())
                    break
                tree.close(node, reached)
        else:
            number = _leaf(tree, kind, match, parent)
            if kind == "CLOSE":
                tree.mark_flaw(number)
        reached = match.end()
    for node, _ in reversed(waiting):
        tree.mark_flaw(node)
        tree.close(node, reached)
    tree.close(0, len(content))
    return tree


def _name(tag: bytes) -> bytes:
    """Return the name of a tag."""
    found = _NAME.search(tag)
    return found[0] if found else b""


def _leaf(tree: Tree, kind: str, match: re.Match[bytes], parent: int) -> int:
    named = not kind.isupper() or kind in {"EMPTY", "ALONE"}
    name = kind.lower() if named else match[0][:2].decode("utf-8", "replace")
    return tree.leaf(name, match.start(), match.end(), parent, named=named)
