"""What tree-sitter has found in a text, as a tree of ours.

Grammars leave out text now and then: what stands between the quotes of a string, a line that is
continued, what was veiled. A tree promises that only white space is outside of its tokens, so that
text becomes a token here.
"""

from typing import TYPE_CHECKING

from wynot.core.tree import FLAW, NAMED, Tree
from wynot.formats.veils import is_veiled, leads

if TYPE_CHECKING:
    import tree_sitter

MAX_ATOM_BYTES = 200
"""Bytes up to which a node with text that its children leave out is taken as one token."""

_ERROR_KIND = 0xFFFF
"""The kind that tree-sitter gives to what it cannot make sense of."""


class Reading:
    """One walk over what tree-sitter found; by cursor, since nesting can be deeper than a stack."""

    def __init__(self, parsed: "tree_sitter.Tree", content: bytes, least: int) -> None:
        self._cursor = parsed.walk()
        self._content = content
        self._least = least
        self._made = Tree()
        self._kinds: dict[int, tuple[str, bool]] = {}
        self._torn: set[int] = set()
        """Open nodes of which some text was in no child."""

    def tree(self) -> Tree:
        """Walk all nodes, each at its begin and at its end."""
        cursor, made, least = self._cursor, self._made, self._least
        node = cursor.node
        assert node is not None  # noqa: S101 - a cursor of a tree is at a node
        # The root of tree-sitter leaves out the white space around it.
        number = self._open(node, 0, len(self._content), 0)
        reached = 0
        above: list[tuple[int, int]] = []
        """The nodes that are open around the present one, and where each stops."""
        stop = len(self._content)
        down = cursor.goto_first_child()
        while True:
            if down:
                above.append((number, stop))
            elif above and not cursor.goto_next_sibling():
                number, stop = above.pop()
                cursor.goto_parent()
                if reached < stop:
                    self._fill(number, reached, stop)
                self._close(number, stop)
                reached = stop
                continue
            elif not above:
                break
            down = False
            node = cursor.node
            assert node is not None  # noqa: S101
            start, stop = node.start_byte, node.end_byte
            parent = above[-1][0]
            begin = self._filled(parent, reached, start, alone=not node.child_count)
            number = self._open(node, begin, stop, parent)
            if begin < start:
                self._fill(number, begin, start)
            down = stop - start >= least and cursor.goto_first_child()
            reached = start if down else stop
            if not down:
                self._close(number, stop)
        if len(made) == 1:
            self._close(0, len(self._content))
        return made

    def _open(self, node: "tree_sitter.Node", start: int, stop: int, parent: int) -> int:
        kind = node.kind_id
        known = self._kinds.get(kind)
        if known is None:  # asked for by number: to make a string for each node takes longer
            known = self._kinds[kind] = (node.type, node.is_named)
        field = self._cursor.field_name or ""
        made = self._made
        number = made.open(known[0], start, parent, field=field, named=known[1])
        if kind == _ERROR_KIND or (start == stop and node.is_missing):
            made.mark_flaw(number)
        return number

    def _filled(self, parent: int, reached: int, start: int, *, alone: bool) -> int:
        """Make a token of text before a node, unless it is part of it; return where that starts."""
        bare = self._content[reached:start].strip()
        if bare and not alone and leads(bare):
            return self._content.index(bare, reached)
        self._fill(parent, reached, start)
        return start

    def _fill(self, parent: int, start: int, stop: int) -> None:
        """Make a token of text that is in no child, if there is any."""
        bare = self._content[start:stop].lstrip()
        if not bare:
            return
        start, bare = stop - len(bare), bare.rstrip()
        # What continues a line, or was veiled, takes nothing from what is around it.
        if bare != b"\\" and not is_veiled(bare):
            self._torn.add(parent)
        self._made.leaf("", start, start + len(bare), parent, named=False)

    def _close(self, number: int, stop: int) -> None:
        made = self._made
        if number in self._torn:
            self._torn.remove(number)
            if stop - made.starts[number] <= MAX_ATOM_BYTES and not self._has_parts(number):
                for column in (made.kinds, made.fields, made.flags, made.starts, made.stops):
                    del column[number + 1 :]
                del made.parents[number + 1 :], made.subtree_ends[number + 1 :]
        made.close(number, stop)

    def _has_parts(self, number: int) -> bool:
        """Tell whether something in a node is worth to be kept, though text around it is torn."""
        made = self._made
        inside = range(number + 1, len(made))
        return any(
            made.flags[each] & FLAW or (made.flags[each] & NAMED and made.parents[each] != number)
            for each in inside
        )
