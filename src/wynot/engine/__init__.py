"""Drives a search: answers its rounds, keeps the workers busy, commits what they find.

It runs on the thread that calls ``run()``.
"""
