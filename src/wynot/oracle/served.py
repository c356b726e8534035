"""A test that stays: a server of the user's, which is asked about one candidate after another."""

import json
import shlex
from dataclasses import dataclass

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.errors import BrokenServer
from wynot.core.verdict import Verdict
from wynot.oracle.provisioner import Invocation
from wynot.oracle.trial import JudgedCommand, TrialResult
from wynot.wire.run_request import SERVER_START_SECONDS, Limits, RunRequest

HINT = "it prints the line ready, and then a line ID STATUS for each line ID QUESTION that it reads"


@dataclass(frozen=True, slots=True)
class ServedCommand(JudgedCommand):
    """Ask a server, and judge its answer as if that was how a command ended."""

    def run(
        self,
        sandbox: Sandbox,
        invocation: Invocation,
        limits: Limits,
        *,
        capture: bool,  # noqa: ARG002 - whatever it prints is read anyway
    ) -> TrialResult:
        """Ask and judge."""
        folder = str(invocation.folder or sandbox.folder)
        argv = self.command.filled(folder, invocation.names)
        question = json.dumps({"folder": folder, "files": list(invocation.names)})
        is_new = not limits.may_reuse_server
        ending = sandbox.run(
            RunRequest(argv, limits, env=invocation.env, question=question, needs_new_server=is_new)
        )
        if ending.limit == "start":
            raise _not_ready(argv, ending)
        if ending.limit == "answer":
            why = "the server answered with something that is not a status"
            return TrialResult(Verdict.UNRESOLVED, ending, why=why)
        return TrialResult(self.criterion.judge(ending), ending)


def _not_ready(argv: list[str], ending: Ending) -> BrokenServer:
    name = shlex.join(argv)
    if ending.seconds >= SERVER_START_SECONDS:
        what = f"was not ready after {ending.seconds:.0f} s"
    else:
        what = f"ended before it was ready: {Ending(ending.status, 0.0).description}"
    return BrokenServer(f"the server {name!r} {what}{ending.tail}", hint=HINT)
