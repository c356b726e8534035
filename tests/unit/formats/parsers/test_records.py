"""What is taken for a record."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import is_linear
from planned import walked
from reduce_inline import reduce_inline
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.formats.parsers.records import records
from wynot.passes.catalog import PlanOptions
from wynot.passes.sources import DeleteRecords

TRACE = b"""\
2026-02-03 04:05:06 ERROR it broke
Traceback (most recent call last):
  File "a.py", line 1, in f
ValueError: no

"""


def cut(content: bytes) -> list[bytes]:
    return [content[start:stop] for start, stop in records(content).spans]


@pytest.mark.parametrize(
    "expected",
    [
        [b'{"a": 1}\n', b'{"a": "}"}\n', b'{"a": [2]}'],
        [b'{"a": 1}\r\n', b'{"b": 1}\r\n'],
        [b'{\n  "a": 1\n}\n', b'{\n  "a": 2\n}\n'],
        [b"[1]\n", b"[2]\n\n", b"[3]\n"],
        [b'{"a": 1}\n', b'{"a":\n', b'{"a": 3}\n'],  # the second is broken off
        [b'{"a": 1}\n', b"oops\n", b'{"a": 3}\n'],
        [TRACE, b"2026-02-03 04:05:07 INFO well\n"],
        [b"at f (a.js:1)\n", TRACE, TRACE],
        [b"[2026-02-03T04:05:06Z] a\n", b"[2026-02-03T04:05:07Z] b [c]\n"],
        [b"Feb  3 04:05:06 host a[1]: x\n", b"Feb  3 04:05:07 host a[1]: y\n more\n"],
        [b"ERROR: a\nb\n", b"INFO: c\n"],
        [b"[error] a\n", b"[warn] b\n"],
        [b"[    0.000000] a\n", b"[   12.345678] b\n"],
        [b"I0203 04:05:06.789 1 a.cc:1] x\n", b"E0203 04:05:06.789 1 a.cc:1] y\n"],
        [b'10.0.0.1 - - [03/Feb/2026:04:05:06 +0000] "GET /"\n'] * 2,
        [b"04:05:06 a\n", b"04:05:07 b\n"],
        [b"level=info msg=a\n", b"level=warn msg=b\n"],
        [b"a,b\n", b'1,"x\n\ny"\n', b"2,z\n"],
        [b"a;b\r\n", b"1;2\r\n"],
        [b"a\nb\n\n", b"c\nd\n\n\n", b"e"],
        [b"a\n  b\n  c\n", b"d\n", b"e\n"],
        [b"a"],
    ],
)
def test_a_record_is_cut_whole(expected: list[bytes]) -> None:
    assert cut(b"".join(expected)) == expected


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (b"[1, 2]", [b"1, ", b"2"]),
        (b' [\n  {"a": [1, 2]},\n  "b,]"\n]\n', [b'{"a": [1, 2]},\n  ', b'"b,]"']),
        (b"[[]]", [b"[]"]),
    ],
)
def test_the_elements_of_an_array_are_records(array: bytes, expected: list[bytes]) -> None:
    assert cut(array) == expected


@pytest.mark.parametrize("text", [b"[", b"[]", b"[1,,2]", b"[1,]", b"[1", b"[1] x", b"[1]]", b"[}"])
def test_what_is_no_array_is_cut_in_another_way(text: bytes) -> None:
    assert cut(text) == [text]


@given(
    content=st.one_of(
        st.binary(max_size=200),
        st.text(alphabet='[]{},:"\\ \n1a;\t', max_size=80).map(str.encode),
        st.lists(st.sampled_from([TRACE, b"a,b\n", b"{}\n", b"\n", b" x\n"])).map(b"".join),
    )
)
def test_records_are_in_order_and_touch(content: bytes) -> None:
    spans = list(records(content).spans)
    assert all(0 <= start < stop <= len(content) for start, stop in spans)
    assert all(left[1] == right[0] for left, right in pairwise(spans))
    assert bool(spans) == bool(content)


@pytest.mark.parametrize(
    "unit", [b"[", b"{\n", b"[\n", b'"', b'{"', b",", b"\n", b" ", b"1,\n", b"a\n "]
)
@pytest.mark.parametrize("before", [b"", b"{}\n"])
def test_hostile_texts_take_time_in_proportion(unit: bytes, before: bytes) -> None:
    assert is_linear(lambda size: records(before + unit * size), 2_000)


@pytest.mark.slow
@given(
    values=st.lists(st.recursive(st.text() | st.integers(), st.lists), min_size=1), data=st.data()
)
def test_an_array_stays_one_whatever_goes(values: list[object], data: st.DataObject) -> None:
    indent = data.draw(st.sampled_from([None, 2]))
    content = json.dumps(values, indent=indent).encode()
    case = DeleteRecords().cut(Files({"a.json": content}), ()).case
    kept = data.draw(st.sets(st.integers(0, len(values) - 1)))
    files = case.render(Candidate.whole(Deltas.of(sorted(kept))))
    assert json.loads(files.contents["a.json"]) == [values[at] for at in sorted(kept)]


def test_binary_files_are_left_alone() -> None:
    case = DeleteRecords().cut(Files({"a": b"\0\na\n", "b": b"1\n2\n"}), ()).case
    assert sorted(case.weights) == [2, 2]


def test_records_are_the_only_atoms_if_they_are_asked_for() -> None:
    files = Files({"a.log": TRACE * 3})
    steps = walked(files, PlanOptions(atoms="records"), lambda _step, before: (before, 0))
    assert [step.name for step in steps] == ["records"]


@pytest.mark.parametrize("width", [1, 4])
def test_a_reduction_leaves_whole_records_and_proves_it(width: int) -> None:
    content = json.dumps([{"id": number, "more": [number]} for number in range(40)]).encode()

    def test(files: Files) -> bool:
        ids = [each["id"] for each in json.loads(files.contents["a.json"])]
        return 7 in ids and 33 in ids

    options = ReduceOptions(files=(), atoms="records")
    found = reduce_inline(Files({"a.json": content}), test, options, width=width)
    assert found.content == b'[{"id": 7, "more": [7]}, {"id": 33, "more": [33]}]'
    assert found.proved == ("records",)
