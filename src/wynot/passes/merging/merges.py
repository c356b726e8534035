"""Ways to have one file less: each a whole case, with a file in the place of what names it."""

import re
from collections.abc import Iterator, Sequence
from posixpath import dirname, relpath

from wynot.core.files import Files
from wynot.passes.merging.python_imports import PYTHON_IMPORTS, python_merged
from wynot.passes.merging.references import LanguageOf, Reference, references
from wynot.passes.merging.script_imports import SCRIPT_IMPORTS, script_merged

MAX_MERGES = 40
"""Ways that are worked out at a time."""
MAX_VARIANTS = 6
"""Ways to bring in one file."""
MAX_CASE_BYTES = 1 << 20
"""Bytes of a case whose files are put together: a larger one is for others to cut first."""


def merges(files: Files, language_of: LanguageOf) -> list[Files]:
    """Return what the case may become: first all in as few files as can be, then one less."""
    cases = {each.digest: each for each in whole_merges(files, language_of)}
    found = references(files, language_of) if cases else []
    for target in _targets(found):
        for merged in _variants(files, found, target):
            cases.setdefault(merged.digest, merged)
        if len(cases) >= MAX_MERGES:
            break
    return list(cases.values())


def merges_of(files: Files, language_of: LanguageOf, target: str) -> list[Files]:
    """Return what the case may be without one of its files."""
    return list(_variants(files, references(files, language_of), target))


def _targets(found: Sequence[Reference]) -> list[str]:
    """Return the files that are named: those first that are named in one file, and name none."""
    users: dict[str, set[str]] = {}
    own: dict[str, int] = {}
    for reference in found:
        if reference.target:
            users.setdefault(reference.target, set()).add(reference.path)
            own[reference.path] = own.get(reference.path, 0) + 1
    return sorted(users, key=lambda target: (len(users[target]), own.get(target, 0), target))


def whole_merges(files: Files, language_of: LanguageOf) -> list[Files]:
    """Return the case with every file in the place of what names it, if any can be."""
    before = files
    if files.size > MAX_CASE_BYTES:
        return []
    for _ in range(len(files.contents)):
        found = references(files, language_of)
        variants = (
            merged for target in _targets(found) for merged in _variants(files, found, target)
        )
        merged = next(variants, None)
        if merged is None:
            break
        files = merged
        if files.size > MAX_CASE_BYTES:
            return []
    return [] if files is before else [files]


def _variants(files: Files, found: Sequence[Reference], target: str) -> Iterator[Files]:
    """Yield what a case may be without one of its files."""
    for variant in range(MAX_VARIANTS):
        merged = _merged(files, found, target, variant)
        if merged is not None and merged.contents != files.contents:
            yield merged


def _merged(files: Files, found: Sequence[Reference], target: str, variant: int) -> Files | None:
    """Return the case without a file, which is where it is named; None: not in this way."""
    contents = dict(files.contents)
    inside = [reference for reference in found if reference.path == target and reference.target]
    uses: dict[str, list[Reference]] = {}
    for reference in found:
        if reference.target == target:
            uses.setdefault(reference.path, []).append(reference)
    for path, here in uses.items():
        content = _moved(files.contents[target], inside, dirname(path))
        text = _text(files.contents[path], here, target, content, variant)
        if text is None:
            return None
        contents[path] = text
    if "/" in target:
        del contents[target]
    else:
        contents[target] = b""  # it was named by the user, and is there as long as anything is
    return files.replaced(contents)


def _text(
    text: bytes, uses: Sequence[Reference], target: str, content: bytes, variant: int
) -> bytes | None:
    statements = [use.statement for use in uses]
    rows = {use.row for use in uses}
    if rows <= {*PYTHON_IMPORTS}:
        return python_merged(text, statements, target, content, variant)
    if rows <= {*SCRIPT_IMPORTS}:
        return script_merged(text, statements, target, content, variant)
    if rows & {*PYTHON_IMPORTS, *SCRIPT_IMPORTS}:
        return None
    return _pasted(text, uses, content, variant)


def _pasted(text: bytes, uses: Sequence[Reference], content: bytes, variant: int) -> bytes | None:
    """Return the text with the content of a file for statements; or for the first of them only."""
    variants = len(uses[0].row.variants)
    everywhere = variant >= variants
    if variant >= variants * (2 if len(uses) > 1 else 1):
        return None
    pieces: list[bytes] = []
    at = 0
    for number, use in enumerate(uses):
        start, stop = use.statement.span()
        instead: bytes | None = b""
        if number == 0 or everywhere == use.row.once:
            each = use.row.variants[min(variant % variants, len(use.row.variants) - 1)]
            instead = each.text(use.statement, content)
        if instead is None:
            return None
        pieces += [text[at:start], instead]
        at = stop
    return b"".join([*pieces, text[at:]])


def _moved(content: bytes, inside: Sequence[Reference], folder: str) -> bytes:
    """Return a content with names of files that are right in another folder."""
    pieces: list[bytes] = []
    at = 0
    for reference in inside:
        start, stop = reference.statement.span("name") if _has_name(reference) else (0, 0)
        if start < at or start == stop or folder == dirname(reference.path):
            continue
        pieces += [content[at:start], _name(reference, folder)]
        at = stop
    return b"".join([*pieces, content[at:]])


def _has_name(reference: Reference) -> bool:
    return "name" in reference.statement.re.groupindex


def _name(reference: Reference, folder: str) -> bytes:
    """Return what a file is called in a folder, in the way that it was named before."""
    spelling = reference.statement["name"].decode("utf-8", "replace")
    path = relpath(reference.target, folder or ".")
    if reference.row in PYTHON_IMPORTS:
        if not spelling.strip("."):  # from . import …
            return spelling.encode()
        module = re.sub(r"(?:/__init__)?\.py$", "", path)
        return module.replace("/", ".").encode()
    for ending in reference.row.endings:
        if ending and path.endswith(ending) and not spelling.endswith(ending):
            path = path.removesuffix(ending)
    if spelling.startswith(".") and not path.startswith("."):
        path = f"./{path}"
    return path.replace("/", reference.row.separator).encode("utf-8", "surrogateescape")
