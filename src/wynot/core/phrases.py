"""Numbers and lists as one says them."""

from collections.abc import Sequence

_CAN = {"cure": "be spared", "difference": "change sides"}
"""What no single part of some answers can do; of the others, it cannot be left out."""


def counted(count: int, noun: str) -> str:
    """Return how many there are of something: ``1 byte``, ``32,689 bytes``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence."""
    *others, final = words or ("",)
    return f"{', '.join(others)} {last} {final}" if others else final


def some_of(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def singular(kind: str) -> str:
    """Return the name of one of a kind: ``line`` of ``lines``, ``entry`` of ``entries``."""
    if kind.endswith("ies"):
        return f"{kind[:-3]}y"
    if kind.endswith(("sses", "xes", "ches", "shes")):
        return kind[:-2]
    return kind.removesuffix("s")


def proof(
    kinds: Sequence[str], *, line_ends: int = 0, question: str = "", end: str = " (1-minimal)."
) -> str:
    """Return the sentence that says of which kinds of parts no single one can be left out.

    If texts got their final newline back after that was proved, it is not claimed of those.
    ``question`` is that of an inquiry, whose answer has just been shown.
    """
    of = " of this" if question else ""
    # A final newline is no node and no token.
    is_part = "characters" in kinds or "nodes" not in kinds
    but = " except the final newline" if line_ends and is_part else ""
    single, can = listed([*map(singular, kinds)], "or"), _CAN.get(question, "be left out")
    return f"No single {single}{of}{but} can {can}: each was tried{end}"
