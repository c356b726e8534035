"""Modules of WebAssembly as texts, and any texts as modules."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from counting import is_linear
from unit.binaries.wasm.module_samples import (
    HAS_VALIDATOR,
    SAMPLES,
    module_of,
    problems_of,
    texts_in,
)
from wynot.formats.containers.container import Member, Packed
from wynot.formats.containers.opened import canonical, opened
from wynot.formats.containers.wasms import WASM
from wynot_binaries import WASM_TEXT
from wynot_binaries.wasm.module_reading import WASM_HEAD
from wynot_binaries.wasm.wasm_operations import OPERATIONS

MODULES = {name: module_of(text) for name, text in SAMPLES.items()}
EVERYTHING = "(memory 1 1 shared)" + "".join(f"(func ({each.name}))\n" for each in OPERATIONS)
samples = pytest.mark.parametrize("name", SAMPLES)
validated = pytest.mark.skipif(not HAS_VALIDATOR, reason="there is no Node to validate modules")
_PARTS = re.compile(rb"\((?:[^()]|\([^()]*\))*\)|[()]|[^\s()]+")


@samples
def test_a_module_is_written_as_it_was_read(name: str) -> None:
    packed = WASM_TEXT.unpack(MODULES[name])
    assert packed is not None
    assert WASM_TEXT.pack(packed) == MODULES[name]
    assert canonical(MODULES[name]) is None


@validated
def test_modules_are_valid(tmp_path: Path) -> None:
    usual = re.sub(r"\(func \([^ ]*relaxed[^ ]*\)\)", "", EVERYTHING)
    assert problems_of([*MODULES.values(), module_of(usual)], tmp_path) == []


def test_all_instructions_are_read_again() -> None:
    written = module_of(EVERYTHING)
    assert len(texts_in(written)) == len(OPERATIONS) + 1
    assert WASM_TEXT.unpack(written) is not None


def mutilated(packed: Packed, random: Random) -> Packed:
    """Leave out some members, and of others some lists and words; or put one for another."""
    members = [each for each in packed.members if random.random() > 0.1]
    for _ in range(random.choice((1, 2, 5, 20))):
        if not members:
            break
        number = random.randrange(len(members))
        text = members[number].content
        spans = [found.span() for found in _PARTS.finditer(text)]
        if spans:
            (start, stop), other = random.choice(spans), random.choice(spans)
            instead = text[slice(*other)] if random.random() < 0.3 else b""
            members[number] = members[number].holding(text[:start] + instead + text[stop:])
    return replace(packed, members=tuple(members))


def mutilations(count: int) -> list[bytes]:
    random, found = Random(count), list[bytes]()
    for name in SAMPLES:
        packed = WASM_TEXT.read(MODULES[name])
        found += (WASM_TEXT.pack(mutilated(packed, random)) for _ in range(count))
    return found


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_whatever_is_left_of_the_texts_is_written_as_it_is_read(count: int) -> None:
    for written in mutilations(count):
        again = WASM_TEXT.unpack(written)
        assert again is not None, texts_in(written)


@validated
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_whatever_is_left_of_the_texts_is_a_valid_module(count: int, tmp_path: Path) -> None:
    found = problems_of(mutilations(count), tmp_path)
    # Not every engine can have what is made of another thing by chance.
    assert [each for each in found if "memory count" not in each] == []


@pytest.mark.parametrize(
    ("before", "gone", "after"),
    [
        # An operand that is missing is zero, and one too many is dropped.
        ("(func (result i32) (i32.add (i32.const 5) (i32.const 6)))", "(i32.const 5)",
            "(func (result i32) (i32.add (i32.const 6)))"),
        ("(func (drop (i64.eqz (i64.const 1))))", "i64.eqz", "(func (i64.const 1))"),
        ("(func (param $0 i32) (local $1 i64) (local.set $1 (i64.extend_i32_s (local.get $0))))",
            "i64.extend_i32_s",
            "(func (param $0 i32) (local $1 i64) (local.get $0) (local.set $1))"),
        # What is called, and takes less.
        ("(func $f (param $0 i32) (param $1 i64)) (func (call $f (i32.const 1) (i64.const 2)))",
            "(param $0 i32)",
            "(func $f0 (param i64)) (func (i32.const 1) (call $f0 (i64.const 2)))"),
        ("(func $f (result i32)) (func (drop (i32.eqz (call $f))))", "(func $f (result i32))",
            "(func (i32.eqz))"),
        # What leads to a block that is not there leads nowhere.
        ("(func (block $l (br_if $l (i32.const 1))))", "$l", "(func (block (i32.const 1)))"),
        ("(func (if (i32.const 2) (then (nop)) (else (nop))))", "(then (nop))",
            "(func (if (i32.const 2) (else (nop))))"),
        ("(memory 1) (func (i32.store (i32.const 3)))", "(memory 1)", "(func (i32.const 3))"),
        ('(func $f) (export "a" (func $f)) (func)', "(func $f)", "(func)"),
        ("(start $f) (func $f (param i32))", "$f", "(func (param i32))"),
    ],
)  # fmt: skip
def test_what_needs_something_that_is_gone_is_done_without_it(
    before: str, gone: str, after: str
) -> None:
    left = module_of(before.replace(gone, "", 1))
    assert " ".join(texts_in(left).values()) == after
    assert WASM_TEXT.unpack(left) is not None


def test_values_are_given_by_the_last_instructions_that_do() -> None:
    text = "(func (result i32) (i32.const 1) (nop) (i32.const 2))"
    assert texts_in(module_of(text)) == {
        "func 0.wat": "(func (result i32) (i32.const 1) (nop) (i32.const 2))"
    }
    (shown,) = texts_in(module_of(text.replace("(i32.const 2)", ""))).values()
    assert shown == "(func (result i32) (i32.const 1) (nop))"


def test_what_is_not_reached_gives_nothing() -> None:
    text = "(func (result i32) (i32.add (i32.const 1) (unreachable)))"
    (shown,) = texts_in(module_of(text)).values()
    assert shown == "(func (result i32) (drop (i32.const 1)) (unreachable) (i32.add))"


def test_functions_that_are_values_are_declared() -> None:
    content = module_of("(func (drop (ref.func $f))) (func $f)")
    assert b"\x09\x05\x01\x03\x00\x01\x01" in content
    assert "elements.wat" not in texts_in(content)


def test_sections_of_others_stay_where_they_are() -> None:
    front, after = b"\0\4\3abc", b"\0\5\2xyzw"
    content = WASM_HEAD + front + module_of("(func)")[8:] + after
    packed = WASM_TEXT.unpack(content)
    assert packed is not None
    assert [each.name for each in packed.members] == ["custom abc", "func 0.wat", "custom xy"]
    left = WASM_TEXT.pack(replace(packed, members=packed.members[::2]))
    assert left == WASM_HEAD + front + after


def test_any_layout_of_a_module_is_laid_out_anew() -> None:
    content = module_of("(func (result i32) (i32.const 1))")
    odd = content.replace(b"\x41\1\x0b", b"\x41\x81\0\x0b").replace(b"\x0a\6\1\4", b"\x0a\7\1\5")
    assert canonical(odd) == content
    assert WASM_TEXT.unpack(odd) is None
    closed = opened(odd)
    assert closed is not None
    assert closed.container is WASM


@pytest.mark.parametrize(
    "content",
    [
        b"\0asm\x0d\0\1\0",  # a component
        WASM_HEAD + b"\1\4\1\x5f\0\0",  # a type that is a record
        WASM_HEAD + b"\5\3\1\4\1",  # a memory of 64 bits
        module_of("(func)") + b"\x01\x00",  # out of order
    ],
)
def test_what_is_not_known_is_left_to_its_sections(content: bytes) -> None:
    assert WASM_TEXT.unpack(content) is None


def test_deep_nests_are_no_problem() -> None:
    def nested(depth: int) -> None:
        text = "(func (result i32) " + "(i32.eqz (block (result i32) " * depth + "))" * depth + ")"
        content = module_of(text)
        assert WASM_TEXT.unpack(content) is not None

    nested(4000)
    assert is_linear(nested, 200)


def test_texts_that_no_module_ever_had_are_members_too() -> None:
    member = Member(
        "x.wat", b"", b'(func (local $a zzz) (local.get $a)) "(" ;; (func)\n) (nonsense)'
    )
    content = WASM_TEXT.pack(Packed((member,)))
    assert texts_in(content) == {"func 0.wat": "(func)"}
