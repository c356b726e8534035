"""What every process needs of the machine: folders that strangers fill, caches, the debug log.

Main process and agents, any thread. Imports ``core`` only.
"""
