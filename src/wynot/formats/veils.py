"""Words that a grammar does not know where they stand, and that it may take for blanks.

One such word can send error recovery astray for thousands of lines: what is in a namespace is then
no longer in it. So the parser is shown blanks in their place, and the words become tokens of the
tree all the same.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

Veil: TypeAlias = Callable[[bytes], bytes]
"""Returns a text of the same length, with blanks for what a grammar does not know."""

_GNU_ATTRIBUTE = rb"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)"
_OF_NAMESPACE = re.compile(rb"(\bnamespace\s+(?:[\w:]+\s*)?)((?:" + _GNU_ATTRIBUTE + rb"\s*)+)")
_OF_FRIEND = re.compile(rb"()(\[\[[^\[\]]*\]\])(?=\s*friend\b)")
_EXTERN_TEMPLATE = re.compile(rb"()(\bextern)(?=\s+template\b)")
_TRAILING = re.compile(_GNU_ATTRIBUTE)
_LEADING = re.compile(rb"\[\[[^\[\]]*\]\]|extern")


def cpp_veil(content: bytes) -> bytes:
    """Veil what libraries of C++ say to a compiler beside the language, as GNU's does."""
    if b"__attribute__" in content:
        content = _OF_NAMESPACE.sub(_blank, content)
    if b"]]" in content:
        content = _OF_FRIEND.sub(_blank, content)
    return _EXTERN_TEMPLATE.sub(_blank, content) if b"extern" in content else content


def leads(text: bytes) -> bool:
    """Tell whether a text that was veiled belongs to what comes after it."""
    return _LEADING.fullmatch(text) is not None


def is_veiled(text: bytes) -> bool:
    """Tell whether a text that is in no node was veiled, and means nothing to those around it."""
    return leads(text) or _TRAILING.match(text) is not None


def _blank(found: re.Match[bytes]) -> bytes:
    kept, veiled = found[1], found[2]
    return kept + bytes(each if each in b"\r\n" else 0x20 for each in veiled)
