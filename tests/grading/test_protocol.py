"""Messages between the grader and a worker."""

import io
import json
import struct

import numpy as np
import pytest

from posenc.grading.protocol import (
    MAX_BYTES,
    Channel,
    ProtocolError,
    decode,
    decode_outcome,
    decode_request,
    encode,
    encode_outcome,
    encode_request,
)
from posenc.kit.exercises.call import Outcome, Request
from posenc.kit.exercises.values import Unusable

VALUES = [
    *(None, True, ..., 3, -(10**50), 2.5, float("inf"), 1 + 2j, "text", [], [[1], "a"]),
    *((1, 2.0), {"a": [1], "b": {}}, np.int64(3)),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_plain_data_comes_back_as_it_was(value):
    back = decode(json.loads(json.dumps(encode(value))))
    assert back == value
    assert type(back) is type(value) or isinstance(value, np.generic)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", ">i4", "f2", "f8", "c16"])
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_arrays_come_back_with_shape_and_dtype(dtype, shape):
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    back = decode(json.loads(json.dumps(encode(array))))
    assert back.dtype == array.dtype
    assert back.shape == shape
    assert np.array_equal(back, array)
    assert back.flags.writeable


def test_what_cannot_be_used_comes_back_in_words():
    assert decode(encode(Unusable("a set"))).description == "a set"


@pytest.mark.parametrize("value", [object(), print, {1, 2}, np.array([object()]), b"x"])
def test_anything_else_is_refused(value):
    with pytest.raises(TypeError, match="plain data"):
        encode(value)


FORGED = [
    {"a": ["O", [1], "AAAAAAAAAAA="]},
    {"a": ["f8", [-1], "?"]},
    {"a": ["f8,i4", [1], "AAAAAAAAAAAAAAAA"]},
    {"a": 1},
    {"pickle": "x"},
    {"i": "three"},
    {},
    {"i": "1", "f": "0x1p0"},
    1.5,
]


@pytest.mark.parametrize("data", FORGED, ids=repr)
def test_what_is_forged_is_no_value(data):
    with pytest.raises(ProtocolError):
        decode(data)


def test_lists_cannot_be_endlessly_deep():
    data = []
    for _ in range(50):
        data = [data]
    with pytest.raises(ProtocolError, match="deep"):
        decode(data)


def test_requests_and_outcomes_come_back():
    request = Request((np.arange(3), 2), {"base": 10.0}, "torch", count_reads=True)
    back = decode_request(json.loads(json.dumps(encode_request(request))))
    assert np.array_equal(back.args[0], request.args[0])
    assert (back.args[1], back.kwargs, back.style, back.count_reads) == (
        *(2, {"base": 10.0}, "torch", True),
    )
    outcome = Outcome("error", error="ZeroDivisionError", line_number=3, changed=["x"])
    assert decode_outcome(json.loads(json.dumps(encode_outcome(outcome)))) == outcome


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status", "passed"),
        ("reads", "many"),
        ("value", {"pickle": ""}),
    ],
)
def test_a_forged_outcome_is_none(key, value):
    message = encode_outcome(Outcome("value", 3))
    with pytest.raises(ProtocolError):
        decode_outcome({**message, key: value})
    del message[key]
    with pytest.raises(ProtocolError):
        decode_outcome(message)


def message_of(data):
    return Channel(io.BytesIO(struct.pack(">Q", len(data)) + data), None).receive()


def test_a_channel_carries_messages_in_order():
    pipe = io.BytesIO()
    for number in range(3):
        Channel(None, pipe).send({"number": number})
    pipe.seek(0)
    channel = Channel(pipe, None)
    assert [channel.receive()["number"] for _ in range(3)] == [0, 1, 2]
    with pytest.raises(EOFError):
        channel.receive()


@pytest.mark.parametrize("data", [b"[]", b"{", b"\xff", b"[" * 100_000, b""])
def test_what_is_no_message_is_refused(data):
    with pytest.raises(ProtocolError):
        message_of(data)


def test_a_message_that_is_too_long_is_refused_before_it_is_read():
    with pytest.raises(ProtocolError, match=f"{MAX_BYTES + 1} bytes"):
        Channel(io.BytesIO(struct.pack(">Q", MAX_BYTES + 1)), None).receive()
