"""Jobs, and those of them that are one command: nobody has to sit and wait for such a one."""

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from wynot.core.ending import Ending
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.sandbox import Sandbox

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)
Job: TypeAlias = Callable[[Sandbox], Answer]
"""Whatever is done in a sandbox, and comes to an answer."""


class Errand(Protocol[Answer_co]):
    """A job in parts, between which one thread can look after many others.

    A thread for each job costs more than a short test: it is woken twice, and each time it has to
    wait for the interpreter.
    """

    def begin(self, sandbox: AgentSandbox) -> None:
        """Have the command begun (`AgentSandbox.begin`)."""

    def rest(self, outcome: Ending | Exception) -> Job[Answer_co] | None:
        """Return what is left to do that takes a thread, given what came of it; mostly nothing."""

    def conclude(self, outcome: Ending | Exception, sandbox: Sandbox) -> Answer_co:
        """Return the answer; it does not take long."""
