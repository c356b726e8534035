"""Files as edits of others that both sides hold: what most candidates are.

An edit names how many bytes at the beginning and at the end of a file stay, and brings those in
between: that is all of it where a pass has cut at one place, and never longer than the file.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from wynot.core.system.folder_files import FolderFiles
from wynot.wire.framing import Header, ProtocolFault, field, mapping, texts

_MUCH_SHARE = 8
"""Much is what is more than one of so many parts of what was sent ahead."""
_PLAIN_FIELDS = 4
_ENTRY_KINDS = ((str, int, int, int), (str, int, int, int, str))
_SMALL_BYTES = 256
"""Smaller files are sent whole: looking for what stays would take longer."""


class NotInStore(Exception):
    """Something is not in the store, or not as it was sent."""


LEAST_BYTES = 4096
"""Smaller files of a candidate are sent with it: that takes no longer than their digests."""


class PreloadedFile(NamedTuple):
    """A content, and what it is called."""

    digest: str
    content: bytes

    @classmethod
    def of(cls, content: bytes) -> "PreloadedFile":
        """Return a content with its digest."""
        return cls(sha256(content).hexdigest(), content)


class Preload(NamedTuple):
    """What is sent ahead."""

    files: Mapping[str, PreloadedFile] = {}
    """Files of the original, by their paths in the folder of a candidate."""
    programs: Mapping[str, PreloadedFile] = {}
    """Scripts, by the words that name them in commands: their paths on this machine."""

    @classmethod
    def of(cls, files: FolderFiles, programs: Mapping[str, bytes]) -> "Preload":
        """Return these as they are sent ahead."""
        large = {
            path: PreloadedFile.of(content)
            for path, content in files.contents.items()
            if len(content) >= LEAST_BYTES
        }
        return cls(large, {path: PreloadedFile.of(each) for path, each in programs.items()})

    @property
    def contents(self) -> dict[str, bytes]:
        """All there is, by digest."""
        return dict([*self.files.values(), *self.programs.values()])


NO_PRELOAD = Preload()


class HeldFiles(NamedTuple):
    """The files that were sent last, as both sides have them."""

    contents: Mapping[str, bytes] = {}
    modes: Mapping[str, int] = {}
    links: Mapping[str, str] = {}


NO_FILES = HeldFiles()


def edits(
    base: FolderFiles, files: FolderFiles, preload: Mapping[str, PreloadedFile] = NO_PRELOAD.files
) -> tuple[Header, list[bytes]]:
    """Return what makes these files of those, as fields of a header and bytes that follow it.

    A file can also be made of one that was sent ahead, if much less has to be sent then.
    """
    header: Header = {}
    put: list[tuple[str, int, int, int] | tuple[str, int, int, int, str]] = []
    pieces: list[bytes] = []
    stay = len(files.contents)
    for path, content in files.contents.items():
        before = base.contents.get(path)
        stay -= before is None
        if before is content or before == content:
            continue
        first, last = ends_kept(before or b"", content)
        preloaded, digest = preload.get(path), ""
        if preloaded and _MUCH_SHARE * (len(content) - first - last) > len(preloaded.content):
            ends = ends_kept(preloaded.content, content)
            if sum(ends) > first + last:
                (first, last), digest = ends, preloaded.digest
        piece = content[first : len(content) - last] if first or last else content
        entry = path, first, last, len(piece)
        put.append((*entry, digest) if digest else entry)
        pieces.append(piece)
    if put:
        header["put"] = put
    if len(base.contents) > stay:
        header["drop"] = [path for path in base.contents if path not in files.contents]
    if files.modes != base.modes:
        header["modes"] = dict(files.modes)
    if files.links != base.links:
        header["links"] = dict(files.links)
    return header, pieces


def edited(
    base: HeldFiles, header: Header, body: bytes, preloaded: Callable[[str], bytes]
) -> HeldFiles:
    """Return the files that edits make; raise ProtocolFault if they do not fit.

    Raise NotInStore if something was not sent ahead that should have been.
    """
    contents = dict(base.contents)
    for path in texts(header, "drop") if "drop" in header else ():
        contents.pop(path, None)
    at = 0
    for entry in field(header, "put", list, []):
        path, first, last, length, digest = _entry(entry)
        before = preloaded(digest) if digest else contents.get(path, b"")
        if first + last > len(before) or at + length > len(body):
            raise ProtocolFault(f"an edit of {path!r:.100} that does not fit")
        piece = body[at : at + length]
        at += length
        kept = first or last
        contents[path] = before[:first] + piece + before[len(before) - last :] if kept else piece
    if at != len(body):
        raise ProtocolFault(f"{len(body) - at} bytes more than the edits take")
    modes = mapping(header, "modes", int) if "modes" in header else base.modes
    links = mapping(header, "links", str) if "links" in header else base.links
    return HeldFiles(contents, modes, links)


def _entry(entry: Any) -> tuple[str, int, int, int, str]:
    if isinstance(entry, list) and tuple(map(type, entry)) in _ENTRY_KINDS:
        path, first, last, length, digest = entry if len(entry) > _PLAIN_FIELDS else (*entry, "")
        if min(first, last, length) >= 0:
            return path, first, last, length, digest
    raise ProtocolFault(f"an edit that is none: {entry!r:.100}")


def ends_kept(before: bytes, after: bytes) -> tuple[int, int]:
    """Return how many bytes at the beginning, and of the rest at the end, are the same."""
    shorter = min(len(before), len(after))
    if shorter < _SMALL_BYTES:
        return 0, 0
    first = _same(before, after, shorter)
    rest = shorter - first
    start, other = len(before) - rest, len(after) - rest
    return first, _same_end(before[start:], after[other:])


def _same(one: bytes, other: bytes, most: int) -> int:
    """Return how many bytes two texts begin with alike; by halves, each compared at one stroke."""
    if one[:most] == other[:most]:
        return most
    low, high = 0, most  # alike up to the first, not up to the second
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _same_end(one: bytes, other: bytes) -> int:
    """Return how many bytes two equally long texts end with alike."""
    if one == other:
        return len(one)
    low, high = 0, len(one)
    while high - low > 1:
        middle = (low + high) // 2
        start, end = len(one) - middle, len(one) - low
        if one[start:end] == other[start:end]:
            low = middle
        else:
            high = middle
    return low
