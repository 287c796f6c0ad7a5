"""The comparison of all methods: each entry is derived from the code, then compared."""

import dataclasses
import inspect
import math
from unittest import mock

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from posenc import (
    alibi,
    cape,
    convolutional,
    music_transformer,
    rope,
    shaw,
    sinusoidal,
    swin,
    t5,
    transformer_xl,
)
from posenc import (
    compare as comparison,
)
from posenc import nn as posenc_nn
from posenc.attention import scaled_dot_product_attention
from posenc.compare import figures
from posenc.linear_attention import (
    elu_plus_one,
    linear_attention,
    quadratic_form,
    toeplitz_linear_attention,
)

METHODS = {method.name: method for method in comparison.METHODS}
ALL = pytest.mark.parametrize("name", METHODS)

#: Sizes to try the formulas at: layers, tokens, heads, features of a head.
SIZES = [
    {"N": 3, "L": 6, "H": 2, "D": 4, "d": 8},
    {"N": 2, "L": 12, "H": 3, "D": 8, "d": 24},
]
#: Letters of single methods, other than in the papers; the window has L cells.
LETTERS = [
    {"k": 2, "b": 8, "M_h": 2, "M_w": 3, "G": 2},
    {"k": 5, "b": 12, "M_h": 3, "M_w": 4, "G": 3},
]
BOTH = pytest.mark.parametrize(
    "sizes", [{**a, **b} for a, b in zip(SIZES, LETTERS, strict=True)]
)


def modules(name, s):
    """Modules of a model of N layers for the method: one, or one for each layer."""
    N, L, H, D, d = (s[letter] for letter in "NLHDd")
    once, each = {
        "learned": (lambda: posenc_nn.LearnedEncoding(L, d), None),
        "sinusoidal": (lambda: posenc_nn.SinusoidalEncoding(d), None),
        "cape": (lambda: _cape(d), None),
        "convolutional": (
            lambda: posenc_nn.ConvolutionalEncoding(
                d, kernel_size=s["k"], groups=s["G"]
            ),
            None,
        ),
        "t5": (
            lambda: posenc_nn.RelativePositionBias(
                H, num_buckets=s["b"], max_distance=64
            ),
            None,
        ),
        "shaw": (None, lambda: posenc_nn.ShawAttention(H, D, s["k"])),
        "music_transformer": (None, lambda: posenc_nn.MusicGlobalAttention(H, D, L)),
        "transformer_xl": (None, lambda: posenc_nn.TransformerXLAttention(d, H)),
        "swin": (None, lambda: posenc_nn.WindowAttention(d, H, (s["M_h"], s["M_w"]))),
        "alibi": (None, lambda: posenc_nn.AlibiAttention(H)),
        "rope": (None, lambda: posenc_nn.RotaryEmbedding(D)),
        "none": (None, None),
    }[name]
    return [once()] if once else [each() for _ in range(N)] if each else []


def _cape(d, shift=3.0):
    return posenc_nn.CapeEncoding(
        d, max_global_shift=shift, max_local_shift=0.5, max_scale=1.5
    )


#: Parameters of a module that attention has without position.
CONTENT = ("query", "key", "value", "output", "qkv", "out")


class TestCounts:
    @ALL
    @BOTH
    def test_learned_numbers(self, name, sizes):
        found = sum(
            parameter.numel()
            for module in modules(name, sizes)
            for label, parameter in module.named_parameters()
            if label.split(".")[0] not in CONTENT
        )
        assert METHODS[name].parameters.formula.at(**sizes) == found

    def test_shaw_without_sharing_has_a_pair_for_each_head(self):
        shared, own = (
            sum(p.numel() for p in module.parameters())
            for module in (
                posenc_nn.ShawAttention(3, 4, 2),
                posenc_nn.ShawAttention(3, 4, 2, share_heads=False),
            )
        )
        assert own == 3 * shared

    def test_music_transformer_for_both_sides_has_nearly_twice_as_many(self):
        one, two = (
            posenc_nn.MusicGlobalAttention(2, 4, 9, causal=causal).table.shape[1]
            for causal in (True, False)
        )
        assert two == 2 * one - 1

    @ALL
    @BOTH
    def test_multiplications(self, name, sizes):
        found = multiplications(name, sizes)
        assert METHODS[name].multiplications.formula.at(**sizes) == found

    @ALL
    @BOTH
    def test_memory(self, name, sizes):
        assert METHODS[name].memory.formula.at(**sizes) == math.prod(
            added(name, sizes).shape
        )

    @pytest.mark.parametrize(
        "name", ["shaw", "music_transformer", "transformer_xl", "convolutional"]
    )
    def test_tables_made_per_text_differ_between_texts(self, name):
        sizes = {**SIZES[0], **LETTERS[0]}
        assert not torch.equal(added(name, sizes), added(name, sizes, seed=1))
        assert "anew" in METHODS[name].memory.note

    @pytest.mark.parametrize("name", ["learned", "sinusoidal", "t5", "swin", "alibi"])
    def test_shared_tables_are_equal_for_all_texts(self, name):
        sizes = {**SIZES[0], **LETTERS[0]}
        assert torch.equal(added(name, sizes), added(name, sizes, seed=1))
        assert "anew" not in METHODS[name].memory.note

    def test_cape_is_random_in_training_only(self):
        x, module = torch.zeros(2, 5, 8), _cape(8)
        assert not torch.equal(*module(x))
        assert torch.equal(*module.eval()(x))
        assert METHODS["cape"].memory.note == "in training anew for each text"

    def test_at_bert_base(self):
        words = {
            name: (
                comparison.value(m, m.parameters),
                comparison.value(m, m.multiplications),
                comparison.value(m, m.memory),
            )
            for name, m in METHODS.items()
        }
        assert words["learned"] == (512 * 768, 0, 512 * 768)
        assert words["shaw"][0] == 12 * 2 * 33 * 64
        assert words["t5"] == (384, 0, 12 * 512 * 512)
        assert words["swin"][0] == 31 * 63 * 12 * 12
        assert words["rope"] == (0, 12 * 4 * 512 * 768, 512 * 32)
        assert words["convolutional"][0] == 768 * 48 * 128 + 128 + 768

    @pytest.mark.parametrize(("n", "words"), [
        (0, "0"), (9_999_999, "9,999,999"), (10**7, "10.0 million"),
        (999_000_000, "999.0 million"), (2_500_000_000, "2.50 billion"),
    ])  # fmt: skip
    def test_numbers_in_words(self, n, words):
        assert comparison.in_words(n) == words


class Multiplied(torch.utils._python_dispatch.TorchDispatchMode):
    """Counts the products of two tensors, element by element."""

    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if func.overloadpacket is torch.ops.aten.mul:
            self.count += out.numel() * (4 if out.is_complex() else 1)
        return out


def in_matmuls(run):
    """Multiplications in the matrix products and convolutions that `run` does."""
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops() // 2


def heads(s, seed=0):
    torch.manual_seed(seed)
    return torch.randn(3, s["H"], s["L"], s["D"], dtype=torch.float64)


def multiplications(name, s):
    """Count in the code what a text of L tokens costs more than without position."""
    q, k, v = heads(s)
    d, L = s["d"], s["L"]
    plain = in_matmuls(lambda: scaled_dot_product_attention(q, k, v))
    torch.manual_seed(0)
    layer = next(iter(modules(name, s)), None)
    if name in {"shaw", "music_transformer"}:
        layer = layer.double()
        return s["N"] * (in_matmuls(lambda: layer(q, k, v)) - plain)
    if name == "transformer_xl":
        projections = 5 * L * d * d  # that of the distances is the same for every text
        total = in_matmuls(lambda: layer(torch.randn(L, d)))
        return s["N"] * (total - projections - plain)
    if name == "rope":
        angles = rope.rotary_angles(torch.arange(L), s["D"])
        with Multiplied() as counter:
            for heads_of_layer in (q, k):
                rope.apply_rotary_real(heads_of_layer, angles)
        return s["N"] * counter.count
    if name == "convolutional":
        # An even kernel computes a frame more, which is dropped: count the others.
        frames = L if s["k"] % 2 else L + 1
        total = in_matmuls(lambda: layer(torch.randn(1, L, d)))
        assert total % frames == 0
        return total // frames * L
    if name in {"t5", "swin", "alibi"}:  # made without a look at the text
        bias = added(name, s)
        run = in_matmuls(lambda: scaled_dot_product_attention(q, k, v, bias=bias))
        return run - plain
    return 0 if layer is None else in_matmuls(lambda: layer(torch.randn(1, L, d)))


def added(name, s, seed=0):
    """What is added for one text and one layer, or the angles that it is turned by."""
    q = heads(s, seed)[0]
    torch.manual_seed(7)
    layer = next(iter(modules(name, s)), None)
    L, H, D, d = s["L"], s["H"], s["D"], s["d"]
    if name == "none":
        return torch.zeros(0)
    if name in {"learned", "sinusoidal", "cape", "convolutional"}:
        torch.manual_seed(seed)
        x = torch.randn(1, L, d)
        layer.eval()
        said = (layer(x) - x)[0]
        return said.round(decimals=4)  # adding and taking away rounds
    if name == "shaw":
        return shaw.position_scores(q, layer.double().key_table, L)
    if name == "music_transformer":
        return music_transformer.position_scores(q, layer.double().table)
    if name == "transformer_xl":
        r = torch.randn(H, L, D, dtype=torch.float64)
        return transformer_xl.position_scores(q, r, torch.zeros(H, D).double())
    if name == "t5":
        return layer.double()(L, L)
    if name == "swin":
        table = torch.randn((2 * s["M_h"] - 1) * (2 * s["M_w"] - 1), H)
        return swin.relative_position_bias(table.double(), s["M_h"], s["M_w"])
    if name == "alibi":
        return alibi.alibi_bias(H, L, L, xp=torch, dtype=torch.float64)
    return rope.rotary_angles(torch.arange(L), D)


TEXT = figures.drawn(("a", "b", "c", "d", "e", "f", "g", "h", "i"), seed=1)
ENDS = 1  # frames at each end that the convolution of TEXT pads: its kernel is 3


def moved_scores(name, text, shift):
    """Scores of five words in a row that stand `shift` words into the same text."""
    x = np.tile(text.x[:1], (text.length, 1))  # the same word everywhere else
    x[shift : shift + 5] = text.x[:5]
    changed = dataclasses.replace(text, x=x)
    scores = figures.SCORES[name](changed)
    return scores[shift : shift + 5, shift : shift + 5]


def is_the_same_everywhere(name, text, shifts):
    first, *others = (moved_scores(name, text, shift) for shift in shifts)
    return all(np.allclose(first, other) for other in others)


class TestNature:
    @ALL
    def test_absolute_or_relative(self, name):
        inside = is_the_same_everywhere(name, TEXT, range(ENDS + 1, 5 - ENDS))
        everywhere = is_the_same_everywhere(name, TEXT, range(5))
        change = figures.SCORES[name](TEXT) - figures.SCORES["none"](TEXT)
        word = "relative" if inside else "absolute"
        if not change.any():
            word = "neither"
        assert METHODS[name].kind.word == word
        at_ends = inside and not everywhere
        assert ("near the ends" in METHODS[name].kind.note) == at_ends

    def test_zero_padding_can_reveal_position(self):
        place = "convolutional"
        assert METHODS[place].kind.note == "near the ends zeros can tell the place"
        assert not is_the_same_everywhere(place, TEXT, range(5))
        x = TEXT.x.copy()
        x[0] = 0  # now what surrounds the words is like what lies beyond the ends
        assert is_the_same_everywhere(place, dataclasses.replace(TEXT, x=x), range(5))

    @ALL
    def test_direction_is_distinguished(self, name):
        text = TEXT
        if name == "swin":  # a window that lies about nothing: all offsets free
            assert len(set(text.learned["window"].ravel())) == 2 * text.length - 1
        back = dataclasses.replace(text, x=text.x[::-1].copy())
        forward, backward = (figures.SCORES[name](e) for e in (text, back))
        same = np.allclose(backward[::-1, ::-1], forward)
        assert METHODS[name].direction.word == ("no" if same else "yes")

    @pytest.mark.parametrize("name", ["sinusoidal", "cape"])
    def test_sinusoids_need_two_projections_to_distinguish_direction(self, name):
        x = np.tile(TEXT.x[:1], (TEXT.length, 1))  # the same word everywhere
        for w_k, symmetric in ((TEXT.w_q, True), (TEXT.w_k, False)):
            text = dataclasses.replace(TEXT, x=x, w_k=w_k)
            scores = figures.SCORES[name](text)
            assert np.allclose(scores, scores.T) == symmetric
        assert "W_Q \\ne W_K" in METHODS[name].direction.note

    @pytest.mark.parametrize("name", ["t5", "music_transformer", "transformer_xl"])
    def test_causal_methods_are_marked_causal(self, name):
        assert "back only" in METHODS[name].direction.note
        if name == "t5":
            buckets = t5.relative_position_bucket(np.arange(5), bidirectional=False)
            assert (buckets == 0).all()

    @ALL
    def test_positions_between(self, name):
        """Something between 2 and 3 at 2.5, from the code, or from its formula."""
        place = np.asarray([2.0, 2.5, 3.0])
        word = METHODS[name].real.word
        if name in {"sinusoidal", "cape"}:
            first, middle, last = sinusoidal.sinusoidal_encoding(place, 8)
            lies_between(first[2:], middle[2:], last[2:])
            found = "yes"
            if name == "cape":
                moved = cape.augmented_positions(
                    np.asarray([0.0, 0.5, 2.0]),
                    max_global_shift=0.0,
                    max_local_shift=0.0,
                    max_scale=1.0,
                    rng=np.random.default_rng(0),
                    center=False,
                )
                np.testing.assert_array_equal(moved, [0.0, 0.5, 2.0])
        elif name == "rope":
            lies_between(*rope.rotary_angles(place, 8))
            found = "yes"
        elif name == "alibi":  # the line has a value anywhere; the code takes lengths
            bias = alibi.alibi_bias(1, 4, 1)[0, :, 0]
            lies_between(bias[2], -alibi.alibi_slopes(1)[0] * 2.5, bias[3])
            found = "formula" if refuses(alibi.alibi_bias, 1, 2.5, 4) else "yes"
        elif name == "transformer_xl":
            lies_between(*sinusoidal.sinusoidal_encoding(place, 8, layout="half")[:, 1])
            # positions 0, 0.5, 1, ...: equal steps, half as long, fit the shift
            q, v = np.ones((3, 8)), np.zeros(8)
            steps = sinusoidal.sinusoidal_encoding(np.asarray([1.0, 0.5, 0.0]), 8)
            shifted = transformer_xl.position_scores(q, steps, v)
            assert shifted[2, 1] == q[2] @ steps[1]
            takes_positions = "positions" in arguments(transformer_xl.position_scores)
            found = "yes" if takes_positions else "formula"
        elif name == "t5":
            found = "no" if refuses(t5.relative_position_bucket, place) else "yes"
        elif name == "none":
            found = "–"
        elif name == "learned":
            module, x = posenc_nn.LearnedEncoding(4, 8), torch.ones(3, 8)
            between = refuses(lambda: module(x, positions=torch.asarray(place)))
            found = "no" if between else "yes"
        else:
            function = {
                "shaw": shaw.position_scores,
                "music_transformer": music_transformer.position_scores,
                "swin": swin.relative_position_bias,
                "convolutional": convolutional.convolutional_encoding,
            }[name]
            found = "yes" if "positions" in arguments(function) else "no"
        assert word == found

    @ALL
    def test_two_dimensions(self, name):
        assert METHODS[name].grid.word == GRIDS[name]()


def lies_between(first, middle, last):
    low, high = np.minimum(first, last), np.maximum(first, last)
    assert ((low < middle) & (middle < high)).all()


def refuses(function, *given):
    try:
        function(*given)
    except TypeError:
        return True
    return False


def arguments(function):
    return set(inspect.signature(function).parameters)


ROWS, COLUMNS = (a.ravel() for a in np.indices((3, 4)).astype(float))


def grid_is_relative(scores):
    """Depends on the offsets of rows and columns alone, and tells the two apart."""
    seen = {}
    for q, k in np.ndindex(scores.shape):
        offset = (ROWS[k] - ROWS[q], COLUMNS[k] - COLUMNS[q])
        if not np.isclose(seen.setdefault(offset, scores[q, k]), scores[q, k]):
            return False
    return not np.isclose(seen[1, 0], seen[0, 1])


def _two_encodings():
    both = [sinusoidal.sinusoidal_encoding(p, 4, base=100.0) for p in (ROWS, COLUMNS)]
    table = np.concatenate([both[0], both[1] * 0.9], axis=-1)
    return "per axis" if grid_is_relative(table @ table.T) else "no"


def _two_biases(bias):
    """Bias of the rows plus that of the columns, each from its own place."""
    rows, columns = bias(3), bias(4) * 0.9
    r, c = ROWS.astype(int), COLUMNS.astype(int)
    total = rows[r[:, None], r] + columns[c[:, None], c]
    return "per axis" if grid_is_relative(total) else "no"


def _turned():
    angles = rope.axial_angles(ROWS, COLUMNS, 8)
    q, k = np.random.default_rng(0).normal(size=(2, 1, 8))
    turned = [rope.apply_rotary(np.tile(x, (12, 1)), angles) for x in (q, k)]
    return "per axis" if grid_is_relative(turned[0] @ turned[1].T) else "no"


def _labels():
    row = (ROWS[None] - ROWS[:, None] + 2).astype(int)
    column = (COLUMNS[None] - COLUMNS[:, None] + 3).astype(int)
    labels = row * 7 + column
    q, k = np.random.default_rng(0).normal(size=(2, 1, 4))
    q, k = np.tile(q, (12, 1)), np.tile(k, (12, 1))
    table = np.random.default_rng(1).normal(size=(35, 4))
    # values that are one-hot show the weights, whose logarithms are the scores
    weights = shaw.graph_attention(q, k, np.eye(12), labels, table, np.zeros((35, 12)))
    scores = np.log(weights) - np.log(weights[:, :1])
    position = q[:1] @ table.T
    np.testing.assert_allclose(
        scores, (position[0][labels] - position[0][labels[:, :1]]) / 2
    )
    return "yes" if grid_is_relative(position[0][labels]) else "no"


def _window():
    table = np.random.default_rng(0).normal(size=(5 * 7, 1))
    return (
        "yes" if grid_is_relative(swin.relative_position_bias(table, 3, 4)[0]) else ""
    )


def _cells():
    """A learned table: any numbering of cells does; its numbers are free."""
    module = posenc_nn.LearnedEncoding(12, 4)
    rows = module(torch.zeros(12, 4)).detach()
    return "yes" if len(torch.unique(rows, dim=0)) == 12 else "no"


def _a_line(function, *names):
    """Whether nothing can be said to the function but one line of tokens."""
    told = arguments(function) & {"labels", "positions", "rows", "columns", "window"}
    assert set(names) <= arguments(function)
    return "yes" if told else "no"


GRIDS = {
    "none": lambda: "–",
    "learned": _cells,
    "sinusoidal": _two_encodings,
    "cape": _two_encodings,
    "shaw": _labels,
    "music_transformer": lambda: _a_line(music_transformer.position_scores, "table"),
    "transformer_xl": lambda: _a_line(transformer_xl.position_scores, "r"),
    "convolutional": lambda: _a_line(convolutional.convolutional_encoding, "weight"),
    "t5": lambda: _two_biases(
        lambda n: t5.relative_position_bias(np.arange(32.0)[:, None] ** 2, n, n)[0]
    ),
    "alibi": lambda: _two_biases(
        lambda n: alibi.alibi_bias(1, n, n, symmetric=True)[0]
    ),
    "swin": _window,
    "rope": _turned,
}


S = {**SIZES[0], **LETTERS[0]}


def attended(name):
    """Output of the method's own attention, and what a fused kernel may be given.

    ``(output, q, k, v, bias, mask)``: queries and keys as they meet, bias and mask.
    """
    q, k, v = heads(S)
    L = S["L"]
    torch.manual_seed(3)
    layer = next(iter(modules(name, S)), None)
    if layer is not None:
        layer.double().eval()
    root = math.sqrt(S["D"])
    causal = torch.ones(L, L).tril().bool()
    if name == "shaw":
        bias = shaw.position_scores(q, layer.key_table, L) / root
        return layer(q, k, v), q, k, v, bias, None
    if name == "music_transformer":
        bias = music_transformer.position_scores(q, layer.table) / root
        return layer(q, k, v), q, k, v, bias, causal
    if name == "transformer_xl":
        r = torch.randn(S["H"], L, S["D"]).double()
        u, w = torch.randn(2, S["H"], S["D"]).double()
        out = transformer_xl.relative_attention(
            q, k, v, r, content_bias=u, position_bias=w
        )
        bias = transformer_xl.position_scores(q, r, w) / root
        return out, q + u[:, None], k, v, bias, causal
    if name == "rope":
        angles = rope.rotary_angles(torch.arange(L), S["D"])
        turned = [rope.apply_rotary(x, angles) for x in (q, k)]
        return scaled_dot_product_attention(*turned, v), *turned, v, None, None
    if name == "alibi":
        bias = alibi.alibi_bias(S["H"], L, L, xp=torch, dtype=torch.float64)
        return layer(q, k, v), q, k, v, bias, causal
    if name in {"t5", "swin"}:
        bias = added(name, S)
        out = scaled_dot_product_attention(q, k, v, bias=bias)
        return out, q, k, v, bias, None
    # Something is added to the input, or nothing at all.
    attention = posenc_nn.MultiHeadAttention(S["d"], S["H"]).double()
    x = torch.randn(1, S["L"], S["d"]).double()
    x = x if layer is None else layer(x)
    q, k, v = attention.project(x)
    with mock.patch.object(attention, "merge", wraps=attention.merge) as merge:
        attention(x)
    return merge.call_args.args[0], q, k, v, None, None


class TestFit:
    @ALL
    def test_fused_attention(self, name):
        out, q, k, v, bias, mask = attended(name)
        given = bias
        if bias is not None and mask is not None:
            given = bias.masked_fill(~mask, -math.inf)
        fused = F.scaled_dot_product_attention(q, k, v, attn_mask=given)
        if torch.allclose(fused, out):
            found = "yes" if given is None else "as a matrix"
        else:
            found = "no"
        assert METHODS[name].fused.word == found

    @ALL
    def test_place_where_positions_enter(self, name):
        """Undo one place after the other, and see what explains the output."""
        word = METHODS[name].enters.word
        if word in {"input", "nowhere"}:
            layer = next(iter(modules(name, S)), None)
            x = torch.randn(1, S["L"], S["d"]).double()
            moved = layer is not None and not torch.equal(layer.double()(x), x)
            assert word == ("input" if moved else "nowhere")
            return
        out, q, k, v, bias, mask = attended(name)
        plain_q, plain_k, _ = heads(S)
        if bias is None:
            assert not torch.allclose(q, plain_q)
            assert not torch.allclose(k, plain_k)
            found = "queries and keys"
        else:
            assert torch.allclose(k, plain_k)
            without = scaled_dot_product_attention(q, k, v, mask=mask)
            scored = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
            assert not torch.allclose(without, scored)
            found = "scores" if torch.allclose(scored, out) else "scores and values"
        assert word == found

    @ALL
    def test_linear_attention(self, name):
        assert METHODS[name].linear.word == LINEAR.get(name, _of_inputs)(name)


def _of_inputs(name):
    """Whatever happened to the inputs, both orders of the products agree."""
    q, k, v = attended(name)[1:4]
    for causal in (False, True):
        fast, plain = (
            f(q, k, v, causal=causal) for f in (linear_attention, quadratic_form)
        )
        assert torch.allclose(fast, plain)
    return "yes"


def _with_angles(_):
    q, k, v = heads(S)
    angles = rope.rotary_angles(torch.arange(S["L"], dtype=torch.float64), S["D"])
    features = [rope.apply_rotary(elu_plus_one(x), angles) for x in (q, k)]
    top = features[0] @ features[1].mT
    bottom = (elu_plus_one(q) @ elu_plus_one(k).mT).sum(-1, keepdim=True)
    out = linear_attention(q, k, v, angles=angles)
    return "yes" if torch.allclose(out, top / bottom @ v) else "no"


def _with_decay(_):
    q, k, v = heads(S)
    H, L = S["H"], S["L"]
    bias = alibi.alibi_bias(H, L, L, xp=torch, dtype=torch.float64)
    weights = elu_plus_one(q) @ elu_plus_one(k).mT * torch.exp(bias)
    weights = weights.tril() / weights.tril().sum(-1, keepdim=True)
    slopes = alibi.alibi_slopes(H, xp=torch, dtype=torch.float64)
    out = linear_attention(q, k, v, causal=True, decay=torch.exp(-slopes))
    return "as a decay" if torch.allclose(out, weights @ v) else "no"


def _by_fourier(name):
    """One factor for each offset, whatever the text: a Toeplitz matrix of biases."""
    bias = added(name, S)
    if not torch.allclose(bias[:, 1:, 1:], bias[:, :-1, :-1]):
        return "no"
    q, k, v = heads(S)
    offsets = torch.cat([bias[:, :, 0].flip(-1), bias[:, 0, 1:]], dim=-1)
    weights = elu_plus_one(q) @ elu_plus_one(k).mT * torch.exp(bias)
    weights = weights / weights.sum(-1, keepdim=True)
    out = toeplitz_linear_attention(q, k, v, offsets)
    return "by Fourier" if torch.allclose(out, weights @ v) else "no"


def _meets(name):
    """What is added differs from text to text: no factor of offsets can say it."""
    fixed = torch.equal(added(name, S), added(name, S, seed=1))
    assert arguments(linear_attention) >= {"angles", "decay"}
    return "yes" if fixed else "no"


LINEAR = {
    "rope": _with_angles,
    "alibi": _with_decay,
    "t5": _by_fourier,
    "swin": _by_fourier,
    "shaw": _meets,
    "music_transformer": _meets,
    "transformer_xl": _meets,
}
