"""A message, without what depends on the input, on the machine and on chance.

Reduction moves lines, and shortens the names and literals of the input, so that a message is
compared without

* addresses, numbers, dates and times: ``N``, several in a row as one;
* folders: a path is its base name, which is the same for every candidate;
* what stands in quotes: ``'…'``. That is where tools show the text of their input, but also where
  they name what is wrong (``expected ';'``), so it is kept beside the message, in order.
"""

import re
from collections.abc import Collection
from itertools import islice
from typing import NamedTuple, TypeAlias

LONGEST_LINE = 2000
LONGEST_MESSAGE = 200
LONGEST_QUOTE = 100

Quotes: TypeAlias = tuple[tuple[str, ...], ...]
"""The texts in quotes, in order; those of a list (``';', ',' or ')'``) are together, sorted: many
tools print such a list from a set."""

_PLACE = "\ue000"
"""Stands for a text in quotes; removed from messages that have it themselves."""

_QUOTED = re.compile(
    # A quote opens after what is no letter and closes before what is none: not in "can't".
    r"(?<!\w)(?:[`'\u2018](?P<single>[^'`\u2019]{0,400}+)['\u2019](?!\w)|"
    r"`(?P<back>[^`]{0,400}+)`(?!\w)|"
    r'(?:\.\.\.)?"(?P<json>.{0,400}?)"(?:\.\.\.)?(?= is not valid JSON)|'  # with quotes in it
    r'["\u201c](?P<double>[^"\u201d]{0,400}+)["\u201d])'
)
_SUGGESTED = re.compile(
    r"[;.,]?+ \(?(?:did you mean|maybe you meant|perhaps you)\b[^?]{0,400}+\?\)?", re.IGNORECASE
)
"""What a tool thinks was meant is taken from the input too, and goes with it."""
_LISTED = re.compile(rf"{_PLACE}(?:(?:,? (?:or|nor) |,(?: and)? ?){_PLACE})*+")
_REPEATED = re.compile(r"(\S{1,20})(?:(?:, | |,)(?:or |and )?\1(?!\w))++")

_FOLDERS = (r"(?<![\w.])(?:[\w.+~-]*+/)++(?=[\w.+-])", "")
_TEMPORARY = (r"\bcc\w{6}\.(?=[a-z]{1,3}\b)", "cc.")  # the compiler's own files
_TIMES = (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d++)?(?:Z|[+-]\d\d:?\d\d)?", "N")
_IDENTITIES = (r"\b(?=[a-f-]*+\d)(?=[\d-]*+[a-f])[0-9a-f]{8}[0-9a-f-]*+\b", "N")
_ADDRESSES = (r"(?<![\w.])[-+]?0[xX][0-9a-fA-F]++\b", "N")
_NUMBERS = (r"(?<![\w.])[-+]?\d++(?:[:.,]\d++)*+(?:e[-+]?\d++)?(?![A-Za-z_])", "N")
_COUNTS = (
    r"\bN (error|warning|byte|bug|failure|test|item|line|row|argument|character)s\b",
    r"N \1",
)
_BEHIND = (r"(?<=[\w.)>\]]):\d++(?::\d++)?(?=[:,\s)]|$)|(?<=[\w.])\(\d++(?:,\d++)?\)(?=:)", "")
_NAMED = (r"(?i)\b((?:line|column|col|char|character|offset|position|byte):?) \d++\b", r"\1 N")


def _compiled(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_NORMAL = _compiled(_FOLDERS, _TEMPORARY, _TIMES, _IDENTITIES, _ADDRESSES, _NUMBERS, _COUNTS)
_EXACT = _compiled(_FOLDERS, _TEMPORARY, _TIMES, _ADDRESSES, _BEHIND, _NAMED)


class Wording(NamedTuple):
    """What is compared of a message."""

    bare: str
    """Without what depends on the input: ``cannot open '…' at line N``."""
    quotes: Quotes
    """What was in the quotes."""


def worded(message: str) -> Wording:
    """Return what is compared of a message."""
    template, quotes = _parted(message)
    bare = _REPEATED.sub(r"\1", template.replace(_PLACE, "'…'"))
    if bare == "'…'":  # there is nothing else to tell it by, as in KeyError: 'name'
        return Wording(one_line(message)[:LONGEST_MESSAGE].strip(), ())
    rest = iter(quotes)
    lists = [found[0].count(_PLACE) for found in _LISTED.finditer(template)]
    groups = [tuple(sorted(islice(rest, length))) for length in lists]
    # How many texts a list has must not matter for which of those behind it are looked at.
    looked_at = _LISTED.sub(_PLACE, template)[:LONGEST_MESSAGE].count(_PLACE)
    return Wording(bare[:LONGEST_MESSAGE].strip(), tuple(groups[:looked_at]))


def shown(message: str, kept: Collection[str]) -> str:
    """Return a message as it is compared, with those texts in quotes that have to stay."""
    template, quotes = _parted(message)
    if template == _PLACE:
        return one_line(message)[:LONGEST_MESSAGE]
    rest = iter(quotes)

    def filled(_place: re.Match[str]) -> str:
        quote = next(rest)
        return f"'{quote}'" if quote in kept else "'…'"

    return _REPEATED.sub(r"\1", re.sub(_PLACE, filled, template))[:LONGEST_MESSAGE].strip()


def exactly(message: str) -> str:
    """Return a message as printed, but for where it was: addresses, times, folders and places."""
    return _replaced(one_line(message), _EXACT)


def one_line(message: str) -> str:
    """Return a message on one line, as far as it is looked at."""
    return " ".join(message[:LONGEST_LINE].replace(_PLACE, "").split())


def _parted(message: str) -> tuple[str, list[str]]:
    """Return a message with a mark for each text in quotes, and those texts."""
    quotes: list[str] = []

    def noted(quote: re.Match[str]) -> str:
        inside = next(text for text in quote.groups() if text is not None)
        quotes.append(_replaced(inside, _NORMAL)[:LONGEST_QUOTE])
        return _PLACE

    plain = _SUGGESTED.sub("", one_line(message))
    return _replaced(_QUOTED.sub(noted, plain), _NORMAL), quotes


def _replaced(text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
