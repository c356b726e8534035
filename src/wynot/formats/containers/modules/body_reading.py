"""Function bodies as texts: each instruction with its operands inside of it.

What an instruction takes from the stack is written in it, so leaving out an operand leaves out all
that computes it. Between operands there may be instructions that give nothing. Where several values
come from one instruction, what is not taken of them is given on by the one that takes the rest.
"""

from collections.abc import Callable
from typing import ClassVar

from wynot.formats.containers.container import Broken, check
from wynot.formats.containers.modules.block_frames import LOOP, BlockFrame
from wynot.formats.containers.modules.instruction_reading import InstructionReading
from wynot.formats.containers.modules.module_spaces import FunctionType, ModuleSpaces
from wynot.formats.containers.modules.wasm_bytes import WasmBytes, signature_text
from wynot.formats.containers.modules.wasm_operations import TYPE_BYTES
from wynot.formats.containers.symbolic.nested_texts import TextNode

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
