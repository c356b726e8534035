"""Signatures: what classes and members are with their type parameters."""

import re

_MAX_DEPTH = 60
_NAME = re.compile(r"[^.;\[/<>:]+(?:/[^.;\[/<>:]+)*")
_SIMPLE = re.compile(r"[^.;\[/<>:]+")


class _NoSignatureError(Exception):
    pass


class _Parsing:
    """A signature, and how far it is read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    @property
    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _expect(self, sign: str) -> None:
        if self._next != sign:
            raise _NoSignatureError
        self._at += 1

    def _match(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        if not found:
            raise _NoSignatureError
        self._at = found.end()

    def whole(self) -> None:
        """Read one of any kind."""
        self._parameters()
        if self._next == "(":
            self._method()
        else:
            self._type(0)
            while self._at < len(self._text):
                self._type(0)
        if self._at < len(self._text):
            raise _NoSignatureError

    def _parameters(self) -> None:
        if self._next != "<":
            return
        self._at += 1
        while self._next != ">":
            self._match(_SIMPLE)
            self._expect(":")
            if self._next not in {":", ">"} and self._next in {"L", "T", "["}:
                self._type(0)
            while self._next == ":":
                self._at += 1
                self._type(0)
        self._at += 1

    def _method(self) -> None:
        self._at += 1
        while self._next != ")":
            self._type(0)
        self._at += 1
        if self._next == "V":
            self._at += 1
        else:
            self._type(0)
        while self._next == "^":
            self._at += 1
            self._type(0)

    def _type(self, depth: int) -> None:
        while self._next == "[":
            self._at += 1
        sign = self._next
        self._at += 1
        if sign == "L" and depth < _MAX_DEPTH:
            self._match(_NAME)
            self._arguments(depth)
            while self._next == ".":
                self._at += 1
                self._match(_SIMPLE)
                self._arguments(depth)
            self._expect(";")
        elif sign == "T":
            self._match(_SIMPLE)
            self._expect(";")
        elif not sign or sign not in "BCDFIJSZ":
            raise _NoSignatureError

    def _arguments(self, depth: int) -> None:
        if self._next != "<":
            return
        self._at += 1
        while self._next != ">":
            if self._next == "*":
                self._at += 1
                continue
            if self._next and self._next in "+-":
                self._at += 1
            self._type(depth + 1)
        self._at += 1


def is_signature(text: str) -> bool:
    """Tell whether a text is a signature of some kind."""
    try:
        _Parsing(text).whole()
    except _NoSignatureError:
        return False
    return True
