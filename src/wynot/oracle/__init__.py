"""Asks the test: what its answer means, and what need not be asked again."""
