"""One profile for every property: what is random elsewhere is the same on each run and machine."""

import signal

from hypothesis import HealthCheck, settings

# As it is in a terminal, also for whoever says nohup or runs the tests in the background: wynot
# leaves a signal that is ignored alone, and Ctrl-C would not reach the programs of the tests.
for _number, _usual in (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)

# No deadline, and no complaint about examples that come slowly: that is the machine, not the code.
_COMMON = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=False
)

settings.register_profile("quick", _COMMON, max_examples=50)
settings.register_profile("thorough", _COMMON, max_examples=500)
settings.load_profile("quick")
