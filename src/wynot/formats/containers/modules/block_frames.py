"""Blocks that are open while a body is read, and the texts that they become."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from wynot.formats.containers.modules.wasm_operations import VALUE_TYPES
from wynot.formats.containers.symbolic.nested_texts import TextNode
from wynot.formats.containers.symbolic.value_places import places_of

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
            return [*map(_without_drop, nodes, counts)]
        if self.floor or sum(counts) != len(gives):
            return nodes
        while gives and last and nodes[last - 1] == STAND_IN_TEXTS.get(gives[-1]):
            last, gives = last - 1, gives[:-1]
        if len(gives) < len(self.gives):
            return nodes[:last]
        first = next(place for place, count in enumerate(counts) if count)
        return [*map(_without_drop, nodes[:first], counts), *nodes[first:]]

    def gather(self, takes: str) -> tuple[list[TextNode], int]:
        """Take the last nodes that give these values; return them, and how many too many."""
        wanted = len(takes)
        start, got, counts = len(self.nodes), 0, self.counts
        lowest = max(self.floor, self.bare)
        while got < wanted and start > lowest:
            start -= 1
            got += counts[start]
        if got < wanted:
            while start < len(counts) and not counts[start]:
                start += 1
            self.bare = start
        taken = self.nodes[start:]
        if got == wanted == len(taken):
            taken = _said(taken, takes)
        del self.nodes[start:], counts[start:]
        return taken, max(got - wanted, 0)


def _said(nodes: list[TextNode], takes: str) -> list[TextNode]:
    """Return operands without those that are plain constants, where these go without saying."""
    plain = [node == STAND_IN_TEXTS.get(letter) for node, letter in zip(nodes, takes, strict=True)]
    if True not in plain:
        return nodes
    others = [place for place, is_plain in enumerate(plain) if not is_plain]
    if places_of("".join(takes[place] for place in others), takes) != others:
        others = [*range(others[-1] + 1)]
    return [nodes[place] for place in others]


def _without_drop(node: TextNode, count: int) -> TextNode:
    """Return a statement whose value nobody wants without saying so."""
    if not count and isinstance(node, tuple) and node[0] == "(drop" and len(node[1]) == 1:
        return node[1][0]
    return node
