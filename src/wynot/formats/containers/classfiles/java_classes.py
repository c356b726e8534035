"""Class files of Java as texts: a member for each method, and for what the class is.

A class is opened only if it is written again as it is: with its constants and variables in the
order in which they are met. Any other is made such a one first, which is a test.
"""

from wynot.formats.containers.classfiles.class_reading import fits_class, read_class
from wynot.formats.containers.classfiles.class_writing import write_class
from wynot.formats.containers.container import Container

JAVA_CLASS = Container("class", fits_class, read_class, write_class, exact=True)
