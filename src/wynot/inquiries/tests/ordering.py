"""A plug-in of pytest, loaded where the tests run: lists tests, and runs some in a given order.

It is copied to where it is needed and knows nothing of wynot, which need not be installed there; it
runs on whatever Python the tests run on. What to do is in a file, so that no command line gets too
long. What became of the test in question is told on the standard output, on a descriptor that was
taken before pytest captures it; so one can also tell in which test the interpreter has died. What
became of every test goes to a file, if that is asked for, a line when it begins and when it ends.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # this runs on any Python and pytest, where some of these may not be there
    from collections.abc import Generator

    Wrapper = Generator[None, object, None]

TASK = "WYNOT_TASK"
OUTCOME_MARK = "wynot-outcome: "
MAX_REASON_CHARS = 300

# Options that would run tests elsewhere or not at all, stop early, wait for someone, run a test
# again until it passes, or write into the project; and what they are if they are not given.
NEUTRAL: dict[str, object] = {
    "numprocesses": None,
    "dist": "no",
    "distload": False,
    "tx": [],
    "looponfail": False,
    "maxfail": 0,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "stepwise_skip": False,
    "usepdb": False,
    "trace": False,
    "reruns": 0,
    "cov_source": [],
    "xmlpath": None,
    "htmlpath": None,
    "report_log": None,
}


class Ordering:
    """What is to be done, and what came of it."""

    def __init__(self) -> None:
        self.task: dict[str, Any] = json.loads(Path(os.environ[TASK]).read_text("ascii"))
        self.output = os.dup(1)
        self.process = os.getpid()
        self.target: pytest.Item | None = None
        self.is_running = False
        self.record = {"outcome": "not run", "why": ""}
        self.number = -1
        self.every = -1
        if "outcomes" in self.task:
            self.every = os.open(self.task["outcomes"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def tell(self) -> None:
        """Report what is known of the test in question."""
        self.write(self.output, "\n" + OUTCOME_MARK + json.dumps(self.record) + "\n")

    def write(self, where: int, text: str) -> None:
        """Write a line, unless this is a child that a test has forked."""
        if os.getpid() == self.process:
            os.write(where, text.encode("ascii"))

    def follow(self, item: pytest.Item) -> None:
        """Report what is known of a test that begins or ends, as far as that is wanted."""
        if item is self.target:
            self.tell()
        if self.every >= 0:
            row = [self.number, self.record["outcome"], self.record["why"]]
            self.write(self.every, json.dumps(row) + "\n")


ordering = Ordering()


def neutralise(options: Any) -> None:
    """Set options back that are in the way."""
    for name, value in NEUTRAL.items():
        if getattr(options, name, value) != value:
            setattr(options, name, value)
    # Without a seed the order is another one each time, so that there is none to look at.
    if getattr(options, "randomly_seed", None) == "default":
        options.randomly_seed = 0
        options.randomly_reorganize = False


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Know the option that we give, even if what it is for is switched off."""
    if pluginmanager.is_blocked("cacheprovider"):
        parser.addini("cache_dir", "of no use")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Wrapper:
    """Run before plug-ins that begin their work here."""
    neutralise(early_config.known_args_namespace)
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Wrapper:
    """Collect only files with tests that will run: importing a file may do harm as well."""
    neutralise(config.option)
    files = ordering.task.get("files")
    if files and not any("[" in path or "::" in path for path in files):
        config.args = list(files)
    yield


def place(names: list[str], target: str) -> int:
    """Return which test is meant, by its name or the end of it; -1 if that is not certain."""
    if target in names:
        return names.index(target)
    ends = ("::" + target, "/" + target)
    found = [at for at, name in enumerate(names) if target and name.endswith(ends)]
    return found[0] if len(found) == 1 else -1


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Wrapper:
    """Have the last word on which tests run, and in what order."""
    yield
    if "collect" in ordering.task:
        found = [(item.nodeid, str(getattr(item, "path", None) or item.fspath)) for item in items]
        target = ordering.task["target"]
        at = len(items) - 1 if target is None else place([item.nodeid for item in items], target)
        Path(ordering.task["collect"]).write_text(json.dumps([found, at >= 0]), "ascii")
        items[:] = items[: at + 1]
        ordering.target = items[-1] if items else None
        return
    named: dict[str, list[pytest.Item]] = {}
    for item in items:
        named.setdefault(item.nodeid, []).append(item)
    wanted = ordering.task["tests"]
    chosen = [named[name].pop(0) for name in wanted if named.get(name)]
    is_whole = len(chosen) == len(wanted)
    items[:] = chosen if is_whole else []
    if is_whole:
        ordering.target = chosen[-1]
    else:
        ordering.record["why"] = "some tests are not there any more"


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Wrapper:
    """See the test in question begin and end, or every one."""
    if item is not ordering.target and ordering.every < 0:
        yield
        return
    ordering.is_running = True
    ordering.number += 1
    ordering.record = {"outcome": "started", "why": ""}
    ordering.follow(item)
    yield
    ordering.is_running = False
    ordering.follow(item)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the worst that happens to it."""
    record = ordering.record
    if not ordering.is_running or record["outcome"] in ("failed", "error"):
        return
    if report.failed:
        record["outcome"] = "failed" if report.when == "call" else "error"
        crash = getattr(report.longrepr, "reprcrash", None)
        lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
        record["why"] = (lines[0] if crash else lines[-1])[:MAX_REASON_CHARS] if lines else ""
    elif report.skipped:
        record["outcome"] = "skipped"
    elif report.when == "call" and record["outcome"] != "skipped":
        record["outcome"] = "passed"


def pytest_unconfigure() -> None:
    """Say it again at the end, which is always kept of a long output."""
    ordering.tell()
