"""An edit: how a candidate differs from the configuration it starts from."""

from typing import Literal, NamedTuple

from wynot.core.deltas import Deltas


class Edit(NamedTuple):
    """Take deltas out, put deltas in, or keep only some.

    Small whatever the size of the base: a search can name thousands of candidates of a large
    configuration without building any of them.
    """

    verb: Literal["drop", "add", "keep"]
    deltas: Deltas

    @classmethod
    def drop(cls, deltas: Deltas) -> "Edit":
        """Take these deltas out of a base that holds them."""
        return cls("drop", deltas)

    @classmethod
    def add(cls, deltas: Deltas) -> "Edit":
        """Put these deltas into a base that has none of them."""
        return cls("add", deltas)

    @classmethod
    def keep(cls, deltas: Deltas) -> "Edit":
        """Keep these deltas of the base and nothing else."""
        return cls("keep", deltas)

    def apply(self, base: Deltas) -> Deltas:
        """Return the base after this edit."""
        return self.deltas if self.verb == "keep" else base.toggle(self.deltas)

    def key(self, base: Deltas) -> int:
        """Return the key of ``apply(base)`` without building it."""
        return self.deltas.key if self.verb == "keep" else base.key ^ self.deltas.key

    def combine(self, other: "Edit") -> "Edit":
        """Return the one drop that does what two drops do."""
        return Edit("drop", self.deltas.union(other.deltas))
