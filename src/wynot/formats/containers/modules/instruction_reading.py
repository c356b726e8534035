"""Reads instructions that are no blocks and lead to none: what they take, and what they give."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from wynot.formats.containers.container import Broken, check
from wynot.formats.containers.modules.block_frames import BlockFrame
from wynot.formats.containers.modules.module_spaces import OPTIONAL_SPACES, ModuleSpaces
from wynot.formats.containers.modules.named_types import named_signature
from wynot.formats.containers.modules.wasm_bytes import WasmBytes, signature_text, type_names
from wynot.formats.containers.modules.wasm_operations import (
    BY_CODE,
    NAMED_BY_CODE,
    REFERENCES,
    VECTOR_BYTES,
    NamedOperation,
    leb128,
)
from wynot.formats.containers.symbolic.float_texts import float_text

_OTHER_MEMORY = 0x40
_MAX_POWER = 5
"""Of an alignment: 32 bytes."""
_FIRST_PREFIX = 0xFC
UNKNOWN_TYPE = "?"


class InstructionReading:
    """Reads instructions into the innermost block that is open."""

    def __init__(self, source: WasmBytes, module: ModuleSpaces, gives: str, variables: str) -> None:
        self._source, self._module, self._variables = source, module, variables
        self._frames = [BlockFrame("func", "", gives, label="$end")]
        self.used: set[int] = set()
        """The variables that are mentioned."""

    def instruction(self, code: int) -> None:
        """Read what follows a code."""
        simple = _SIMPLE.get(code)
        if simple is not None:
            name, takes, gives, ends = simple
            self._put(name, takes, gives, ends=ends)
        else:
            self._usual(code)

    def _put(self, head: str, takes: str, gives: str, *, ends: bool = False) -> None:
        """Let an instruction take its operands, and wait to be one."""
        frame = self._frames[-1]
        self._module.room.take(len(takes))  # what is missing of these is written again
        taken, over = frame.gather(takes)
        frame.nodes.append((f"({head}", taken, " ") if taken else f"({head})")
        frame.counts.append(over + len(gives))
        if ends:
            frame.floor = len(frame.nodes)

    def _usual(self, code: int) -> None:
        key = bytes((code,))
        if code >= _FIRST_PREFIX:
            key += leb128(self._source.number())
        named, operation = NAMED_BY_CODE.get(key), BY_CODE.get(key)
        if named is not None:
            self._named(named)
        elif operation is not None:
            head = operation.name
            if operation.immediate:
                head += self._immediate(operation.immediate, operation.size)
            self._put(head, operation.takes, operation.gives)
        elif key in self._ODD:
            self._ODD[key](self)
        else:
            raise Broken(f"it has an instruction that is unknown ({key.hex()})")

    def _named(self, named: NamedOperation) -> None:
        name, _, spaces = named
        numbers, module = [self._source.number() for _ in spaces], self._module
        if spaces == "0":
            (number,) = numbers
            check(number < len(self._variables), "it mentions a variable that is not there")
            self.used.add(number)
            text, types = f" ${number}", [self._variables[number]]
        else:
            each = list(zip(spaces, numbers, strict=True))
            says = module.unless_first if spaces in OPTIONAL_SPACES else self._said
            text = "".join(says(*thing) for thing in each)
            types = [module.described(*thing) for thing in each]
        self._put(name + text, *named_signature(name, types))

    def _said(self, space: str, number: int) -> str:
        return f" {self._module.name(space, number)}"

    def _immediate(self, kind: str, size: int) -> str:
        source, text = self._source, ""
        if kind == "shuffle":
            lanes = source.take(VECTOR_BYTES)
            return "" if lanes == bytes(range(VECTOR_BYTES)) else "".join(f" {at}" for at in lanes)
        if kind != "lane":
            power, memory = source.number(), 0
            if power & _OTHER_MEMORY:
                power, memory = power - _OTHER_MEMORY, source.number()
            text = self._module.unless_first("m", memory)
            check(power <= _MAX_POWER, "an alignment is too large")
            offset = source.number()
            text += f" offset={offset}" if offset else ""
            text += f" align={1 << power}" if 1 << power != size else ""
        lane = source.byte() if kind != "mem" else 0
        return text + (f" {lane}" if lane else "")

    def _selected(self) -> None:
        types = self._source.types()
        check(len(types) == 1, "it selects several values")
        self._put(f"select (result {type_names(types)})", UNKNOWN_TYPE * 3, types)

    def _integer(self, letter: str) -> None:
        name = type_names(letter)
        number = self._source.signed(int(name[1:]))
        self._put(f"{name}.const" + (f" {number}" if number else ""), "", letter)

    def _float(self, letter: str) -> None:
        name = type_names(letter)
        content = self._source.take(int(name[1:]) // 8)
        text = f" {float_text(content, letter)}" if any(content) else ""
        self._put(f"{name}.const{text}", "", letter)

    def _vector(self) -> None:
        content = self._source.take(VECTOR_BYTES).rstrip(b"\0")
        places = range(0, len(content), 4)
        words = (int.from_bytes(content[at : at + 4], "little") for at in places)
        self._put("v128.const" + "".join(f" {word}" for word in words), "", "v")

    def _null(self) -> None:
        letter = self._source.type()
        check(letter in REFERENCES, "it has types that are unknown")
        self._put("ref.null" + (f" {REFERENCES[letter]}" if letter != "r" else ""), "", letter)

    def _throw(self) -> None:
        number = self._source.number()
        name = self._module.name("e", number)
        self._put(f"throw {name}", self._module.tag(number), "", ends=True)

    def _return(self) -> None:
        self._put("return", self._frames[0].gives, "", ends=True)

    def _fence(self) -> None:
        self._source.byte()
        self._put("atomic.fence", "", "")

    def _call(self) -> None:
        number = self._source.number()
        takes, gives = self._module.function(number)
        self._put(f"call {self._module.name('f', number)}", takes, gives)

    def _last_call(self) -> None:
        number = self._source.number()
        takes, _ = self._module.function(number)
        self._put(f"return_call {self._module.name('f', number)}", takes, "", ends=True)

    def _indirect(self) -> None:
        head, takes, gives = self._called()
        self._put(f"call_indirect{head}", takes + "i", gives)

    def _last_indirect(self) -> None:
        head, takes, _ = self._called()
        self._put(f"return_call_indirect{head}", takes + "i", "", ends=True)

    def _called(self) -> tuple[str, str, str]:
        takes, gives = self._module.type(self._source.number())
        table = self._module.unless_first("t", self._source.number())
        return table + signature_text(takes, gives), takes, gives

    _ODD: ClassVar[dict[bytes, Callable[["InstructionReading"], None]]] = {
        b"\x08": _throw,
        b"\x0f": _return,
        b"\x10": _call,
        b"\x11": _indirect,
        b"\x12": _last_call,
        b"\x13": _last_indirect,
        b"\x1c": _selected,
        b"\x41": partial(_integer, letter="i"),
        b"\x42": partial(_integer, letter="l"),
        b"\x43": partial(_float, letter="f"),
        b"\x44": partial(_float, letter="d"),
        b"\xd0": _null,
        b"\xfd\x0c": _vector,
        b"\xfe\x03": _fence,
    }


_SIMPLE = {
    0x00: ("unreachable", "", "", True),
    0x0A: ("throw_ref", "e", "", True),
    0x1A: ("drop", UNKNOWN_TYPE, "", False),
    0x1B: ("select", 3 * UNKNOWN_TYPE, UNKNOWN_TYPE, False),
    0xD1: ("ref.is_null", UNKNOWN_TYPE, "i", False),
}
