"""What other machines need of a run, which is sent there ahead."""

from pathlib import Path
from typing import Any

from wynot.core.folder_files import FolderFiles
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder
from wynot.oracle.watch import MAX_READ_BYTES, SCRIPTS
from wynot.runners.file_edits import HeldFiles
from wynot.runners.stock import Stock


def stock_of(oracle: Oracle[Any], original: FolderFiles) -> Stock:
    """Return the original, what is beside it for every test, and the scripts of the test."""
    contents = dict(original.contents)
    if isinstance(oracle.provisioner, FilesInFolder):
        contents = {**oracle.provisioner.fixed.contents, **contents}
    paths = (watched.path for watched in oracle.watch.files)
    programs = {path: content for path in paths if (content := _script(Path(path)))}
    return Stock.of(HeldFiles(contents), programs)


def _script(path: Path) -> bytes:
    """Return what is in a file, if it is a script: programs have to be installed everywhere."""
    try:
        if path.stat().st_size > MAX_READ_BYTES:
            return b""
        content = path.read_bytes()
    except OSError:  # whoever runs it will say so
        return b""
    return content if content.startswith(b"#!") or path.suffix.lower() in SCRIPTS else b""
