"""The journal of a very long reduction, without one: what a page must cope with."""

import json
import random
from pathlib import Path

from wynot.core.events import GivenUp, ReductionStarted, event_name
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import APPEND, Journal
from wynot.disk.rows import StepRow, VerdictRow, event_body, verdict_body

PASSES = ("lines", "nodes", "tokens", "texts", "names")
ENDINGS = (*Verdict, None)
"""The last is that of a test that was given up."""
PART_BYTES = 10
SECONDS = 0.05


def large_journal(path: Path, steps: int = 10_000, size: int = 1_000_000) -> Journal:
    """Return a journal in which a thousandth of what is left goes with each step."""
    chance = random.Random(17)
    words = [f"<{chance.getrandbits(28):07x}>"[: PART_BYTES - 1] for _ in range(size // PART_BYTES)]
    parts = [f"{word}{chance.choice('  ;') if n % 8 else chr(10)}" for n, word in enumerate(words)]
    options = json.dumps({"files": ["large.txt"], "test": "./test.sh"})
    journal = Journal.create(path, _case(parts), {"options": options})
    began = ReductionStarted(("large.txt",), size, 4, "", SECONDS, 0)
    with journal.writing_at_once() as connection:
        connection.execute(APPEND, (0.0, event_name(ReductionStarted), None, event_body(began)))
    tests = 0
    for number in range(1, steps + 1):
        tests += chance.randrange(1, 6)
        count = max(1, len(parts) // 1000)
        at = chance.randrange(max(1, len(parts) - count))
        del parts[at : at + count]
        files = _case(parts)
        name = PASSES[len(PASSES) * number // (steps + 1)]
        row = StepRow(number, name, str(at), tests, tests * SECONDS, files.size, files.digest)
        journal.keep_step(row, files)
    with journal.writing_at_once() as connection:
        connection.executemany(APPEND, [_test(n, chance.choice(ENDINGS)) for n in range(tests)])
    journal.close()
    again = Journal.open(path)
    assert again is not None
    return again


def _test(number: int, verdict: Verdict | None) -> tuple[float, str, bytes | None, str]:
    worker, took, now = number % 4, 2 * SECONDS, number * SECONDS
    if verdict is None:
        return now, event_name(GivenUp), None, event_body(GivenUp(worker, took))
    digest = number.to_bytes(32, "big")
    row = VerdictRow(digest, 0, verdict, "exit status 0", took, worker)
    return now, "ran", digest, verdict_body(row)


def _case(parts: list[str]) -> Files:
    return Files({"large.txt": "".join(parts).encode()})
