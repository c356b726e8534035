"""Instructions that give a constant."""

from collections.abc import Callable, Mapping

from wynot.formats.containers.modules.wasm_operations import signed_leb128
from wynot.formats.containers.symbolic.float_texts import float_bytes
from wynot.formats.containers.symbolic.symbolic_lists import FormList, numbers_of, words_of


def wrapped(number: int, bits: int) -> int:
    """Return a number as a signed one of so many bits."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> bits - 1 else number


def _integer(form: FormList, bits: int) -> bytes:
    code = b"\x41" if bits == 32 else b"\x42"  # noqa: PLR2004 - i32
    return code + signed_leb128(wrapped(next(numbers_of(form), 0), bits))


def _float(form: FormList, letter: str) -> bytes:
    _, text, *_ = [*words_of(form), ""]
    return (b"\x43" if letter == "f" else b"\x44") + float_bytes(text, letter)


def _vector(form: FormList) -> bytes:
    words = [*numbers_of(form), 0, 0, 0, 0][:4]
    return b"\xfd\x0c" + b"".join((word % (1 << 32)).to_bytes(4, "little") for word in words)


CONSTANTS: Mapping[str, tuple[str, Callable[[FormList], bytes]]] = {
    "i32.const": ("i", lambda form: _integer(form, 32)),
    "i64.const": ("l", lambda form: _integer(form, 64)),
    "f32.const": ("f", lambda form: _float(form, "f")),
    "f64.const": ("d", lambda form: _float(form, "d")),
    "v128.const": ("v", _vector),
}
"""What is given, and how it is written."""
