"""What in a text tells its language; only what leaves little doubt, since a guess costs trees."""

import re
from collections.abc import Mapping, Sequence

_LINES = re.MULTILINE
_LEAST_LISTS = 3
"""How many lists a text must have to be taken for lists."""
_BINARY_SHARE = 0.1
"""Which part of a text may be control characters."""

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*([^\s-]\S*))?")
_VERSION = re.compile(r"[\d.]+\Z")
_LISTS = re.compile(rb"\s*(?:;[^\n]*\n\s*)*\(")

_OBJECTIVE_C = re.compile(
    rb"^[ \t]*@(?:interface|implementation|protocol|import|class|end)\b", _LINES
)
_CPP = re.compile(
    rb"^[ \t]*(?:class|template|namespace|using)\b|::|\b(?:public|private|protected)[ \t]*:"
    rb"|\b(?:constexpr|nullptr|typename|virtual|noexcept)\b|\boperator[ \t]*[^\w\s]",
    _LINES,
)
_C_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:import|include|define)\b", _LINES)
_COQ = re.compile(
    rb"^[ \t]*(?:Theorem|Lemma|Definition|Require|Inductive|Fixpoint|Proof)\b", _LINES
)
_ANYTHING = re.compile(b"")

Signs = Sequence[tuple[re.Pattern[bytes], str]]

DECIDE: Mapping[str, Signs] = {
    ".h": ((_OBJECTIVE_C, "objective-c"), (_CPP, "cpp")),
    ".m": ((_OBJECTIVE_C, "objective-c"), (_C_DIRECTIVE, "objective-c"), (_ANYTHING, "matlab")),
    ".v": ((_COQ, "brackets"),),
}
"""Suffixes that several languages share: what tells each of them."""

_AT_BEGIN: Signs = (
    (
        re.compile(
            rb"\s*(?:<!--.*?-->\s*)*(?:<!doctype html|<html[\s>])", re.IGNORECASE | re.DOTALL
        ),
        "html",
    ),
    (
        re.compile(rb"\s*<(?:\?xml[\s?]|[A-Za-z_][\w.:-]*(?:\s[^<>]*)?/?>\s*(?:<|\Z|[^<]*</))"),
        "xml",
    ),
    (re.compile(rb"\s*<\?(?:php\b|=)"), "php"),
    (re.compile(rb'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*\Z)'), "json"),
    (
        re.compile(
            rb'\s*\[\s*(?:[\[{]\s*[\[{"\d\]}-]|"(?:[^"\\]|\\.)*"\s*[,\]]|-?\d[\d.eE+-]*\s*,|\]\s*\Z)'
        ),
        "json",
    ),
    (re.compile(rb"\s*(?:;;[^\n]*\n\s*)*\(module\b"), "wat"),
    (re.compile(rb"\s*(?:strict\s+)?(?:di)?graph\b[^{;=()]*\{", re.IGNORECASE), "dot"),
    (re.compile(rb"%YAML\b|---\s*\n"), "yaml"),
)
_ON_A_LINE: Signs = (
    (re.compile(rb"^(?:diff --git |--- .*\n\+\+\+ .*\n@@ )", _LINES), "diff"),
    (
        re.compile(
            rb"^(?:define|declare)[ \t].*@|^target (?:datalayout|triple) = |^source_filename = ",
            _LINES,
        ),
        "llvm",
    ),
    (
        re.compile(
            rb"^[ \t]*\((?:set-(?:logic|option|info)|declare-(?:fun|const|sort|datatypes?)"
            rb"|define-fun|assert|check-sat)\b",
            _LINES,
        ),
        "smt-lib",
    ),
)


def by_content(head: bytes) -> str:
    """Return the name of the language that a text shows; empty: none that is known."""
    text = head.removeprefix(b"\xef\xbb\xbf")
    for sign, name in _AT_BEGIN:
        if sign.match(text):
            return name
    for sign, name in _ON_A_LINE:
        if sign.search(text):
            return name
    opened, closed = text.count(b"("), text.count(b")")
    is_lists = _LISTS.match(text) and opened >= _LEAST_LISTS and abs(opened - closed) <= opened // 2
    return "lisp" if is_lists else ""


def interpreter(head: bytes) -> tuple[str, str]:
    """Return the program that the first line names, with and without its version."""
    match = _SHEBANG.match(head)
    if match is None:
        return "", ""
    program, argument = (each.decode("utf-8", "replace") if each else "" for each in match.groups())
    name = program.rpartition("/")[2]
    if name == "env":
        name = argument.rpartition("/")[2]
    return name, _VERSION.sub("", name)


def is_binary(head: bytes) -> bool:
    """Tell whether this is no text: it has a zero, or many control characters."""
    return b"\0" in head or len(_CONTROLS.findall(head)) > _BINARY_SHARE * len(head)
