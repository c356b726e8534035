"""The documentation site: how the pages become one, and how its pictures are made."""
