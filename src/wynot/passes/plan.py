"""The plan: which passes, in what order. From coarse to fine, again until nothing changes."""

from collections.abc import Generator
from functools import partial
from typing import TypeAlias

from wynot.core.files import Files
from wynot.core.parts import NO_PARTS, Parts
from wynot.formats.base import Format, is_text
from wynot.formats.characters import characters, octets
from wynot.formats.indentation import blocks
from wynot.formats.lines import lines, paragraphs
from wynot.formats.tokens import tokens
from wynot.passes.base import DeleteFiles, DeleteParts, Pass
from wynot.settings import Atoms

Plan: TypeAlias = Generator[Pass, Files, None]
"""Yields passes, and is sent what each has left."""

DEEPEST = 64
"""Levels of indentation that are told apart."""


def plan(files: Files, atoms: Atoms) -> Plan:
    """Go once from coarse to fine."""
    if any("/" in path for path in files.contents):
        files = yield DeleteFiles()
    if atoms == "bytes" or (atoms == "auto" and not any(map(is_text, files.contents.values()))):
        yield DeleteParts("bytes", octets, proves="bytes")
        return
    files = yield DeleteParts("paragraphs", of_text(paragraphs))
    for level in range(DEEPEST):
        level_blocks = of_text(partial(blocks, level=level))
        if not any(level_blocks(content).starts for content in files.contents.values()):
            break
        outer = of_text(partial(blocks, level=level - 1)) if level else paragraphs
        files = yield DeleteParts(f"blocks {level + 1}", level_blocks, outer)
    yield DeleteParts("lines", of_text(lines), of_text(paragraphs), proves="lines")
    if atoms != "lines":
        yield DeleteParts("tokens", of_text(tokens), of_text(lines), proves="tokens")
    if atoms in {"auto", "chars"}:
        yield DeleteParts("characters", of_text(characters), of_text(tokens), proves="characters")
    if atoms == "auto" and not all(map(is_text, files.contents.values())):
        yield DeleteParts("bytes", of_binary(octets), proves="bytes")


def of_text(of: Format) -> Format:
    """Return the format, for texts only."""
    return partial(_only, of, text=True)


def of_binary(of: Format) -> Format:
    """Return the format, for what is no text."""
    return partial(_only, of, text=False)


def _only(of: Format, content: bytes, *, text: bool) -> Parts:
    return of(content) if is_text(content) is text else NO_PARTS
