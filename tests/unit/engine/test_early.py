"""Verdicts that are not known for good."""

from pathlib import Path

from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.engine.early import EARLY, recalled


def test_what_was_cut_off_early_is_known_as_such_also_when_it_was_asked_again(
    tmp_path: Path,
) -> None:
    journal = Journal.create(tmp_path / "j.journal", Files({}), {})
    for digest in (b"a", b"b", b"c"):
        journal.keep_verdict(0, digest, Verdict.UNRESOLVED, f"{EARLY}: stopped after 1.0 s", 1.0)
    journal.keep_verdict(0, b"b", Verdict.INTERESTING, "exit status 0", 1.5)
    journal.keep_verdict(0, b"d", Verdict.UNRESOLVED, "stopped after 2.0 s", 2.0)
    journal.keep_verdict(1, b"c", Verdict.INTERESTING, "exit status 0", 2.0)
    final = {b"b": Verdict.INTERESTING, b"d": Verdict.UNRESOLVED}
    assert recalled(journal, 0) == (final, {b"a", b"b", b"c"})
    assert recalled(journal, 1) == ({b"c": Verdict.INTERESTING}, set())
    journal.close()
