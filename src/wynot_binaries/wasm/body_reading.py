"""Function bodies as texts: each instruction with its operands inside of it.

What an instruction takes from the stack is written in it, so leaving out an operand leaves out all
that computes it. Between operands there may be instructions that give nothing. Where several values
come from one instruction, what is not taken of them is given on by the one that takes the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from wynot.formats.containers.container import CUT_SHORT, Broken, check
from wynot.formats.leb128 import read_leb128, sign_extended, write_leb128
from wynot_binaries.byte_reader import ByteReader
from wynot_binaries.stack_machine import gather, places_of, without_drop, without_plain
from wynot_binaries.symbolic_lists import TextNode, float_text
from wynot_binaries.wasm.module_spaces import (
    OPTIONAL_SPACES,
    FunctionType,
    ModuleSpaces,
    named_signature,
)
from wynot_binaries.wasm.wasm_operations import (
    BY_CODE,
    LETTERS_OF_BYTES,
    NAMED_BY_CODE,
    REFERENCES,
    TYPE_BYTES,
    VALUE_TYPES,
    VECTOR_BYTES,
    NamedOperation,
)


class WasmBytes(ByteReader):
    """Reads the numbers, names and types of modules."""

    def number(self, bits: int = 32) -> int:
        """Read an unsigned number."""
        number = self._leb128(bits)
        check(number < 1 << bits, "a number is too large")
        return number

    def signed(self, bits: int) -> int:
        """Read a signed number."""
        start = self.at
        number = sign_extended(self._leb128(bits), self.at - start)
        check(-(1 << bits - 1) <= number < 1 << bits - 1, "a number is too large")
        return number

    def _leb128(self, bits: int) -> int:
        stop = self.at - -bits // 7
        found = read_leb128(self.data, self.at, min(stop, self.stop))
        if found is None:
            raise Broken(CUT_SHORT if stop > self.stop else "a number is too long")
        number, self.at = found
        return number

    def count(self) -> int:
        """Read how many things follow: each is a byte at least."""
        count = self.number()
        check(count <= self.stop - self.at, CUT_SHORT)
        return count

    def name(self) -> bytes:
        """Read a name."""
        name = self.take(self.number())
        try:
            name.decode()
        except UnicodeDecodeError as error:
            raise Broken("a name is no UTF-8") from error
        return name

    def type(self) -> str:
        """Read the type of a value."""
        letter = LETTERS_OF_BYTES.get(self.byte())
        if letter is None:
            raise Broken("it has types that are unknown")
        return letter

    def types(self) -> str:
        """Read the types of several values."""
        return "".join(self.type() for _ in range(self.count()))

    def limits(self) -> str:
        """Read how large a memory or table is, as it is written in a text."""
        flags = self.byte()
        check(flags <= 3, "it has memories or tables of an unknown kind")  # noqa: PLR2004
        numbers = [self.number() for _ in range(1 + flags % 2)]
        written = [*numbers, "shared"] if flags & 2 else numbers
        return "" if written == [0] else "".join(f" {each}" for each in written)


def type_names(letters: str) -> str:
    """Return types as they are written in a text."""
    return " ".join(VALUE_TYPES[letter][0] for letter in letters)


def signature_text(takes: str, gives: str) -> str:
    """Return what a function takes and gives as it is written in a text."""
    pairs = ((" (param", takes), (" (result", gives))
    return "".join(f"{head} {type_names(types)})" for head, types in pairs if types)


LOOP = "loop"
STAND_IN_TEXTS: Mapping[str, TextNode] = {
    **{letter: f"({name}.const)" for letter, (name, _) in VALUE_TYPES.items()},
    "r": "(ref.null)",
    "x": "(ref.null extern)",
    "e": "(ref.null exn)",
}
"""Constants that stand in for what is missing."""


@dataclass(slots=True)
class BlockFrame:
    """A block that is open."""

    kind: str
    takes: str
    gives: str
    head: str = ""
    operands: list[TextNode] = field(default_factory=list)
    label: str = ""
    nodes: list[TextNode] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    """How many values each node leaves on the stack."""
    floor: int = 0
    """Which nodes come after the last one from which nothing goes on."""
    bare: int = 0
    """Of how many nodes it is known that they leave nothing on the stack."""
    arm: str = ""
    arms: list[TextNode] = field(default_factory=list)

    @property
    def carried(self) -> str:
        """The values that a branch to it takes."""
        return self.takes if self.kind == LOOP else self.gives

    def begin(self, entering: str) -> None:
        """Begin with these values on the stack."""
        self.nodes, self.counts = (["(take)"], [len(entering)]) if entering else ([], [])
        self.floor = self.bare = 0

    def end_arm(self, following: str = "", entering: str = "") -> None:
        """End one of its arms, and begin another."""
        inside = self.statements()
        is_default = self.arm == "(then" or (self.arm == "(else" and self.takes != self.gives)
        if inside or not is_default:
            self.arms.append((self.arm, inside, "\n"))
        self.arm = following
        self.begin(entering)

    def statements(self) -> list[TextNode]:
        """Return what is in it, without what goes without saying: values that are plain or dropped.

        A value that is dropped is said to be where it could be taken for one that is given.
        """
        nodes, counts, last = self.nodes, self.counts, len(self.nodes)
        gives = self.gives
        if not gives:
            return _without_drops(nodes, counts)
        if self.floor or sum(counts) != len(gives):
            return nodes
        while gives and last and nodes[last - 1] == STAND_IN_TEXTS.get(gives[-1]):
            last, gives = last - 1, gives[:-1]
        if len(gives) < len(self.gives):
            return nodes[:last]
        first = next(place for place, count in enumerate(counts) if count)
        return [*_without_drops(nodes[:first], counts), *nodes[first:]]

    def gather(self, takes: str) -> tuple[list[TextNode], int]:
        """Take the last nodes that give these values; return them, and how many too many."""
        taken, over = gather(self.nodes, self.counts, len(takes), max(self.floor, self.bare))
        if over < 0:
            self.bare = len(self.nodes)
        if over == 0 and len(taken) == len(takes):
            taken = _without_plain(taken, takes)
        return taken, max(over, 0)


def _without_plain(nodes: list[TextNode], takes: str) -> list[TextNode]:
    """Return operands without those that are plain constants, where these go without saying."""
    found = without_plain(nodes, takes, STAND_IN_TEXTS, places_of)
    if found is None:  # but the last ones can go
        found = nodes
        while found[-1] == STAND_IN_TEXTS.get(takes[len(found) - 1]):
            found = found[:-1]
    return found


def _without_drops(nodes: list[TextNode], counts: list[int]) -> list[TextNode]:
    """Return statements whose values nobody wants without saying so."""
    pairs = zip(nodes, counts, strict=False)
    return [node if count else without_drop(node, "(drop") for node, count in pairs]


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
            key += write_leb128(self._source.number())
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
            name_of = module.unless_first if spaces in OPTIONAL_SPACES else self._named_thing
            text = "".join(name_of(*thing) for thing in each)
            types = [module.described(*thing) for thing in each]
        self._put(name + text, *named_signature(name, types))

    def _named_thing(self, space: str, number: int) -> str:
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


_EMPTY_BLOCK = 0x40
_MAX_DEPTH = 10_000
_BLOCKS = {0x02: "block", 0x03: LOOP, 0x04: "if", 0x06: "try", 0x1F: "try_table"}
_IF, _TRY = _BLOCKS[0x04], _BLOCKS[0x06]
_FIRST_ARMS = {_IF: "(then", _TRY: "(do"}
_CATCHES = ("catch", "catch_ref", "catch_all", "catch_all_ref")
_TAGGED_CATCHES = 2
"""How many of these name an exception."""
_TYPES = {byte - 0x80: letter for letter, byte in TYPE_BYTES.items()}


class BodyReading(InstructionReading):
    """Reads one body, from its first instruction to its end."""

    def __init__(self, source: WasmBytes, module: ModuleSpaces, gives: str, variables: str) -> None:
        super().__init__(source, module, gives, variables)
        self._labels = 0
        self._done: list[TextNode] = []

    def read(self) -> list[TextNode]:
        """Return the instructions that are in no other."""
        source, frames, handlers = self._source, self._frames, self._HANDLERS
        while frames:
            code = source.byte()
            handler = handlers.get(code)
            if handler is None:
                self.instruction(code)
            else:
                handler(self, code)
        return self._done

    def _block(self, code: int) -> None:
        kind, (takes, gives) = _BLOCKS[code], self._block_type()
        clauses = self._clauses() if kind == "try_table" else ""
        frame = BlockFrame(kind, takes, gives, arm=_FIRST_ARMS.get(kind, ""))
        frame.head = signature_text(takes, gives) + clauses
        frame.operands, over = self._frames[-1].gather(takes + "i" * (kind == _IF))
        check(not over, "it has a block that takes a part of what something gives")
        frame.begin(takes)
        self._frames.append(frame)
        check(len(self._frames) <= _MAX_DEPTH, "it is nested too deeply")

    def _block_type(self) -> FunctionType:
        source = self._source
        if source.data[source.at : source.at + 1] == bytes((_EMPTY_BLOCK,)):
            source.byte()
            return "", ""
        number = source.signed(33)
        if number >= 0:
            return self._module.type(number)
        letter = _TYPES.get(number)
        if letter is None:
            raise Broken("it has types that are unknown")
        return "", letter

    def _clauses(self) -> str:
        """Read what a block catches, and where that goes."""
        text = ""
        for _ in range(self._source.count()):
            kind = self._source.byte()
            check(kind < len(_CATCHES), "it catches something unknown")
            text += f" ({_CATCHES[kind]}"
            if kind < _TAGGED_CATCHES:
                text += f" {self._module.name('e', self._source.number())}"
            text += f" {self._target().label})"
        return text

    def _else(self, _code: int) -> None:
        frame = self._frames[-1]
        check(frame.arm == _FIRST_ARMS[_IF], "it has an else without an if")
        frame.end_arm("(else", frame.takes)

    def _catch(self, _code: int) -> None:
        frame, tag = self._frames[-1], self._source.number()
        check(frame.kind == _TRY and frame.arm != "(catch_all", "it has a catch without a try")
        frame.end_arm(f"(catch {self._module.name('e', tag)}", self._module.tag(tag))

    def _catch_all(self, _code: int) -> None:
        frame = self._frames[-1]
        check(frame.kind == _TRY and frame.arm != "(catch_all", "it has a catch without a try")
        frame.end_arm("(catch_all")

    def _delegate(self, code: int) -> None:
        frame = self._frames.pop()
        check(frame.arm == _FIRST_ARMS[_TRY], "it has a delegate without a try")
        target = self._target()
        self._frames.append(frame)
        frame.head += f" (delegate {target.label})"
        self._end(code)

    def _end(self, _code: int) -> None:
        frame = self._frames.pop()
        if not self._frames:
            self._done = frame.statements()
            return
        has_arms = bool(frame.arm)
        if has_arms:
            frame.end_arm()
        inside = frame.arms if has_arms else frame.statements()
        if frame.kind == _IF:
            inside = [*frame.operands, *inside]
        elif frame.operands:
            inside = [("(with", frame.operands, " "), *inside]
        label = f" {frame.label}" if frame.label else ""
        outer = self._frames[-1]
        outer.nodes.append((f"({frame.kind}{label}{frame.head}", inside, "\n"))
        outer.counts.append(len(frame.gives))

    def _target(self) -> BlockFrame:
        depth = self._source.number()
        check(depth < len(self._frames), "it branches to nowhere")
        frame = self._frames[-1 - depth]
        if not frame.label:
            frame.label = f"$l{self._labels}"
            self._labels += 1
        return frame

    def _branch(self, _code: int) -> None:
        frame = self._target()
        self._put(f"br {frame.label}", frame.carried, "", ends=True)

    def _branch_if(self, _code: int) -> None:
        frame = self._target()
        self._put(f"br_if {frame.label}", frame.carried + "i", frame.carried)

    def _branches(self, _code: int) -> None:
        frames = [self._target() for _ in range(self._source.count() + 1)]
        labels = " ".join(frame.label for frame in frames)
        self._put(f"br_table {labels}", frames[-1].carried + "i", "", ends=True)

    def _rethrow(self, _code: int) -> None:
        self._put(f"rethrow {self._target().label}", "", "", ends=True)

    _HANDLERS: ClassVar[dict[int, Callable[["BodyReading", int], None]]] = {
        **dict.fromkeys(_BLOCKS, _block),
        0x05: _else,
        0x07: _catch,
        0x09: _rethrow,
        0x0B: _end,
        0x0C: _branch,
        0x0D: _branch_if,
        0x0E: _branches,
        0x18: _delegate,
        0x19: _catch_all,
    }
