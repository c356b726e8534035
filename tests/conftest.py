"""The same for every test: its surroundings, and one profile for every property."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from surroundings import PrivateFolders, usual_surroundings

FOLDERS = PrivateFolders(os.environ.get("PYTEST_XDIST_WORKER", ""))
"""Made before pytest makes its own folder for temporary files, which is then one of them."""

# No deadline, and no complaint about examples that come slowly: that is the machine, not the code.
# What is random elsewhere is the same on each run and machine.
_COMMON = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=False
)

settings.register_profile("quick", _COMMON, max_examples=50)
settings.register_profile("thorough", _COMMON, max_examples=500)
settings.load_profile("quick")


@pytest.fixture(scope="session", autouse=True)
def _usual_surroundings() -> Iterator[None]:
    with usual_surroundings(FOLDERS.home):
        yield


def pytest_collection_finish() -> None:
    """Leave the tests and their modules, a million objects, out of what is searched for cycles."""
    gc.collect()
    gc.freeze()
