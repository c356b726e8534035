"""Scripts that are required: what they export becomes names of the text that requires them.

Where that is not enough, such a script is run first, and what it leaves in ``module.exports`` is
there for the text: they are the text's own as well, and all is run in the same order as before.
"""

import re
from collections.abc import Mapping, Sequence

from wynot.passes.merging.script_texts import (
    NAME_LIST,
    NAMED_FILE,
    ScriptModule,
    aliases,
    put,
    renamed,
)

_CALL = rb"\brequire\s*\(\s*" + NAMED_FILE + rb"\s*\)"
REQUIRED = re.compile(
    rb"\b(?:const|let|var)(?:\s+|(?=\{))(?P<to>[\w$]+|"
    + NAME_LIST
    + rb")\s*=\s*"
    + _CALL
    + rb"\s*(?:;|(?=\n)|\Z)"
)
REQUIRE = re.compile(rb"(?<![\w$.])" + _CALL)


def required_merged(
    text: bytes, statements: Sequence[re.Match[bytes]], content: bytes, variant: int
) -> bytes | None:
    """Return a text with a module in the place of what requires it; None: not in this way."""
    body = content.strip()
    if variant:
        before = b"{" + body + b"\n}" if variant == 2 else body  # noqa: PLR2004 - the third of three
        if variant > 2:  # noqa: PLR2004
            return None
        left = b"exports" if not re.search(rb"\bmodule\b", body) else b"module.exports"
        return run_first(text, statements, before, left)
    if any(statement.re is not REQUIRED for statement in statements):
        return None
    whole = next((each["to"] for each in statements if each["to"][:1] != b"{"), b"")
    module, value = _without_common_exports(body, whole)
    instead: list[bytes] = []
    prefixes: dict[bytes, Mapping[bytes, bytes]] = {}
    for number, statement in enumerate(statements):
        to = statement["to"]
        lines = [module.body] if number == 0 else []
        if to[:1] == b"{":
            lines += aliases(to, b"", module.names, separator=b":")
        elif not value:
            prefixes[to] = module.names
        elif to != value:
            lines.append(b"var " + to + b"=" + value + b";")
        instead.append(b"\n".join(lines))
    return put(text, statements, instead, prefixes)


def _without_common_exports(content: bytes, whole: bytes) -> tuple[ScriptModule, bytes]:
    """Return a module without what it assigns to its exports, and what it exports as a whole."""
    module = ScriptModule(content)
    value = b""

    def single(found: re.Match[bytes]) -> bytes:
        name, given = found["f"], found["g"] or b""
        module.names[name] = given or name
        return b"" if given else b"var " + name + b"="

    def object_of(found: re.Match[bytes]) -> bytes:
        module.names.update(renamed(found["list"], b":"))
        return b""

    exports = rb"(?<![\w$.])(?:module\s*\.\s*)?exports"
    body = re.sub(
        exports + rb"\s*\.\s*(?P<f>[\w$]+)\s*=(?!=)\s*(?:(?P<g>(?!\d)[\w$]+)\s*(?:;|\Z|(?=\n)))?",
        single,
        content,
    )
    body = re.sub(exports + rb"\s*=\s*\{(?P<list>[\w$,\s:]{,2000})\}\s*;?", object_of, body)
    if found := re.search(exports + rb"\s*=(?!=)\s*(?P<v>(?!\d)[\w$]+)\s*(?:;|\Z|(?=\n))", body):
        value = found["v"]
        if value in {b"function", b"class", b"async", b"new"}:
            value = b""
        else:
            body = body[: found.start()] + body[found.end() :]
    if not value and whole and re.search(exports + rb"\s*=(?!=)", body):
        body = re.sub(exports + rb"\s*=(?!=)\s*", b"var " + whole + b"=", body)
        value = whole
    module.body = body
    return module, value


def run_first(
    text: bytes, statements: Sequence[re.Match[bytes]], body: bytes, left: bytes
) -> bytes:
    """Return the text with a module before the first statement that requires it."""
    pieces: list[bytes] = []
    at = 0
    first = statements[0].start()
    start = max(text.rfind(b"\n", 0, first), text.rfind(b";", 0, first)) + 1
    for statement in statements:
        found = REQUIRE.search(text, statement.start(), statement.end())
        if found is None:
            continue
        if not pieces:
            pieces += [text[:start], body, b"\n"]
            at = start
        pieces += [text[at : found.start()], left]
        at = found.end()
    return b"".join([*pieces, text[at:]])
