"""Whether a cluster has the same versions as we do: else neither understands the other."""

from collections.abc import Iterator, Mapping
from typing import Any

from wynot.core.errors import NoCluster

ON_WORKERS = ("python", "wynot", "dask", "distributed")
ON_SCHEDULER = ("dask", "distributed")
"""The scheduler only passes on what is said."""


def require_same(seen: Mapping[str, Any]) -> None:
    """Raise if the scheduler or a worker has another version than we do; take what dask says."""
    ours = seen["client"]["packages"]
    for where, others in _others(seen):
        if why := difference(ours, others, ON_WORKERS if "worker" in where else ON_SCHEDULER):
            raise NoCluster(
                f"{where} has {why}",
                hint="all machines need the same versions of Python, wynot and dask",
            )


def difference(ours: Mapping[str, Any], others: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return what differs, in words; empty if nothing does."""
    for name in names:
        mine, theirs = _version(name, ours), _version(name, others)
        if mine != theirs:
            what = "Python" if name == "python" else name
            return f"no {what}" if theirs is None else f"{what} {theirs}, and here it is {mine}"
    return ""


def _others(seen: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "the scheduler", seen["scheduler"]["packages"]
    for address, worker in seen["workers"].items():
        yield f"the worker {address!r}", worker["packages"]


def _version(name: str, packages: Mapping[str, Any]) -> str | None:
    version = packages.get(name)
    if version is None:
        return None
    return ".".join(version.split(".")[:2]) if name == "python" else version
