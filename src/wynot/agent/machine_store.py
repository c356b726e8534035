"""What every machine needs of a run: sent there once, each file kept by its content.

These are the files of the original, of which candidates are sent as edits, and the scripts of the
test, which other machines need not have. Relays fill the store, their agents read it. Both trust
digests only: what is missing, or has changed, is sent again with the candidate that needs it.
"""

import os
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path

from wynot.machine.removal import remove
from wynot.wire.file_edits import NotInStore

MAX_COMPARED_BYTES = 32 << 20
"""Larger files are not compared with what was sent."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PART, _PROGRAM = ".part", ".program"


class MachineStore:
    """What was sent to this machine; None: nothing is."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._programs: dict[tuple[str, str], str] = {}

    def lacking(self, digests: Iterable[str]) -> list[str]:
        """Return what has to be sent."""
        return [each for each in digests if not self._place(each).exists()]

    def add(self, digest: str, at: int, piece: bytes, *, is_last: bool) -> None:
        """Take a piece of a content; raise NotInStore if all of it together is another one."""
        place = self._place(digest)
        part = place.with_suffix(_PART)
        with part.open("r+b" if at else "wb") as stream:
            stream.seek(at)
            stream.write(piece)
        if is_last:
            with part.open("rb") as stream:
                sent = file_digest(stream, "sha256").hexdigest()
            if sent != digest:
                part.unlink()
                raise NotInStore(digest)
            part.rename(place)

    def make_program(self, digest: str, name: str) -> None:
        """Have a content as a program of this name, too."""
        if Path(name).name != name or name in {"", ".", ".."}:
            raise ValueError(f"a program called {name!r:.100}")
        folder = self._place(digest).with_suffix(_PROGRAM)
        if not (folder / name).exists():
            content = self.read(digest)
            folder.mkdir(exist_ok=True)
            unfinished = folder / f".{name}.{os.getpid()}"
            unfinished.write_bytes(content)
            unfinished.chmod(0o755)
            unfinished.rename(folder / name)

    def retain(self, digests: Collection[str]) -> None:
        """Remove all others: nobody needs them any more."""
        for each in self._known.iterdir():
            if each.suffix != _PART and each.stem not in digests:
                remove(each)

    def read(self, digest: str) -> bytes:
        """Return a content; raise NotInStore if it is not there."""
        with suppress(OSError):
            content = self._place(digest).read_bytes()
            if sha256(content).hexdigest() == digest:
                return content
        raise NotInStore(digest)

    def program(self, path: str, digest: str) -> str:
        """Return where a script is: at its path if it is there too, or else in the store.

        So one that needs files beside it works where there are the same folders.
        """
        key = path, digest
        if key not in self._programs:
            place = self._place(digest).with_suffix(_PROGRAM) / Path(path).name
            if _digest(Path(path)) != digest:
                if not place.is_file():
                    raise NotInStore(digest)
                path = str(place)
            self._programs[key] = path
        return self._programs[key]

    @property
    def _known(self) -> Path:
        if self._folder is None:
            raise NotInStore("there is no store")
        return self._folder

    def _place(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"a digest {digest!r:.100}")
        return self._known / digest


def _digest(path: Path) -> str:
    """Return the digest of a file; empty: there is none, or it is too large to be compared."""
    with suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size <= MAX_COMPARED_BYTES:
            with path.open("rb") as stream:
                return file_digest(stream, "sha256").hexdigest()
    return ""


NO_STORE = MachineStore()
