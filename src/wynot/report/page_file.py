"""Where a page goes: a page that is there is replaced, and nothing else."""

from pathlib import Path

from wynot.core.errors import InvalidOption
from wynot.disk.write import write
from wynot.report.page_frame import GENERATOR

SEEN_BYTES = 200
"""Bytes of a page in which it says that it is ours."""


def refuse_foreign(out: Path) -> None:
    """Raise if there is something that is no page of ours."""
    if out.exists() and not _is_page(out):
        raise InvalidOption(f"{str(out)!r} is there already", hint="give another name for the page")


def write_page(out: Path, text: str) -> None:
    """Write a page."""
    refuse_foreign(out)
    write(out, text.encode("utf-8", "replace"))


def _is_page(path: Path) -> bool:
    if not path.is_file():  # a FIFO would be waited for
        return False
    try:
        with path.open("rb") as stream:
            return GENERATOR.encode() in stream.read(SEEN_BYTES)
    except OSError:
        return False
