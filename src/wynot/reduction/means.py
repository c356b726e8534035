"""What a reduction is done with: its own things, or some that it shares with others."""

from collections.abc import Callable
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.steering import Steering
from wynot.job.clusters import workers_of
from wynot.oracle.oracle import Oracle
from wynot.reduction.reduce_oracle import oracle_of
from wynot.runners.agent_source import AgentSource


class Means(NamedTuple):
    """How a reduction comes by its oracle, and by its workers."""

    oracle: Callable[..., Oracle[Files]] = oracle_of
    workers: Callable[..., tuple[int, AgentSource | None]] = workers_of
    steering: Steering | None = None
    """The door for what a person asks meanwhile; None: nobody does."""


OWN_MEANS = Means()
