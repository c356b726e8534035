"""The journal of a very long reduction, without one: what a page must cope with."""

import json
import random
from pathlib import Path

from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.chronicle import GIVEN_UP
from wynot.disk.database import TIMELINE_TABLES
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow

PASSES = ("lines", "nodes", "tokens", "texts", "names")
ENDINGS = (*(verdict.value for verdict in Verdict), GIVEN_UP)
PART_BYTES = 10
SECONDS = 0.05


def large_journal(path: Path, steps: int = 10_000, size: int = 1_000_000) -> Journal:
    """Return a journal in which a thousandth of what is left goes with each step."""
    chance = random.Random(17)
    words = [f"<{chance.getrandbits(28):07x}>"[: PART_BYTES - 1] for _ in range(size // PART_BYTES)]
    parts = [f"{word}{chance.choice('  ;') if n % 8 else chr(10)}" for n, word in enumerate(words)]
    options = json.dumps({"files": ["large.txt"], "test": "./test.sh"})
    journal = Journal.create(path, _case(parts), {"options": options})
    with journal.writing() as connection:
        connection.executescript(TIMELINE_TABLES)
        connection.execute("BEGIN")
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
    for test in range(tests):
        journal.keep_verdict(0, test.to_bytes(32, "big"), Verdict.INTERESTING, "exit status 0", 0.1)
    spans = [(n * SECONDS, 2 * SECONDS, n % 4, chance.choice(ENDINGS)) for n in range(tests)]
    with journal.writing() as connection:
        connection.executemany("INSERT INTO test_spans VALUES (?, ?, ?, ?)", spans)
        connection.execute("COMMIT")
    return journal


def _case(parts: list[str]) -> Files:
    return Files({"large.txt": "".join(parts).encode()})
