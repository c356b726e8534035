"""The line counts of a patch: each hunk says how many lines of either file are in it."""

import re
from collections.abc import Iterator

from wynot.relations.measures import Lines
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import DECIMAL

_HUNK = re.compile(rb"^@@ -[0-9]+,([0-9]+) \+[0-9]+,([0-9]+) @@[^\n]*\n", re.MULTILINE)
_BODY = re.compile(rb"(?:[-+ \\][^\n]*(?:\n|\Z))*")
_OLD, _NEW = Lines(b" -"), Lines(b" +")


def hunks(content: bytes) -> Iterator[Relation]:
    """Return what the hunks of a patch say."""
    for match in _HUNK.finditer(content):
        body = _BODY.match(content, match.end())
        assert body is not None  # noqa: S101 - it matches anything
        scope = Span(*body.span())
        for group, measure in ((1, _OLD), (2, _NEW)):
            if measure(content, scope, 0) == DECIMAL.read(match[group]):
                yield Relation(Span(*match.span(group)), DECIMAL, measure, scope, "hunks")
