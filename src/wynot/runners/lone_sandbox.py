"""A sandbox with an agent for itself alone."""

from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.agent_source import AgentStarter
from wynot.runners.shared_folder import SharedFolder


class LoneSandbox(AgentSandbox):
    """For the thread that has made it. When it is closed, all of it is gone."""

    def __init__(self) -> None:
        self._starter = AgentStarter()
        super().__init__(lambda: self._starter.connect(1)[0], SharedFolder())

    def close(self) -> None:
        """Let the agent go, and wait for its end."""
        super().close()
        self._shared.close()
        self._starter.close(wait=True)
