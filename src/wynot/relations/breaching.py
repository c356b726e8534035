"""Writing a number that is wrong, to see whether anybody minds."""

from wynot.relations.measures import Largest
from wynot.relations.relation import Relation


def breached(content: bytes, relation: Relation) -> bytes:
    """Return a number for a relation not to hold; it takes no fewer bytes.

    It is as if items had gone and the number had not been put right: too large. But that something
    is larger than all that there is nobody minds; so that is too small.
    """
    before = content[slice(*relation.at)]
    writing = relation.writing
    number = writing.read(before) or 0
    wrong = max(number - 1, 0) if isinstance(relation.measure, Largest) else 2 * number + 1
    text = writing.write(wrong, before) or before
    return text if len(text) >= len(before) else text.rjust(len(before), b"0")
