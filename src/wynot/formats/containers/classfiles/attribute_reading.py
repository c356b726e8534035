"""Reads attributes of classes and members as texts; what is not known is a string of bytes."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from wynot.formats.containers.classfiles.access_flags import (
    CLASS_FLAGS,
    METHOD_FLAGS,
    flag_words,
)
from wynot.formats.containers.classfiles.annotation_texts import AnnotationReading
from wynot.formats.containers.classfiles.class_bytes import ClassBytes, ClassConstants
from wynot.formats.containers.classfiles.item_texts import (
    OwnNames,
    class_text,
    constant_text,
    quoted,
)
from wynot.formats.containers.container import Broken, check
from wynot.formats.containers.symbolic.symbolic_lists import quoted_bytes

NOTHING = "-"
"""Stands for a class or name that is not said."""


class AttributeReading:
    """Reads the attributes of something."""

    def __init__(self, constants: ClassConstants, own: OwnNames) -> None:
        self._constants, self._own = constants, own

    def texts(self, source: ClassBytes, but: str = "") -> Iterator[tuple[str, bytes, list[str]]]:
        """Yield for each attribute its name, its content, and the lists that it is in a text.

        One with the name ``but`` may not be there.
        """
        for _ in range(source.short()):
            name = self._constants.text(source.short())
            check(name != but, "it has an attribute in itself")
            content = source.take(source.number())
            yield name, content, self._read(name, content)

    def _read(self, name: str, content: bytes) -> list[str]:
        if name in _MODULES:
            raise Broken("it describes a module")
        reader = self._READERS.get(name)
        if reader is None and name in NAMED_OTHERWISE:
            return []
        if reader is None:
            return [f"(attribute {quoted(name)} {quoted_bytes(content)})"]
        source = ClassBytes(content)
        found = list(reader(self, source))
        source.finish()
        return found

    def _class(self, number: int) -> str:
        return class_text(self._constants.class_name(number), self._own)

    def _mark(self, _source: ClassBytes, word: str) -> Iterator[str]:
        yield f"({word})"

    def _text(self, source: ClassBytes, word: str) -> Iterator[str]:
        yield f"({word} {quoted(self._constants.text(source.short()))})"

    def _constant(self, source: ClassBytes) -> Iterator[str]:
        yield f"(value {constant_text(self._constants.constant(source.short()), self._own)})"

    def _host(self, source: ClassBytes) -> Iterator[str]:
        yield f"(nest-host {self._class(source.short())})"

    def _classes(self, source: ClassBytes, word: str) -> Iterator[str]:
        for _ in range(source.short()):
            yield f"({word} {self._class(source.short())})"

    def _inner(self, source: ClassBytes) -> Iterator[str]:
        for _ in range(source.short()):
            inner, outer, name, flags = (source.short() for _ in range(4))
            words = (
                self._class(inner),
                self._class(outer) if outer else NOTHING,
                quoted(self._constants.text(name)) if name else NOTHING,
            )
            yield f"(inner {' '.join(words)}{flag_words(flags, CLASS_FLAGS)})"

    def _enclosing(self, source: ClassBytes) -> Iterator[str]:
        owner, method = self._class(source.short()), source.short()
        texts = [f" {quoted(each)}" for each in self._constants.named(method)] if method else []
        yield f"(enclosing {owner}{''.join(texts)})"

    def _components(self, source: ClassBytes) -> Iterator[str]:
        count = source.short()
        if not count:
            yield "(record)"
        for _ in range(count):
            texts = [quoted(self._constants.text(source.short())) for _ in range(2)]
            inner = [text for _, _, each in self.texts(source, "Record") for text in each]
            yield f"(component {' '.join([*texts, *inner])})"

    def _parameter_names(self, source: ClassBytes) -> Iterator[str]:
        for _ in range(source.byte()):
            name = self._constants.optional_text(source.short())
            said = f" {quoted(name)}" if name else ""
            yield f"(parameter{said}{flag_words(source.short(), METHOD_FLAGS)})"

    def _annotations(self, source: ClassBytes, *, is_visible: bool) -> Iterator[str]:
        yield from AnnotationReading(source, self._constants).several(is_visible=is_visible)

    def _on_parameters(self, source: ClassBytes, *, is_visible: bool) -> Iterator[str]:
        yield AnnotationReading(source, self._constants).of_parameters(is_visible=is_visible)

    def _on_types(self, source: ClassBytes, *, is_visible: bool) -> Iterator[str]:
        yield from AnnotationReading(source, self._constants).of_types(is_visible=is_visible)

    def _default(self, source: ClassBytes) -> Iterator[str]:
        yield f"(default {AnnotationReading(source, self._constants).value()})"

    _READERS: ClassVar[dict[str, Callable[["AttributeReading", ClassBytes], Iterator[str]]]] = {
        "Deprecated": partial(_mark, word="deprecated"),
        "Synthetic": partial(_mark, word="generated"),
        "Signature": partial(_text, word="signature"),
        "SourceFile": partial(_text, word="source"),
        "ConstantValue": _constant,
        "Exceptions": partial(_classes, word="throws"),
        "NestHost": _host,
        "NestMembers": partial(_classes, word="nest-member"),
        "PermittedSubclasses": partial(_classes, word="permits"),
        "InnerClasses": _inner,
        "EnclosingMethod": _enclosing,
        "Record": _components,
        "MethodParameters": _parameter_names,
        "AnnotationDefault": _default,
        "RuntimeVisibleAnnotations": partial(_annotations, is_visible=True),
        "RuntimeInvisibleAnnotations": partial(_annotations, is_visible=False),
        "RuntimeVisibleParameterAnnotations": partial(_on_parameters, is_visible=True),
        "RuntimeInvisibleParameterAnnotations": partial(_on_parameters, is_visible=False),
        "RuntimeVisibleTypeAnnotations": partial(_on_types, is_visible=True),
        "RuntimeInvisibleTypeAnnotations": partial(_on_types, is_visible=False),
    }


_MODULES = frozenset({"Module", "ModulePackages", "ModuleMainClass"})
NAMED_OTHERWISE = frozenset(
    {
        *("Code", "BootstrapMethods", "StackMapTable", "StackMap", "LineNumberTable"),
        *("LocalVariableTable", "LocalVariableTypeTable", "CharacterRangeTable"),
        *("ModuleTarget", "ModuleHashes", "ModuleResolution", "CompilationID", "SourceID"),
        *_MODULES,
        *AttributeReading._READERS,  # noqa: SLF001 - those that are read here
    }
)
"""Attributes that are never only bytes, since others look into them."""
