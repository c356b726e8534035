"""One profile for every property: what is random elsewhere is the same on each run and machine."""

import signal

from hypothesis import HealthCheck, settings

# As it is for whoever does not say nohup: wynot leaves a signal that is ignored alone.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# No deadline, and no complaint about examples that come slowly: that is the machine, not the code.
_COMMON = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=False
)

settings.register_profile("quick", _COMMON, max_examples=50)
settings.register_profile("thorough", _COMMON, max_examples=500)
settings.load_profile("quick")
