"""Records and fields: CSV with commas, semicolons or tabs, as the text has it."""

import re

from wynot.core.tree import Tree

_SAMPLE_BYTES = 4096
_LINE_END = re.compile(rb"\r\n|\n|\r")
_SEPARATORS = (b",", b";", b"\t", b"|")
_FIELDS = {
    mark: re.compile(
        rb'(?:"(?:[^"]|"")*+")?[^'
        + re.escape(mark)
        + rb"\r\n]*(?P<mark>"
        + re.escape(mark)
        + rb")?"
    )
    for mark in _SEPARATORS
}


def parse(content: bytes) -> Tree:
    """Return the tree of a table; a field is a token with its quotes, and may be empty."""
    tree = Tree()
    root = tree.open("table", 0, 0)
    separator = _separator(content)
    pattern, name = _FIELDS[separator], separator.decode()
    at = 0
    while at < len(content):
        end = _LINE_END.match(content, at)
        if end is not None:  # a line with nothing on it
            at = end.end()
            continue
        record = tree.open("record", at, root)
        more = True
        while more:
            match = pattern.match(content, at)
            assert match is not None  # noqa: S101 - it matches anything
            more = match["mark"] is not None
            tree.leaf("field", at, match.end() - more, record)
            if more:
                tree.leaf(name, match.end() - 1, match.end(), record, named=False)
            at = match.end()
        tree.close(record, at)
    tree.close(root, len(content))
    return tree


def _separator(content: bytes) -> bytes:
    """Return the mark that parts fields: that which the first lines have most of."""
    sample = re.sub(rb'"[^"]*"', b"", content[:_SAMPLE_BYTES])
    return max(_SEPARATORS, key=sample.count)
