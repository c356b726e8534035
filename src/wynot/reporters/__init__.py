"""Shows a run to people and programs while it goes on; reporters see events, and nothing else.

They run on the main thread; keys are read on another one.
"""
