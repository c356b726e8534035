"""Passes: each cuts the best case into parts of one kind, for a search to leave out."""
