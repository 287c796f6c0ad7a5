"""What the book says about every method: the one place where it is written down.

`tests/test_comparison.py` derives each entry from the code and compares.
"""

from dataclasses import dataclass, field

from ._formula import Formula


@dataclass(frozen=True)
class Answer:
    """A verdict in a word or two, and what must be said with it, in Markdown."""

    word: str
    note: str = ""

    def __str__(self) -> str:
        return f"**{self.word}**" + (f"; {self.note}" if self.note else "")


@dataclass(frozen=True)
class Count:
    """How many there are: a formula, and what must be said with it, in Markdown."""

    formula: Formula
    note: str = ""


@dataclass(frozen=True)
class Method:
    """One row of the comparison.

    Attributes
    ----------
    name, title, chapter : str
        Name in the code, name in the book, slug of the page that explains it.
    kind : Answer
        What its numbers depend on: ``"absolute"`` or ``"relative"`` position, or
        ``"neither"``.
    enters : Answer
        Where it enters attention, and how.
    direction : Answer
        Whether a text read backwards gives other scores, turned back.
    real : Answer
        Whether there is something between two whole positions.
    grid : Answer
        Whether it can say rows and columns.
    parameters : Count
        Learned numbers, of all N layers.
    multiplications : Count
        Multiplications by numbers of the text, more than without position, for one
        sequence and all N layers. Sums, sines and tables that are the same for every
        text do not count.
    memory : Count
        Numbers that are added (or turned by) at a time: for one sequence and one layer.
    fused : Answer
        Whether a fused kernel takes it, without a matrix of scores.
    linear : Answer
        Whether linear attention takes it.
    lab : tuple of str
        Encodings of the laboratory that show it on longer texts.
    settings : dict
        Sizes of its own, by their letters: those that its paper prefers.
    """

    name: str
    title: str
    chapter: str
    kind: Answer
    enters: Answer
    direction: Answer
    real: Answer
    grid: Answer
    parameters: Count
    multiplications: Count
    memory: Count
    fused: Answer
    linear: Answer
    lab: tuple[str, ...] = ()
    settings: dict[str, int] = field(default_factory=dict)


#: Sizes of BERT-base: layers, tokens, features of a token, heads, features of a head.
BERT_BASE = {"N": 12, "L": 512, "d": 768, "H": 12, "D": 64}

_NOTHING = Count(Formula("0"))
_ROWS = Formula("L * d")
_BIAS = Formula("H * L**2")
_EACH = "anew for each text and layer"
_YES, _NO, _NONE = Answer("yes"), Answer("no"), Answer("–", "nothing to say")
_INPUT_FUSED = Answer("yes", "attention does not notice")
_AS_MASK = Answer("as a matrix", "`attn_mask=bias`")
_AXES = "one for rows, one for columns: half of the features each"
_SUM = Answer("per axis", "the bias of the rows plus that of the columns")
_MEETS = Answer("no", "its vectors meet the query of each pair")

METHODS = (
    Method(
        name="none",
        title="no encoding",
        chapter="attention",
        kind=Answer("neither"),
        enters=Answer("nowhere"),
        direction=Answer("no", "unless a causal mask shows it"),
        real=_NONE,
        grid=_NONE,
        parameters=_NOTHING,
        multiplications=_NOTHING,
        memory=_NOTHING,
        fused=_YES,
        linear=_YES,
        lab=("none",),
    ),
    Method(
        name="learned",
        title="learned table",
        chapter="sinusoidal",
        kind=Answer("absolute"),
        enters=Answer("input", "added"),
        direction=_YES,
        real=Answer("no", "rows have no between"),
        grid=Answer("yes", "a row for each cell; it knows no neighbors"),
        parameters=Count(Formula("L * d"), "a row for each position, and no more rows"),
        multiplications=_NOTHING,
        memory=Count(_ROWS, "once"),
        fused=_INPUT_FUSED,
        linear=_INPUT_FUSED,
        lab=("learned",),
    ),
    Method(
        name="sinusoidal",
        title="sinusoids",
        chapter="sinusoidal",
        kind=Answer("absolute", "a shift is a rotation of it"),
        enters=Answer("input", "added"),
        direction=Answer("yes", "thanks to $W_Q \\ne W_K$"),
        real=_YES,
        grid=Answer("per axis", _AXES),
        parameters=_NOTHING,
        multiplications=_NOTHING,
        memory=Count(_ROWS, "once"),
        fused=_INPUT_FUSED,
        linear=_INPUT_FUSED,
        lab=("sinusoidal",),
    ),
    Method(
        name="shaw",
        title="Shaw",
        chapter="shaw",
        kind=Answer("relative", "clipped at $k$"),
        enters=Answer("scores and values", "query times vector; vectors mixed in"),
        direction=_YES,
        real=_NO,
        grid=Answer("yes", "any labels of pairs: `graph_attention`"),
        parameters=Count(
            Formula("N * 2 * (2 * k + 1) * D"), "$H$ times as many if no head shares"
        ),
        multiplications=Count(Formula("N * 2 * L * (2 * k + 1) * d")),
        memory=Count(_BIAS, _EACH),
        fused=Answer("no", "the values need the weights; its keys alone: as a matrix"),
        linear=_MEETS,
        lab=("shaw",),
        settings={"k": 16},
    ),
    Method(
        name="music_transformer",
        title="Music Transformer",
        chapter="music_transformer",
        kind=Answer("relative"),
        enters=Answer("scores", "query times vector"),
        direction=Answer("yes", "though the paper looks back only"),
        real=_NO,
        grid=Answer("no", "the skew needs a line"),
        parameters=Count(Formula("N * L * d"), "twice as many, nearly, for both sides"),
        multiplications=Count(Formula("N * L**2 * d")),
        memory=Count(_BIAS, _EACH),
        fused=_AS_MASK,
        linear=_MEETS,
        lab=("music_transformer",),
    ),
    Method(
        name="transformer_xl",
        title="Transformer-XL",
        chapter="transformer_xl",
        kind=Answer("relative"),
        enters=Answer("scores", "query times projected sinusoid"),
        direction=Answer("yes", "though the paper looks back only"),
        real=Answer("formula", "the shift needs equal steps"),
        grid=Answer("no", "the shift needs a line"),
        parameters=Count(Formula("N * (d**2 + 2 * d)"), "$W_{K,R}$, $u$ and $v$"),
        multiplications=Count(Formula("N * (L**2 * d + L * d**2)")),
        memory=Count(_BIAS, _EACH),
        fused=Answer("as a matrix", "and $q + u$ for $q$"),
        linear=_MEETS,
        lab=("transformer_xl",),
    ),
    Method(
        name="t5",
        title="T5",
        chapter="t5",
        kind=Answer("relative", "in buckets"),
        enters=Answer("scores", "a number added"),
        direction=Answer("yes", "if bidirectional; a decoder looks back only"),
        real=Answer("no", "buckets have no between"),
        grid=_SUM,
        parameters=Count(Formula("b * H"), "$b$ buckets, all layers share them"),
        multiplications=_NOTHING,
        memory=Count(_BIAS, "the same for all texts and layers"),
        fused=_AS_MASK,
        linear=Answer("by Fourier", "$L \\log L$: `toeplitz_linear_attention`"),
        lab=("t5",),
        settings={"b": 32},
    ),
    Method(
        name="swin",
        title="Swin",
        chapter="swin",
        kind=Answer("relative"),
        enters=Answer("scores", "a number added"),
        direction=_YES,
        real=Answer("no", "a table can be stretched for a larger window"),
        grid=Answer("yes", "made for it"),
        parameters=Count(
            Formula("N * (2 * M_h - 1) * (2 * M_w - 1) * H"),
            "here one window of $16 \\times 32 = 512$ cells",
        ),
        multiplications=_NOTHING,
        memory=Count(_BIAS, "the same for all texts; $L$ is the window"),
        fused=_AS_MASK,
        linear=Answer("no", "row by row, one step in the list is not one offset"),
        settings={"M_h": 16, "M_w": 32},
    ),
    Method(
        name="alibi",
        title="ALiBi",
        chapter="alibi",
        kind=Answer("relative"),
        enters=Answer("scores", "a number added"),
        direction=Answer("no", "a causal mask hides one side"),
        real=Answer("formula", "our code counts tokens"),
        grid=_SUM,
        parameters=_NOTHING,
        multiplications=_NOTHING,
        memory=Count(_BIAS, "the same for all texts and layers"),
        fused=_AS_MASK,
        linear=Answer("as a decay", "if causal: `decay=exp(-slope)`"),
        lab=("alibi",),
    ),
    Method(
        name="rope",
        title="RoPE",
        chapter="rope",
        kind=Answer("relative", "though each token is turned by itself"),
        enters=Answer("queries and keys", "multiplied: rotated"),
        direction=Answer("yes", "if $q \\ne k$"),
        real=_YES,
        grid=Answer("per axis", "`axial_angles`: half of the pairs each"),
        parameters=_NOTHING,
        multiplications=Count(Formula("N * 4 * L * d"), "4 for each pair of features"),
        memory=Count(Formula("L * D / 2"), "angles, the same for all texts and layers"),
        fused=Answer("yes", "rotate first"),
        linear=Answer("yes", "`angles=`"),
        lab=("rope", "rope_interpolation", "rope_ntk", "rope_yarn"),
    ),
    Method(
        name="convolutional",
        title="convolution",
        chapter="convolutional",
        kind=Answer("relative", "near the ends absolute"),
        enters=Answer("input", "computed from the neighbors, added"),
        direction=_YES,
        real=_NO,
        grid=Answer("no", "this one runs along a line"),
        parameters=Count(Formula("d**2 * k / G + k + d"), "kernel $k$, $G$ groups"),
        multiplications=Count(Formula("L * k * d**2 / G")),
        memory=Count(_ROWS, "anew for each text"),
        fused=_INPUT_FUSED,
        linear=_INPUT_FUSED,
        lab=("convolutional",),
        settings={"k": 128, "G": 16},
    ),
    Method(
        name="cape",
        title="CAPE",
        chapter="cape",
        kind=Answer("absolute", "shaken in training, to be taken as relative"),
        enters=Answer("input", "added"),
        direction=Answer("yes", "thanks to $W_Q \\ne W_K$"),
        real=Answer("yes", "made for it"),
        grid=Answer("per axis", _AXES),
        parameters=_NOTHING,
        multiplications=_NOTHING,
        memory=Count(_ROWS, "in training anew for each text"),
        fused=_INPUT_FUSED,
        linear=_INPUT_FUSED,
        lab=("cape",),
    ),
)
