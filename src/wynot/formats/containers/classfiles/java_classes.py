"""Class files of Java as texts: a member for each method, and for what the class is.

A class is opened only if it is written again as it is: with its constants and variables in the
order in which they are met. Any other is made such a one first, which is a test.
"""

from wynot.formats.containers.classfiles.class_declarations import FLAT_HEAD
from wynot.formats.containers.classfiles.class_reading import fits_class, read_class
from wynot.formats.containers.classfiles.class_writing import write_class
from wynot.formats.containers.container import Container, Packed

_FLAT = b"(" + FLAT_HEAD.encode()


def settled_class(packed: Packed) -> bytes:
    """Write the texts as a class; code that did not fit together, and does now, as any other."""
    written = write_class(packed)
    if any(_FLAT in each.content for each in packed.members):
        return write_class(read_class(written))
    return written


JAVA_CLASS = Container("class", fits_class, read_class, settled_class, exact=True)
