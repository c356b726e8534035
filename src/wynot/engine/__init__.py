"""Drives a search: settles its rounds, keeps the workers busy, records what was learnt."""
