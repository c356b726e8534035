"""Every run of characters of a text of which little is left, wherever tokens begin and end."""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import Forest
from wynot.passes.leftovers.short_text import short_texts

MOST_LEFT_BYTES = 80
"""Bytes of a text of which all runs of bytes are tried."""
LONGEST_RUN = 12
"""Bytes of such a run."""


def substrings(forest: Forest) -> Iterator[Rewrite]:
    """Leave out neighbouring bytes; those of one character stay together."""
    for text in short_texts(forest):
        path, content = text.cut.path, text.cut.content
        if len(content) > MOST_LEFT_BYTES:
            continue
        ends = [at for at in range(len(content)) if content[at] & 0xC0 != 0x80]  # noqa: PLR2004 - goes on
        ends.append(len(content))
        for size in range(1, LONGEST_RUN + 1):
            for number in range(len(ends) - size):
                patch = Patch(path, ends[number], ends[number + size])
                yield Rewrite(f"run of {'one' if size == 1 else 'some'}", (patch,))
