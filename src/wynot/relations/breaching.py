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
    wrong = (2 * number + 1, number + 1, number - 1)
    for each in reversed(wrong) if isinstance(relation.measure, Largest) else wrong:
        text = writing.write(each, before) if each >= 0 else None
        if text is not None and len(text) >= len(before):
            return text
    return b"%0*d" % (len(before), max(number - 1, 0))
