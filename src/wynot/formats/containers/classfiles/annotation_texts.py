"""Annotations as texts."""

from wynot.formats.containers.classfiles.class_bytes import ClassBytes, ClassConstants
from wynot.formats.containers.classfiles.item_texts import quoted
from wynot.formats.containers.container import Broken, check
from wynot.formats.containers.symbolic.float_texts import float_text
from wynot.formats.containers.symbolic.symbolic_lists import quoted_bytes

MAX_ANNOTATION_DEPTH = 30
_NUMBERS = {"B": "int", "C": "int", "I": "int", "S": "int", "Z": "int", "J": "long"}
_FLOATS = {"F": "float", "D": "double"}
INVISIBLE = "invisible"
TARGET_SIZES = {
    **dict.fromkeys((0x00, 0x01), 1),
    0x10: 2,
    **dict.fromkeys((0x11, 0x12), 2),
    **dict.fromkeys((0x13, 0x14, 0x15), 0),
    0x16: 1,
    0x17: 2,
}
"""Bytes that say of which type something is said, if that is not in code; by its kind."""


class AnnotationReading:
    """Reads annotations, and what belongs to them."""

    def __init__(self, source: ClassBytes, constants: ClassConstants) -> None:
        self._source, self._constants = source, constants

    def several(self, *, is_visible: bool) -> list[str]:
        """Read annotations, each a text."""
        flag = "" if is_visible else f" {INVISIBLE}"
        count = self._source.short()
        return [f"(annotation{flag}{self._annotation(0)})" for _ in range(count)]

    def of_parameters(self, *, is_visible: bool) -> str:
        """Read the annotations of each parameter."""
        flag = "" if is_visible else f" {INVISIBLE}"
        count = self._source.byte()
        each = [" ".join(("(of", *self.several(is_visible=True))) + ")" for _ in range(count)]
        return " ".join((f"(parameters{flag}", *each)) + ")"

    def of_types(self, *, is_visible: bool) -> list[str]:
        """Read annotations of types, outside of code."""
        flag = "" if is_visible else f" {INVISIBLE}"
        return [
            f"(ontype{flag} {quoted_bytes(self._target())}{self._annotation(0)})"
            for _ in range(self._source.short())
        ]

    def _target(self) -> bytes:
        kind = self._source.byte()
        size = TARGET_SIZES.get(kind)
        if size is None:
            raise Broken("it has annotations of an unknown kind")
        saved = bytes((kind,)) + self._source.take(size)
        length = self._source.byte()
        return saved + bytes((length,)) + self._source.take(2 * length)

    def _annotation(self, depth: int) -> str:
        check(depth < MAX_ANNOTATION_DEPTH, "annotations are too deep")
        kind = quoted(self._constants.text(self._source.short()))
        pairs = []
        for _ in range(self._source.short()):
            name = quoted(self._constants.text(self._source.short()))
            pairs.append(f" (= {name} {self.value(depth + 1)})")
        return f" {kind}{''.join(pairs)}"

    def value(self, depth: int = 0) -> str:
        """Read a value."""
        check(depth < MAX_ANNOTATION_DEPTH, "annotations are too deep")
        source, constants = self._source, self._constants
        tag = chr(source.byte())
        if tag == "@":
            return f"(annotation{self._annotation(depth)})"
        if tag == "[":
            values = [self.value(depth + 1) for _ in range(source.short())]
            return " ".join(("(array", *values)) + ")"
        if tag == "e":
            texts = [quoted(constants.text(source.short())) for _ in range(2)]
            return f"(enum {' '.join(texts)})"
        if tag in "sc":
            head = "text" if tag == "s" else "class"
            return f"({head} {quoted(constants.text(source.short()))})"
        constant = constants.constant(source.short())
        if isinstance(constant.value, int) and constant.kind == _NUMBERS.get(tag):
            return f"({tag} {constant.value})"
        if isinstance(constant.value, bytes) and constant.kind == _FLOATS.get(tag):
            return f"({tag} {float_text(constant.value, tag.lower())})"
        raise Broken("it has annotations of an unknown kind")
