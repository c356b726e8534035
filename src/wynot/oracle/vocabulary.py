"""The words of an input, and those of its language: to tell what a message quotes from it."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

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
