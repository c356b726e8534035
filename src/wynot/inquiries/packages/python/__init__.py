"""Packages of Python: their lock files, installers and environments."""
