"""What ``--cluster`` can say, and what of it is refused since anybody could listen or answer.

Nothing here imports dask, so that a wrong address is refused at once.
"""

import re
import socket
from ipaddress import ip_address
from typing import NamedTuple, TypeAlias

from wynot.commands.shared_options import cores
from wynot.core.errors import InvalidOption, NoCluster

LOCAL, SSH = "local:", "ssh:"
HINT = "it is local:N, ssh:HOST,HOST or the address of a scheduler like tls://host:8786"
SSH_HINT = "ssh:HOST,USER@HOST,HOST:SLOTS, where a host is one that ssh knows"
MAX_SLOTS, MAX_PORT = 4096, 0xFFFF
CONNECT_SECONDS = 5.0
# What ssh is given must not look like an option of it.
_SSH_HOST = re.compile(r"((?:\w[\w.-]*@)?(?:\[[0-9a-fA-F:]+\]|\w[\w.-]*))(?::(\d{1,4}))?", re.ASCII)
_ADDRESS = re.compile(r"(?:(tcp|tls)://)?(\[[0-9a-fA-F:]+\]|[^\s/:\[\]]+):(\d{1,5})/?")


class LocalSlots(NamedTuple):
    """Workers that are started on this machine."""

    processes: int
    each: int
    """How many tests each can run at once."""

    def __str__(self) -> str:
        return f"{LOCAL}{self.processes * self.each}"


class SshHost(NamedTuple):
    """A machine on which a worker is started."""

    target: str
    """As ssh takes it."""
    slots: int | None
    """How many tests it can run at once; None: as many as it has processors."""


class SshHosts(NamedTuple):
    """Workers that are started on other machines."""

    hosts: tuple[SshHost, ...]

    def __str__(self) -> str:
        return SSH + ",".join(
            each.target if each.slots is None else f"{each.target}:{each.slots}"
            for each in self.hosts
        )


class SchedulerAddress(NamedTuple):
    """A scheduler that runs."""

    scheme: str
    host: str
    port: int

    @property
    def is_encrypted(self) -> bool:
        """Whether both ends have to show certificates."""
        return self.scheme == "tls"

    def require_reachable(self) -> None:
        """Raise if nobody listens there; dask would keep trying."""
        try:
            socket.create_connection((self.host.strip("[]"), self.port), CONNECT_SECONDS).close()
        except (OSError, UnicodeError) as error:
            raise self.unreachable(str(error)) from error

    def unreachable(self, why: str) -> NoCluster:
        """Return what is raised if the scheduler does not answer."""
        other = "tcp://" if self.is_encrypted else "tls://"
        return NoCluster(
            f"the scheduler at {str(self)!r} does not answer: {why}",
            hint=f"does it run there? Is it {other} perhaps? dask scheduler prints its address",
        )

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"


ClusterAddress: TypeAlias = LocalSlots | SshHosts | SchedulerAddress


def parsed_cluster(text: str, *, insecure: bool) -> ClusterAddress:
    """Return what is meant; raise if it makes no sense, or is not safe."""
    if text.startswith(LOCAL):
        return _local(text.removeprefix(LOCAL))
    if text.startswith(SSH):
        return SshHosts(tuple(_ssh_host(text, each) for each in text[len(SSH) :].split(",")))
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found[3]) > MAX_PORT:
        raise InvalidOption(f"is {text!r}", option="cluster", hint=HINT)
    address = SchedulerAddress(found[1] or "tcp", found[2], int(found[3]))
    if not (address.is_encrypted or insecure or _is_here(address.host)):
        raise InvalidOption(
            f"is {text!r}, which is neither encrypted nor on this machine: whoever can reach it "
            "can run programs on the workers, and on this machine",
            option="cluster",
            hint="give the scheduler certificates, and its address as tls://; or, if you trust "
            "the whole network, --insecure",
        )
    return address


def _local(number: str) -> LocalSlots:
    if not number.isdecimal() or not 0 < int(number) <= MAX_SLOTS:
        raise InvalidOption(
            f"is 'local:{number}'",
            option="cluster",
            hint=f"local:N, where N is the number of tests at a time, 1 to {MAX_SLOTS}",
        )
    slots = int(number)
    processes = next(each for each in range(min(slots, cores()), 0, -1) if slots % each == 0)
    return LocalSlots(processes, slots // processes)


def _ssh_host(text: str, host: str) -> SshHost:
    found = _SSH_HOST.fullmatch(host)
    if found is None or not (found[2] is None or 0 < int(found[2]) <= MAX_SLOTS):
        raise InvalidOption(f"is {text!r}", option="cluster", hint=SSH_HINT)
    return SshHost(re.sub(r"[\[\]]", "", found[1]), int(found[2]) if found[2] else None)


def _is_here(host: str) -> bool:
    """Tell whether a host is this machine, and can be no other."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
