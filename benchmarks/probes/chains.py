"""Chains: thousands of levels of the same kind, one in the other."""

from collections.abc import Iterator

from benchmarks.probes.probe import Probe

OVERFLOWS = """
import json, sys
try:
    json.loads(open({name!r}).read())
except RecursionError:
    sys.exit(0)
except ValueError:
    pass
sys.exit(1)
"""


def probes() -> Iterator[Probe]:
    """Yield those that are too deep, and those with something deep inside."""
    yield Probe(
        "objects, unclosed, too deep",
        {"deep.json": b'{"a":' * 20_000 + b"\n"},
        OVERFLOWS.format(name="deep.json"),
        5 * 1000,
        60,
    )
