"""The pytest plug-in behind ``_wynot_pytest``, imported when a test needs it.

It runs in the process of pytest.
"""
