"""How an agent is spoken to: frames of a JSON header and raw bytes (docs/design/agent.md).

Whatever comes in is checked before it is used, at both ends: an agent may be on another machine.
"""

import json
import socket
import struct
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

VERSION_NUMBER = 2
MAX_HEADER_BYTES = 1 << 26
MAX_BODY_BYTES = 1 << 32
RECEIVED_BYTES = 1 << 16
"""How much is read from a connection at a time: the memory for more would be mapped each time."""

Header: TypeAlias = dict[str, Any]
"""What a frame says; ``do`` is what is asked of an agent."""
Frame: TypeAlias = tuple[Header, bytes]

_SIZES = struct.Struct(">IQ")
_encode = json.JSONEncoder(separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


class ProtocolFault(Exception):
    """What came in is not what the protocol says: whoever sent it cannot be believed any more."""


def framed(header: Header, pieces: Sequence[bytes] = ()) -> bytes:
    """Return a frame as it is sent."""
    text = _encode(header).encode()
    return b"".join((_SIZES.pack(len(text), sum(map(len, pieces))), text, *pieces))


class FrameReader:
    """Makes frames of what comes in, in pieces of any size."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._needed = _SIZES.size

    def feed(self, data: bytes) -> None:
        """Take what has come in."""
        self._held += data

    def next(self) -> Frame | None:
        """Return the next frame, None if it is not complete; raise ProtocolFault if it is none."""
        held = self._held
        if len(held) < self._needed:
            return None
        header_size, body_size = _SIZES.unpack_from(held)
        if header_size > MAX_HEADER_BYTES or body_size > MAX_BODY_BYTES:
            raise ProtocolFault(f"a frame of {header_size} and {body_size} bytes")
        start = _SIZES.size + header_size
        end = start + body_size
        if len(held) < end:
            self._needed = end
            return None
        with memoryview(held) as view:
            text, body = bytes(view[_SIZES.size : start]), bytes(view[start:end])
        del held[:end]
        self._needed = _SIZES.size
        return _header(text), body


class FrameWriter:
    """Sends frames without waiting: what the other end does not take yet is sent by `flush`."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._unsent: deque[memoryview] = deque()

    @property
    def has_unsent(self) -> bool:
        """Whether there is something to flush."""
        return bool(self._unsent)

    def send(self, frame: bytes) -> None:
        """Send a frame after those before it; raise OSError if the connection is gone."""
        self._unsent.append(memoryview(frame))
        self.flush()

    def flush(self) -> bool:
        """Send as much as the other end takes; tell whether it took any. Raise OSError as above."""
        has_sent = False
        with suppress(BlockingIOError):
            while self._unsent:
                sent = self._connection.send(self._unsent[0], socket.MSG_DONTWAIT)
                has_sent = True
                if sent < len(self._unsent[0]):
                    self._unsent[0] = self._unsent[0][sent:]
                else:
                    self._unsent.popleft()
        return has_sent


def _header(text: bytes) -> Header:
    with suppress(ValueError, RecursionError):  # not UTF-8, not JSON, or endlessly nested
        header = _decode(text.decode())
        if isinstance(header, dict):
            return header
    raise ProtocolFault("a header that is not a JSON object")


def field(header: Header, name: str, kind: type, default: Any = None) -> Any:
    """Return a field of a header if it is of that kind; raise ProtocolFault if it is of another."""
    value = header.get(name, default)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise ProtocolFault(f"{name!r} is {value!r:.100}, not of type {kind.__name__}")
    return value


def texts(header: Header, name: str) -> list[str]:
    """Return a field that is a list of texts."""
    found: list[str] = field(header, name, list)
    if not all(isinstance(each, str) for each in found):
        raise ProtocolFault(f"{name!r} is not a list of texts")
    return found


def mapping(header: Header, name: str, kind: type | tuple[type, ...]) -> dict[str, Any]:
    """Return a field that has a value of some kind for each name."""
    found: dict[str, Any] = field(header, name, dict)
    if not all(isinstance(each, kind) for each in found.values()):
        raise ProtocolFault(f"{name!r} has a value of another type than it should")
    return found
