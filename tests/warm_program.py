"""A Python program that is run in a sandbox, as usual and as a copy."""

import os
import subprocess
import sys
from pathlib import Path

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.files import Files
from wynot.warm.hooked import HASH_SEED, hook_variables
from wynot.warm.python_command import python_command
from wynot.warm.warm_plan import WarmPlan
from wynot.wire.run_request import Limits, RunRequest

_COPY_HASH = subprocess.run(
    [sys.executable, "-c", "print(hash('copy'))"],
    env={**os.environ, "PYTHONHASHSEED": HASH_SEED},
    capture_output=True,
    text=True,
    check=True,
).stdout.strip()
IS_COPY = f"hash('copy') == {_COPY_HASH}"
"""Copies have the same hash seed, and each start another one: wynot does not see such a look."""
LIMITS = Limits(timeout=100.0, is_test=True)


class Program:
    """A Python program in a folder of its own, and a sandbox to run it in."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.folder = folder
        self.sandbox = sandbox
        self.limits = LIMITS
        self.plan = WarmPlan(())

    def write(self, **modules: str) -> None:
        for name, text in modules.items():
            (self.folder / f"{name}.py").write_text(text)

    def argv(self, *words: str) -> list[str]:
        return [sys.executable, *(words or (f"{self.folder}/main.py", "in.txt"))]

    def run(self, *words: str, text: str = "text", warm: bool, **env: str) -> Ending:
        self.sandbox.place(Files({"in.txt": text.encode()}))
        limits = self.limits._replace(warm_plan=self.folder / "plan" if warm else None)
        return self.sandbox.run(
            RunRequest(
                self.argv(*words), limits=limits, stdin="in.txt", capture=True, env=env or None
            )
        )

    def prepare(self, *words: str, **env: str) -> None:
        """Write down what it loads."""
        self.sandbox.place(Files({"in.txt": b"text\n"}))
        environ = {**os.environ, **env}
        lines = [os.fsencode(f"{name}={value}") for name, value in environ.items()]
        found = python_command(self.argv(*words), str(self.sandbox.folder), lines)
        assert found is not None
        record = self.sandbox.scratch / "record"
        record.touch()
        self.sandbox.run(
            RunRequest(
                self.argv(*words),
                limits=LIMITS._replace(is_test=False),
                stdin="in.txt",
                env={**env, **hook_variables(environ, f"record {record}")},
            )
        )
        inside = [self.sandbox.private]
        self.plan = WarmPlan.recorded(
            record.read_bytes(), found.mains, inside, found.path, is_inside=found.is_inside
        )
        self.plan.write(self.folder / "plan")

    @property
    def avoided(self) -> frozenset[str]:
        return WarmPlan.read(self.folder / "plan").avoided

    def both(self, *words: str, **env: str) -> Ending:
        """Prepare it, and compare; return how it ended."""
        self.prepare(*words, **env)
        usual = self.run(*words, warm=False, **env)
        for _ in range(2):
            copy = self.run(*words, warm=True, **env)
            assert copy.is_warm
            assert (copy.stdout, copy.stderr) == (usual.stdout, usual.stderr)
            alike = copy._replace(seconds=0, is_warm=False, is_doubtful=False)
            assert alike == usual._replace(seconds=0)
        return usual
