"""The flags of classes and their members, as words."""

from collections.abc import Mapping, Sequence

from wynot.formats.containers.symbolic.symbolic_lists import FormItem, words_of

_SHARED = {
    "public": 0x1,
    "private": 0x2,
    "protected": 0x4,
    "static": 0x8,
    "final": 0x10,
    "interface": 0x200,
    "abstract": 0x400,
    "synthetic": 0x1000,
    "annotation-type": 0x2000,
    "enum": 0x4000,
    "mandated": 0x8000,
}
CLASS_FLAGS: Mapping[str, int] = {**_SHARED, "super": 0x20}
FIELD_FLAGS: Mapping[str, int] = {**_SHARED, "volatile": 0x40, "transient": 0x80}
METHOD_FLAGS: Mapping[str, int] = {
    **_SHARED,
    "synchronized": 0x20,
    "bridge": 0x40,
    "varargs": 0x80,
    "native": 0x100,
    "strict": 0x800,
}


def flag_words(flags: int, known: Mapping[str, int]) -> str:
    """Return flags as words, each after a space; those without a word are a number."""
    words = [word for word, bit in known.items() if flags & bit]
    rest = flags & ~sum(known.values())
    return "".join(f" {word}" for word in (words if not rest else [*words, f"0x{rest:x}"]))


def flags_of(items: Sequence[FormItem], known: Mapping[str, int]) -> int:
    """Return the flags that are among some items."""
    flags = 0
    for word in words_of(items):
        flags |= known.get(word, 0)
        if word.startswith("0x") and len(word) <= 6:  # noqa: PLR2004 - two bytes
            digits = word[2:]
            flags |= (
                int(digits, 16) if all(c in "0123456789abcdef" for c in digits) and digits else 0
            )
    return flags & 0xFFFF
