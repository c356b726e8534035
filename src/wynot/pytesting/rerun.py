"""Runs a test of pytest again, as if for the first time, and so that nobody hears of it."""

import io
import warnings
from bdb import BdbQuit
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import pytest

from wynot.machine.removal import remove
from wynot.pytesting.fixture import Desk
from wynot.pytesting.same_failure import SameFailure, failure_of

When: TypeAlias = Literal["setup", "call", "teardown"]

STOPS = (KeyboardInterrupt, pytest.exit.Exception)
"""What ends the whole session."""


class Phase(NamedTuple):
    """A part of a run, and what is to be said of it."""

    call: pytest.CallInfo[None]
    report: pytest.TestReport


@dataclass(slots=True)
class Reruns:
    """The runs of one test; each has its own fixtures, class instance, reports and folders.

    pytest keeps what a run leaves on the item. So before each further run it is put back to what
    it was; and what is above the test (its class, module, session) stays set up until the end.
    """

    item: Any
    """A ``pytest.Function``; much of what is needed here is not in its public types."""
    desk: Desk
    _properties: list[tuple[str, object]] = field(init=False)

    def __post_init__(self) -> None:
        self._properties = list(self.item.user_properties)

    def phase(self, when: When, **more: object) -> Phase:
        """Run one phase, and have it reported to those who write reports, but not to pytest."""
        item = self.item
        hook = getattr(item.ihook, f"pytest_runtest_{when}")
        in_debugger = item.config.getoption("usepdb", default=False) and self.desk.smaller is None
        call = pytest.CallInfo.from_call(
            lambda: hook(item=item, **more),
            when=when,
            reraise=STOPS[1:] if in_debugger else STOPS,
        )
        return Phase(call, item.ihook.pytest_runtest_makereport(item=item, call=call))

    def log(self, phase: Phase) -> None:
        """Let pytest know, and those who want to look at a failure."""
        self.item.ihook.pytest_runtest_logreport(report=phase.report)
        if _is_of_interest(phase):
            self.item.ihook.pytest_exception_interact(
                node=self.item, call=phase.call, report=phase.report
            )

    def again(self, values: list[object]) -> list[Phase]:
        """Set the test up and run it on other inputs."""
        item = self.item
        self.desk.smaller = values
        self.desk.folders.clear()
        item._report_sections.clear()  # noqa: SLF001 - what a run leaves has no public name
        item.user_properties[:] = self._properties
        if type(item) is pytest.Function and isinstance(item.parent, pytest.Class):
            for cached in ("_obj", "_instance"):  # made anew when they are next asked for
                item.__dict__.pop(cached, None)
        item._initrequest()  # noqa: SLF001 - as above; it is there for those who run tests again
        _restart_timer(item)
        phases = [self.phase("setup")]
        if phases[0].report.passed:
            phases.append(self.phase("call"))
        return phases

    def undo(self) -> Phase:
        """Tear down the test, and nothing above it."""
        return self.phase("teardown", nextitem=self.item.parent)

    def remove_folders(self) -> None:
        """Remove the folders that were made for one run of many; never what is not pytest's.

        What a test has mounted there is not removed either.
        """
        base = self.desk.base
        for folder in (self.item.funcargs.get("tmp_path"), *self.desk.folders):
            if isinstance(folder, Path) and base is not None and base in folder.parents:
                remove(folder)

    def forget(self) -> None:
        """Let go of the fixtures, as pytest does after a test."""
        self.item._request = False  # noqa: SLF001 - as above
        self.item.funcargs = None


def verdict_of(phases: list[Phase], failure: tuple[str, ...], same: SameFailure) -> bool | None:
    """Tell whether a run shows a failure; None: it fails in another way, or was not run at all."""
    call, report = phases[-1]
    if report.when == "setup" or report.skipped or hasattr(report, "wasxfail"):
        return None
    if report.passed:
        return False
    return (call.excinfo is not None and failure_of(call.excinfo.value, same) == failure) or None


def is_failure(phase: Phase) -> bool:
    """Tell whether a test failed, by an exception that is not somebody's wish to stop."""
    excinfo = phase.call.excinfo
    return (
        phase.report.failed
        and excinfo is not None
        and not isinstance(excinfo.value, (*STOPS, BdbQuit))
    )


def _is_of_interest(phase: Phase) -> bool:
    """Tell whether an exception is one that a debugger should look at."""
    excinfo = phase.call.excinfo
    return (
        excinfo is not None
        and not hasattr(phase.report, "wasxfail")
        and not isinstance(excinfo.value, pytest.skip.Exception | BdbQuit)
    )


def _restart_timer(item: Any) -> None:
    """Give each run the time that pytest-timeout gives a test."""
    plugins = item.config.pluginmanager
    settings_of = getattr(plugins.get_plugin("timeout"), "_get_item_settings", None)
    if settings_of is None:
        return
    settings = settings_of(item)
    if settings.timeout and not settings.func_only:
        plugins.hook.pytest_timeout_cancel_timer(item=item)
        plugins.hook.pytest_timeout_set_timer(item=item, settings=settings)


@contextmanager
def in_silence(config: pytest.Config) -> Iterator[None]:
    """Keep to oneself what runs warn of, log and print; what pytest captures is dropped later."""
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings(record=True))
        if config.getoption("capture", default="fd") == "no":
            stack.enter_context(redirect_stdout(io.StringIO()))
            stack.enter_context(redirect_stderr(io.StringIO()))
        live = getattr(config.pluginmanager.get_plugin("logging-plugin"), "log_cli_handler", None)
        if live is not None:
            live.addFilter(_nothing)
            stack.callback(live.removeFilter, _nothing)
        yield


def _nothing(_record: object) -> bool:
    return False
