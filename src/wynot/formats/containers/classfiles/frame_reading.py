"""Reads what a class says of types where code is led to, for the verifier."""

from collections.abc import Callable

from wynot.formats.containers.classfiles.class_bytes import ClassBytes, ClassConstants
from wynot.formats.containers.classfiles.code_items import CodeFrame
from wynot.formats.containers.container import Broken, check

_PLAIN = {0: ".", 1: "I", 2: "F", 3: "D", 4: "J", 5: "N", 6: "T"}
_OBJECT, _UNINITIALISED = 7, 8
_SAME, _ONE_VALUE, _LONG_ONE_VALUE, _LEAST_CHOPPED, _LONG_SAME, _FULL = 63, 127, 247, 248, 251, 255


def read_frames(  # noqa: C901 - one branch for each kind of frame
    source: ClassBytes,
    constants: ClassConstants,
    initial: tuple[str, ...],
    label: Callable[[int], str],
) -> list[tuple[int, CodeFrame]]:
    """Read all frames: where they are, and what they say in full."""

    def value() -> str:
        tag = source.byte()
        if tag == _OBJECT:
            return f"L{constants.class_name(source.short())}"
        if tag == _UNINITIALISED:
            return f"U{label(source.short())}"
        if tag not in _PLAIN:
            raise Broken("it has frames that are unknown")
        return _PLAIN[tag]

    found: list[tuple[int, CodeFrame]] = []
    variables, at = initial, -1
    for _ in range(source.short()):
        tag = source.byte()
        stack: tuple[str, ...] = ()
        check(tag <= _ONE_VALUE or tag >= _LONG_ONE_VALUE, "it has frames that are unknown")
        if tag <= _ONE_VALUE:
            at += tag % 64 + 1
            stack = (value(),) if tag > _SAME else ()
        else:
            at += source.short() + 1
        if tag == _LONG_ONE_VALUE:
            stack = (value(),)
        elif _LEAST_CHOPPED <= tag < _LONG_SAME:
            check(len(variables) >= _LONG_SAME - tag, "it has frames that make no sense")
            variables = variables[: len(variables) - (_LONG_SAME - tag)]
        elif _LONG_SAME < tag < _FULL:
            variables = (*variables, *(value() for _ in range(tag - _LONG_SAME)))
        elif tag == _FULL:
            variables = tuple(value() for _ in range(source.short()))
            stack = tuple(value() for _ in range(source.short()))
        constants.room.take(len(variables))  # most frames say only how they differ from the last
        found.append((at, CodeFrame(variables, stack)))
    source.finish()
    return found
