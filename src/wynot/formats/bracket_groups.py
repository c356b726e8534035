"""The inside of brackets, whatever the language: statements and elements by what separates them."""

from collections.abc import Callable, Sequence
from functools import partial

from wynot.formats.nesting import NEWLINE, Nesting, Work


class BracketGroups(Nesting):
    """A tree of groups, which are brackets with what they hold."""

    def sequence(self, first: int, last: int, parent: int) -> None:
        """Add tokens as they come, and brackets as groups."""
        work: list[Work] = []
        for at in self.top(first, last):
            if at in self.pairs:
                work.append(partial(self.group, at, parent))
            else:
                work.append(partial(self.leaf, at, parent))
        self.then(*work)

    def group(self, at: int, parent: int) -> None:
        """Add a bracket and what it holds."""
        self.bracket(at, parent, "group", self._inside)

    def bracket(
        self, at: int, parent: int, kind: str, inside: Callable[[int, int, int], None]
    ) -> None:
        """Add a bracket; what it holds is added by ``inside``."""
        stop = self.pairs[at]
        node = self.wrap(kind, at, parent)
        self.leaf(at, node)
        self.then(
            partial(inside, at + 1, stop, node),
            partial(self.leaf, stop, node),
            self.end(node, stop + 1),
        )

    def elements(self, first: int, last: int, parent: int) -> None:
        """Add what commas separate."""
        self._parted(first, last, parent, "element", self._commas(first, last))

    def part(
        self,
        kind: str,
        first: int,
        last: int,
        parent: int,
        inside: Callable[[int, int, int], None],
    ) -> Sequence[Work]:
        """Return the work that adds a part; one token, or one bracket, is added as it is."""
        first, last = self.trim(first, last)
        if first >= last:
            return []
        if self.pairs.get(first, first) == last - 1:
            return [partial(self.sequence, first, last, parent)]

        def begin() -> None:
            node = self.wrap(kind, first, parent)
            self.then(partial(inside, first, last, node), self.end(node, last))

        return [begin]

    def statements(self, first: int, last: int, parent: int) -> None:
        """Add what ``;`` and line ends separate; a ``;`` belongs to what is before it."""
        work: list[Work] = []
        begin = first
        for at in self.top(first, last):
            text = self.text(at)
            if text == b";" or self.tokens[at].kind == NEWLINE:
                work += self.part("statement", begin, at + 1, parent, self.elements)
                begin = at + 1
        work += self.part("statement", begin, last, parent, self.elements)
        self.then(*work)

    def _inside(self, first: int, last: int, parent: int) -> None:
        first, last = self.trim(first, last)
        commas = self._commas(first, last)
        if commas and self._are_all_between(commas, first, last):
            self._parted(first, last, parent, "element", commas)
        else:
            self.statements(first, last, parent)

    def _commas(self, first: int, last: int) -> list[int]:
        return [at for at in self.top(first, last) if self.text(at) == b","]

    def _are_all_between(self, commas: Sequence[int], first: int, last: int) -> bool:
        """Tell whether commas separate everything here: no ``;``, no line end without a comma."""
        known = set(commas)
        before = first
        for at in self.top(first, last):
            if self.text(at) == b";":
                return False
            if self.tokens[at].kind == NEWLINE:
                if before not in known:
                    return False
            else:
                before = at
        return True

    def _parted(self, first: int, last: int, parent: int, kind: str, marks: Sequence[int]) -> None:
        """Add the parts of a range with the marks between them; without any, what it holds."""
        if not marks:
            self.sequence(first, last, parent)
            return
        work: list[Work] = []
        for mark in marks:
            work += self.part(kind, first, mark, parent, self.sequence)
            work.append(partial(self.leaf, mark, parent))
            first = mark + 1
        work += self.part(kind, first, last, parent, self.sequence)
        self.then(*work)
