"""Tests on the machines of a dask cluster: where agents are, if they are not on this machine."""
