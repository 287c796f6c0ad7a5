"""The conventions that are told apart; real packages are in ``peers``."""

import numpy as np
import pytest
import torch
from book_functions import OWN
from third_party_code import THIRD_PARTY

import posenc
from posenc.conventions import _KINDS, identify, signatures

PATIENT = {"time_limit": 60, "seed": 3}


def rotary(layout="interleaved", sign=1, first=0, size=1.0, turned=None, **angles):
    """Rotary embedding by our own functions, in some convention."""
    scaled = "method" in angles

    def turn(x, positions):
        d = turned or x.shape[-1]
        make = posenc.rope.scaled_angles if scaled else posenc.rope.rotary_angles
        theta = sign * make(positions + first, d, **angles)
        part = size * posenc.rope.apply_rotary(x[..., :d], theta, layout=layout)
        return np.concatenate([part, x[..., d:]], axis=-1)

    return turn


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (rotary(layout="half"), {"layout": "half: features i and i + 8 are a pair"}),
        (rotary(sign=-1), {"direction": "clockwise: (0, 1) goes towards (1, 0)"}),
        (rotary(base=500_000.0), {"base": "500,000"}),
        (rotary(first=1), {"start": "positions are counted from 1"}),
        (rotary(turned=4), {"turned": "4 of 16 features, from feature 0 on"}),
        (
            rotary(method="interpolation", scale=4.0, base=100.0),
            {"scaling": "position interpolation: all frequencies are divided by 4"},
        ),
        (
            rotary(method="ntk", scale=8.0),
            {"scaling": '"NTK-aware", by 8: the base is'},
        ),
        (
            rotary(method="yarn", scale=16.0, trained_len=512, base=1000.0),
            {"base": "1,000", "scaling": "by bands, as in YaRN and Llama 3: "},
        ),
        (
            rotary("half", -1, 2, base=1000.0),
            {"layout": "half", "direction": "clockwise", "base": "1,000", "start": ""},
        ),
    ],
)
def test_identify_rotary_lists_differences(function, told):
    found = identify("rope.apply_rotary", function, **PATIENT)
    assert found
    assert found.status == "other"
    for trait, words in told.items():
        assert found[trait].startswith(words), found
    different = {finding.trait for finding in found.findings if not finding.is_ours}
    assert different - {"base"} == set(told) - {"base"}
    assert ("base" in different) == ("base" in told or "base=100" in found.use)
    assert "← not ours" in repr(found)


@pytest.mark.parametrize(
    "function",
    [
        rotary(),
        rotary("half", -1, 2, base=1000.0),
        rotary(method="interpolation", scale=2.5),
    ],
)
def test_identify_suggested_call_equals_the_function(function, rng):
    use = identify("rope.apply_rotary", function, **PATIENT).use
    x, positions = rng.normal(size=(7, 16)), np.arange(7)
    scope = {"posenc": posenc, "x": x, "positions": positions}
    setting, call = use.splitlines()
    exec(setting, scope)
    theirs = function(x, positions)[:, : eval(call, scope).shape[-1]]
    np.testing.assert_allclose(eval(call, scope), theirs, rtol=1e-9)


def test_rotary_in_any_style_shape_and_size():
    def half(x, angles):
        return posenc.rope.apply_rotary(x, angles, layout="half")

    def of_torch(x, positions):
        angles = posenc.rope.rotary_angles(positions.double(), 64)
        return half(torch.einsum("bhld->bhld", x), angles)  # four axes, 64 features

    def without_positions(x):
        angles = posenc.rope.rotary_angles(np.arange(x.shape[-2]), x.shape[-1])
        return half(x, angles)

    assert identify("rope.apply_rotary", of_torch, **PATIENT)["layout"] == (
        "half: features i and i + 32 are a pair"
    )
    found = identify("rope.apply_rotary", without_positions, **PATIENT)
    assert found["layout"] == "half: features i and i + 8 are a pair"


def repeated(x, positions, *, halves):
    """Angles of one layout and pairs of the other."""
    angles = posenc.rope.rotary_angles(positions, x.shape[-1])
    if halves:
        wide, d = np.repeat(angles, 2, axis=-1), x.shape[-1] // 2
        other = np.concatenate([-x[..., d:], x[..., :d]], axis=-1)
    else:
        wide = np.concatenate([angles, angles], axis=-1)
        other = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(wide) + other * np.sin(wide)


def uneven(x, positions):
    return rotary()(x, positions**2)


def reflected(x, positions):
    out = rotary()(x, positions)
    out[..., 1::2] *= -1
    return out


def sized(x, positions):
    return rotary()(x, positions) * (1 + positions[:, None] % 3)


def shifted(x, positions):
    return rotary()(x, positions) + (np.abs(x).max(axis=-1, keepdims=True) > 1.0)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda x, p: repeated(x, p, halves=True), "laid out for neighbors"),
        (lambda x, p: repeated(x, p, halves=False), "laid out for halves"),
        (lambda x, p: x, "It turns nothing"),
        (lambda x, p: x + p[:, None], "It does not turn pairs of features"),
        (lambda x, p: np.roll(x, 1, -1) * p[:, None], "It does not turn pairs"),
        (reflected, "mixes pairs of features, but does not rotate them"),
        (sized, "changes their lengths, in no way that is known"),
        (uneven, "or not by an angle that grows evenly"),
        (shifted, "but not other vectors"),
    ],
)
def test_identify_other_function_is_unknown(function, told):
    found = identify("rope.apply_rotary", function, **PATIENT)
    assert not found
    assert found.status == "unclear"
    assert told in found.problem
    assert found.example or "nothing" in found.problem


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("rope.apply_rotary", lambda x, p: rotary()(x, np.minimum(p, 99))),
        (
            "sinusoidal.sinusoidal_encoding",
            lambda p, d: posenc.sinusoidal.sinusoidal_encoding(np.minimum(p, 500), d),
        ),
        (
            "swin.relative_position_index",
            lambda h, w: posenc.swin.relative_position_index(h, w) % 256,
        ),
    ],
)
def test_what_follows_the_book_only_near_the_start(name, function):
    found = identify(name, function, **PATIENT)
    assert found.status == "unclear", found
    assert found.example


# --- half precision, other bases, the exponent counted twice -------------------------


def to_half(kind, numbers):
    """By torch, whose rounding is not that of the package."""
    return (
        torch.from_numpy(np.asarray(numbers)).to(getattr(torch, kind)).double().numpy()
    )


def port(kind, what, *, base=10_000.0, halves=True, sign=1):
    """A rotary embedding of which something was in half precision."""

    def turn(x, positions):
        theta = sign * base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
        if what == "frequencies":
            theta = to_half(kind, theta)
        angles = positions[:, None] * theta
        if what == "angles":
            angles = to_half(kind, angles)
        cos, sin = np.cos(angles), np.sin(angles)
        if what == "tables":
            cos, sin = to_half(kind, cos), to_half(kind, sin)
        a, b = np.split(x, 2, -1) if halves else (x[:, ::2], x[:, 1::2])
        parts = [a * cos - b * sin, a * sin + b * cos]
        turned = np.concatenate(parts, -1) if halves else np.stack(parts, -1)
        return turned.reshape(x.shape)

    return turn


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("options", [{}, {"halves": False}, {"base": 5e5, "sign": -1}])
def test_identify_rotary_in_half_precision(kind, options):
    base = f"{options.get('base', 10_000.0):,.0f}"
    for what in ("frequencies", "angles", "tables"):
        function = port(kind, what, **options)
        found = identify("rope.apply_rotary", function, **PATIENT)
        assert found.status == "other", found
        assert found["base"] == base
        trait = "frequencies" if what == "frequencies" else "precision"
        assert kind in found[trait]
        assert not found.use


def sinusoid(base, layout="interleaved", rule="paper", exponent=1, kind="", table=""):
    def encode(positions, d_model):
        i = np.arange(d_model // 2)
        powers = 2 * i / d_model if rule == "paper" else i / max(d_model // 2 - 1, 1)
        theta = base ** (-exponent * powers)
        angles = np.asarray(positions)[..., None] * (
            to_half(kind, theta) if kind else theta
        )
        waves = np.sin(angles), np.cos(angles)
        both = np.concatenate(waves, -1) if layout == "half" else np.stack(waves, -1)
        both = both.reshape(*np.shape(positions), d_model)
        return to_half(table, both) if table else both

    return encode


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("rule", ["paper", "tensor2tensor"])
@pytest.mark.parametrize("base", [1.5, 500, 2e4, 1.6e5, 12345.678, 1e9])
def test_any_base_of_a_sinusoid_is_found(base, layout, rule):
    function = sinusoid(base, layout, rule)
    found = identify("sinusoidal.sinusoidal_encoding", function, **PATIENT)
    assert found.status == "other", found
    assert found["base"] == f"{base:,.10g}"
    assert found["frequencies"].startswith("base^" if rule == "paper" else "from 1")
    scope = {"posenc": posenc, "positions": np.arange(9.0), "d_model": 6}
    theirs = function(np.arange(9), 6)
    np.testing.assert_allclose(eval(found.use, scope), theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("base", [10_000.0, 5_000.0])
def test_the_exponent_counted_twice_is_named(base, layout):
    function = sinusoid(base, layout, exponent=2)
    found = identify("sinusoidal.sinusoidal_encoding", function, **PATIENT)
    words = f"{base**2:,.0f} (or {base:,.0f} with the exponent counted twice)"
    assert found["base"] == words


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("base", [10_000.0, 5_000.0])
def test_identify_sinusoid_in_half_precision(base, layout, kind):
    for options in ({"kind": kind}, {"table": kind}):
        function = sinusoid(base, layout, **options)
        found = identify("sinusoidal.sinusoidal_encoding", function, **PATIENT)
        assert found.status == "other", found
        assert found["base"] == f"{base:,.0f}"
        assert kind in found["precision"]
        assert not found.use


# --- kinds that are searched ---------------------------------------------------------


def test_the_book_follows_its_own_conventions():
    assert set(OWN) == set(signatures())
    for name, function in OWN.items():
        found = identify(name, function, **PATIENT)
        assert found.status == "same", found
        assert found["turned" if "rope" in name else found.findings[0].trait]


@pytest.mark.parametrize("name", _KINDS)
def test_no_two_combinations_are_the_same(name):
    kind = _KINDS[name]
    calls = list(kind.calls(np.random.default_rng(3)))
    seen = {}
    for choice in kind.choices():
        results = [np.asarray(kind.model(choice, *args), float) for args in calls]
        key = tuple((r.shape, (np.round(r, 3) + 0.0).tobytes()) for r in results)
        assert key not in seen, (choice, seen[key])
        seen[key] = choice


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        (
            "alibi.alibi_slopes",
            lambda n: [2 ** (-8 * (h + 1) / n) for h in range(n)],
            {"slopes": "2^(-8h/H) for every number of heads H"},
        ),
        (
            "alibi.alibi_bias",
            lambda n, q, k: (
                posenc.alibi.alibi_slopes(n)[:, None, None] * np.arange(k)[None, None]
            )[None],
            {"grows with": "the key's position, from 0", "axes": "heads, 1, keys"},
        ),
        (
            "sinusoidal.sinusoidal_table",
            lambda n, d: 3 * posenc.sinusoidal.sinusoidal_table(n, d, layout="half"),
            {"layout": "all sines, then all cosines", "factor": "all multiplied by 3"},
        ),
        (
            "attention.attention_with_mask",
            lambda q, k, v, mask: torch.nn.functional.scaled_dot_product_attention(
                q, k, v, attn_mask=~mask, scale=1.0
            ),
            {"scores": "not scaled", "mask": "true where a key is hidden"},
        ),
        (
            "swin.relative_position_index",
            lambda h, w: posenc.swin.relative_position_index(h, w).T,
            {"sign": "key minus query"},
        ),
    ],
)
def test_other_conventions(name, function, told):
    found = identify(name, function, **PATIENT)
    assert found.status == "other", found
    for trait, words in told.items():
        assert found[trait].startswith(words), found
    assert {f.trait for f in found.findings if not f.is_ours} == set(told)


# --- code of others ------------------------------------------------------------------


@pytest.mark.parametrize(("name", "function", "status", "told"), THIRD_PARTY)
def test_identify_third_party_code_is_right_or_unknown(name, function, status, told):
    found = identify(name, function, isolate=False, **PATIENT)
    assert found.status == status, found
    if status == "unclear":
        assert told in found.problem
        assert not found.findings
        return
    assert {f.trait for f in found.findings if not f.is_ours} == set(told), found
    for trait, words in told.items():
        assert found[trait].startswith(words), found


class Half:
    """A class that needs no arguments, as code of others often is."""

    def __call__(self, x, positions):
        return rotary("half")(x, positions)


def test_identify_class_is_instantiated_or_refused():
    found = identify("rope.apply_rotary", Half, **PATIENT)
    assert found["layout"].startswith("half")
    assert found.notes[0] == "Half is a class: Half() was made and called."
    found = identify("rope.apply_rotary", posenc.nn.RotaryEmbedding, **PATIENT)
    assert found.status == "failed"
    assert "Give an instance of it, or a function that makes one" in found.problem
    found = identify("rope.apply_rotary", ValueError, **PATIENT)
    assert "is a class whose instances cannot be called" in found.problem
    module = posenc.nn.RotaryEmbedding(16)
    assert identify("rope.apply_rotary", module, **PATIENT).status == "same"


# --- what cannot be compared ---------------------------------------------------------


def endless(*args):
    while True:
        pass


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("swin.relative_position_index", lambda h, w: "x", "must be an array of num"),
        ("swin.relative_position_index", lambda h, w: None, "It returns nothing"),
        ("swin.relative_position_index", endless, "still running after 0.5 s"),
        (
            "rope.apply_rotary",
            lambda x, p: x[..., :1],
            "return an array of the shape of",
        ),
        ("rope.apply_rotary", lambda: 1, "takes 0 positional arguments"),
        ("rope.apply_rotary", 3, "must be a function, got an int"),
    ],
)
def test_a_function_that_cannot_be_compared(name, function, told):
    limit = 0.5 if function is endless else 60
    found = identify(name, function, seed=1, time_limit=limit)
    assert found.status == "failed"
    assert not found
    assert told in found.problem
    if callable(function) and "nothing" not in told:
        assert f"It is called as {signatures()[name]}" in found.problem


def test_a_name_without_conventions():
    found = identify("t5.unused_buckets", endless)
    assert found.status == "unknown"
    assert "There are: attention.attention_with_mask, " in found.problem


def test_the_page_escapes_what_comes_from_the_function():
    def function(height, width):
        raise ValueError("<b>")  # noqa: EM101

    page = identify("swin.relative_position_index", function)._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "could not be compared" in page
    page = identify("rope.apply_rotary", rotary("half"), seed=1)._repr_html_()
    assert "<li>layout: half: features i and i + 8 are a pair  ← not ours</li>" in page
    assert "Random inputs of seed 1." in page
