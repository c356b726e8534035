"""Ranges of versions as npm has them (semver.org, and the grammar of node-semver).

Only what lock files need: whether a version is in a range. What is no range (a tag, a URL, a file)
is said to be none, and whoever asks has to know what that means.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

_NUMBERS = r"[v=\s]*+(?P<major>\d{1,16}|[xX*])(?:\.(?P<minor>\d{1,16}|[xX*])"
_REST = r"(?:\.(?P<patch>\d{1,16}|[xX*]))?)?(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?"
_VERSION = re.compile(_NUMBERS + _REST, re.ASCII)
_BOUND = re.compile(rf"(?P<sign>[<>]=?|=|\^|~>?|){_NUMBERS}{_REST}(?=\s|$)", re.ASCII)
_HYPHEN = re.compile(r"(\S+)\s+-\s+(\S+)")
_MAX_CHARS = 1000
_LOWEST_PRE = ((0, 0, ""),)
"""The prerelease before all others, ``-0``: below it there is nothing of that version."""

Pre: TypeAlias = tuple[tuple[int, int, str], ...]


class NodeVersion(NamedTuple):
    """A version, so that earlier ones are smaller."""

    numbers: tuple[int, int, int]
    is_release: bool
    pre: Pre = ()


class Bound(NamedTuple):
    """One comparison."""

    sign: str
    version: NodeVersion

    def holds(self, version: NodeVersion) -> bool:
        """Tell whether a version is on the right side."""
        match self.sign:
            case "<":
                return version < self.version
            case "<=":
                return version <= self.version
            case ">":
                return version > self.version
            case ">=":
                return version >= self.version
        return version == self.version


class NotARange(Exception):
    """What is asked for is no range of versions."""


def is_within(version: str, wanted: str) -> bool | None:
    """Tell whether a version is in a range; None if one of them is none, and nobody can tell."""
    found = _VERSION.fullmatch(version) if len(version) <= _MAX_CHARS else None
    if found is None or not (found["patch"] or "x").isdigit():
        return None
    mine = _lowest(found)
    try:
        return any(_holds(bounds, mine) for bounds in _alternatives(wanted))
    except NotARange:
        return None


def newest_first(version: str) -> tuple[int, NodeVersion]:
    """Return a key by which versions are ordered from the newest; others are before all."""
    found = _VERSION.fullmatch(version)
    return (1, _lowest(found)) if found else (0, NodeVersion((0, 0, 0), is_release=False))


def _holds(bounds: tuple[Bound, ...], version: NodeVersion) -> bool:
    """Tell whether all hold; a prerelease is meant only where one of the same version is named."""
    if not all(bound.holds(version) for bound in bounds):
        return False
    return version.is_release or any(
        bound.version.numbers == version.numbers and not bound.version.is_release
        for bound in bounds
    )


@lru_cache(maxsize=1 << 14)
def _alternatives(wanted: str) -> tuple[tuple[Bound, ...], ...]:
    if wanted.startswith("npm:"):  # an alias: npm:name@range
        wanted = wanted.removeprefix("npm:")[1:].partition("@")[2]
    if len(wanted) > _MAX_CHARS:
        raise NotARange
    return tuple(tuple(_bounds(each.strip())) for each in wanted.split("||"))


def _bounds(text: str) -> Iterator[Bound]:
    hyphen = _HYPHEN.fullmatch(text)
    if hyphen:
        low, high = (_VERSION.fullmatch(each) for each in hyphen.groups())
        if low is None or high is None:
            raise NotARange
        yield from _span(">=", low)
        yield from _span("<=", high)
        return
    at = 0
    while at < len(text):
        found = _BOUND.match(text, at)
        if found is None:
            raise NotARange
        yield from _span(found["sign"], found)
        at = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip())


def _span(sign: str, found: re.Match[str]) -> Iterator[Bound]:
    """Yield what a comparison with a version comes to that may be given in part: 1.x, ~1.2."""
    given = _given(found)
    low = _lowest(found)
    whole = 3
    if not given:
        if sign in ("<", ">"):  # nothing is before or after all versions
            yield Bound("<", NodeVersion((0, 0, 0), is_release=False, pre=_LOWEST_PRE))
    elif sign == "^":
        zeros = next((at for at, number in enumerate(given) if number), len(given) - 1)
        yield Bound(">=", low)
        yield Bound("<", _after(given, zeros))
    elif sign in ("~", "~>"):
        yield Bound(">=", low)
        yield Bound("<", _after(given, min(1, len(given) - 1)))
    elif len(given) == whole or sign in ("<", ">="):
        yield Bound(sign or "=", low)
    elif sign == ">":
        yield Bound(">=", _after(given, len(given) - 1)._replace(is_release=True, pre=()))
    else:
        if sign != "<=":
            yield Bound(">=", low)
        yield Bound("<", _after(given, len(given) - 1))


def _given(found: re.Match[str]) -> tuple[int, ...]:
    """Return the numbers up to the first that is left open."""
    numbers: list[int] = []
    for part in ("major", "minor", "patch"):
        text = found[part]
        if text is None or not text.isdigit():
            break
        numbers.append(int(text))
    return tuple(numbers)


def _lowest(found: re.Match[str]) -> NodeVersion:
    """Return the version, with zeros for what is left open."""
    given = _given(found)
    major, minor, patch = (*given, 0, 0, 0)[:3]
    texts = found["pre"].split(".") if found["pre"] and given[2:] else []
    pre = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in texts)
    return NodeVersion((major, minor, patch), not pre, pre)


def _after(given: tuple[int, ...], at: int) -> NodeVersion:
    """Return the first version, prereleases among them, in which this number is one higher."""
    major, minor, patch = (*given[:at], given[at] + 1, 0, 0)[:3]
    return NodeVersion((major, minor, patch), is_release=False, pre=_LOWEST_PRE)
