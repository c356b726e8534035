"""The cluster that --cluster names: one that runs, or one that wynot starts."""

import asyncio
import logging
import ssl
import warnings
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, TypeVar

import dask.config
from distributed import Client, LocalCluster
from distributed.security import Security
from distributed.versions import VersionMismatchWarning, get_versions

from wynot.cluster.cluster_address import (
    CONNECT_SECONDS,
    ClusterAddress,
    LocalSlots,
    SchedulerAddress,
    SshHosts,
)
from wynot.cluster.ssh_workers import SshWorker
from wynot.core.errors import NoCluster
from wynot.core.system.debug_log import log_ignored

ON_WORKERS = ("python", "wynot", "dask", "distributed")
ON_SCHEDULER = ("dask", "distributed")
"""The scheduler only passes on what is said."""
SAME_VERSIONS = "all machines need the same versions of Python, wynot and dask"


def difference(ours: Mapping[str, Any], others: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first of these packages whose version differs, in words; empty if none does."""
    for name in names:
        mine, theirs = _version(name, ours), _version(name, others)
        if mine != theirs:
            what = "Python" if name == "python" else name
            return f"no {what}" if theirs is None else f"{what} {theirs}, and here it is {mine}"
    return ""


def _version(name: str, packages: Mapping[str, Any]) -> str | None:
    version = packages.get(name)
    if version is None:
        return None
    return ".".join(version.split(".")[:2]) if name == "python" else version


Answer = TypeVar("Answer")

ANSWER_SECONDS = 6.0
"""Seconds after which a scheduler that has not answered is given up."""
WORKERS_SECONDS = 4.0
"""How many seconds to wait for the first worker."""
LOOK_SECONDS = 0.2
_PACKAGES = ["wynot"]
"""Those whose version dask would not tell by itself."""
_QUIET_CLUSTER = {
    "dashboard_address": "127.0.0.1:0",
    "asynchronous": True,
    "silence_logs": logging.CRITICAL,
}


class Deployed:
    """A cluster: who speaks to its scheduler, and what was started for it, if anything was."""

    def __init__(
        self, connect: Callable[[], Any], cluster: Any = None, workers: Sequence[SshWorker] = ()
    ) -> None:
        """Take how a client is made, and what was started for this run, if anything was."""
        self._connect = connect
        self._cluster = cluster
        self._workers = workers
        self.client = connect()

    async def revive(self) -> None:
        """Connect to the scheduler anew if the client has given up: it may have been restarted."""
        if self.client.status == "closed":
            self.client = self._connect()
            try:
                await _answer(self.client)
            except Exception as error:  # noqa: BLE001 - closed, it is tried again the next time
                log_ignored("the scheduler does not answer", error)
                await self.client.close()

    async def slots(self) -> dict[str, int]:
        """Return which workers there are, and how many tests each can run at once."""
        seen = await _answer(self.client.scheduler.identity(n_workers=-1))
        return {address: each["nthreads"] for address, each in seen["workers"].items()}

    async def scheduler_difference(self) -> str:
        """Return which version of the scheduler is not ours, in words; empty if all are."""
        seen = await _answer(self.client.scheduler.versions(packages=_PACKAGES))
        return difference(_our_packages(), seen["packages"], ON_SCHEDULER)

    async def worker_difference(self, address: str) -> str:
        """Return which version of a worker is not ours, in words; empty if all are."""
        request = {"op": "versions", "packages": _PACKAGES}
        seen = await self.client.scheduler.broadcast(msg=request, workers=[address])
        return difference(_our_packages(), seen[address]["packages"], ON_WORKERS)

    async def close(self) -> None:
        """Leave it; end what was started."""
        try:
            await _answer(self.client.close())
        except Exception as error:  # noqa: BLE001 - we leave it in any case
            log_ignored("the connection to the scheduler cannot be closed", error)
        await asyncio.gather(*(each.close() for each in self._workers), return_exceptions=True)
        if self._cluster is not None:
            await self._cluster.close()


def _our_packages() -> Mapping[str, Any]:
    packages: Mapping[str, Any] = get_versions(packages=_PACKAGES)["packages"]
    return packages


async def _answer(call: Awaitable[Answer]) -> Answer:
    return await asyncio.wait_for(call, ANSWER_SECONDS)


async def deploy(cluster: ClusterAddress) -> Deployed:
    """Connect to a cluster, or start one; raise if it cannot be used."""
    _silence()
    if isinstance(cluster, LocalSlots):
        deployed = await _started(cluster)
    elif isinstance(cluster, SshHosts):
        deployed = await _started_over_ssh(cluster)
    else:
        deployed = await _connected(cluster)
    try:
        await _require_usable(deployed, cluster)
    except BaseException:
        await deployed.close()
        raise
    return deployed


def _silence() -> None:
    """Keep dask from telling the user what wynot deals with itself, say lost workers."""
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in {"distributed", "tornado"}:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", VersionMismatchWarning)


async def _started(local: LocalSlots) -> Deployed:
    """Start workers on this machine, in the same environment as wynot itself."""
    try:
        with dask.config.set({"distributed.nanny.pre-spawn-environ": {}}):
            cluster = await LocalCluster(
                n_workers=local.processes,
                threads_per_worker=local.each,
                security=True,
                memory_limit=0,
                **_QUIET_CLUSTER,
            )
    except RuntimeError as error:  # dask's, if a worker does not start
        raise NoCluster(
            f"the workers of '{local}' do not start: {_reason(error)}",
            hint="they import the script that has started them: put what it does under "
            "if __name__ == '__main__'",
        ) from error
    deployed = Deployed(lambda: Client(cluster, asynchronous=True), cluster)
    await deployed.client
    return deployed


async def _started_over_ssh(cluster: SshHosts) -> Deployed:
    """Start a scheduler here that only this machine can reach, and workers on others."""
    security = Security.temporary()
    scheduler = await LocalCluster(
        n_workers=0, host="127.0.0.1", protocol="tls://", security=security, **_QUIET_CLUSTER
    )
    port = int(scheduler.scheduler_address.rpartition(":")[2])
    workers = [SshWorker(each, port, security) for each in cluster.hosts]
    deployed = Deployed(lambda: Client(scheduler, asynchronous=True), scheduler, workers)
    try:
        await asyncio.gather(*(each.start() for each in workers))
        await deployed.client
    except BaseException:
        await deployed.close()
        raise
    return deployed


async def _connected(address: SchedulerAddress) -> Deployed:
    """Connect to a scheduler that runs, with the certificates of dask's configuration."""
    security = Security(require_encryption=address.is_encrypted)
    if address.is_encrypted and not security.tls_ca_file:
        raise NoCluster(
            f"{str(address)!r} needs certificates, and dask's configuration has none",
            hint="set distributed.comm.tls.ca-file, client.cert and client.key, say in "
            "~/.config/dask/wynot.yaml: see docs/guides/cluster.md",
        )
    where, options = str(address), {"security": security, "timeout": CONNECT_SECONDS}
    deployed = Deployed(lambda: Client(where, asynchronous=True, **options))
    try:
        await _answer(deployed.client)  # dask's own time limit does not hold if nothing is said
    except Exception as error:  # whatever answers there may be no scheduler at all
        await deployed.close()
        raise _refused(address, error) from error
    return deployed


def _refused(address: SchedulerAddress, error: BaseException) -> NoCluster:
    """Say why there is no connection to a scheduler although something listens there."""
    refused = next((each for each in _causes(error) if isinstance(each, ssl.SSLError)), None)
    if isinstance(error, TimeoutError):
        return address.unreachable(f"it has said nothing for {ANSWER_SECONDS:.0f} s")
    if refused is None:
        is_silent = isinstance(error, OSError)
        return address.unreachable(
            _reason(error) if is_silent else "what listens there is not a dask scheduler"
        )
    return NoCluster(
        f"the scheduler at {str(address)!r} and this machine do not trust each other: "
        f"{refused.reason or refused}",
        hint="both need certificates of the same authority: see distributed.comm.tls in "
        "dask's configuration",
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _reason(error: BaseException) -> str:
    """Return what went wrong in the first place."""
    *_, first = _causes(error)
    return str(first) or type(first).__name__


async def _require_usable(deployed: Deployed, cluster: ClusterAddress) -> None:
    """Raise if the scheduler has another version, or no workers."""
    try:
        if why := await deployed.scheduler_difference():
            raise NoCluster(f"the scheduler has {why}", hint=SAME_VERSIONS)
        until = monotonic() + WORKERS_SECONDS
        while not await deployed.slots():
            if monotonic() > until:
                raise NoCluster(
                    f"the cluster {str(cluster)!r} has no workers",
                    hint="start some with dask worker ADDRESS, where wynot is installed too",
                )
            await asyncio.sleep(LOOK_SECONDS)
    except TimeoutError as error:
        raise NoCluster(
            f"the scheduler of {str(cluster)!r} no longer answers", hint="does it still run?"
        ) from error
