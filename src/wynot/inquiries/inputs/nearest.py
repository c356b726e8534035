"""Passing variants near a failing input, and where what is left of it stood before.

A minimal failing input without any one of its parts does not fail, by definition; the nearest of
those that pass makes the smallest difference to look at. The search for it is not done here: this
only says what to try, the least taken out first.

A reduction takes parts out of an input, and says some shorter, one step after the other. Each step
is compared with the one before: what is the same in both stood where that stood, and what is new
where that was which it replaces. So of two parts that read the same it is known which one is left.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from math import inf
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.edit import Edit
from wynot.core.files import Files, RenderedCase
from wynot.core.system.recent import Cache
from wynot.core.texts.difference import Change, Effort, changes
from wynot.core.texts.tree import Tree
from wynot.formats.cuts import tokens
from wynot.inquiries.circumstances import Level
from wynot.inquiries.inputs.circumstance import digest_of
from wynot.inquiries.inputs.edits import InputSource

MAX_PARSED_BYTES = 32 << 10
"""Bytes of a file that is parsed for each variant."""
MAX_VARIANTS = 1_000
"""How many variants there are at most; of more than that, some of each size are taken."""
MAX_PLACES = 50_000
"""How many places of a file are looked at; of more than that, some of all of it."""
MAX_GROUPS = 24
"""How many nodes are tried without any of their children that are left."""
AT_A_TIME = 32
"""How many variants are parsed before they are tried: a parse takes as long as many a test."""
SEPARATORS = frozenset([b",", b";", b"|"])
"""What stands between the items of a list, and goes with one of them."""


class InputPiece(NamedTuple):
    """A part of a file that could be left out; sorted, the smallest come first."""

    size: int
    """Bytes; of a file that goes as a whole one more than it has, of a link none."""
    path: str
    start: int
    stop: int

    @classmethod
    def whole_file(cls, path: str, content: bytes) -> "InputPiece":
        """Return a file that goes as a whole."""
        return cls(len(content) + 1, path, 0, len(content))

    @property
    def is_file(self) -> bool:
        """Tell whether a file goes as a whole, and not only what is in it."""
        return self.size > self.stop - self.start


class WithoutPieces(RenderedCase):
    """An input from which pieces can be taken out: each delta says that some of them are there."""

    def __init__(self, failing: Files, pieces: Sequence[Sequence[InputPiece]]) -> None:
        super().__init__(failing, len(pieces))
        self.pieces = pieces
        units = [self.deltas.part(each, each + 1) for each in range(len(pieces))]
        self.levels = (Level("parts", units),)

    def without(self, number: int) -> Candidate:
        """Return the input without the pieces of one delta."""
        return Candidate(self.deltas, Edit.drop(self.levels[0].units[number]), f"u{number}")

    def _write(self, candidate: Candidate) -> Files:
        gone = self.deltas.toggle(candidate.kept)
        return taken_out(self.files, [piece for each in gone for piece in self.pieces[each]])

    def _digest(self, files: Files) -> bytes:
        return digest_of(files)

    def objection(self, _candidate: Candidate) -> str:
        """Any piece can be missing."""
        return ""


def nearest(pieces: Sequence[InputPiece], failing: Files) -> Iterator[list[InputPiece]]:
    """Yield pieces in the order in which to take them out, some at a time, the smallest first.

    First those without which the input follows the grammar as well as it does now: a test that only
    asks whether the failure shows takes nonsense for a pass.
    """
    seen = {digest_of(failing)}
    bad: list[InputPiece] = []
    for at in range(0, len(pieces), AT_A_TIME):
        good: list[InputPiece] = []
        for piece in pieces[at : at + AT_A_TIME]:
            variant = taken_out(failing, [piece])
            digest = digest_of(variant)
            if digest not in seen:
                seen.add(digest)
                (bad if _syntax_errors(variant, failing) else good).append(piece)
        yield good
    yield bad


def taken_out(failing: Files, pieces: Iterable[InputPiece]) -> Files:
    """Return the input without these pieces."""
    contents, links = dict(failing.contents), dict(failing.links)
    for piece in sorted(pieces, key=lambda piece: piece.start, reverse=True):
        path = piece.path
        if path in links:
            del links[path]
        elif piece.is_file:
            del contents[path]
        else:
            contents[path] = contents[path][: piece.start] + contents[path][piece.stop :]
    return _only(failing, contents, links)


def _syntax_errors(variant: Files, failing: Files) -> bool:
    """Tell whether a variant follows the grammar less than the input; not of what is large."""
    return any(
        len(content) <= MAX_PARSED_BYTES
        and content != failing.contents[path]
        and _counted(path, content) > _counted(path, failing.contents[path])
        for path, content in variant.contents.items()
    )


_ERRORS: Cache[tuple[str, bytes], int] = Cache(lambda key, _: len(key[1]))


def _counted(path: str, content: bytes) -> int:
    """Return in how many places a file does not follow its grammar."""
    return _ERRORS.get((path, content), lambda: _errors_in(path, content))


def _errors_in(path: str, content: bytes) -> int:
    source = InputSource(path, content)
    return source.tree.syntax_errors if source.is_known and source.tree is not None else 0


def emptied(files: Files) -> Files:
    """Return the empty input: a file that was named is empty, a folder that was has no files."""
    return _only(files, {path: b"" for path in files.contents if "/" not in path}, {})


def _only(files: Files, contents: Mapping[str, bytes], links: Mapping[str, str]) -> Files:
    """Return other contents of files, with the modes of those that are still there."""
    modes = {path: mode for path, mode in files.modes.items() if path in contents}
    return Files(contents, modes, links)


def pieces_of(files: Files, near: Mapping[str, Sequence[int]] | None = None) -> list[InputPiece]:
    """Return the tokens, nodes, lines and files that could be left out, the smallest first.

    If ``near`` is given, only those that have one of these places in them, by path.
    """
    found = {InputPiece(0, link, 0, 0) for link in files.links}
    for path, content in files.contents.items():
        if near is not None and path not in near:
            continue
        places = None if near is None else near[path][:: 1 + len(near[path]) // MAX_PLACES]
        found |= {
            InputPiece(stop - start, path, start, stop)
            for start, stop in _spans(path, content, places)
            if content[start:stop].strip()
        }
        if "/" in path:  # of a folder that was named: the file itself can be missing
            found.add(InputPiece.whole_file(path, content))
    step = max(1, -(-len(found) // MAX_VARIANTS))
    return sorted(found)[::step]


def siblings_of(failing: Files, near: Mapping[str, Sequence[int]]) -> list[list[InputPiece]]:
    """Return the children of a node that have one of these places in them, most of them first.

    A separator after a child goes with it.
    """
    found: list[list[InputPiece]] = []
    for path, places in near.items():
        content = failing.contents[path]
        tree = InputSource(path, content).tree or Tree()
        for parent in range(len(tree)):
            spans = _near(_children(tree, parent, content), places)
            found.append([InputPiece(stop - start, path, start, stop) for start, stop in spans])
    return sorted((each for each in found if len(each) > 1), key=len, reverse=True)[:MAX_GROUPS]


def _children(tree: Tree, parent: int, content: bytes) -> Iterator[tuple[int, int]]:
    """Return where the children of a node are, each with the separator after it."""
    children = [*tree.children(parent)]
    for child, after in zip_longest(children, children[1:], fillvalue=parent):
        if tree.text(child, content) not in SEPARATORS:
            is_parted = tree.text(after, content) in SEPARATORS
            yield tree.starts[child], tree.stops[after if is_parted else child]


def _spans(path: str, content: bytes, near: Sequence[int] | None) -> set[tuple[int, int]]:
    """Return where the tokens, lines and nodes are that have one of these places in them."""
    source = InputSource(path, content)
    lines = {*_near(pairwise(source.lines), near)}
    found = {*lines}
    if near is None:
        found |= {*pairwise(source.tokens(0, len(content)))}
    for line in lines if near is not None else ():
        found |= {*_near(pairwise(source.tokens(*line)), near)}
    if source.tree is not None:
        found |= {*_near(_nodes(source.tree, content), near)}
    return found


def _near(
    spans: Iterable[tuple[int, int]], places: Sequence[int] | None
) -> Iterator[tuple[int, int]]:
    """Return the spans that have one of these places, which rise, in them."""
    for start, stop in spans:
        if places is None or bisect_left(places, start) < bisect_left(places, stop):
            yield start, stop


def _nodes(tree: Tree, content: bytes) -> Iterator[tuple[int, int]]:
    """Return where the nodes are; also together with a separator before or after it.

    An item of a list can hardly go without the comma that parts it from the next.
    """
    starts, stops = tree.starts, tree.stops
    yield from zip(starts, stops, strict=True)
    for parent in range(len(tree)):
        for one, other in pairwise(tree.children(parent)):
            if SEPARATORS & {tree.text(one, content), tree.text(other, content)}:
                yield starts[one], stops[other]


KEPT_SHARE = 0.5
"""How much smaller a case must be than the last one that was kept to be kept as well."""
_BLANKS = b" \t\n\r\f\v"


class Remnant(NamedTuple):
    """What is left of an input at some time, and where in the input each of its bytes stood."""

    files: Files
    origins: "Mapping[str, array[int]]"
    """By path; they never fall, as nothing is moved."""

    @property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Where in the input stood what is left, white space aside: offsets that rise, by path."""
        return {
            path: list(
                dict.fromkeys(
                    origin
                    for origin, byte in zip(self.origins[path], content, strict=True)
                    if byte not in _BLANKS
                )
            )
            for path, content in self.files.contents.items()
        }

    def within(self, piece: InputPiece) -> list[InputPiece]:
        """Return the part of what is left that stood in a piece of the input, if there is one."""
        path = piece.path
        if path not in self.files.contents:
            return []
        if piece.is_file:
            return [InputPiece.whole_file(path, self.files.contents[path])]
        start, stop = (
            bisect_left(self.origins[path], place) for place in (piece.start, piece.stop)
        )
        return [InputPiece(stop - start, path, start, stop)] if start < stop else []

    def after(self, files: Files) -> "Remnant":
        """Return what is left after one more step."""
        before = self.files.contents
        return Remnant(
            files,
            {
                path: (
                    self.origins[path]
                    if content == before[path]
                    else _followed(before[path], content, self.origins[path])
                )
                for path, content in files.contents.items()
            },
        )


class Surviving:
    """The smallest case so far of a reduction, and some of those before it."""

    def __init__(self, whole: Files) -> None:
        self.take: Callable[[int], None] = lambda _tests: None
        """Called when there is a smaller case, after so many tests; it may end the reduction."""
        origins = {
            path: array("q", range(len(content))) for path, content in whole.contents.items()
        }
        self.files = whole
        self.left = Remnant(whole, origins)
        self.earlier: list[Remnant] = []
        """What was left before, from large to small: each a good deal smaller than the last."""

    def accept(
        self, files: Files, _digest: bytes, _pass_name: str, _candidate: str, tests: int
    ) -> None:
        """Take a smaller case."""
        last = self.earlier[-1].files.size if self.earlier else inf
        if self.files.size <= last * KEPT_SHARE:
            self.earlier.append(self.left)
        self.files, self.left = files, self.left.after(files)
        self.take(tests)

    def count(self) -> int:
        """Return how many tokens are left, about."""
        return sum(len(tokens(content).stops) for content in self.files.contents.values())


def _followed(before: bytes, after: bytes, origins: "array[int]") -> "array[int]":
    """Return where the bytes of a text come from that was made of another by one step."""
    found = array("q")
    cursor = 0
    for start, stop, begin, end in _changes(before, after):
        found += origins[cursor:start]
        # Of what replaces something, each byte stands for one of that; what replaces nothing stands
        # for what is beside it.
        instead = origins[start:stop] or origins[start : start + 1] or origins[-1:] or [0]
        found.extend(instead[min(each, len(instead) - 1)] for each in range(end - begin))
        cursor = stop
    return found + origins[cursor:]


def _changes(before: bytes, after: bytes) -> Iterator[Change]:
    """Return what differs, in bytes, as closely as tokens can tell."""
    size = min(len(before), len(after))
    first = bisect_left(range(1, size + 1), 1, key=lambda n: before[:n] != after[:n])
    rest = range(1, size - first + 1)
    last = bisect_left(rest, 1, key=lambda n: before[-n:] != after[-n:])
    inner = before[first : len(before) - last], after[first : len(after) - last]
    (old, one), (new, other) = map(_cut, inner)
    for start, stop, begin, end in changes(one, other, Effort()):
        yield Change(*(first + each for each in (old[start], old[stop], new[begin], new[end])))


def _cut(text: bytes) -> tuple[list[int], list[bytes]]:
    """Return the boundaries of the tokens of a text, and the tokens."""
    bounds = [0, *tokens(text).stops]
    return bounds, [text[start:stop] for start, stop in pairwise(bounds)]
