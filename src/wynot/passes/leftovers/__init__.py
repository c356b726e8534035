"""Proposals for the little that is left: many, since a test of so small a text is well spent."""
