"""The event loop of a cluster: errors that nobody awaits are in the debug log only."""

import asyncio
from pathlib import Path

import pytest

from wynot.cluster.cluster_agents import LoopThread
from wynot.core.system.debug_log import debug_log


def test_error_of_the_loop_is_logged(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def fail_later() -> None:
        asyncio.get_running_loop().call_soon(int, "lost worker")
        await asyncio.sleep(0)

    for path in ("", str(tmp_path / "log")):
        with debug_log(path):
            thread = LoopThread("loop")
            thread.do(fail_later())
            thread.end()
    assert (
        "ValueError: invalid literal for int() with base 10: 'lost worker'"
        in (tmp_path / "log").read_text()
    )
    assert capfd.readouterr() == ("", "")
