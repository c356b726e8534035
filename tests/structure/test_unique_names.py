"""A name is one thing: classes and modules exist once, and numbers say what they are of."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import wynot

SOURCE = Path(wynot.__file__).parent.parent
PATHS = [
    path.relative_to(SOURCE)
    for package in ("wynot", "wynot_binaries")
    for path in sorted((SOURCE / package).rglob("*.py"))
]

# Each inquiry has a folder with one of each: what differs, how it is asked, how it is worded.
ROLES = {"circumstance", "ask", "answer"}

# What says how much or how large, and not of what.
BARE = {
    *("MOST", "LEAST", "LONG", "LONGEST", "SHORT", "LARGE", "LARGEST", "SMALL", "SMALLEST"),
    *("FEW", "SEVERAL", "OFTEN", "ALWAYS", "NEVER", "AGAIN", "NEAR", "NEAREST", "DEEPEST"),
    *("WIDEST", "FULL", "KEPT", "GIVEN", "LATER", "USUAL"),
}


def repeated(places: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: found for name, found in places.items() if len(found) > 1}


def test_a_module_name_exists_once() -> None:
    places = defaultdict(list)
    for path in PATHS:
        if path.stem != "__init__" and not (path.parts[1] == "inquiries" and path.stem in ROLES):
            places[path.stem].append(str(path))
    assert not repeated(places)


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse((SOURCE / path).read_text()) for path in PATHS}


def test_a_public_class_name_exists_once() -> None:
    places = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path))
    assert not repeated(places)


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and target.id.isupper():
                    yield target.id.strip("_"), node.value


def is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.UnaryOp):
        return is_number(value.operand)
    return isinstance(value, ast.BinOp) and is_number(value.left) and is_number(value.right)


def test_a_constant_carries_a_noun() -> None:
    for path, tree in trees().items():
        for name, value in constants(tree):
            assert name not in BARE, path
            assert "_" in name or not is_number(value), f"{name} in {path}: a number of what?"
