"""Messages between the grader and a worker: plain data as JSON, never a pickle.

Only numbers, text, lists, dicts and arrays of numbers pass; both sides refuse the rest.
Decoding never runs code of the sender.
"""

import base64
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from posenc.kit.exercises.call import Outcome, Request
from posenc.kit.exercises.values import Unusable

#: Bytes of one message. The largest request takes 40 million.
MAX_BYTES = 2**28
#: Levels of lists in lists.
MAX_DEPTH = 8
_LENGTH = struct.Struct(">Q")


T = TypeVar("T")


class ProtocolError(Exception):
    """The received data is no message."""


def encode(value: Any) -> Any:
    """Return a value as JSON's own types.

    Raises
    ------
    TypeError
        If it is not made of numbers, text, lists, dicts and arrays of numbers.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if value is Ellipsis:
        return {"...": 0}
    if isinstance(value, int):
        return {"i": str(value)}
    if isinstance(value, float):
        return {"f": value.hex()}
    if isinstance(value, complex):
        return {"c": [value.real.hex(), value.imag.hex()]}
    if isinstance(value, Unusable):
        return {"u": value.description}
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc":
        data = np.array(value, order="C")
        text = base64.b64encode(data.tobytes()).decode()
        return {"a": [data.dtype.str, list(data.shape), text]}
    if isinstance(value, list):
        return [encode(entry) for entry in value]
    if isinstance(value, tuple):
        return {"t": [encode(entry) for entry in value]}
    if isinstance(value, dict):
        return {"d": [[str(key), encode(entry)] for key, entry in value.items()]}
    msg = f"value must be plain data, got a {type(value).__name__}"
    raise TypeError(msg)


def decode(data: Any, depth: int = 0) -> Any:
    """Return the value again.

    Raises
    ------
    ProtocolError
        If it is not what `encode` makes.
    """
    if data is None or isinstance(data, bool | str):
        return data
    if depth > MAX_DEPTH:
        msg = "lists too deep"
        raise ProtocolError(msg)
    if isinstance(data, list):
        return [decode(entry, depth + 1) for entry in data]
    if not isinstance(data, dict) or len(data) != 1:
        msg = "neither a list nor one value with its kind"
        raise ProtocolError(msg)
    [(kind, content)] = data.items()
    if kind not in _DECODERS:
        msg = f"kind {kind!r}"
        raise ProtocolError(msg)
    try:
        return _DECODERS[kind](content, depth)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        msg = f"kind {kind!r}: {error}"
        raise ProtocolError(msg) from error


def _array(content: Any, depth: int) -> Any:
    name, shape, text = content
    dtype = np.dtype(str(name))
    if dtype.kind not in "biufc" or dtype.fields or dtype.subdtype:
        msg = "an array of something else than numbers"
        raise ProtocolError(msg)
    data = np.frombuffer(base64.b64decode(text, validate=True), dtype)
    return data.reshape([int(size) for size in shape]).copy()


_DECODERS: dict[str, Callable[[Any, int], Any]] = {
    "...": lambda _, depth: Ellipsis,
    "i": lambda text, depth: int(text),
    "f": lambda text, depth: float.fromhex(text),
    "c": lambda parts, depth: complex(*map(float.fromhex, parts)),
    "u": lambda text, depth: Unusable(str(text)),
    "a": _array,
    "t": lambda entries, depth: tuple(decode(entry, depth + 1) for entry in entries),
    "d": lambda pairs, depth: {str(k): decode(v, depth + 1) for k, v in pairs},
}


def encode_request(request: Request) -> dict[str, Any]:
    """Return a request as a message."""
    args, kwargs = encode(request.args), encode(request.kwargs)
    return {**vars(request), "args": args, "kwargs": kwargs}


def decode_request(message: dict[str, Any]) -> Request:
    """Return the request of a message."""
    args, kwargs = decode(message["args"]), decode(message["kwargs"])
    return Request(**{**message, "args": args, "kwargs": kwargs})


@dataclass(frozen=True)
class Facts:
    """Facts on an answer that the grader needs before it calls it.

    `none` is true for an ellipsis, too, and `ours` for a function of posenc. `replaced`
    names shared functions that the submission has replaced.
    """

    none: bool
    callable: bool
    ours: bool
    name: str
    type: str
    replaced: list[str]


def encode_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as a message."""
    return {**vars(outcome), "value": encode(outcome.value)}


#: Statuses that a worker may report.
_STATUSES = ("value", "error", "refused", "unanswered", "no torch", "time", "died")


def decode_outcome(message: Any) -> Outcome:
    """Decode an untrusted outcome; validate every field.

    Raises
    ------
    ProtocolError
        If it is no outcome.
    """
    outcome = decode_as(Outcome, message)
    if outcome.status not in _STATUSES:
        msg = f"status {outcome.status!r}"
        raise ProtocolError(msg)
    return outcome


def decode_as(kind: Callable[..., T], message: Any) -> T:
    """Make a dataclass of an untrusted message; validate every field.

    Raises
    ------
    ProtocolError
        If a field is missing, or has another type.
    """
    given, values = _typed(message, dict), dict[str, Any]()
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name not in given:
            msg = f"no {field.name!r}"
            raise ProtocolError(msg)
        value = given[field.name]
        if field.type is Any:
            values[field.name] = decode(value)
        elif field.type is str:
            values[field.name] = _text(value)
        elif field.type == list[str]:
            values[field.name] = [_text(entry) for entry in _typed(value, list)[:100]]
        else:
            values[field.name] = _typed(value, field.type)
    return kind(**values)


def _typed(value: Any, kind: Any) -> Any:
    if type(value) is not kind:
        msg = f"a {type(value).__name__} instead of {kind.__name__}"
        raise ProtocolError(msg)
    return value


def _text(value: Any) -> str:
    text: str = _typed(value, str)[:10_000]
    return text


class Channel:
    """One end of a pipe for messages, each a dict.

    Parameters
    ----------
    reader, writer : file object
        Unbuffered binary files.
    """

    def __init__(self, reader: Any, writer: Any) -> None:
        self._reader, self._writer = reader, writer

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        data = memoryview(json.dumps(message).encode())
        data = memoryview(_LENGTH.pack(len(data)) + data)
        while data:
            data = data[self._writer.write(data) :]

    def receive(self) -> dict[str, Any]:
        """Wait for a message.

        Raises
        ------
        EOFError
            If the other end is closed.
        ProtocolError
            If something else than a message comes.
        """
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        if length > MAX_BYTES:
            msg = f"{length} bytes"
            raise ProtocolError(msg)
        data = self._read(length)
        try:
            message = json.loads(data)
        except (ValueError, RecursionError) as error:
            msg = f"no JSON: {error}"
            raise ProtocolError(msg) from error
        if not isinstance(message, dict):
            msg = "no dict"
            raise ProtocolError(msg)
        return message

    def _read(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = self._reader.read(count - len(parts))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)
