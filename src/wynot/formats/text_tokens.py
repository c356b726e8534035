r"""Tokens of any text; a string with values inside, as ``"\(a)"`` or ``"${a}"``, is several.

What such a string holds is code, whatever the language: it is told apart from the letters around
it, so that it can be reduced, and can stand in the place of the string.
"""

import re
from collections.abc import Iterator

from wynot.formats.nesting import UNCLOSED, Token, peeled, token_of

STRING_OPENS, STRING_GOES_ON, STRING_CLOSES = "string_opens", "string_goes_on", "string_closes"
"""Kinds of the letters before, between and behind the values in a string."""

_PLAIN = rb'"(?:[^"\\\n]|\\.)*+"'
_ROUND = rb"\((?:[^()\"\\\n]|\\(?!\")|" + _PLAIN + rb")*+\)"
_BRACES = rb"\{(?:[^{}\"\\\n]|\\(?!\")|" + _PLAIN + rb")*+\}"
_VALUE = (
    rb"(?:\\\((?:[^()\"\\\n]|\\(?!\")|" + _PLAIN + rb"|" + _ROUND + rb")*+\)"
    rb"|[\#$]\{(?:[^{}\"\\\n]|\\(?!\")|" + _PLAIN + rb"|" + _BRACES + rb")*+\})"
)
"""A value in a string: it may have strings, and one more level of its own brackets. An
escaped quote is none of its own: it belongs to the string around it."""
STRING = (
    rb'"(?:(?:' + _VALUE + rb'|[^"\\\n]|\\.)*+"|' + UNCLOSED[0] + rb")"
    rb"|'(?<![\w\x80-\xff]')(?:(?:[^'\\\n]|\\.)*+'|" + UNCLOSED[1] + rb")"
)  # fmt: skip
"""A string, for verbose patterns. None goes on in the next line."""
_TOKEN = re.compile(
    rb"(?P<string>"
    + STRING
    + rb""")
    | (?P<number>[0-9](?:[eEpP][-+](?=[0-9])|[.\w])*)
    | (?P<word>[\w\x80-\xff]+)
    | (?P<NEWLINE>\n)
    | (?P<MARK>[-+*/%=<>!&|^~?:.]+|\S)""",
    re.VERBOSE,
)
_VALUES = re.compile(rb"(?P<value>" + _VALUE + rb")|\\.", re.VERBOSE | re.DOTALL)
_OPENING_BYTES = 2
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_HAS_VALUE = re.compile(rb"\\\(|[#$]\{")
_STRING = re.compile(STRING, re.VERBOSE)


def text_tokens(content: bytes) -> list[Token]:
    """Return the tokens of a text of which nothing is known."""
    return list(_tokens(content, 0, len(content)))


def _tokens(content: bytes, start: int, stop: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(content, start, stop):
        token = token_of(match)
        if token.kind == "string" and _HAS_VALUE.search(content, token.start, token.stop):
            yield from _pieces(content, token)
        else:
            yield token


def _pieces(content: bytes, string: Token) -> Iterator[Token]:
    """Return a string in pieces, if all brackets of its values have a partner there."""
    values = [
        (match.start() + _OPENING_BYTES, match.end() - 1)
        for match in _VALUES.finditer(content, string.start + 1, string.stop - 1)
        if match["value"]
    ]
    if not values or not all(_is_balanced(content[start:stop]) for start, stop in values):
        yield string
        return
    reached, kind = string.start, STRING_OPENS
    for start, stop in values:
        yield Token(kind, reached, start, named=False)
        yield from _tokens(content, start, stop)
        reached, kind = stop, STRING_GOES_ON
    yield Token(STRING_CLOSES, reached, string.stop, named=False)


def _is_balanced(value: bytes) -> bool:
    """Tell whether all brackets have a partner, and are not nested too deeply to see that."""
    return not peeled(_STRING.sub(b"", value).translate(None, _NO_BRACKETS))
