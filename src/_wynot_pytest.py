"""The pytest plug-in: the fixture ``wynot`` and the option ``--wynot``.

It is outside of the package, so that pytest loads it without importing wynot: that is done when a
test asks for the fixture.
"""

from collections.abc import Iterator
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Any

import pytest

FIXTURE = "wynot"
NOT_WITH = ("setuponly", "setupshow", "setupplan", "trace")
"""Options of pytest under which tests are not run, or not as usual."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addini(
        "wynot", "minimise the inputs of failing tests, as --wynot does", "bool", default=False
    )
    group = parser.getgroup("wynot", "find the part of an input that makes a test fail")
    group.addoption(
        "--wynot",
        action="store_true",
        help="run a failing test that uses the fixture `wynot` again on parts of its input, "
        "and report the smallest that fails",
    )
    group.addoption(
        "--wynot-same",
        choices=("type", "place", "message"),
        default="place",
        help="what must stay the same: the type of the exception; the function that raised it, "
        "too; the first line of its message, too (default: place)",
    )
    group.addoption(
        "--wynot-max-time",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="how many seconds to spend on one test (default: 60)",
    )
    group.addoption(
        "--wynot-max-tests",
        type=int,
        default=2000,
        metavar="N",
        help="how many times to run one test (default: 2000)",
    )
    group.addoption(
        "--wynot-save", type=Path, metavar="DIR", help="write minimal inputs to files in a folder"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse budgets that are none."""
    seconds, runs = config.getoption("wynot_max_time"), config.getoption("wynot_max_tests")
    if isnan(seconds) or seconds < 0:
        raise pytest.UsageError(f"--wynot-max-time is {seconds}: it must be 0 or more")
    if runs < 1:
        raise pytest.UsageError(f"--wynot-max-tests is {runs}: it must be 1 or more")


@pytest.fixture
def wynot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Hand a test its input, which can be made smaller if the test fails.

    events = wynot(events); path = wynot.file(path)
    """
    return _module("fixture").fixture(request.node, tmp_path_factory)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test that may have to be run again."""
    if not (_asks(item) and _is_on(item.config)):
        return None
    option = item.config.getoption
    folder = option("wynot_save")
    options = _module("protocol").PytestOptions(
        same=option("wynot_same"),
        max_time=option("wynot_max_time"),
        max_tests=option("wynot_max_tests"),
        save=item.config.invocation_params.dir / folder if folder else None,
    )
    _module("protocol").run(item, nextitem, options)
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Say of a failing test that its input could be made smaller."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.when == "call" and report.failed and _asks(item) and not _is_on(item.config):
        desk = item.stash.get(_module("fixture").DESK, None)
        if desk is not None and desk.is_used:
            _module("shrink_report").hint(report)


def _asks(item: pytest.Item) -> bool:
    """Tell whether a test has inputs from here, and is one that can be run again in silence.

    Subtests are reported as they are run; and Hypothesis makes inputs smaller by itself.
    """
    return (
        isinstance(item, pytest.Function)
        and FIXTURE in item.fixturenames
        and "subtests" not in item.fixturenames
        and not getattr(item.obj, "is_hypothesis_test", False)
    )


def _is_on(config: pytest.Config) -> bool:
    wanted = config.getoption("wynot") or config.getini("wynot")
    return bool(wanted) and not any(config.getoption(name, default=False) for name in NOT_WITH)


def _module(name: str) -> Any:
    return import_module(f"wynot.pytesting.{name}")
