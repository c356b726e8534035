"""Texts as data: trees and parts of a text, patches and rewrites of it, differences of two.

Pure; runs on whichever thread calls it. Imports ``core`` only.
"""
