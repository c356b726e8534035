"""Whole reductions of large sources: what goes by the hundred goes first."""

import ast

from reduce_inline import reduce_inline
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.passes.large.unused_code import MIN_LARGE_BYTES

FUNCTIONS = 400
LIBRARY = "".join(
    f'def work{each}(fill, x):\n    """About {each}."""\n    y = x.work{each // 2} + {each}\n'
    f"    # It goes on.\n    return y if x else work{each // 3}(y, {each})\n\n"
    for each in range(FUNCTIONS)
)
PROGRAM = "def use(x):\n    return work399(0, x) + wrong(x)\n\nprint(use(1))\n"
TEXT = f"def wrong(x):\n    raise KeyError(x)\n\n{LIBRARY}{PROGRAM}"


def fails(files: Files) -> bool:
    """Tell whether a program is one, has all functions that it mentions, and still goes wrong."""
    (content,) = files.contents.values()
    try:
        tree = ast.parse(content)
    except SyntaxError:
        return False
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    missing = {name for name in names if name.startswith(("work", "use", "wrong"))} - {*functions}
    return not missing and "wrong" in names and "raise KeyError" in ast.unparse(functions["wrong"])


def test_a_large_script_is_small_after_a_few_tests() -> None:
    assert len(TEXT) > MIN_LARGE_BYTES
    files = Files({"a.py": TEXT.encode()})
    found = reduce_inline(files, fails, ReduceOptions(files=(), fast=True))
    first = next(step for step in found.steps if step.files.size < len(TEXT) / 20)
    assert first.tests <= 5
