import logging

from opentelemetry._logs.severity import std_to_otel

assert std_to_otel(logging.WARNING).name == "WARN"
