"""Literals: smaller numbers and shorter strings, by halves.

What is in a string may matter for its length, its first or its last bytes, so both halves are
tried; and a number may need some of its digits, or only not to be nothing.
"""

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.shorten import fresh
from wynot.passes.rewrites.tree_queries import rewrite
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import Forest, NodeId

_NUMBER = re.compile(
    rb"(?P<sign>[-+]?)(?P<body>0[xX][0-9a-fA-F_']+|0[bB][01_]+|0[oO][0-7_]+|[\d_']*\d)"
    rb"(?P<fraction>\.[\d_]*)?(?P<exponent>[eEpP][-+]?\d+)?(?P<suffix>[A-Za-z_]\w*)?\Z"
)
_STRING = re.compile(
    rb"(?P<open>[A-Za-z@$]*#*(?P<quote>\"\"\"|'''|[\"'`]))(?P<inside>.*)(?P<close>(?P=quote)#*)\Z",
    re.DOTALL,
)
_ESCAPE = re.compile(
    rb"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[^{}]*\}|[0-7]{1,3}|.)|.", re.DOTALL
)
MAX_LITERALS = 200
"""How many numbers and how many strings are looked at, those that take most room."""


def literals(forest: Forest) -> Iterator[Rewrite]:
    """Return what a literal can be instead, each way a sort of its own.

    All that say the same change together: in data a string is often a name.
    """
    numbers: dict[bytes, list[NodeId]] = {}
    strings: dict[bytes, list[NodeId]] = {}
    known: set[bytes] = set()
    for node in forest.named_nodes:
        places = numbers if _is_number(forest, node) else strings
        if places is strings and not _is_string(forest, node):
            continue
        text = forest.text(node)
        places.setdefault(text, []).append(node)
        if forest.kind(node) in forest.language(node).replacements:
            known.add(text)
    for text, nodes in _heaviest(numbers):
        ways = [] if text in known else list(SMALLEST_NUMBERS)
        for way, instead in (*ways, *number(text)):
            yield from _everywhere(forest, nodes, way, text, instead)
    taken = {text.strip(b"\"'`") for text in strings}
    letters = (word for word in fresh(ascii_lowercase) if word not in taken)
    for text, nodes in _heaviest(strings):
        for way, instead in string(text, letters, empty=text not in known):
            yield from _everywhere(forest, nodes, way, text, instead)


def _is_number(forest: Forest, node: NodeId) -> bool:
    kind = forest.kind(node)
    if kind in forest.language(node).numbers:
        return True
    return kind.endswith("literal") and forest.text(node)[:1].isdigit()


def _is_string(forest: Forest, node: NodeId) -> bool:
    kind = forest.kind(node)
    if kind not in forest.language(node).strings:
        quoted = kind.endswith("literal") and forest.text(node)[-1:] in b"\"'`"
        if not quoted or forest.ends[node] - forest.firsts[node] > 1:
            return False
    return not kinds.is_import(forest.kind(forest.parents[node]))


def _heaviest(places: dict[bytes, list[NodeId]]) -> list[tuple[bytes, list[NodeId]]]:
    return sorted(places.items(), key=lambda each: (-len(each[0]) * len(each[1]), each[0]))[
        :MAX_LITERALS
    ]


def _everywhere(
    forest: Forest, nodes: Sequence[NodeId], way: str, text: bytes, instead: bytes
) -> Iterator[Rewrite]:
    if (len(instead), instead) < (len(text), text):
        found = rewrite(way, [Patch(*forest.span(node), instead) for node in nodes])
        if found is not None:
            yield found


LONG_STRING_CHARS = 4
"""From how many characters on a string is cut in two."""
MAX_NUMBER_BYTES = 1_000
"""Bytes of a number whose value is looked at: Python refuses to read some thousand digits."""
SMALLEST_NUMBERS = (("number to 0", b"0"), ("number to 1", b"1"))


def number(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Return what a number can be instead."""
    match = _NUMBER.match(text)
    if match is None:
        return
    body = match["body"]
    value = _value(body)
    if match["fraction"] or match["exponent"] or match["suffix"]:
        yield "number without its tail", match["sign"] + body
    if value is not None and len(b"%d" % value) < len(body):
        yield "number in tens", b"%d" % value
    if len(body) > 1 and body.isdigit():
        yield "number halved", match["sign"] + body[: (len(body) + 1) // 2]


def _value(body: bytes) -> int | None:
    if len(body) > MAX_NUMBER_BYTES:
        return None
    try:
        return int(body.replace(b"'", b"").decode(), 0)
    except ValueError:
        return int(body) if body.isdigit() else None


def string(
    text: bytes, letters: Iterator[bytes], *, empty: bool = True
) -> Iterator[tuple[str, bytes]]:
    """Return what a string can be instead: its quotes, and what stands before them, stay."""
    match = _STRING.match(text)
    opening, inside, closing = match.group("open", "inside", "close") if match else (b"", text, b"")
    pieces = _ESCAPE.findall(inside)
    if match is not None and pieces:
        if empty:
            yield "string to empty", opening + closing
        if len(match["quote"]) > 1 and not {b"\n", closing[:1]} & set(pieces):
            yield "string in short quotes", opening[:-2] + inside + closing[2:]
    if len(pieces) > 1:
        yield "string to a letter", opening + next(letters) + closing
    if len(pieces) >= LONG_STRING_CHARS:
        middle = (len(pieces) + 1) // 2
        for half, part in (("first", pieces[:middle]), ("second", pieces[middle:])):
            kept = b"".join(part)
            kept = kept if match else kept.strip()
            yield f"string to its {half} half", opening + kept + closing
