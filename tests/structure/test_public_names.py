"""What users hold on to."""

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

import wynot
from structure.pages import OTHER_PAGES, PAGES, ROOT, rerun
from wynot.commands.table import COMMANDS
from wynot.core import errors
from wynot.settings import Settings


def test_the_signature_that_was_promised() -> None:
    promised = {
        "search": "auto",
        "order": "complements-only",
        "split": "zeller",
        "restart": False,
        "granularity": 2,
        "subset_iterator": "forward",
        "complement_iterator": "forward",
        "memo": "content",
        "combined": False,
        "star": False,
        "jobs": 1,
        "pick": "in-order",
        "check": True,
        "seed": 0,
        "max_tests": None,
        "max_time": None,
    }
    parameters = inspect.signature(wynot.minimize).parameters
    assert list(parameters)[:2] == ["items", "test"]
    for name, default in promised.items():
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[name].default == default


@pytest.mark.parametrize("call", [wynot.minimize, wynot.all_causes])
def test_a_call_takes_every_option_with_the_default_of_the_command_line(
    call: Callable[..., object],
) -> None:
    settings = {field.name: field.default for field in fields(Settings)}
    options = {
        name: parameter.default
        for name, parameter in inspect.signature(call).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert options == settings


WRONG = """
from wynot import minimise
import wynot
wynot.isolated
wynot.all_causes([1], bool, jbos=2)
wynot.all_causes([1], bool, jobs="2")
"""
RIGHT = "".join(f"from wynot import {name}\n" for name in wynot.__all__)


@pytest.mark.slow
def test_type_checkers_know_the_names_and_options_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    checked = subprocess.run(  # noqa: S603 - the type checker of this environment
        [
            *(sys.executable, "-m", "mypy", "--no-error-summary", "--config-file="),
            *("--follow-imports=silent", "right.py", "wrong.py"),
        ],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line.partition(": ")[0] for line in checked.stdout.splitlines() if ": error: " in line]
    assert told == [f"wrong.py:{number}" for number in (2, 4, 5, 6)], checked.stdout


def test_results_have_the_promised_fields() -> None:
    result = wynot.minimize(range(4), lambda kept: 1 in kept)
    for name in ("items", "tests", "memo_hits", "iterations", "minimal", "steps", "stopped"):
        assert hasattr(result, name)
    pair = wynot.isolate([], range(4), lambda kept: 1 in kept)
    for name in ("passing", "failing", "difference", "tests", "minimal"):
        assert hasattr(pair, name)


def test_every_public_name_exists_and_every_error_is_public() -> None:
    assert sorted(wynot.__all__) == list(wynot.__all__)
    assert all(hasattr(wynot, name) for name in wynot.__all__)
    raised = {name for name, each in vars(errors).items() if inspect.isclass(each)}
    assert raised - {"ClassVar"} <= set(wynot.__all__)


def test_every_error_has_an_entry_in_the_reference() -> None:
    text = (ROOT / "docs/reference/errors.md").read_text()
    for each in vars(errors).values():
        if inspect.isclass(each) and issubclass(each, BaseException):
            assert f"\n## {each.slug}\n" in text, each.__name__  # type: ignore[attr-defined]


def test_every_option_is_in_the_reference() -> None:
    text = (ROOT / "docs/reference/api.md").read_text()
    for field in fields(Settings):
        assert f"`{field.name}`" in text, field.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run_and_print_what_it_says(page: Path) -> None:
    # After a change on purpose: make docs
    assert rerun(page) == page.read_text()


@pytest.mark.parametrize(
    "page", [*PAGES, *OTHER_PAGES], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
        found = page.parent / target if target else page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are linked by, as GitHub makes it of them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def options_in_errors() -> set[str]:
    """Return the options that errors are raised with, wherever that is written down."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                given = [each.value for each in node.keywords if each.arg == "option"]
                found |= {str(each.value) for each in given if isinstance(each, ast.Constant)}
    return found


def test_errors_about_options_name_one_that_there_is() -> None:
    options = {each.name for command in COMMANDS.values() for each in command.record.options()}
    known = options | {field.name for field in fields(Settings)}
    named = options_in_errors()
    assert {"timeout", "exit", "complement_iterator"} <= named
    assert named <= known


def test_the_tests_that_the_page_on_security_names_exist() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "SECURITY.md").read_text())
    assert named
    for path, name in named:
        assert f"def {name}" in (ROOT / path).read_text(), (path, name)
