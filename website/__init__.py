"""The documentation site: how the pages of the repository become one, and how its pictures are made."""
