"""Class files as texts, and any texts as class files."""

import re
import struct
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from reduce_inline import reduce_inline
from unit.binaries.java.class_samples import (
    HAS_JAVA,
    OBJECT_INIT,
    SAMPLES,
    class_of_texts,
    class_texts,
    compiled_classes,
    method_text,
    shown_by_javap,
)
from unit.formats.containers.samples import zip_in, zip_of
from wynot.core.files import Files
from wynot.formats.containers.container import Broken, Member, Packed
from wynot.formats.containers.opened import canonical, opened
from wynot_binaries import JAVA_CLASS

CLASSES = {name: class_of_texts(text) for name, text in SAMPLES.items()}
samples = pytest.mark.parametrize("name", SAMPLES)
with_java = pytest.mark.skipif(not HAS_JAVA, reason="there is no Java")
_PARTS = re.compile(rb"\((?:[^()]|\([^()]*\))*\)|[()]|[^\s()]+")
HEAD = '(class "Case")'


@samples
def test_a_class_is_written_as_it_was_read(name: str) -> None:
    packed = JAVA_CLASS.unpack(CLASSES[name])
    assert packed is not None
    assert JAVA_CLASS.pack(packed) == CLASSES[name]
    assert canonical(CLASSES[name]) is None


@with_java
def test_javap_can_read_what_is_written(tmp_path: Path) -> None:
    assert shown_by_javap([*CLASSES.values()], tmp_path) == []


@with_java
@pytest.mark.slow
def test_what_javac_makes_is_written_such_that_it_runs_as_before(tmp_path: Path) -> None:
    said = []
    for folder in ("before", "after"):
        (tmp_path / folder).mkdir()
        for name, content in compiled_classes().items():
            packed = JAVA_CLASS.read(content)
            assert not any(b"(flat" in each.content for each in packed.members)
            written = JAVA_CLASS.pack(packed)
            assert JAVA_CLASS.unpack(written) is not None
            (tmp_path / folder / name).write_bytes(content if folder == "before" else written)
        command = ["java", "-Xverify:all", "-cp", str(tmp_path / folder), "Sample"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        said.append((done.stdout, done.stderr))
    assert said[0] == said[1]
    assert "sample" in said[0][0]


def mutilated(packed: Packed, random: Random) -> Packed:
    """Leave out some members, and of others some lists and words; or put one for another."""
    members = [each for each in packed.members if each.required or random.random() > 0.1]
    for _ in range(random.choice((1, 2, 5, 20))):
        number = random.randrange(len(members))
        text = members[number].content
        spans = [found.span() for found in _PARTS.finditer(text)]
        if spans:
            (start, stop), other = random.choice(spans), random.choice(spans)
            instead = text[slice(*other)] if random.random() < 0.3 else b""
            members[number] = members[number].holding(text[:start] + instead + text[stop:])
    return replace(packed, members=tuple(members))


def mutilations(contents: list[bytes], count: int) -> list[bytes]:
    random, found = Random(count), list[bytes]()
    for content in contents:
        packed = JAVA_CLASS.read(content)
        found += (JAVA_CLASS.pack(mutilated(packed, random)) for _ in range(count))
    return found


@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=pytest.mark.slow)])
def test_whatever_is_left_of_the_texts_is_written_as_it_is_read(count: int) -> None:
    for written in mutilations([*CLASSES.values()], count):
        assert JAVA_CLASS.unpack(written) is not None, class_texts(written)


@with_java
@pytest.mark.slow
def test_javap_can_read_whatever_is_left(tmp_path: Path) -> None:
    contents = [
        *CLASSES.values(),
        *map(JAVA_CLASS.pack, map(JAVA_CLASS.read, compiled_classes().values())),
    ]
    found = mutilations(contents, 100)
    assert all(JAVA_CLASS.unpack(each) is not None for each in found)
    assert shown_by_javap(found, tmp_path) == []


@pytest.mark.parametrize("depth", range(1, 36))
def test_what_is_too_deep_is_not_written(depth: int) -> None:
    arrays = "(array " * depth + "(I 1)" + ")" * depth
    notes = '(annotation "LA;" (= "a" ' * depth + "(I 1)" + "))" * depth
    by = '(by (handle getstatic "p/Q" "q" "I")'
    dynamic = f'(dynamic "d" "I" {by} ' * depth + "(int 1)" + "))" * depth
    for text in (
        f'(class "A") (annotation "LA;" (= "a" {arrays}))',
        f'(class "A") {notes}',
        f'(class "A") (method "m" static (result "I") (code (return {dynamic})))',
    ):
        assert JAVA_CLASS.unpack(class_of_texts(text)) is not None


def test_components_inside_of_components_are_refused() -> None:
    record = '(class "A" final (extends "java/lang/Record")) (component "a" "I")'
    content = class_of_texts(record)
    # At the end: how many attributes, its name, its length; one component, its name and type.
    name, first = content[-14:-12], content[-6:-2]
    inner = b"\0\1" + first + b"\0\0"
    assert content.endswith(name + struct.pack(">I", len(inner)) + inner)
    for _ in range(2000):
        inner = b"\0\1" + first + b"\0\1" + name + struct.pack(">I", len(inner)) + inner
    nested = content[:-12] + struct.pack(">I", len(inner)) + inner
    assert JAVA_CLASS.unpack(nested) is None


def test_what_is_cut_short_is_none() -> None:
    content = CLASSES["members"]
    for stop in range(len(content)):
        assert JAVA_CLASS.unpack(content[:stop]) is None
    assert JAVA_CLASS.unpack(content + b"\0") is None


INTEGERS = 'static (param $0 "I") (result "I")'
GONE = [
    # An operand that is missing is plain, and one too many is dropped.
    (
        f'(method "f" {INTEGERS} (code (return (iadd (iload $0) (int 6)))))',
        "(iload $0)",
        '(method "f" static (param "I") (result "I") (code (return (iadd (int 6)))))',
    ),
    (
        '(method "f" static (param $0 "J") (result "I") (code (return (l2i (lload $0)))))',
        "l2i",
        '(method "f" static (param "J") (result "I"))',
    ),
    # What is called, and takes less; or is not there.
    (
        """(method $m "f" static (param "I") (param "J"))
        (method "g" static (code (invokestatic $m (int 1) (long 2))))""",
        '(param "I")',
        """(method $m0 "f" static (param "J"))
        (method "g" static (code (invokestatic $m0 (long 2))))""",
    ),
    (
        '(method $m "f" static (result "I")) (method "g" static (code (ineg (invokestatic $m))))',
        '(method $m "f" static (result "I"))',
        '(method "g" static (code (ineg)))',
    ),
    # What leads to a place that is not there leads nowhere, and what is not reached goes.
    (
        '(method "f" static (code (ifeq $l (int 5)) (nop) $l (monitorenter)))',
        "$l (monitorenter)",
        '(method "f" static (code (nop)))',
    ),
    (
        '(method "f" static (code (goto $l) (nop) $l (monitorenter)))',
        "unsaid",
        '(method "f" static (code (goto $l3) $l3 (monitorenter)))',
    ),
    # A constructor without that of its base has it anyway.
    (
        f'(method "<init>" (this $0) (code {OBJECT_INIT}))',
        OBJECT_INIT,
        '(method "<init>")',
    ),
    # An object that nobody makes is not there.
    (
        """(method "f" static (result "Ljava/lang/Object;")
        (code (return (invokespecial "X" "<init>" "()V" (dup (new "X"))))))""",
        '(dup (new "X"))',
        '(method "f" static (result "Ljava/lang/Object;"))',
    ),
]


@pytest.mark.parametrize(("before", "gone", "after"), GONE)
def test_what_needs_something_that_is_gone_is_done_without_it(
    before: str, gone: str, after: str
) -> None:
    left = class_of_texts(HEAD, before.replace(gone, "", 1))
    shown = [text for name, text in class_texts(left).items() if name.startswith("method")]
    assert " ".join(shown) == " ".join(after.split())
    assert JAVA_CLASS.unpack(left) is not None


def test_a_method_without_code_gives_something_plain() -> None:
    for result, code in (("I", b"\x03\xac"), ("J", b"\x09\xad"), ("[I", b"\x01\xb0")):
        assert code in class_of_texts(HEAD, f'(method "f" static (result "{result}"))')


def test_constants_have_small_numbers_where_that_is_shorter() -> None:
    many = "".join(f'(astore $0 (string "{number}"))' for number in range(300))
    content = class_of_texts(HEAD, f'(method "f" static (code {many}))')
    assert b"\x12\x01\x4b" in content  # ldc
    assert b"\x13\x01\x01\x4b" in content  # ldc_w
    assert JAVA_CLASS.unpack(content) is not None


def test_code_that_is_too_large_is_left_out() -> None:
    many = "(monitorenter (null))" * 40_000
    content = class_of_texts(HEAD, f'(method "f" static (code {many}))')
    assert method_text(content) == '(method "f" static)'


def test_types_that_meet_are_told_to_the_verifier() -> None:
    text = SAMPLES["control"]
    assert b"StackMapTable" in class_of_texts(text)
    assert b"StackMapTable" not in class_of_texts(text.replace("(version 61)", ""))


def test_where_different_classes_meet_it_is_said_what_they_have_in_common() -> None:
    code = """(code (ifeq $l (iload $0)) (push (new "A")) (goto $e) $l (push (string "x")) $e
        (invokevirtual "Q" "q" "()V") (frame $e (0 "Q")))"""
    text = f'(method "f" static (param $0 "I") {code})'.replace(
        '(new "A")', '(invokestatic "W" "w" "()LW;")'
    )
    content = class_of_texts('(class "Case" (version 61))', text)
    assert '(0 "Q")' in method_text(content)
    assert JAVA_CLASS.unpack(content) is not None


def test_lines_and_variables_go_at_once() -> None:
    content = class_of_texts(
        HEAD,
        '(method $m "f" static (param $0 "I") (code $a (nop) (at $b)))',
        "(lines $m (7 $a))",
        '(variables $m (var $0 "x" "I" $a $b) (generic $0 "x" "TT;" $a $b) (var $0 "x" "I" $a $b))',
    )
    packed = JAVA_CLASS.unpack(content)
    assert packed is not None
    assert [each.name for each in packed.members] == [
        *("class.wat", "method 0.wat", "lines.wat", "variables.wat")
    ]
    left = JAVA_CLASS.pack(replace(packed, members=packed.members[:2]))
    assert method_text(left) == '(method "f" static (param "I") (code (nop)))'


@pytest.mark.parametrize(
    "content",
    [
        b"\xca\xfe\xba\xbe\0\0\0\2",  # a program for two machines
        CLASSES["nothing"].replace(b"\0\1\0\3", b"\0\1\0\0"),  # no superclass
        CLASSES["members"].replace(b"\0\x09Signature", b"\0\x06Module"),
    ],
)
def test_what_is_not_known_is_not_opened(content: bytes) -> None:
    assert JAVA_CLASS.unpack(content) is None


def test_deep_computations_are_no_problem() -> None:
    deep = "(ineg " * 5000 + "(int 1)" + ")" * 5000
    content = class_of_texts(HEAD, f'(method "f" static (result "I") (code (return {deep})))')
    assert JAVA_CLASS.unpack(content) is not None


def test_texts_that_no_class_ever_had_are_members_too() -> None:
    member = Member("x.wat", b"", b'(method "f" (zzz)) (method "") (field "a" "Q") ) (nonsense) "(')
    content = JAVA_CLASS.pack(Packed((member,)))
    assert method_text(content) == '(method "f")'


def test_a_class_in_a_jar_is_opened() -> None:
    content = zip_of([("Case.class", CLASSES["control"]), ("META-INF/MANIFEST.MF", b"x")])
    found = opened(content)
    assert found is not None
    assert found.inner[0].container is JAVA_CLASS
    written = found.written({(0, 1)}, {})
    assert zip_in(written)[0] == (
        "Case.class",
        JAVA_CLASS.pack(
            replace(
                found.inner[0].packed,
                members=(found.inner[0].packed.members[0], *found.inner[0].packed.members[2:]),
            )
        ),
    )


def test_one_instruction_of_many_is_left() -> None:
    methods = "".join(
        f'(method $m{number} "m{number}" static (param $0 "I") (result "I") (code'
        f" (ifeq $l (iload $0)) (istore $0 (imul (iload $0) (int {number + 9999})))"
        f" $l (return (invokestatic $m{number + 1} (iload $0)))))"
        for number in range(40)
    ).replace("(int 10016)", "(irem (int 10016) (int 3))")
    content = class_of_texts('(class "Case" (version 61))', methods)

    def fails(files: Files) -> bool:
        try:
            texts = class_texts(files.contents["Case.class"])
        except Broken:
            return False
        return any("(irem" in text for text in texts.values())

    found = reduce_inline(Files({"Case.class": content}), fails)
    assert len(found.content) <= 101
    assert found.tests < 80
    assert "tokens" in found.proved
