"""Writes bodies of functions: of any lists, and always such that they are valid.

What is mentioned but not there is passed over, with what needs it: its operands are dropped. Blocks
and all that leads to them are written here; however deep they are, no stack overflows.
"""

from collections.abc import Callable, Generator, Sequence
from typing import ClassVar, TypeAlias

from wynot.formats.containers.modules.fitting import (
    BlockType,
    Code,
    GivenValues,
    dropped,
    ended,
    fitted,
)
from wynot.formats.containers.modules.instruction_writing import (
    BlockTarget,
    InstructionWriting,
    stated_types,
)
from wynot.formats.containers.modules.wasm_operations import leb128
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    words_of,
)

Writing: TypeAlias = "Generator[Writing, list[GivenValues], list[GivenValues]]"
"""Asks for what is inside, and is given it."""
_BLOCKS = {"block": b"\x02", "loop": b"\x03", "try_table": b"\x1f"}
_END, _ELSE = b"\x0b", b"\x05"
_IF, _TRY, _CATCH, _CATCH_ALL, _DELEGATE = b"\x04", b"\x06", b"\x07", b"\x19", b"\x18"
_NOTES = frozenset({"param", "result", "local", "type", "delegate"})
"""Lists that say something of what they are in."""
_CLAUSES = ("catch", "catch_ref", "catch_all", "catch_all_ref")
_CAUGHT = "catch"


class BodyWriting(InstructionWriting):
    """Writes one body."""

    def body(self, forms: Sequence[FormItem]) -> list[Code]:
        """Return the code of a body, with its end."""
        writing = [self._block_of(BlockTarget("$end", self._gives, "func"), forms, self._gives)]
        answer: list[GivenValues] | None = None
        while writing:
            try:
                inner = writing[-1].send(answer)  # type: ignore[arg-type]  # None to begin with
            except StopIteration as done:
                answer = done.value
                writing.pop()
            else:
                writing.append(inner)
                answer = None
        return [each.code for each in answer or ()] + [_END]

    def _block_of(self, target: BlockTarget, forms: Sequence[FormItem], gives: str) -> Writing:
        """Write what is in a block; all of it is one code, which gives what it has to."""
        self._targets.append(target)
        given = yield self._several(forms)
        self._targets.pop()
        unused = [GivenValues([], target.entering)]
        return [GivenValues([*dropped(unused), *ended(given, gives)], gives)]

    def _several(self, forms: Sequence[FormItem]) -> Writing:
        given: list[GivenValues] = []
        for form in forms:
            if not isinstance(form, list):
                continue
            head = head_of(form)
            if head in _NOTES:
                continue
            if head in self._STRUCTURES:
                given += yield self._STRUCTURES[head](self, form)
            elif any(isinstance(item, list) for item in form):
                inner = yield self._several(form)
                given += self.instruction(form, inner) if head else inner
            else:
                given += self.instruction(form, [])
        return given

    def _block(self, form: FormList) -> Writing:
        kind, (takes, gives) = head_of(form), stated_types(form)
        given = yield self._operands(form)
        operands = fitted(given, takes)
        carried, skipped, clauses = takes if kind == "loop" else gives, ["with"], list[Code]()
        if kind == "try_table":
            clauses = self._clauses(form)
            skipped += _CLAUSES
        forms = [item for item in form if head_of(item) not in skipped]
        target = BlockTarget(_own_name(form), carried, kind, takes)
        inside = yield self._block_of(target, forms, gives)
        code = [*operands.code, _BLOCKS[kind], BlockType(takes, gives), *clauses, inside[0].code]
        return [_given([*code, _END], operands.over + gives, given)]

    def _operands(self, form: FormList) -> Writing:
        """Write what a block takes; it is in a list of its own."""
        stated = [inner for inner in lists_of(form) if head_of(inner) == "with"]
        given = (yield self._several(stated[0])) if stated else []
        self._targets[-1].is_fresh = False
        return given

    def _if(self, form: FormList) -> Writing:
        takes, gives = stated_types(form)
        arms = {head: [item for item in lists_of(form) if head_of(item) == head] for head in _ARMS}
        given = yield self._several([item for item in form if head_of(item) not in _ARMS])
        self._targets[-1].is_fresh = False
        operands = fitted(given, takes + "i")
        code: list[Code] = [*operands.code, _IF, BlockType(takes, gives)]
        for head, begins in _ARMS.items():
            forms = arms[head][0] if arms[head] else []
            if head == "then" or arms[head] or takes != gives:
                target = BlockTarget(_own_name(form), gives, "if", takes)
                code.append(begins)
                code += [each.code for each in (yield self._block_of(target, forms, gives))]
        code.append(_END)
        return [_given(code, operands.over + gives, given)]

    def _try(self, form: FormList) -> Writing:
        takes, gives = stated_types(form)
        given = yield self._operands(form)
        operands = fitted(given, takes)
        name, arms = _own_name(form), list(lists_of(form))
        tried = next((inner for inner in arms if head_of(inner) == "do"), [])
        target = BlockTarget(name, gives, "try", takes)
        inside = yield self._block_of(target, tried, gives)
        code: list[Code] = [*operands.code, _TRY, BlockType(takes, gives), inside[0].code]
        delegated = [self._depth(name_of(each)) for each in arms if head_of(each) == "delegate"]
        if delegated and delegated[0] is not None:
            code += [_DELEGATE, leb128(delegated[0])]
            return [_given(code, operands.over + gives, given)]
        for arm in arms:
            entering = self._caught(arm)
            if entering is None:
                continue
            begins, values = entering
            target = BlockTarget(name, gives, _CAUGHT, values)
            inside = yield self._block_of(target, arm, gives)
            code += [*begins, inside[0].code]
            if head_of(arm) == "catch_all":
                break
        return [_given([*code, _END], operands.over + gives, given)]

    def _caught(self, arm: FormList) -> tuple[list[Code], str] | None:
        """Return how an arm begins that catches something, and with which values."""
        if head_of(arm) == "catch_all":
            return [_CATCH_ALL], ""
        tag = self.mentioned("e", name_of(arm)) if head_of(arm) == "catch" else None
        return None if tag is None else ([_CATCH, tag.number], tag.type.partition(":")[0])

    def _clauses(self, form: FormList) -> list[Code]:
        clauses: list[Code] = []
        for inner in lists_of(form):
            kind = head_of(inner)
            if kind not in _CLAUSES:
                continue
            names = [word for word in words_of(inner) if word.startswith("$")]
            tag = self.mentioned("e", names[0] if names else "")
            depth = self._depth(names[-1] if names else "")
            needs_tag, carried = not kind.startswith("catch_all"), "e" * kind.endswith("ref")
            if depth is None or (needs_tag and tag is None):
                continue
            values = tag.type.partition(":")[0] if needs_tag and tag is not None else ""
            if self._targets[-1 - depth].carried == values + carried:
                number: list[Code] = [tag.number] if needs_tag and tag is not None else []
                clauses.append([bytes((_CLAUSES.index(kind),)), *number, leb128(depth)])
        return [leb128(len(clauses)), *clauses]

    _STRUCTURES: ClassVar[dict[str, Callable[["BodyWriting", FormList], Writing]]] = {
        **dict.fromkeys(_BLOCKS, _block),
        "if": _if,
        "try": _try,
    }


_ARMS: dict[str, bytes] = {"then": b"", "else": _ELSE}


def _own_name(form: FormList) -> str:
    """Return the name that a block has for those who leave it."""
    second = form[1] if len(form) > 1 else ""
    return second if isinstance(second, str) and second.startswith("$") else ""


def _given(code: list[Code], types: str, operands: Sequence[GivenValues]) -> GivenValues:
    """Return a block with its operands."""
    ends = any(each.ends for each in operands)
    is_first = any(each.is_first for each in operands)
    return GivenValues(code, types, ends, is_first)
