"""What every binary file that is opened as a text promises, whatever its bytes or texts are."""

import pickle
import re
import tracemalloc
from collections.abc import Callable, Sequence
from time import thread_time
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.binaries.java import class_samples
from unit.binaries.sqlite.database_samples import SCRIPTS, made_by
from unit.binaries.wasm import module_samples
from unit.formats.containers.samples import SAMPLES, leb128, wasm_of, zip_of
from wynot.formats.containers.container import Broken, Container, Member, Packed, room_in
from wynot.formats.containers.opened import canonical, opened, text_forms, why_closed
from wynot_binaries import JAVA_CLASS, PICKLE, SQLITE, WASM_TEXT

LONG = "1" * 5000
"""A number of more digits than Python converts."""
MOST_BYTES = 1 << 10
MOST_MEMORY = 64 << 20
MOST_SECONDS = 2
_WORD = re.compile(r"\"[^\"]*\"|[()]|[^\s()]+")
_SMALL_PAGES = "PRAGMA page_size=512; "
_PICKLED: list[object] = [
    *(None, 2**100, 1.5, "é\n", b"\0", [1, (2, [])], {"a": {1}}, ["x" * 30] * 9, len),
    [shared := ["a"], shared],
]


class FormSample(NamedTuple):
    """A kind of binary file, some of them, and some texts."""

    form: Container
    contents: Sequence[bytes]
    texts: Sequence[str]


def form_samples() -> list[FormSample]:
    classes, modules = class_samples.SAMPLES.values(), module_samples.SAMPLES.values()
    made = [made_by(_SMALL_PAGES + "CREATE TABLE t(a, b, c, d)"), *map(made_by, SCRIPTS.values())]
    pickles = [PICKLE.pack(PICKLE.read(pickle.dumps(value, 4))) for value in _PICKLED]
    texts = [each.content.decode() for one in pickles for each in PICKLE.read(one).members]
    return [
        FormSample(SQLITE, [SQLITE.pack(SQLITE.read(each)) for each in made], [*SCRIPTS.values()]),
        FormSample(WASM_TEXT, [module_samples.module_of(each) for each in modules], [*modules]),
        FormSample(PICKLE, pickles, texts),
        FormSample(
            JAVA_CLASS, [class_samples.class_of_texts(each) for each in classes], [*classes]
        ),
    ]


FORMS = form_samples()
forms = pytest.mark.parametrize("sample", FORMS, ids=lambda sample: sample.form.name)


def many_locals(functions: int) -> bytes:
    """Return a module that has functions with 50,000 variables each."""
    body = b"\1" + leb128(50_000) + b"\x7f\x0b"
    return wasm_of(
        [
            ("1", b"\1\x60\0\0"),
            ("3", leb128(functions) + b"\0" * functions),
            ("10", leb128(functions) + (leb128(len(body)) + body) * functions),
        ]
    )


def wide_type(values: int, code: bytes) -> bytes:
    """Return a module whose function takes and gives many values, with this code."""
    types = leb128(values) + b"\x7f" * values
    body = b"\0" + code + b"\x0b"
    return wasm_of(
        [("1", b"\1\x60" + types * 2), ("3", b"\1\0"), ("10", b"\1" + leb128(len(body)) + body)]
    )


def method_of(code: str) -> bytes:
    return class_samples.class_of_texts(f'(class "A") (method "f" static (code {code}))')


def pickled_list(items: str) -> bytes:
    return PICKLE.pack(Packed((Member("", b"\4", f"(list {items})".encode()),)))


HOSTILE: dict[str, Callable[[], bytes]] = {
    "many locals": lambda: many_locals(20),
    "blocks of a wide type": lambda: wide_type(150, b"\2\0\x0b" * 200),
    "calls of a wide type": lambda: wide_type(150, b"\x10\0" * 300),
    "returns of a wide type": lambda: wide_type(300, b"\x0f" * 300),
    "statements that take nothing": lambda: wide_type(0, b"\1" * 400 + b"\x1a" * 400),
    "nested blocks": lambda: wide_type(0, b"\2\x40" * 300 + b"\x0b" * 300),
    "a string that is loaded often": lambda: method_of(f'(pop (string "{"x" * 600}"))' * 120),
    "nested instructions": lambda: method_of("(pop " + "(ineg " * 700 + ")" * 701),
    "a text that is mentioned often": lambda: pickled_list(f'"{"x" * 400}" ' * 250),
    "nested lists": lambda: pickled_list("(list " * 450 + ")" * 450),
    "zeros": lambda: zip_of([(str(each), bytes(60_000)) for each in range(4)]),
    "zips in zips": lambda: zip_of([("a", zip_of([("b", zip_of([("c", bytes(200_000))]))]))]),
}


def peak_of(work: Callable[[], object]) -> int:
    """Return how much memory this takes at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def look_at(content: bytes) -> None:
    """Do with a file all that is done before the first test."""
    found = opened(content)
    if found is not None:
        assert found.packed.size <= room_in(content)
        assert found.written(set(), {}) == content
    again = canonical(content)
    assert again is None or opened(again) is not None
    why_closed(content)


@st.composite
def any_bytes(draw: st.DrawFn) -> bytes:
    """Return the beginning of a sample, or all of it, of which some is changed or repeated."""
    kinds = [*(sample.contents for sample in FORMS), *([each.content] for each in SAMPLES)]
    content = bytearray(draw(st.sampled_from(draw(st.sampled_from(kinds))))[:MOST_BYTES])
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(content)))
        stop = at + draw(st.sampled_from((0, 0, 1, 2, 8, 40)))
        instead = draw(st.binary(max_size=4) | st.sampled_from((b"\0", b"\xff", b"\x7f")))
        piece = bytes(content[at:stop]) * draw(st.sampled_from((0, 0, 1, 2, 60)))
        content[at:stop] = instead + piece
    return bytes(content[: draw(st.sampled_from((MOST_BYTES, len(content), len(content) // 2)))])


@given(any_bytes())
def test_any_bytes_take_little_memory(content: bytes) -> None:
    assert peak_of(lambda: look_at(content)) <= MOST_MEMORY


@pytest.mark.slow
def test_any_bytes_of_many_take_little_time() -> None:
    spent = []

    @given(any_bytes())
    def look(content: bytes) -> None:
        begun = thread_time()
        look_at(content)
        spent.append(thread_time() - begun)

    look()
    assert max(spent) <= MOST_SECONDS


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_mentioned_often_takes_little_memory(name: str) -> None:
    content = HOSTILE[name]()
    assert len(content) <= 2 * MOST_BYTES
    assert peak_of(lambda: look_at(content)) <= MOST_MEMORY


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_mentioned_often_takes_little_time(name: str) -> None:
    content, begun = HOSTILE[name](), thread_time()
    look_at(content)
    assert thread_time() - begun <= MOST_SECONDS


def test_a_text_of_many_times_the_file_is_not_opened() -> None:
    for content in (many_locals(20), HOSTILE["a string that is loaded often"]()):
        found = opened(content)
        assert found is None or found.container not in text_forms()
        assert "too much" in why_closed(content)


def pack_and_read(form: Container, text: str) -> None:
    """Write a text, unless that is refused; what is written can be read."""
    members = (Member("", b"\4" if form is PICKLE else b"", text.encode(errors="replace")),)
    try:
        written = form.write(Packed(members))
    except Broken:
        return
    try:
        assert form.unpack(written) is not None
    except AssertionError:
        assert "too much" in why_closed(written)


@forms
@given(data=st.data())
def test_any_text_packs_or_is_refused(sample: FormSample, data: st.DataObject) -> None:
    words = sorted({word for text in sample.texts for word in _WORD.findall(text)})
    pieces = st.sampled_from(words) | st.text(max_size=4)
    some = st.tuples(pieces, st.sampled_from((1, 1, 1, 2, 40)))
    found = data.draw(st.lists(some, max_size=25))
    start = data.draw(st.sampled_from(["", *sample.texts]))
    pack_and_read(sample.form, start + " ".join((f"{each} " * times) for each, times in found))


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (JAVA_CLASS, "(class" + "".join(map(' (implements "c{}")'.format, range(33_000))) + ")"),
        (JAVA_CLASS, f'(class "{"A" * 70_000}") (source "{"s" * 70_000}")'),
        (JAVA_CLASS, f'(class) (method "f" (code (istore ${LONG} (int {LONG}))))'),
        (WASM_TEXT, f"(func (i32.const {LONG}) (local.get ${LONG}))"),
        (PICKLE, f"(ext {LONG})"),
        (PICKLE, f"(list {LONG} 1e{LONG} 0x{LONG} nan:0x{LONG})"),
        (SQLITE, f"CREATE TABLE t(a); INSERT INTO t VALUES ({LONG}, 1e{LONG})"),  # noqa: S608
    ],
    ids=lambda value: value.name if isinstance(value, Container) else value[:30],
)
def test_numbers_and_counts_that_are_too_large_are_refused(form: Container, text: str) -> None:
    pack_and_read(form, text)


def test_a_text_that_cannot_be_written_makes_an_empty_file() -> None:
    found = opened(method_of("(pop (int 7))"))
    assert found is not None
    place = next(place for place, member, _ in found.walk() if member.name == "method 0.wat")
    text = f'(method "f" static (code {"(push (long))" * 33_000}))'
    assert found.written(set(), {place: text.encode()}) == b""
