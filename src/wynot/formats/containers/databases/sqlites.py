"""SQLite databases: a member for each object, a text of SQL with the rows that it has.

A database is opened only if it is written again as it is: so with the least that its pages can
have, and nothing in them that was deleted. Any other is made such a one first, which is a test.
"""

from wynot.formats.containers.container import Container
from wynot.formats.containers.databases.database_reading import fits, read
from wynot.formats.containers.databases.database_writing import pack

SQLITE = Container("SQLite", fits, read, pack, exact=True)
