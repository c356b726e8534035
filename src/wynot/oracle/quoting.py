"""Which texts in quotes belong to a failure, and which to its input.

``unsupported operand type(s) for +: 'int' and 'NoneType'`` names what went wrong in quotes, and
``'total_price' undeclared`` what the input calls it. A word that is not in the input cannot come
from there, so it has to stay; a reserved word or a mark (``unexpected token 'fi'``) may come from
there, but nothing that a reduction does makes another one of it, so it has to stay too. What is
left is the input's: it may be renamed and shortened, but not become another word.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from wynot.oracle.vocabulary import Vocabulary
from wynot.oracle.wording import Quotes

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
