"""A name is one thing: classes and modules exist once, and numbers say what they are of."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import wynot

SOURCE = Path(wynot.__file__).parent
TREES = {
    path.relative_to(SOURCE): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))
}

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
    for path in TREES:
        if path.stem != "__init__" and not (path.parts[0] == "inquiries" and path.stem in ROLES):
            places[path.stem].append(str(path))
    assert not repeated(places)


def test_a_public_class_name_exists_once() -> None:
    places = defaultdict(list)
    for path, tree in TREES.items():
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


@pytest.mark.parametrize("path", TREES, ids=str)
def test_a_constant_carries_a_noun(path: Path) -> None:
    for name, value in constants(TREES[path]):
        assert name not in BARE
        assert "_" in name or not is_number(value), f"{name}: a number of what?"
