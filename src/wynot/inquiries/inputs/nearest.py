"""Passing variants near a failing input: what is tried when nobody has given a passing side.

A minimal failing input without any one of its parts does not fail, by definition; the nearest of
those that pass makes the smallest difference to look at. The search for it is not done here: this
only says what to try, the least taken out first.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from wynot.core.files import Files
from wynot.inquiries.inputs.circumstance import digest_of
from wynot.inquiries.inputs.input_source import InputSource

MAX_PARSED_BYTES = 32 << 10
"""Bytes of a file that is parsed for each variant."""
MAX_VARIANTS = 2_000
"""How many variants there are at most; of more than that, some of each size are taken."""


class _Piece(NamedTuple):
    """A part of a file that could be left out; sorted, the smallest come first."""

    size: int
    path: str
    start: int
    stop: int


def nearest(failing: Files, most: int = MAX_VARIANTS) -> Iterator[Files]:
    """Yield the input without one token, node, line or file each, then the empty one.

    First those that follow the grammar as well as the input does: a test that only asks whether the
    failure shows takes nonsense for a pass.
    """
    nothing = emptied(failing)
    seen = {digest_of(failing), digest_of(nothing)}
    good: list[_Piece] = []
    bad: list[_Piece] = []
    for piece in _pieces(failing, most):
        variant = _without(failing, piece)
        digest = digest_of(variant)
        if digest not in seen:
            seen.add(digest)
            (bad if _syntax_errors(variant, failing) else good).append(piece)
    yield from (_without(failing, piece) for piece in good + bad)
    if digest_of(nothing) != digest_of(failing):
        yield nothing


def _without(failing: Files, piece: _Piece) -> Files:
    """Return the input without one part."""
    size, path, start, stop = piece
    if path in failing.links:
        links = {each: to for each, to in failing.links.items() if each != path}
        return _only(failing, failing.contents, links)
    if size > len(failing.contents[path]):
        rest = {name: text for name, text in failing.contents.items() if name != path}
    else:
        content = failing.contents[path]
        rest = {**failing.contents, path: content[:start] + content[stop:]}
    return _only(failing, rest, failing.links)


def _syntax_errors(variant: Files, failing: Files) -> bool:
    """Tell whether a variant follows the grammar less than the input; not of what is large."""
    return any(
        len(content) <= MAX_PARSED_BYTES
        and content != failing.contents[path]
        and _counted(path, content) > _counted(path, failing.contents[path])
        for path, content in variant.contents.items()
    )


@lru_cache(maxsize=8)
def _counted(path: str, content: bytes) -> int:
    """Return in how many places a file does not follow its grammar."""
    source = InputSource(path, content)
    return source.tree.syntax_errors if source.is_known and source.tree is not None else 0


def emptied(files: Files) -> Files:
    """Return the empty input: a file that was named is empty, a folder that was has no files."""
    return _only(files, {path: b"" for path in files.contents if "/" not in path}, {})


def _only(files: Files, contents: Mapping[str, bytes], links: Mapping[str, str]) -> Files:
    """Return other contents of files, with the modes of those that are still there."""
    modes = {path: mode for path, mode in files.modes.items() if path in contents}
    return Files(contents, modes, links)


def _pieces(files: Files, most: int) -> list[_Piece]:
    """Return pieces of all files, white space alone left out, the smallest first."""
    found = {_Piece(0, link, 0, 0) for link in files.links}
    for path, content in files.contents.items():
        source = InputSource(path, content)
        spans = {*pairwise(source.tokens(0, len(content))), *pairwise(source.lines)}
        if source.tree is not None:
            spans |= {*zip(source.tree.starts, source.tree.stops, strict=True)}
        found |= {
            _Piece(stop - start, path, start, stop)
            for start, stop in spans
            if content[start:stop].strip()
        }
        if "/" in path:  # of a folder that was named: the file itself can be missing
            found.add(_Piece(len(content) + 1, path, 0, len(content)))
    step = max(1, -(-len(found) // max(1, most)))
    return sorted(found)[::step]
