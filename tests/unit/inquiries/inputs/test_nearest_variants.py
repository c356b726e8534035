"""Passing variants near a failing input."""

from itertools import pairwise

from wynot.core.files import Files
from wynot.inquiries.inputs.nearest import emptied, nearest


def test_the_least_is_taken_out_first_and_all_of_it_last() -> None:
    failing = Files({"a.c": b"int i;\ni = 10;\n"}, {"a.c": 0o755})
    found = list(nearest(failing))
    sizes = [each.size for each in found]
    # First those that are C, then those that are not; the least taken out first among each.
    falls = [place for place, (one, other) in enumerate(pairwise(sizes), 1) if one < other]
    assert len(falls) == 1
    assert {each.contents["a.c"] for each in found[: falls[0]]} >= {b"i = 10;\n", b"int i;\n"}
    assert b"int i\ni = 10;\n" in {each.contents["a.c"] for each in found[falls[0] :]}
    assert found[-1] == Files({"a.c": b""}, {"a.c": 0o755})
    texts = [each.contents["a.c"] for each in found]
    assert len({*texts}) == len(texts)
    assert {b"int i\ni = 10;\n", b"i = 10;\n", b"int i;\n\n", b"int i;\n"} < {*texts}
    assert failing.contents["a.c"] not in texts


def test_a_file_of_a_folder_can_be_missing() -> None:
    found = list(nearest(Files({"d/a": b"x", "d/b": b""}, {"d/b": 0o755})))
    assert Files({"d/a": b"x"}) in found
    assert Files({"d/b": b""}, {"d/b": 0o755}) in found
    assert found[-1] == Files({})


def test_there_are_no_more_than_wanted() -> None:
    failing = Files({"a.txt": b"".join(b"word%d\n" % number for number in range(500))})
    found = list(nearest(failing, 20))
    assert 10 < len(found) <= 21
    assert len({each.size for each in found}) > 2


def test_it_begins_at_once_and_goes_on_when_asked() -> None:
    variants = nearest(Files({"a": b"x y z"}))
    assert next(variants).contents == {"a": b" y z"}


def test_of_nothing_there_is_no_variant() -> None:
    assert list(nearest(Files({"a": b""}))) == []
    assert emptied(Files({"a": b"x", "d/b": b"y"})) == Files({"a": b""})
