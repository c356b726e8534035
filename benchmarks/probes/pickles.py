"""Pickles in which little matters: what is unpickled was pickled here."""

import collections
import datetime as dt
import pickle
from collections.abc import Iterator
from decimal import Decimal

from benchmarks.probes.probe import Probe

CASE = "case.pkl"
ASKS = """
import pickle, sys
try:
    value = pickle.load(open("case.pkl", "rb"))
    found = {condition}
except Exception as error:
    found = {error}
sys.exit(not found)
"""
RECORDS = [
    {
        "id": number,
        "name": f"name {number}",
        "at": dt.datetime(2020, 1, 1 + number % 28),  # noqa: DTZ001 - only for its size
        "prices": [Decimal(number) / 7, Decimal(3)],
        "tags": {"a", f"t{number % 9}"},
        "next": (number + 1, None),
    }
    for number in range(150)
]


def probes() -> Iterator[Probe]:
    """Yield one for each thing that a pickle can hold, in each protocol."""
    odd = [*RECORDS, {"id": -1, "name": "needle"}]
    yield asked("one record of many", odd, "any(each.get('id') == -1 for each in value)", 20)
    yield asked("a word anywhere", odd, "'needle' in repr(value)", 12)
    yield asked("a word, protocol 2", odd, "'needle' in repr(value)", 18, 2)
    yield asked("a number that is too large", [*RECORDS, [9e99]], "'9e+99' in repr(value)", 14)
    yield asked("a date", RECORDS, "any(each['at'].day == 17 for each in value)", 70, error="False")
    counted = collections.Counter(str(number % 50) for number in range(5000))
    yield asked("a subclass of a dictionary", [RECORDS, counted], "value[1]['7'] == 100", 60)
    shared = [1, 2]
    yield asked(
        "what is shared",
        [RECORDS, shared, shared],
        "value[-2] is value[-1] and value[-1][:] == [1, 2]",
        24,
    )
    yield asked("a function", [*RECORDS, len], "callable(value[-1])", 40)
    yield asked("bytes", [*RECORDS, bytes(range(256)) * 20], "b'abc' in value[-1]", 20)
    raised = [ValueError("x", number) for number in range(200)]
    raised[77].add_note("needle")
    condition = "any(getattr(each, '__notes__', ()) == ['needle'] for each in value)"
    yield asked("an object with attributes", raised, condition, 80)
    chain: list[object] = ["end"]
    for number in range(300):
        chain = [number, chain]
    yield asked("values inside of each other", [RECORDS, chain], "'end' in repr(value)", 10)


def asked(
    name: str, value: object, condition: str, size: int, protocol: int = 4, error: str = "False"
) -> Probe:
    """Return a probe of a pickled value."""
    content = pickle.dumps(value, protocol)
    test = ASKS.format(condition=condition, error=error)
    return Probe(f"pickle: {name}", {CASE: content}, test, size)
