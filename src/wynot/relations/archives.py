"""Archives of ``ar``: each member has its size in a header, in decimal digits and blanks."""

import re
from collections.abc import Iterator

from wynot.relations.measures import Octets
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import PADDED

MAGIC = b"!<arch>\n"
_HEADER = re.compile(rb".{16}[0-9 ]{32}([0-9 ]{10})`\n", re.DOTALL)


def archives(content: bytes) -> Iterator[Relation]:
    """Return the sizes of members."""
    at = len(MAGIC) if content.startswith(MAGIC) else len(content)
    while match := _HEADER.match(content, at):
        size = PADDED.read(match[1])
        if size is None or match.end() + size > len(content):
            return
        body = Span(match.end(), match.end() + size)
        at = min(body.stop + size % 2, len(content))
        whole = Span(match.start(), at)
        found = Relation(Span(*match.span(1)), PADDED, Octets(), body, "members of ar")
        yield found._replace(whole=whole, unit=2, filling=b"\n")
