"""How rows are written: kinds of nodes in one string, since there are many of them."""

from collections.abc import Mapping
from types import MappingProxyType

NUMBER = (b"0", b"1")
STRING = (b'""',)


def kinds(text: str) -> frozenset[str]:
    """Return the kinds that are named in a text."""
    return frozenset(text.split())


def replacements(*groups: tuple[str, tuple[bytes, ...]]) -> Mapping[str, tuple[bytes, ...]]:
    """Return the short texts of each kind; later groups take the place of earlier ones."""
    return MappingProxyType({kind: texts for named, texts in groups for kind in named.split()})
