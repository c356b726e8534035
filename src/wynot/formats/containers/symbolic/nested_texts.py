"""Lists in parentheses that are written, however deep they are."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

TextNode: TypeAlias = "str | tuple[str, list[TextNode], str]"
"""A text; or how a list begins, what is in it, and what is between those."""


def written_nodes(nodes: Iterable[TextNode], between: str) -> Iterator[str]:
    """Return the text of some nodes, in pieces; however deep they are."""
    waiting = [(iter(nodes), between, "")]
    while waiting:
        inside, apart, closing = waiting[-1]
        node = next(inside, None)
        if node is None:
            yield closing
            waiting.pop()
        elif isinstance(node, str):
            yield apart + node
        else:
            head, inner, inner_apart = node
            yield apart + head
            waiting.append((iter(inner), inner_apart, ")"))
