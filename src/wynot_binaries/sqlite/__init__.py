"""SQLite databases as texts: SQL for each object, written again as a database."""
