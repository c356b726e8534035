"""One profile for every property: what is random elsewhere is the same on each run and machine."""

from hypothesis import HealthCheck, settings

# No deadline, and no complaint about examples that come slowly: that is the machine, not the code.
_COMMON = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=False
)

settings.register_profile("quick", _COMMON, max_examples=50)
settings.register_profile("thorough", _COMMON, max_examples=500)
settings.load_profile("quick")
