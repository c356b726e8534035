"""The difference as a patch, as git writes it: ``patch -p1`` and ``git apply`` understand it."""

from collections.abc import Iterator, Sequence

from wynot.core.difference import Change, Effort, changes
from wynot.core.files import Files
from wynot.formats.lines import lines
from wynot.inquiries.inputs.paths import PathState, found_at

CONTEXT_LINES = 3
_FILE, _LINK = 0o100000, 0o120000
_EMPTY, _NONE = b"e69de29", b"0000000"
"""What git calls the empty file, and no file at all."""
_NO_NEWLINE = b"\\ No newline at end of file\n"
_PLAIN = frozenset(range(0x20, 0x7F)) - {0x22, 0x5C}
_ESCAPES = {0x07: b"a", 0x08: b"b", 0x09: b"t", 0x0A: b"n", 0x0B: b"v", 0x0C: b"f", 0x0D: b"r"}
_ESCAPES |= {0x22: b'"', 0x5C: b"\\"}


def patch_of(passing: Files, failing: Files) -> bytes:
    """Return the patch that makes the failing side of the passing one.

    Of binary files it only says that they differ.
    """
    paths = {*passing.contents, *passing.links, *failing.contents, *failing.links}
    return b"".join(
        _path_patch(path, found_at(passing, path), found_at(failing, path))
        for path in sorted(paths)
    )


def _path_patch(path: str, passing: PathState, failing: PathState) -> bytes:
    if passing == failing:
        return b""
    before, after = _mode(passing), _mode(failing)
    if before and after and (before ^ after) & _LINK & ~_FILE:  # a file for a link, or vice versa
        return _path_patch(path, passing, PathState()) + _path_patch(path, PathState(), failing)
    one, other = _quoted("a", path), _quoted("b", path)
    header = [b"diff --git %s %s\n" % (one, other)]
    if not before:
        header.append(b"new file mode %o\n" % after)
    elif not after:
        header.append(b"deleted file mode %o\n" % before)
    elif before != after:
        header.append(b"old mode %o\nnew mode %o\n" % (before, after))
    old, new = _content(passing), _content(failing)
    if old == new:
        if before != after and not (before and after):  # patch wants to know that it is empty
            header.append(b"index %s..%s\n" % ((_EMPTY, _NONE) if before else (_NONE, _EMPTY)))
        return b"".join(header) if len(header) > 1 else b""  # git knows few modes
    names = one if before else b"/dev/null", other if after else b"/dev/null"
    if b"\0" in old or b"\0" in new:
        return b"".join((*header, b"Binary files %s and %s differ\n" % names))
    # After a name with a blank, a tab says where it ends.
    ends = [b"%s\t" % name if b" " in name else name for name in names]
    header.append(b"--- %s\n+++ %s\n" % (ends[0], ends[1]))
    return b"".join((*header, *unified(old, new)))


def _mode(found: PathState) -> int:
    """Return the mode as git writes it; 0: there is nothing."""
    if found.link is not None:
        return _LINK
    if found.content is None:
        return 0
    return _FILE | (0o755 if found.mode & 0o100 else 0o644)


def _content(found: PathState) -> bytes:
    if found.link is not None:
        return found.link.encode("utf-8", "surrogateescape")
    return found.content or b""


def _quoted(side: str, path: str) -> bytes:
    """Return a path behind the name of its side, in quotes if it has odd characters."""
    name = f"{side}/{path}".encode("utf-8", "surrogateescape")
    if _PLAIN.issuperset(name):
        return name
    inner = (
        bytes([each]) if each in _PLAIN else b"\\" + (_ESCAPES.get(each) or b"%03o" % each)
        for each in name
    )
    return b'"%s"' % b"".join(inner)


def unified(passing: bytes, failing: bytes, context: int = CONTEXT_LINES) -> Iterator[bytes]:
    """Yield the hunks of a patch, each with the lines around what changed."""
    old, new = _lines(passing), _lines(failing)
    for near in _neighbours(changes(old, new, Effort()), context):
        start = max(0, near[0].start - context)
        stop = min(len(old), near[-1].stop + context)
        begin = near[0].begin - (near[0].start - start)
        end = near[-1].end + (stop - near[-1].stop)
        yield b"@@ -%s +%s @@\n" % (_range(start, stop), _range(begin, end))
        cursor = start
        for change in near:
            yield from (_line(b" ", each) for each in old[cursor : change.start])
            yield from (_line(b"-", each) for each in old[change.start : change.stop])
            yield from (_line(b"+", each) for each in new[change.begin : change.end])
            cursor = change.stop
        yield from (_line(b" ", each) for each in old[cursor:stop])


def _neighbours(found: Sequence[Change], context: int) -> Iterator[list[Change]]:
    """Put changes together whose context would overlap or touch."""
    near: list[Change] = []
    for change in found:
        if near and change.start - near[-1].stop > 2 * context:
            yield near
            near = []
        near.append(change)
    if near:
        yield near


def _range(start: int, stop: int) -> bytes:
    """Return lines as a patch counts them: from 1, and none are after the line before."""
    count = stop - start
    first = start + 1 if count else start
    return b"%d" % first if count == 1 else b"%d,%d" % (first, count)


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else b"%s%s\n%s" % (mark, line, _NO_NEWLINE)


def _lines(content: bytes) -> list[bytes]:
    return [content[start:stop] for start, stop in lines(content).spans]
