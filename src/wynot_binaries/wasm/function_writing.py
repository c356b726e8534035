"""Writes functions: of any lists, always valid, and anew only if what they mention has changed.

What is mentioned but not there is passed over, with what needs it: its operands are dropped. Blocks
and all that leads to them are written here; however deep they are, no stack overflows.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple, TypeAlias

from wynot.core.system.recent import Cache
from wynot.formats.leb128 import write_leb128, write_signed_leb128
from wynot_binaries.stack_machine import run_nested
from wynot_binaries.symbolic_lists import (
    FORM_BYTES,
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    symbolic_lists,
    words_of,
)
from wynot_binaries.wasm.instruction_writing import (
    REFERENCED,
    BlockTarget,
    BlockType,
    CalledType,
    Code,
    CodePiece,
    GivenValues,
    InstructionWriting,
    Mention,
    dropped,
    ended,
    fitted,
    stated_types,
)
from wynot_binaries.wasm.module_spaces import FunctionType
from wynot_binaries.wasm.module_table import DeclaringText, KnownItems
from wynot_binaries.wasm.wasm_operations import (
    TYPE_BYTES,
    TYPE_LETTERS,
)

_NOTHING = b"\x40"


def flattened(code: list[Code]) -> tuple[CodePiece, ...]:
    """Return the pieces of a code in order, however deep they are; bytes are joined."""
    pieces: list[CodePiece] = []
    waiting: list[Code] = [code]
    joined: list[bytes] = []
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, list):
            waiting += reversed(piece)
        elif isinstance(piece, bytes):
            joined.append(piece)
        else:
            pieces += (b"".join(joined), piece)
            joined = []
    return (*pieces, b"".join(joined))


class FunctionTypes:
    """The types of functions, numbered as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[FunctionType, int] = {}

    def number(self, takes: str, gives: str) -> int:
        """Return the number of a type."""
        return self.numbers.setdefault((takes, gives), len(self.numbers))

    def written(self) -> list[bytes]:
        """Return them as they are in a module."""
        return [b"\x60" + type_list(takes) + type_list(gives) for takes, gives in self.numbers]


def type_list(letters: str) -> bytes:
    """Return the types of several values, with their number."""
    return write_leb128(len(letters)) + bytes(map(TYPE_BYTES.__getitem__, letters))


def linked(
    pieces: Iterable[CodePiece], numbers: Mapping[tuple[str, str], int], types: FunctionTypes
) -> bytes:
    """Return a code with all its numbers."""
    return b"".join(
        piece if isinstance(piece, bytes) else _number(piece, numbers, types) for piece in pieces
    )


def _number(
    piece: Mention | BlockType | CalledType,
    numbers: Mapping[tuple[str, str], int],
    types: FunctionTypes,
) -> bytes:
    if isinstance(piece, Mention):
        space, name = piece
        return write_leb128(numbers["f" if space == REFERENCED else space, name])
    takes, gives = piece
    if isinstance(piece, CalledType):
        return write_leb128(types.number(takes, gives))
    if not takes and len(gives) <= 1:
        return bytes((TYPE_BYTES[gives],)) if gives else _NOTHING
    return write_signed_leb128(types.number(takes, gives))


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
        target = BlockTarget("$end", self._gives, "func")
        written = run_nested(self._block_of(target, forms, self._gives))
        return [*(each.code for each in written), _END]

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
            code += [_DELEGATE, write_leb128(delegated[0])]
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
                clauses.append([bytes((_CLAUSES.index(kind),)), *number, write_leb128(depth)])
        return [write_leb128(len(clauses)), *clauses]

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


class FunctionCode(NamedTuple):
    """A function without the numbers of what it mentions."""

    pieces: tuple[CodePiece, ...]
    referenced: frozenset[str]
    """Functions that it mentions as values."""
    mentions_data: bool
    """Whether it mentions a piece of data."""


_KNOWN_CODE: Cache[tuple[str, int, KnownItems], FunctionCode] = Cache(
    lambda key, _: FORM_BYTES * len(key[0])
)


def function_code(source: DeclaringText, number: int, known: KnownItems) -> FunctionCode:
    """Write the function that one of the lists of a text is."""
    key = (source.text, number, known)
    return _KNOWN_CODE.get(key, lambda: _written(source.text, number, known))


def _written(text: str, number: int, known: KnownItems) -> FunctionCode:
    form = symbolic_lists(text)[number]
    assert isinstance(form, list)  # noqa: S101 - it was one when its type was read
    _, gives = stated_types(form)
    variables = dict[str, tuple[int, str]]()
    letters = _variables(form, "param", variables, 0)
    own = _variables(form, "local", variables, len(letters))
    body = BodyWriting(dict(known), variables, gives).body(form)
    groups = [(letter, len([*same])) for letter, same in groupby(own)]
    counted = b"".join(
        write_leb128(count) + bytes((TYPE_BYTES[letter],)) for letter, count in groups
    )
    pieces = flattened([write_leb128(len(groups)), counted, *body])
    mentions = [piece for piece in pieces if isinstance(piece, Mention)]
    referenced = frozenset(name for space, name in mentions if space == REFERENCED)
    return FunctionCode(pieces, referenced, any(space == "d" for space, _ in mentions))


def _variables(form: FormList, word: str, variables: dict[str, tuple[int, str]], first: int) -> str:
    """Return the types of variables of a sort, and add them to those that are known by name."""
    letters = ""
    for inner in lists_of(form):
        if head_of(inner) != word:
            continue
        mine = "".join(TYPE_LETTERS.get(each, "") for each in words_of(inner))
        if mine:
            variables.setdefault(name_of(inner), (first + len(letters), mine[0]))
        letters += mine
    return letters
