"""The imports of JavaScript and TypeScript: a module in the place of what imports it.

Names that a module exports become names of the text; of what is required see
`wynot.passes.merging.required_scripts`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from wynot.formats.inclusion import Inclusion
from wynot.passes.merging.required_scripts import REQUIRE, REQUIRED, required_merged, run_first
from wynot.passes.merging.script_texts import (
    NAME_LIST,
    NAMED_FILE,
    ScriptModule,
    aliases,
    default_name,
    put,
    renamed,
)

_IMPORT = re.compile(
    rb"(?<![\w$.])import\b\s*+"
    rb"(?P<what>(?>(?:\s*+(?!\bfrom\b\s*+[\"'`]|\bimport\b)[\w$*{},]){,2000}))"
    rb"\s*+(?:\bfrom\b\s*+)?" + NAMED_FILE + rb"\s*;?"
)
_EXPORT_FROM = re.compile(
    rb"(?<![\w$.])export\b\s*(?P<what>\*|" + NAME_LIST + rb")\s*from\s*" + NAMED_FILE + rb"\s*;?"
)
_ENDINGS = (
    *("", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".cts", ".json"),
    *("/index.js", "/index.mjs", "/index.cjs", "/index.ts"),
)
PACKAGE_FOLDER = "node_modules"
PACKAGE_FILE = "package.json"
_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})


def script_paths(statement: re.Match[bytes]) -> Iterator[str]:
    """Yield the files that a name may mean; a bare one is that of a package."""
    name = statement["name"].decode("utf-8", "replace")
    path = name if name.startswith((".", "/")) else f"{PACKAGE_FOLDER}/{name}"
    if path != name:
        yield f"{path}/{PACKAGE_FILE}"  # which says what is meant
    for ending in _ENDINGS:
        yield path + ending
    stem = re.sub(r"\.[cm]?js$", "", path)
    yield from (f"{stem}.ts", f"{stem}.tsx", f"{stem}.mts")


def main_of(package: bytes) -> str:
    """Return what the name of a package stands for, by what its file says of it."""
    try:
        known = json.loads(package)
    except (ValueError, RecursionError):
        return ""
    main = known.get("main") if isinstance(known, dict) else None
    return main if isinstance(main, str) else "index.js"


SCRIPT_IMPORTS = tuple(
    Inclusion(_LANGUAGES, frozenset(), statement, paths=script_paths)
    for statement in (_EXPORT_FROM, _IMPORT, REQUIRED, REQUIRE)
)


def script_merged(
    text: bytes, statements: Sequence[re.Match[bytes]], target: str, content: bytes, variant: int
) -> bytes | None:
    """Return a text with a module in the place of what imports it; None: not in this way."""
    if target.endswith(".json"):
        return None if variant else run_first(text, statements, b"", b"(" + content.strip() + b")")
    if all(statement.re in {_IMPORT, _EXPORT_FROM} for statement in statements):
        return _of_module(text, statements, content, variant)
    if any(statement.re in {_IMPORT, _EXPORT_FROM} for statement in statements):
        return None
    return required_merged(text, statements, content, variant)


def _of_module(
    text: bytes, statements: Sequence[re.Match[bytes]], content: bytes, variant: int
) -> bytes | None:
    default = next(filter(None, (default_name(each["what"]) for each in statements)), b"")
    module = _without_exports(content.strip(), default or b"_default")
    spaces = [name for each in statements for name in _spaces(each["what"])]
    if variant > bool(spaces):
        return None
    instead: list[bytes] = []
    for number, statement in enumerate(statements):
        lines = [module.body] if number == 0 else []
        what = statement["what"]
        if statement.re is _EXPORT_FROM:
            if what == b"*":
                lines = [content.strip()] if number == 0 else []
            else:
                lines.append(b"export" + what + b";")
        else:
            lines += aliases(what, default, module.names, separator=b"as")
            if variant:
                lines += [
                    b"const " + name + b"={" + _pairs(module.names) + b"};"
                    for name in _spaces(what)
                ]
        instead.append(b"\n".join(lines))
    return put(text, statements, instead, {} if variant else dict.fromkeys(spaces, module.names))


def _without_exports(content: bytes, default: bytes) -> ScriptModule:
    module = ScriptModule(content)

    def named_default(found: re.Match[bytes]) -> bytes:
        module.names[b"default"] = found["f"]
        return found["d"]

    def declared(found: re.Match[bytes]) -> bytes:
        module.names[found["f"]] = found["f"]
        return found["d"]

    def listed(found: re.Match[bytes]) -> bytes:
        module.names.update(renamed(found["list"], b"as"))
        return b""

    kinds = rb"(?:async\s+)?function\b\s*\*?|(?:abstract\s+)?class\b"
    body = re.sub(
        rb"\bexport\s+default\s+(?P<d>(?:" + kinds + rb")\s*(?P<f>(?!extends\b)[\w$]+))",
        named_default,
        content,
    )
    if re.search(rb"\bexport\s+default\b", body):
        module.names[b"default"] = default
        body = re.sub(rb"\bexport\s+default\b\s*", b"const " + default + b"=", body)
    more = rb"|const\s+enum\b|const\b|let\b|var\b|enum\b|type\b|interface\b|namespace\b"
    body = re.sub(
        rb"\bexport\s+(?P<d>(?:declare\s+)?(?:" + kinds + more + rb")\s*(?P<f>[\w$]+))",
        declared,
        body,
    )
    body = re.sub(rb"\bexport\s*\{(?P<list>[^{}]{,2000})\}(?!\s*from)\s*;?", listed, body)
    module.body = body
    return module


def _spaces(what: bytes) -> list[bytes]:
    return re.findall(rb"\*\s*as\s+([\w$]+)", what)


def _pairs(names: Mapping[bytes, bytes]) -> bytes:
    return b",".join(
        name if name == inside else name + b":" + inside for name, inside in names.items()
    )
