"""A message, without what depends on the input, on the machine and on chance.

Reduction moves lines, and shortens the names and literals of the input, so that a message is
compared without

* numbers, with their units (``0.11s``, ``142kB``), addresses, hashes, dates and times: ``N``,
  several in a row as one;
* folders: a path is its base name, which is the same for every candidate;
* what stands in quotes: ``'…'``. That is where tools show the text of their input, but also where
  they name what is wrong (``expected ';'``), so it is kept beside the message, in order.
"""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

LONGEST_LINE = 2000
LONGEST_MESSAGE = 200
LONGEST_QUOTE = 100
MAX_ALIGNED = 100
"""Words and marks of two texts that are aligned with each other; more are taken to differ."""

Quotes: TypeAlias = tuple[tuple[str, ...], ...]
"""The texts in quotes, in order; those of a list (``';', ',' or ')'``) are together, sorted: many
tools print such a list from a set."""

_PLACE = "\ue000"
"""Stands for a text in quotes; removed from messages that have it themselves."""

VARYING = "\ue001"
"""Stands for what differs between two runs of the same input."""

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
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
# Groups are atomic, not possessive: (?:…)*+ matches too much in Python before 3.11.5 (gh-106052).
_LISTED = re.compile(rf"{_PLACE}(?>(?:(?:,? (?:or|nor) |,(?: and)? ?){_PLACE})*)")
_REPEATED = re.compile(r"(\S{1,20})(?>(?:(?:, | |,)(?:or |and )?\1(?!\w))+)")

_FOLDERS = (
    # Not in total/2, a function with the number of its arguments in Erlang; nor in 3/5 and MB/s.
    r"(?<![\w.])(?!\w++[?!]?+/\d++(?![\w./])|[\w.]*+/s(?:ec)?\b)(?>(?:[\w.+~-]*+/)+)(?=[\w.+-])",
    "",
)
_TEMPORARY = (r"\b(cc|tmp)(?:(?<=cc)\w{6}\.(?=[a-z]{1,3}\b)|(?=\w*\d)\w{8}\b|\.\w{10}\b)", r"\1.")
"""Files of a compiler (ccAbC123.o), of Python's tempfile and of mktemp."""
_CLOCK = (
    r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d++)?)?(?: ?[AaPp][Mm]\b)?"
    r"(?: ?(?:Z|UTC|GMT|[A-Z]{2,4}T)\b| ?[+-]\d\d:?\d\d\b)?"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}+"
_TIMES = (
    (
        rf"\b\d{{4}}[-/]\d\d[-/]\d\d[T ]{_CLOCK}(?!\w)|\b\d{{8}}T\d{{6}}Z?\b|"
        r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}+,? )?"
        rf"(?:\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}\b(?:,? {_CLOCK}(?!\w))?|"
        rf"{_MONTH} \d{{1,2}},? (?:\d{{4}}\b(?:,? {_CLOCK}(?!\w))?|{_CLOCK}(?!\w)(?: \d{{4}}\b)?))|"
        rf"(?<![\w.:]){_CLOCK}(?![\w:])"
    ),
    "N",
)
_IDENTITIES = (
    (
        r"\b(?=[a-f-]*+\d)(?=[\d-]*+[a-f])[0-9a-f]{8}[0-9a-f-]*+\b|"
        r"\b[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}\b"
    ),
    "N",
)
_ADDRESSES = (r"(?<![\w.])[-+]?0[xX][0-9a-fA-F]++\b", "N")
_NUMBER = r"(?<![\w.])[-+]?\d++(?>(?:[:.,]\d++)*)(?:e[-+]?\d++)?"
_NUMBERS = (rf"{_NUMBER}(?![A-Za-z_])", "N")
_SPAN = r"(?:[nµμum]?s|m?secs?|(?:milli)?seconds?|mins?|minutes?|hrs?|hours?)"
_SIZE = r"[kKMGTP]i?(?:[bB]|[bB]ytes|[bB]its?|bps|Hz)"
_MEASURES = (
    # "1m30s", "12ms", "1.2 MB/s", "5x": a letter alone is a unit only behind a number.
    (
        rf"(?<![\w.])\d++(?:{_SPAN}|[mhd])(?: ?\d++(?:\.\d++)?(?:{_SPAN}|[mhd])){{1,3}}(?!\w)|"
        rf"{_NUMBER}(?: ?(?:{_SPAN}|{_SIZE})|[mhdbBxXkKMG])(?:/s(?:ec)?)?(?!\w)"
    ),
    "N",
)
_COUNTS = (
    r"\bN (error|warning|byte|bug|failure|test|item|line|row|argument|character)s\b",
    r"N \1",
)
_BEHIND = (r"(?<=[\w.)>\]]):\d++(?::\d++)?(?=[:,\s)]|$)|(?<=[\w.])\(\d++(?:,\d++)?\)(?=:)", "")
_NAMED = (r"(?i)\b((?:line|column|col|char|character|offset|position|byte):?) \d++\b", r"\1 N")


def _compiled(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_NORMAL = _compiled(
    _FOLDERS, _TEMPORARY, _TIMES, _IDENTITIES, _ADDRESSES, _MEASURES, _NUMBERS, _COUNTS
)
_IN_QUOTES = _compiled(_FOLDERS, _TEMPORARY, _TIMES, _IDENTITIES, _ADDRESSES, _NUMBERS, _COUNTS)
"""A text in quotes may be the input's, where ``12x`` is not a measure."""
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


def masked(text: str) -> str:
    """Return a text on one line with its numbers masked, and what is in quotes as it is."""
    return _replaced(one_line(text), _NORMAL)


def common(one: str, other: str) -> str | None:
    """Return what two texts have in common, with a mark for what differs; None if it is little.

    Two runs of one failure differ in single words. If they have not even more than half of their
    words in common, they are more likely two failures.
    """
    if one == other:
        return one
    first, second = _TOKEN.findall(one), _TOKEN.findall(other)
    start = _shared(first, second)
    end = _shared(first[:start:-1], second[:start:-1])
    middle = first[start : len(first) - end], second[start : len(second) - end]
    same: list[list[str]] = [first[:start]]
    if max(map(len, middle)) <= MAX_ALIGNED:
        blocks = SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks()[:-1]
        same += [middle[0][block.a : block.a + block.size] for block in blocks]
    same.append(first[len(first) - end :])
    words = [sum(map(_is_word, tokens)) for tokens in (first, second, chain(*same))]
    if 2 * words[2] <= max(words[:2]):
        return None
    text = VARYING.join("".join(tokens) for tokens in same)
    return re.sub(rf"{VARYING}(?:\s*{VARYING})+", VARYING, text)


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many tokens two lists begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, pair in pairs if pair[0] != pair[1]), min(len(one), len(other)))


def fits(template: str, text: str) -> bool:
    """Tell whether a text is a template, but for what varies in that."""
    first, *rest = template.split(VARYING)
    if not rest:
        return template == text
    at = len(first)
    if not text.startswith(first):
        return False
    for part in rest[:-1]:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return text.endswith(rest[-1]) and len(text) - len(rest[-1]) >= at


def _is_word(token: str) -> bool:
    return any(map(str.isalpha, token))


def one_line(message: str) -> str:
    """Return a message on one line, as far as it is looked at."""
    return " ".join(message[:LONGEST_LINE].replace(_PLACE, "").split())


def _parted(message: str) -> tuple[str, list[str]]:
    """Return a message with a mark for each text in quotes, and those texts."""
    quotes: list[str] = []

    def noted(quote: re.Match[str]) -> str:
        inside = next(text for text in quote.groups() if text is not None)
        quotes.append(_replaced(inside, _IN_QUOTES)[:LONGEST_QUOTE])
        return _PLACE

    plain = _SUGGESTED.sub("", one_line(message))
    return _replaced(_QUOTED.sub(noted, plain), _NORMAL), quotes


def _replaced(text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
