"""Pickles as texts: values as lists inside of each other.

A pickle is opened only if it is written again as it is: without frames, and without remembering
what nobody mentions. Any other is made such a one first, which is a test. Nothing is unpickled.
"""

from wynot.formats.containers.container import Container
from wynot.formats.containers.pickled.pickle_reading import fits_pickle, read_pickles
from wynot.formats.containers.pickled.pickle_writing import write_pickles

PICKLE = Container("pickle", fits_pickle, read_pickles, write_pickles, exact=True)
