"""Recognises a failure: its signature in what a program prints, its place, its class.

Pure; workers' threads call it.
"""
