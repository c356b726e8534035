"""The table of packages in the architecture, made from their docstrings and the layers."""

import ast
import re

from structure.test_layers import LAYERS, MODULES, SOURCE

MARKED = re.compile(r"(<!-- packages -->\n).*?(<!-- end of packages -->\n)", re.DOTALL)
SENTENCE = re.compile(r"(?<=\.) ")
RUNS = re.compile(r"thread|process|Pure|pytest")


def repackaged(page: str) -> str:
    """Return a page with its table of packages as they are now."""
    return MARKED.sub(lambda found: f"{found[1]}{table()}{found[2]}", page)


def table() -> str:
    """Return a row for each package: what it is for, where it runs, what it imports."""
    rows = ["| package | for what, and where it runs | imports `core` and |\n| --- | --- | --- |\n"]
    for module, path in MODULES.items():
        if path.name != "__init__.py" or path.parent.parent not in {SOURCE, SOURCE.parent}:
            continue
        name = module.rpartition(".")[2]
        if name == SOURCE.name:
            continue
        text = ast.get_docstring(ast.parse(path.read_text())) or ""
        purpose, _, rest = text.replace("``", "`").replace("|", "\\|").partition("\n\n")
        where = [each for each in SENTENCE.split(" ".join(rest.split())) if RUNS.search(each)]
        cell = " ".join([*purpose.split(), *where])
        others = ", ".join(f"`{each}`" for each in sorted(LAYERS[name] - {"core"}))
        rows.append(f"| `{name}/` | {cell} | {others} |\n")
    return "".join(rows)
