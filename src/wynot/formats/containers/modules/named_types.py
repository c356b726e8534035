"""What instructions take and give that name a part of their module, or a variable."""

from collections.abc import Sequence

from wynot.formats.containers.modules.module_spaces import FunctionType

MUTABLE = "!"
"""What the type of a global ends with that can be set."""


def named_signature(head: str, types: Sequence[str]) -> FunctionType:
    """Return what an instruction takes and gives, if what it names is of these types."""
    kind, action = head.split(".")
    if kind == "ref":
        return "", "r"
    if kind == "memory" or action in {"init", "copy", "drop"}:
        return {"size": ("", "i"), "grow": ("i", "i"), "drop": ("", "")}.get(action, ("iii", ""))
    letter = types[-1]
    if kind == "table":
        return {
            "get": ("i", letter),
            "set": ("i" + letter, ""),
            "grow": (letter + "i", "i"),
            "size": ("", "i"),
            "fill": (f"i{letter}i", ""),
        }[action]
    return {"get": ("", letter), "set": (letter, ""), "tee": (letter, letter)}[action]


def agree_in_type(head: str, types: Sequence[str]) -> bool:
    """Tell whether things of these types can be named together."""
    if head == "global.set":
        return types[0].endswith(MUTABLE)
    return head not in {"table.init", "table.copy"} or types[0] == types[1]
