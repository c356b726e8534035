"""What the pytest plug-in, ``_wynot_pytest``, does; it is imported when a test needs it."""
