"""SQLite databases: a text of SQL for each object, written again as a database."""
