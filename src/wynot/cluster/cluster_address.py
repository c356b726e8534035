"""What ``--cluster`` can say, and what of it is refused because anybody could listen, or answer."""

import re
from ipaddress import ip_address
from typing import NamedTuple

from wynot.commands.shared_options import cores
from wynot.core.errors import InvalidOption

LOCAL, SSH = "local:", "ssh:"
HINT = "it is local:N, ssh:HOST,HOST, or the address of a scheduler like tls://host:8786"
MAX_LOCAL_SLOTS, MAX_PORT = 4096, 0xFFFF
_ADDRESS = re.compile(r"(?:(tcp|tls)://)?(\[[0-9a-fA-F:]+\]|[^\s/:\[\]]+):(\d{1,5})/?")


class LocalSlots(NamedTuple):
    """Workers that are started on this machine."""

    processes: int
    each: int
    """How many tests each can run at once."""


class SchedulerAddress(NamedTuple):
    """A scheduler that runs."""

    text: str
    is_encrypted: bool


def asked_cluster(asked: str, *, insecure: bool) -> LocalSlots | SchedulerAddress:
    """Return what is meant; raise if it is nothing, or not safe."""
    if asked.startswith(LOCAL):
        return _local(asked.removeprefix(LOCAL))
    found = _ADDRESS.fullmatch(asked)
    if found is None or int(found[3]) > MAX_PORT:
        raise InvalidOption(f"is {asked!r}", option="cluster", hint=HINT)
    address = SchedulerAddress(f"{found[1] or 'tcp'}://{found[2]}:{found[3]}", found[1] == "tls")
    if not (address.is_encrypted or insecure or _is_here(found[2])):
        raise InvalidOption(
            f"is {asked!r}, which is neither encrypted nor on this machine: whoever can reach it "
            "can run programs on the workers, and on this machine",
            option="cluster",
            hint="give the scheduler certificates, and its address as tls://; or, if you trust "
            "the whole network, --insecure",
        )
    return address


def _local(number: str) -> LocalSlots:
    if not number.isdecimal() or not 0 < int(number) <= MAX_LOCAL_SLOTS:
        raise InvalidOption(
            f"is 'local:{number}'", option="cluster", hint="local:N, where N is a number of tests"
        )
    slots = int(number)
    processes = next(each for each in range(min(slots, cores()), 0, -1) if slots % each == 0)
    return LocalSlots(processes, slots // processes)


def _is_here(host: str) -> bool:
    """Tell whether a host is this machine, and can be no other."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
