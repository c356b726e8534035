"""Pickles as texts, and any texts as pickles; what is unpickled here was pickled here."""

import collections
import datetime as dt
import pickle
import pickletools
import re
from decimal import Decimal
from io import StringIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reduce_inline import reduce_inline
from wynot.core.files import Files
from wynot.formats.containers.container import Broken, Member, Packed
from wynot.formats.containers.opened import canonical, opened
from wynot_binaries import PICKLE

SHARED = ["x", "y"]
VALUES: list[object] = [
    *(None, True, 5, -1, 255, 256, 70000, 2**31, 2**100, -(2**70), 1.5, -0.0, float("inf")),
    *("abc", 'é\n"\\', "\ud800", "t" * 300, b"\0\1", b"z" * 300, bytearray(b"xy")),
    *([1, [2, []]], (1,), (), (1, 2, 3, 4, 5), {"a": 1, "b": [2]}, {1, 2}, frozenset({3})),
    *([SHARED, SHARED, "x"], {number: str(number) for number in range(3000)}, 3 ** (1 << 14)),
    *(dt.datetime(2020, 1, 1), Decimal("1.5"), collections.OrderedDict(a=1, b=2)),  # noqa: DTZ001
    *(collections.Counter("abca"), range(5), 1 + 2j, collections.deque([1, 2]), len, ValueError),
]
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
_PARTS = re.compile(rb"\((?:[^()]|\([^()]*\))*\)|[()]|[^\s()]+")


def canonical_pickles(most: int) -> list[bytes]:
    made = [PICKLE.pack(PICKLE.read(pickle.dumps(value, 4))) for value in VALUES]
    return [each for each in made if len(each) < most]


def text_of(value: object) -> str:
    (member,) = PICKLE.read(pickle.dumps(value, 4)).members
    return " ".join(member.content.decode().replace("( ", "(").split())


def pickled(text: str) -> bytes:
    return PICKLE.pack(Packed((Member("", b"\4", text.encode()),)))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_pickle_laid_out_anew_is_the_same_value(protocol: int) -> None:
    for value in VALUES:
        content = pickle.dumps(value, protocol)
        written = PICKLE.pack(PICKLE.read(content))
        assert pickle.loads(written) == value  # noqa: S301
        assert PICKLE.unpack(written) is not None
        assert len(written) <= len(content)
        assert canonical(written) is None


def test_what_is_shared_stays_so_and_what_is_in_itself_too() -> None:
    own: list[object] = [1]
    own.append({"own": own})
    left = pickle.loads(PICKLE.pack(PICKLE.read(pickle.dumps(own))))  # noqa: S301
    assert left[1]["own"] is left
    first, second = pickle.loads(PICKLE.pack(PICKLE.read(pickle.dumps([SHARED, SHARED]))))  # noqa: S301
    assert first is second


def test_constants_are_said_wherever_they_are_and_remembered_in_the_pickle() -> None:
    records = [{"identity": number, "at": dt.date(2020, 1, 1 + number)} for number in range(20)]
    assert text_of(records).count('"identity"') == text_of(records).count('"date"') == 20
    written = PICKLE.pack(PICKLE.read(pickle.dumps(records)))
    assert written.count(b"identity") == written.count(b"date") / 2 == 1
    (member,) = PICKLE.read(written).members
    head, _, *others = member.content.split(b"(dict")
    without = member.holding(b"(dict".join((head, *others)))
    assert pickle.loads(PICKLE.pack(Packed((without,)))) == records[1:]  # noqa: S301


def test_what_is_said_too_often_is_not_opened() -> None:
    content = b"\x80\x04](\x8c\xff" + b"x" * 255 + b"\x94" + b"h\0" * 300_000 + b"e."
    with pytest.raises(Broken, match="too much"):
        PICKLE.read(content)


def test_values_are_written_as_they_are_read() -> None:
    value = {"k": (1, [None, 2.5])}
    assert text_of(value) == '(dict ("k" (tuple 1 (list None 2.5))))'
    assert text_of(Decimal(1)) == '(call (global "decimal" "Decimal") (tuple "1"))'
    assert text_of([SHARED, SHARED]) == '(list (list =0 "x" "y") $0)'


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("(list 1 (nonsense) 2", None),
        ("(list 1 (nonsense) 2)", [1, None, 2]),
        ('(dict ("a") (2 3) 4)', {"a": None, 2: 3, 4: None}),
        ("(list $0 (list =0 7) $0)", [None, [7], [7]]),
        ('(list (bytes =0 "x") $0)', [b"x", None]),
        ("((tuple 1 2))", (1, 2)),
        ('"closed\\22" "not', 'closed"'),
        ('(call (global "builtins" "list"))', []),
        ("(call)", None),
        ('(build (call (global "builtins" "list")))', []),
        ("(append (list 1) 2)", [1]),
        ('(append (call (global "builtins" "list")) 2 3)', [2, 3]),
        ('(bytes "a\\ff" "b")', b"a\xffb"),
        ('"\\ff"', "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_any_text_is_a_value(text: str, value: object) -> None:
    written = pickled(text)
    assert pickle.loads(written) == value  # noqa: S301
    assert PICKLE.unpack(written) is not None


@given(st.text(alphabet='()"$=0123 aeilnst', max_size=60))
def test_any_text_is_well_formed(text: str) -> None:
    written = pickled(text)
    pickletools.dis(written, StringIO())
    assert PICKLE.unpack(written) is not None


def mutilate(count: int) -> None:
    random, pickles = Random(count), canonical_pickles(400)
    for _ in range(count):
        (member,) = PICKLE.read(random.choice(pickles)).members
        text = member.content
        for _ in range(random.choice((1, 2, 5))):
            spans = [found.span() for found in _PARTS.finditer(text)]
            if spans:
                (start, stop), other = random.choice(spans), random.choice(spans)
                instead = text[slice(*other)] if random.random() < 0.4 else b""
                text = text[:start] + instead + text[stop:]
        written = PICKLE.pack(Packed((member.holding(text),)))
        pickletools.dis(written, StringIO())
        assert PICKLE.unpack(written) is not None, text


def test_whatever_is_left_of_a_text_is_well_formed() -> None:
    mutilate(500)


@pytest.mark.slow
def test_whatever_is_left_of_many_texts_is_well_formed() -> None:
    mutilate(20_000)


def test_what_is_added_to_may_be_equal_to_what_is_added() -> None:
    content = b"\x80\x04K\1(K\1K\1e."
    found = PICKLE.unpack(content)
    assert found is not None
    assert found.members[0].content.split() == [b"(append", b"1", b"1", b"1)"]


def test_several_pickles_are_several_members() -> None:
    content = b"".join(PICKLE.pack(PICKLE.read(pickle.dumps(value))) for value in (1, [2], "3"))
    found = opened(content)
    assert found is not None
    assert found.container is PICKLE
    assert [each.name for each in found.packed.members] == [f"pickle {n}.sexp" for n in range(3)]
    assert opened(content + b"x.") is None


def test_deep_values_are_no_problem() -> None:
    content = b"\x80\x04" + b"]" * 50_000 + b"a" * 49_999 + b"."
    assert PICKLE.unpack(content) is not None
    added = b"\x80\x04N" + b"Na" * 20_000 + b"."
    assert PICKLE.unpack(added) is not None


def test_one_value_of_many_is_left() -> None:
    value: list[dict[str, object]] = [
        {"name": f"n{each}", "tags": ("a", each), "at": SHARED} for each in range(200)
    ]
    value[77]["tags"] = ("a", "needle", b"\0" * 50)

    def fails(files: Files) -> bool:
        content = files.contents["a.pkl"]
        try:
            left = pickle.loads(content)  # noqa: S301
        except Exception:  # noqa: BLE001 - whatever it is
            return False
        return isinstance(left, list) and "needle" in str(left)

    found = reduce_inline(Files({"a.pkl": pickle.dumps(value)}), fails)
    assert pickle.loads(found.content) == ["needle"]  # noqa: S301
    assert found.tests < 120
    assert "tokens" in found.proved
