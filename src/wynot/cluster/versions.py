"""Whether a cluster has the same versions as we do: else neither understands the other."""

from collections.abc import Mapping
from typing import Any

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
