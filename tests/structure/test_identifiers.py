"""Values are called what they are: no parameter, variable or field is a verb of speech."""

import ast
from collections.abc import Iterator

from structure.test_layers import MODULES, source

SPEECH = {"said", "asked", "told", "words", "begun", "heard", "meant"}

# Packages that still have some. The list may only become shorter.
NOT_YET = {
    "wynot.failures",
    "wynot.inquiries",
    "wynot.machine",
    "wynot.oracle",
    "wynot.passes",
    "wynot.programs",
    "wynot.reduction",
    "wynot.relations",
    "wynot.warm",
    "wynot_binaries",
}


def bound(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each name that a module gives to something, and its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


def test_no_name_is_a_verb_of_speech() -> None:
    for module in MODULES:
        package = ".".join(module.split(".")[: 2 if module.startswith("wynot.") else 1])
        if package in NOT_YET:
            continue
        for line, name in bound(source(module)):
            assert name.strip("_").lower() not in SPEECH, f"{module}:{line}: {name}"
