"""Packages of npm: their lock files and environments."""
