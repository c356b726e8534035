"""A message without what depends on the input, the machine or the run.

Reduction moves lines, and shortens the names and literals of the input, so that a message is
compared without

* numbers, with their units (``0.11s``, ``142kB``), addresses, hashes, dates and times: ``N``,
  several in a row as one;
* folders: a path is its base name, which is the same for every candidate;
* what stands in quotes: ``'…'``. That is where tools show the text of their input, but also where
  they name what is wrong (``expected ';'``), so it is kept beside the message, in order.

``unsupported operand type(s) for +: 'int' and 'NoneType'`` names what went wrong in quotes, and
``'total_price' undeclared`` what the input calls it. A word that is not in the input cannot come
from there, so it has to stay; a reserved word or a mark (``unexpected token 'fi'``) may come from
there, but nothing that a reduction does makes another one of it, so it has to stay too. What is
left is the input's: it may be renamed and shortened, but not become another word.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
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


MAX_INPUT_BYTES = 32 << 20
"""Bytes of an input that are looked at."""

_LETTER = rb"[0-9A-Za-z_\x80-\xff]"


def no_texts() -> Iterable[bytes]:
    """Return the texts of an input that is not there."""
    return ()


def no_words() -> frozenset[str]:
    """Return the reserved words of a language that is not known."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Both are asked for only if there is something in quotes to be looked up."""

    texts: Callable[[], Iterable[bytes]] = no_texts
    reserved: Callable[[], frozenset[str]] = no_words
    """The words of the language that nobody can rename, in lower case."""
    is_run: bool = False
    """Whether the input is itself the program: then the calls that led to a failure may be its."""

    @classmethod
    def of(
        cls,
        files: Callable[[], Iterable[tuple[str, bytes]]],
        reserved: Callable[[str, bytes], frozenset[str]],
    ) -> "Vocabulary":
        """Return that of files, given how to get them, and the reserved words of one."""

        def texts() -> Iterator[bytes]:
            for path, content in files():
                yield path.encode("utf-8", "surrogateescape")
                yield content

        return cls(texts, lambda: frozenset().union(*(reserved(*each) for each in files())))

    def known(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words, in lower case, that are whole words of the input.

        Upper and lower case are the same here: many databases print names in one of them.
        """
        wanted = {word.lower() for word in words}
        if not wanted:
            return frozenset()
        either = b"|".join(re.escape(word.encode("utf-8", "replace")) for word in sorted(wanted))
        pattern = re.compile(rb"(?<!%b)(?:%b)(?!%b)" % (_LETTER, either, _LETTER), re.IGNORECASE)
        found: set[str] = set()
        room = MAX_INPUT_BYTES
        for text in self.texts():
            for match in pattern.finditer(text[:room]):
                found.add(match[0].decode("utf-8", "replace").lower())
                if len(found) == len(wanted):
                    return frozenset(found)
            room -= min(room, len(text))
        return frozenset(found)


NO_INPUT = Vocabulary()
"""There is no input that a message could quote."""


SHORT_NAME_CHARS = 2
"""Letters of the names that renaming gives."""

MAX_MARK_CHARS = 3
"""Characters of what is taken for a mark of a language: ``===``."""

ECHO_CHARS = 40
"""Characters from which on a text is an echo of the input, and no name in it."""

_WORD = re.compile(r"(?<!\w)\d*+[^\W\d]\w*+")
_ESCAPE = re.compile(r"\\[abfnrtv0]")


class Quoting(NamedTuple):
    """What was decided about the texts in quotes of a message."""

    quotes: Quotes = ()
    kept: frozenset[str] = frozenset()
    """Those that have to stay as they are."""
    own: frozenset[str] = frozenset()
    """Words in the others that are not the input's: they have to stay where they are."""
    reserved: frozenset[str] = frozenset()
    """The short words that no renaming gives."""
    varying: frozenset[int] = frozenset()
    """Which of the quotes may be anything, by their number."""

    @classmethod
    def learned(cls, quotes: Quotes, vocabulary: Vocabulary) -> "Quoting":
        """Decide about the quotes of the first run."""
        texts = {text for group in quotes for text in group}
        words = {word for text in texts for word in words_of(text)}
        if not words:
            return cls(quotes, frozenset(text for text in texts if _is_mark(text)))
        known, reserved = vocabulary.known(words), vocabulary.reserved()
        kept = frozenset(text for text in texts if _stays(text, known, reserved))
        own = frozenset(word for word in words if word.lower() not in known | reserved)
        short = frozenset(word for word in reserved if len(word) <= SHORT_NAME_CHARS)
        return cls(quotes, kept, own, short)

    def admits(self, seen: Quotes) -> bool:
        """Tell whether the quotes of another run can be those of the same failure."""
        return len(seen) == len(self.quotes) and self._refused(seen) <= self.varying

    def relaxed(self, seen: Quotes) -> "Quoting":
        """Let those quotes vary that another run of the same input has not."""
        return self._replace(varying=self.varying | self._refused(seen))

    def _refused(self, seen: Quotes) -> frozenset[int]:
        pairs = enumerate(zip(self.quotes, seen, strict=False))
        return frozenset(at for at, pair in pairs if not self._admits(*pair))

    def _admits(self, before: tuple[str, ...], seen: tuple[str, ...]) -> bool:
        """Tell whether a list of quotes, mostly of one, can stand for another.

        A list of what was expected may be shorter or longer elsewhere.
        """
        lasting, here = self._lasting(before), Counter(map(_form, seen))
        if not lasting <= here:
            return False
        free = [text for text in before if text not in self.kept]
        rest = here - lasting
        return len(before) != len(seen) or all(
            any(self._is_like(text, other) for text in free) for other in seen if rest[_form(other)]
        )

    def _lasting(self, texts: Iterable[str]) -> "Counter[str]":
        return Counter(_form(text) for text in texts if text in self.kept)

    def _is_like(self, text: str, other: str) -> bool:
        """Tell whether a text of the input may have become this other one."""
        if text == other:
            return True
        before, words = set(words_of(text)), words_of(other)
        is_echo = len(text) > ECHO_CHARS
        if not is_echo and not before & self.own <= set(words):
            return False
        if is_echo or " " in text or _is_left_of(text, other):
            return True
        if not before or not words:
            return not before and not words
        return all(
            word in before
            or (len(word) <= SHORT_NAME_CHARS and word.lower() not in self.reserved)
            or _is_left_of(text, word)
            for word in words
        )


def words_of(text: str) -> list[str]:
    """Return the words in a text; not the sign that stands for a number."""
    return [word for word in _WORD.findall(_ESCAPE.sub(" ", text)) if word != "N"]


def _stays(text: str, known: frozenset[str], reserved: frozenset[str]) -> bool:
    words = {word.lower() for word in words_of(text)}
    return words <= reserved or not words & known if words else _is_mark(text)


def _is_mark(text: str) -> bool:
    """Tell whether a text has no words and no numbers, and is short."""
    return len(text) <= MAX_MARK_CHARS and not any(each.isalnum() for each in text)


def _is_left_of(text: str, other: str) -> bool:
    """Tell whether the other is what is left of a text when characters of it go."""
    rest = iter(text)
    return all(character in rest for character in other)


def _form(text: str) -> str:
    """Return a text that has to stay without the short names in it, if there is more in it."""
    if all(len(word) <= SHORT_NAME_CHARS for word in words_of(text)):
        return text
    return _WORD.sub(lambda word: word[0] if len(word[0]) > SHORT_NAME_CHARS else "_", text)
