"""Where tests run: dask is imported for those only who ask for a cluster."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from wynot.agents.agent_source import AgentSource
from wynot.cluster.cluster_address import SchedulerAddress, SshHosts, parsed_cluster
from wynot.commands.shared_options import cores
from wynot.core.errors import InvalidOption
from wynot.core.events import Doing, Event, Noticed
from wynot.core.options.quantities import counted
from wynot.core.system.lazy import lazy

if TYPE_CHECKING:
    from wynot.cluster import cluster_agents as engine
else:
    engine = lazy("wynot.cluster.cluster_agents")

PLAIN_SCHEDULER = (
    "{} has no certificates: every user of a machine that can reach this port can run programs as "
    "you, and so can whoever listens there; tls:// keeps others out"
)


class AskedWorkers(Protocol):
    """What is asked for."""

    @property
    def jobs(self) -> int | None:
        """How many tests are to run at a time, if that is said."""

    @property
    def cluster(self) -> str:
        """Which cluster; empty: none."""

    @property
    def insecure(self) -> bool:
        """Whether it may be one that others can use, too."""


def workers_of(
    options: AskedWorkers, usual: int, observe: Callable[[Event], None], *, here: bool = False
) -> tuple[int, AgentSource | None]:
    """Return how many tests run at a time, and where; None: on this machine, usually so many.

    Connect to the cluster, or start one; raise if it cannot be used. With ``here`` the only workers
    that can be used are on this machine, since candidates are put in place by other programs, too.
    """
    if not options.cluster:
        return usual, None
    observe(Doing(f"connecting to the cluster {options.cluster}"))
    cluster = parsed_cluster(options.cluster, insecure=options.insecure)
    if here and isinstance(cluster, SshHosts):
        raise InvalidOption(
            f"is {options.cluster!r}, and this command makes its candidates with files and "
            "programs of this machine",
            option="cluster",
            hint="leave it out, or try local:N; reduce, isolate, options and batch can be anywhere",
        )
    if isinstance(cluster, SchedulerAddress):
        if not cluster.is_encrypted:
            observe(Noticed("plain-scheduler", PLAIN_SCHEDULER.format(cluster)))
        cluster.require_reachable()
    try:
        # Who would not use all cores here, say to measure time, has a reason.
        most = options.jobs or (usual if usual < cores() else None)
        agents = engine.ClusterAgents(cluster, observe, here=here, most=most)
    except ModuleNotFoundError as error:
        raise InvalidOption(
            f"needs a package that is not installed: {error.name}",
            option="cluster",
            hint="pip install 'wynot[cluster]', here and on all machines of the cluster",
        ) from error
    if agents.elsewhere:
        count = counted(agents.elsewhere, "worker")
        note = "this command can only use workers on this machine"
        observe(Noticed("elsewhere", f"{count} on other machines: not used, {note}"))
    return most or agents.slots or 1, agents
