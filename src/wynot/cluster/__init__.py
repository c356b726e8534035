"""Agents on the machines of a dask cluster, if they are not on this one.

`relay` and `remote_worker` run in dask's worker processes, the rest in an event loop, in a thread
of wynot's own process. It imports `core`, `wire`, `machine`, `agent`, `agents` and `commands`.
"""
