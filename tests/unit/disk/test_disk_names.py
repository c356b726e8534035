"""Names that are made from other names fit into a file system."""

import os
from pathlib import Path

import pytest

from wynot.disk.write import called_after, lengthened

NAMES = [
    letter * (size // len(os.fsencode(letter))) for letter in "xü€" for size in range(230, 256)
]


@pytest.mark.parametrize("suffix", [".orig", ".orig.12", ".reduced"])
def test_whatever_is_added_a_name_can_be_used(tmp_path: Path, suffix: str) -> None:
    for name in NAMES:
        (tmp_path / lengthened(name, suffix)).touch()
        assert lengthened(name, suffix).endswith(suffix)
        (tmp_path / f"{called_after(name)}.12.journal-wal").touch()
        (tmp_path / f"{lengthened(name, suffix, spare=6)}.12345").touch()


def test_a_name_is_not_changed_without_need() -> None:
    assert lengthened("a.c", ".orig") == "a.c.orig"
    assert lengthened("x" * 250, ".orig") == "x" * 250 + ".orig"
    assert called_after("a.c") == "a.c"


def test_long_names_stay_apart() -> None:
    made = {lengthened("x" * 250 + str(number), ".orig") for number in range(1000, 2000)}
    assert len(made) == 1000
    odd = os.fsdecode(b"\xff" * 255)
    assert len(os.fsencode(lengthened(odd, ".orig"))) <= 255
