"""Imports go one way, and nothing grows too large to read."""

import ast
import graphlib
import re
from collections import Counter
from functools import cache
from pathlib import Path

import wynot
from wynot import plugins

SOURCE = Path(wynot.__file__).parent
MODULES = {
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("wynot", "wynot_binaries")
    for path in sorted((SOURCE.parent / package).rglob("*.py"))
}

# A layer may import from itself and from those named; `search` is pure: it knows only core.
LAYERS = {
    "core": set[str](),
    "settings": {"core"},
    "commands": {"core", "settings"},
    "search": {"core"},
    "formats": {"core"},
    "relations": {"core", "formats"},
    "passes": {"core", "formats", "relations", "search", "settings"},
    "plugins": {"core", "formats", "passes"},
    "programs": set(),
    "wire": {"core"},
    "machine": {"core", "wire"},
    "warm": {"core", "machine"},
    "agent": {"core", "wire", "machine", "warm"},
    "agents": {"core", "wire", "machine"},
    "runners": {"core"},
    "cluster": {"core", "wire", "machine", "agent", "agents", "commands"},
    "failures": {"core", "commands", "settings"},
    "oracle": {"core", "programs", "wire", "machine", "agents", "failures", "settings", "commands"},
    "disk": {"core"},
    "engine": {"core", "agents", "runners", "oracle"},
    "job": {
        *("core", "wire", "machine", "warm", "agents", "commands", "runners", "cluster", "oracle"),
        *("failures", "engine", "disk"),
    },
    "document": {"core"},
    "reporters": {"core", "document"},
    "assemble": {"core", "search", "runners", "oracle", "engine", "settings"},
    "api": {"core", "search", "runners", "oracle", "engine", "settings", "assemble"},
    "reduction": {
        *("core", "search", "formats", "passes", "runners", "agents", "oracle", "engine", "disk"),
        *("assemble", "job", "plugins", "commands", "failures"),
    },
    "report": {"core", "commands", "disk", "document"},
    "explaining": {
        *("core", "formats", "search", "oracle", "engine", "disk", "job", "commands", "reduction"),
        *("report", "inquiries", "failures", "document"),
    },
    "pytesting": {"core", "formats", "disk", "api", "machine", "document"},
    "inquiries": {
        *("core", "formats", "search", "wire", "machine", "agents", "oracle", "engine", "disk"),
        *("job", "commands", "passes", "reduction", "failures"),
    },
    "batch": {
        *("core", "commands", "agents", "oracle", "engine", "disk", "job"),
        *("reduction", "report", "failures", "wynot", "document"),
    },
    "reducing": {
        "commands",
        *("core", "settings", "disk", "engine", "oracle", "reduction", "runners"),
    },
    "plugin": {"core", "formats", "passes"},
    "wynot": {"core", "api", "reducing"},
    "cli": {
        *("core", "settings", "formats", "passes", "oracle", "disk", "reporters", "reduction"),
        *("inquiries", "batch", "job", "plugins", "commands", "wynot", "report", "explaining"),
        "document",
    },
    "__main__": {"cli"},
    # A plug-in: nothing imports it, and it imports what a plug-in may.
    "wynot_binaries": {"core", "formats"},
}

# Of the inquiries, these search. All others say what differs, put it in place and word it.
ASKING = {
    "ask",
    "driver",
    "failing_order",
    "varying",
    "first_bad",
    "guilty_change",
    "inquiry",
    "logs",
    "question_stages",
    "questions",
    "sides",
    "survey",
    "taking_out",
    "verdicts",
}
DESCRIBES = {"core", "formats", "wire", "machine", "agents", "oracle", "failures", "disk"}

# What a search may not touch: it does no input or output, and knows no clock and no worker.
IMPURE = {"os", "sys", "io", "time", "threading", "subprocess", "queue", "concurrent", "logging"}


def layer(module: str) -> str:
    package, *names = module.split(".")
    return names[0] if names and package == "wynot" else package


@cache
def source(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text())


@cache
def imports(module: str) -> frozenset[str]:
    found = set()
    for node in ast.walk(source(module)):
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in whole}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return frozenset(found)


def test_a_module_imports_only_from_the_layers_below() -> None:
    for module in MODULES:
        for imported in imports(module) & MODULES.keys():
            allowed = LAYERS[layer(module)] | {layer(module)}
            assert layer(imported) in allowed, f"{module} imports {imported}"


def test_what_runs_in_an_agent_knows_nothing_of_its_client() -> None:
    reached, ahead = set[str](), ["wynot.agent.host"]
    while ahead:
        reached.add(module := ahead.pop())
        ahead += (imports(module) & MODULES.keys()) - reached
    assert {layer(module) for module in reached} == {"core", "wire", "machine", "warm", "agent"}


def asks(module: str) -> bool:
    return layer(module) == "inquiries" and module.rpartition(".")[2] in ASKING


def test_what_describes_circumstances_knows_no_search() -> None:
    for module in MODULES:
        if layer(module) == "inquiries" and not asks(module):
            for imported in imports(module) & MODULES.keys():
                told = f"{module} imports {imported}"
                assert layer(imported) in DESCRIBES | {"inquiries"}, told
                assert not asks(imported), told


def test_a_search_is_pure() -> None:
    for module in MODULES:
        if layer(module) == "search":
            assert not {name.split(".")[0] for name in imports(module)} & IMPURE, module


# Only these modules write what another reader has a syntax for; two make addresses of SQLite.
ESCAPING = {"html", "xml", "urllib.parse.quote"}
ESCAPES = {"core.foreign_text", "disk.database", "disk.salvage"}


def test_foreign_text_is_made_harmless_in_one_module() -> None:
    for module in MODULES:
        used = {
            f"{node.module}.{alias.name}"
            for node in ast.walk(source(module))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        used |= {name.partition(".")[0] for name in (*used, *imports(module))}
        assert not used & ESCAPING or module.removeprefix("wynot.") in ESCAPES, module


def test_html_is_made_where_it_is_escaped_and_put_together() -> None:
    for module in MODULES:
        makes = any(
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"Html", "cast"}
            and "Html" in ast.unparse(node)
            for node in ast.walk(source(module))
        )
        assert not makes or module in {"wynot.core.foreign_text", "wynot.document.html"}, module


def test_there_are_no_import_cycles() -> None:
    graph = {name: imports(name) & MODULES.keys() for name in MODULES}
    graphlib.TopologicalSorter(graph).prepare()


def test_imports_are_at_the_top() -> None:
    for name in MODULES:
        for node in ast.walk(source(name)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                late = (ast.Import, ast.ImportFrom)
                inner = [each for each in ast.walk(node) if isinstance(each, late)]
                assert not inner, f"{name}: {node.name} imports late"


def test_nothing_is_too_large_to_read() -> None:
    for module, path in MODULES.items():
        assert path.read_text().count("\n") <= 600, module
        for node in ast.walk(source(module)):
            if isinstance(node, ast.FunctionDef):
                # The docstrings of the library's calls are their reference.
                is_call = layer(module) in {"api", "reducing"}
                told = (ast.get_docstring(node, clean=False) or "") if is_call else ""
                assert lines(node) - told.count("\n") <= 60, f"{module}.{node.name}"


def lines(node: ast.FunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


MOST_MODULES = 16


def test_a_folder_is_read_at_a_glance() -> None:
    modules = [name for name, path in MODULES.items() if path.name != "__init__.py"]
    sizes = Counter(name.rpartition(".")[0] for name in modules)
    assert not {folder: size for folder, size in sizes.items() if size > MOST_MODULES}


SMALL_LINES = 60
SMALL_FOR_A_REASON = {
    "wynot.cli.batch": "a command is imported when it is given",
    "wynot.cli.languages": "a command is imported when it is given",
    "wynot.document.markdown": "one of the three renderings",
    "wynot.inquiries.inputs.answer": "each inquiry has a module of that name",
    "wynot.search.lists.opdd": "a paper's algorithm",
    "wynot.search.lists.singles": "a search of its own",
    "wynot.search.lists.sweep": "a search of its own",
    "wynot.search.lists.zigzag": "a search of its own",
}


def test_a_small_module_that_serves_one_other_is_part_of_it() -> None:
    users: dict[str, set[str]] = {name: set() for name in MODULES}
    for name in MODULES:
        for imported in imports(name) & MODULES.keys():
            users[imported].add(name)
    small = {
        name
        for name, path in MODULES.items()
        if path.name != "__init__.py"
        and len(users[name]) == 1
        and path.read_text().count("\n") < SMALL_LINES
    }
    assert small == SMALL_FOR_A_REASON.keys()


def test_git_is_started_only_with_the_settings_that_keep_it_from_running_programs() -> None:
    started = re.compile(r'(?<!GitFailed)[\[(]"git", (\S+)')
    found = {name: started.findall(path.read_text()) for name, path in MODULES.items()}
    assert {name for name, rest in found.items() if rest} == {
        "wynot.inquiries.changes.git",
        "wynot.inquiries.changes.worktree",
    }
    assert {each for rest in found.values() for each in rest} == {"*SETTINGS,"}


def test_the_modules_that_pages_name_exist() -> None:
    packages = "|".join(path.name for path in SOURCE.iterdir() if path.is_dir())
    named = re.compile(rf"`((?:{packages})/[a-z_/]+?)(?:\.py)?`")
    root = SOURCE.parent.parent
    for page in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")]):
        for name in named.findall(page.read_text()):
            place = SOURCE / name
            assert place.with_suffix(".py").exists() or place.is_dir(), f"{page}: {name}"


def test_the_modules_that_docstrings_name_exist() -> None:
    named = re.compile(r"`(wynot(?:_binaries)?(?:\.[a-z_]+)+)`")
    texts = {module: path.read_text() for module, path in MODULES.items()}
    groups = {"wynot.containers", plugins.LANGUAGES, plugins.REWRITES, plugins.PASSES}
    for module, text in texts.items():
        for name in {*named.findall(text)} - groups:
            parent, _, last = name.rpartition(".")
            is_attribute = re.search(rf"\b{last}\b", texts.get(parent, ""))
            assert name in MODULES or is_attribute, f"{module}: {name}"
