"""Python's imports: the definitions of a module in the place of the statement that imports it.

The names of the module become names of the text: where they were qualified, the qualifier goes; or
it stays, and stands for the text itself; or for a class that has all of the module in it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.formats.inclusion import Inclusion

_ITEM = rb"[\w.]+(?:[ \t]+as[ \t]+\w+)?"
_BEFORE = rb"(?:^|(?<=[;:]))[ \t]*"
_FROM = re.compile(
    _BEFORE
    + rb"from(?:[ \t]+|(?=\.))(?P<name>[\w.]*)[ \t]*\bimport\b"
    + rb"[ \t]*(?:\((?P<list>[^()]{,4000})\)|(?P<items>[\w \t,*]+))",
    re.MULTILINE,
)
_IMPORT = re.compile(
    _BEFORE + rb"import[ \t]+(?P<items>" + _ITEM + rb"(?:[ \t]*,[ \t]*" + _ITEM + rb")*)",
    re.MULTILINE,
)
_FUTURE = re.compile(rb"^from __future__ import[^\n]*\n?", re.MULTILINE)
_BEHIND = re.compile(rb"[ \t]*;?[ \t]*")
_SELF = b"__main__"
"""What a text is called that is run: as a module it has all its own names."""
_AS_CLASS = 2
"""The last of three ways: without qualifiers, with the text itself for them, with a class."""


class ImportedName(NamedTuple):
    """What is imported, and under which name."""

    name: bytes
    alias: bytes

    @property
    def text(self) -> bytes:
        """As it is written."""
        return self.name if self.name == self.alias else self.name + b" as " + self.alias


def imported(statement: re.Match[bytes]) -> list[ImportedName]:
    """Return what a statement imports."""
    groups = statement.groupdict()
    listed = re.sub(rb"#[^\n]*", b"", groups.get("list") or groups["items"] or b"")
    found = []
    for item in listed.split(b","):
        names = item.split()
        if names:
            found.append(ImportedName(names[0], names[-1]))
    return found


def module_paths(statement: re.Match[bytes]) -> Iterator[str]:
    """Yield the files that an import may mean: modules that are its items come first."""
    base = (statement.groupdict().get("name") or b"").decode("utf-8", "replace")
    up = len(base) - len(base.lstrip("."))
    folder = "../" * (up - 1) + base[up:].replace(".", "/")
    for item in imported(statement):
        name = item.name.decode("utf-8", "replace").replace(".", "/")
        if name != "*":
            inner = f"{folder}/{name}" if base[up:] else f"{folder}{name}"
            yield from (f"{inner}.py", f"{inner}/__init__.py")
    if base[up:]:
        yield from (f"{folder}.py", f"{folder}/__init__.py")


def _row(statement: re.Pattern[bytes]) -> Inclusion:
    return Inclusion(frozenset({"python"}), frozenset(), statement, paths=module_paths)


PYTHON_IMPORTS = (_row(_FROM), _row(_IMPORT))


class _Parted(NamedTuple):
    """An import, as it concerns one module."""

    aliases: list[bytes]
    """Assignments for names that are imported under others."""
    qualifiers: list[bytes]
    """What the module itself is called."""
    rest: bytes
    """What else is imported, as a statement."""


def _parted(statement: re.Match[bytes], target: str) -> _Parted:
    module = target.removesuffix(".py").removesuffix("/__init__")
    base = statement.groupdict().get("name")
    aliases: list[bytes] = []
    qualifiers: list[bytes] = []
    others: list[bytes] = []
    for item in imported(statement):
        path = item.name.decode("utf-8", "replace").replace(".", "/")
        if f"/{module}".endswith(f"/{path}") and not _is_name_in(base, module):
            qualifiers.append(item.alias)
        elif base is None or not _is_name_in(base, module):
            others.append(item.text)
        elif item.alias not in {item.name, b"*"}:
            aliases.append(item.alias + b"=" + item.name)
    head = b"import " if base is None else b"from " + base + b" import "
    return _Parted(aliases, qualifiers, head + b",".join(others) if others else b"")


def _is_name_in(base: bytes | None, module: str) -> bool:
    """Tell whether what comes from here are names in a module, and not the module."""
    if not base:
        return False
    path = base.decode("utf-8", "replace").lstrip(".").replace(".", "/")
    return bool(path) and f"/{module}".endswith(f"/{path}")


def python_merged(
    text: bytes, statements: Sequence[re.Match[bytes]], target: str, content: bytes, variant: int
) -> bytes | None:
    """Return a text with a module in the place of what imports it; None: not in this way."""
    parted = [_parted(statement, target) for statement in statements]
    qualifiers = sorted({name for each in parted for name in each.qualifiers})
    is_plain = qualifiers and not any(b"." in name for name in qualifiers)
    if variant > _AS_CLASS or (variant and not is_plain):
        return None
    future = b"".join(_FUTURE.findall(content))
    body = _FUTURE.sub(b"", content).rstrip()
    named = [b"import " + _SELF + b" as " + name for name in qualifiers]
    if variant == _AS_CLASS:
        first, *others = qualifiers
        inside = b"".join(b" " + line + b"\n" for line in body.split(b"\n"))
        body = b"class " + first + b":\n" + inside.rstrip()
        named = [other + b"=" + first for other in others]
    elif not variant:
        named = []
    pieces: list[bytes] = []
    head = future
    at = 0
    for number, (statement, each) in enumerate(zip(statements, parted, strict=True)):
        start, stop = statement.span()
        gap = text[at:start]
        pieces.append(gap if variant else _unqualified(gap, qualifiers))
        lines = [*each.aliases, *([each.rest] if each.rest else [])]
        is_top = text[max(0, start - 1) : start] in {b"", b"\n"}
        is_top &= not statement[0][:1].isspace()
        if number == 0 and is_top:
            lines = [body, *named, *lines]
        elif number == 0:
            head += b"\n".join([body, *named]) + b"\n"
        if is_top:
            behind = _BEHIND.match(text, stop)
            stop = behind.end() if behind else stop
            is_last = text[stop : stop + 1] in {b"", b"\n"}
            pieces.append(b"\n".join(lines) + (b"" if is_last or not lines else b"\n"))
        else:
            blank = statement[0][: len(statement[0]) - len(statement[0].lstrip())]
            pieces.append(blank + (b";".join(lines) or b"pass"))
        at = stop
    rest = text[at:]
    pieces.append(rest if variant else _unqualified(rest, qualifiers))
    return head + b"".join(pieces)


def _unqualified(text: bytes, qualifiers: Sequence[bytes]) -> bytes:
    for name in qualifiers:
        dotted = rb"\s*\.\s*".join(map(re.escape, name.split(b".")))
        text = re.sub(rb"(?<![\w.])" + dotted + rb"[ \t]*\.[ \t]*(?=[^\W\d])", b"", text)
    return text
