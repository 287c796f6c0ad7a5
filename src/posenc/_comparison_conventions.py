"""Conventions of every method, and the calls of well-known libraries that are ours.

`tests/test_comparison.py` derives the conventions from our code, `tests/peers` runs
each of the calls against it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """A call of a well-known library that does the same.

    Attributes
    ----------
    path : str
        Full name of the function or class.
    ours : str
        Our call with the same result.
    differs : str
        What to mind, in Markdown.
    test : str
        ``file::test`` in ``tests/peers`` that runs the two against each other.
    """

    path: str
    ours: str
    differs: str
    test: str

    @property
    def package(self) -> str:
        """Name of the library, as one installs it."""
        return self.path.split(".")[0].replace("_", "-")

    @property
    def name(self) -> str:
        """Name without its modules; that of a method with its class."""
        parts = self.path.split(".")
        return ".".join(parts[-2:] if parts[-2][0].isupper() else parts[-1:])


@dataclass(frozen=True)
class Convention:
    """How a method counts, pairs, scales and aligns; Markdown, but for the name."""

    method: str
    counts: str
    pairs: str
    base: str
    scale: str
    alignment: str
    peers: tuple[Peer, ...] = ()


_HF = "transformers.models"
_X = "x_transformers.x_transformers"
_OFFSET = "`q_offset`, keys from 0"
_INPUT = "before attention; `offset` for a cache"

CONVENTIONS = (
    Convention(
        "learned",
        counts="the position, from 0",
        pairs="–",
        base="–",
        scale="yes",
        alignment=_INPUT,
        peers=(
            Peer(
                f"{_HF}.bert.modeling_bert.BertEmbeddings",
                "LearnedEncoding(max_len, d_model)",
                "the table is `position_embeddings.weight`; BERT adds a segment vector "
                "and normalizes after it",
                "test_compare_learned.py::test_bert_adds_the_rows_of_its_table",
            ),
            Peer(
                f"{_HF}.roberta.modeling_roberta.RobertaEmbeddings",
                "LearnedEncoding(max_len, d_model)(x, offset=padding_idx + 1)",
                "the first token has position `padding_idx + 1`, which is 2",
                "test_compare_learned.py::test_roberta_begins_at_two",
            ),
            Peer(
                f"{_X}.AbsolutePositionalEmbedding",
                "LearnedEncoding(max_len, d_model)",
                "the table is multiplied by $d^{-1/2}$",
                "test_compare_learned.py::test_x_transformers_scales_its_table",
            ),
        ),
    ),
    Convention(
        "sinusoidal",
        counts="the position, from 0",
        pairs="adjacent: sine, cosine",
        base="10,000",
        scale="yes",
        alignment=_INPUT,
        peers=(
            Peer(
                f"{_HF}.marian.modeling_marian.MarianSinusoidalPositionalEmbedding",
                'sinusoidal_table(L, d, layout="half")',
                "all sines first",
                "test_sinusoidal.py::test_marian_has_all_sines_first",
            ),
            Peer(
                f"{_HF}.whisper.modeling_whisper.sinusoids",
                'sinusoidal_table(L, d, layout="half", frequencies="tensor2tensor")',
                "exponent $i/(d/2 - 1)$",
                "test_sinusoidal.py::test_whisper_has_the_frequencies_of_tensor2tensor",
            ),
            Peer(
                f"{_X}.ScaledSinusoidalEmbedding",
                'sinusoidal_table(L, d, layout="half")',
                "times a learned factor, at first $d^{-1/2}$",
                "test_sinusoidal.py::"
                "test_x_transformers_has_all_sines_first_and_scales",
            ),
        ),
    ),
    Convention(
        "shaw",
        counts="$j - i$, clipped to $-k, \\dots, k$",
        pairs="–",
        base="–",
        scale="yes, both parts",
        alignment=_OFFSET,
        peers=(
            Peer(
                f"{_HF}.wav2vec2_bert.modeling_wav2vec2_bert.Wav2Vec2BertSelfAttention",
                "shaw.position_scores(q, key_table, k_len)",
                "`relative_key`: keys alone, left and right clipped apart",
                "test_shaw.py::test_key_vectors_agree_with_wav2vec2_bert",
            ),
            Peer(
                f"{_HF}.vits.modeling_vits.VitsAttention",
                "shaw.relative_attention(q, k, v, key_table, value_table)",
                "beyond its window zeros, where the paper clips",
                "test_shaw.py::test_key_and_value_vectors_agree_with_vits",
            ),
        ),
    ),
    Convention(
        "music_transformer",
        counts="$j - i$, from $-(L-1)$ to 0",
        pairs="–",
        base="–",
        scale="yes, both parts",
        alignment="as many queries as keys",
        peers=(
            Peer(
                f"{_HF}.vits.modeling_vits.VitsAttention",
                "music_transformer.position_scores(q, table, causal=False)",
                "its skew of both sides, on a table filled with zeros",
                "test_music_transformer.py::"
                "test_a_table_filled_with_zeros_gives_the_same_scores",
            ),
        ),
    ),
    Convention(
        "transformer_xl",
        counts="$i - j$",
        pairs="half-split in its code: all sines, then all cosines",
        base="10,000",
        scale="not in the paper; yes in its code, all four terms",
        alignment="the last query at the last key",
        peers=(
            Peer(
                f"{_HF}.xlnet.modeling_xlnet.XLNetRelativeAttention",
                "transformer_xl.relative_attention(q, k, v, r, ...)",
                "distances of both sides, no pad; $u$ is `r_w_bias`, $v$ is `r_r_bias`",
                "test_transformer_xl.py::test_attention_agrees_with_xlnet",
            ),
        ),
    ),
    Convention(
        "t5",
        counts="$j - i$, sorted into buckets",
        pairs="–",
        base="–",
        scale="no",
        alignment=_OFFSET,
        peers=(
            Peer(
                f"{_HF}.t5.modeling_t5.T5Attention",
                "relative_position_bias(table, q_len, k_len)",
                "the table fits as it is; `scale=1.0` in our attention",
                "test_t5.py::test_bias_agrees_with_transformers",
            ),
            Peer(
                f"{_X}.RelativePositionBias",
                "relative_position_bias(table, q_len, k_len, bidirectional=not causal)",
                "`causal` for not `bidirectional`; bias times $\\sqrt d$; the last "
                "query at the last key",
                "test_t5.py::test_bias_agrees_with_x_transformers",
            ),
        ),
    ),
    Convention(
        "swin",
        counts="$i - j$ for rows and for columns, in its code",
        pairs="–",
        base="–",
        scale="yes, but not the bias",
        alignment="queries and keys are one window",
        peers=(
            Peer(
                f"{_HF}.swin.modeling_swin.SwinRelativePositionBias",
                "swin.relative_position_bias(table, height, width)",
                "the table fits as it is",
                "test_swin.py::test_bias_agrees",
            ),
        ),
    ),
    Convention(
        "alibi",
        counts="$i - j$, with a minus sign: $-m_h (i - j)$",
        pairs="–",
        base="–",
        scale="yes, but not the bias",
        alignment=_OFFSET,
        peers=(
            Peer(
                f"{_HF}.bloom.modeling_bloom.build_alibi_tensor",
                "alibi_bias(H, q_len, k_len, q_offset=k_len - q_len)",
                "$+m_h j$: each row moved by a number that the softmax drops",
                "test_alibi.py::test_agrees_with_bloom",
            ),
            Peer(
                f"{_HF}.falcon.modeling_falcon.FalconAttention",
                "alibi_bias(H, q_len, k_len) / math.sqrt(d)",
                "divides the bias, too, by $\\sqrt d$",
                "test_alibi.py::"
                "test_falcon_divides_the_bias_by_the_root_of_the_head_size",
            ),
            Peer(
                f"{_X}.AlibiPositionalBias",
                "alibi_bias(H, q_len, k_len, symmetric=True, q_offset=k_len - q_len)",
                "$-m_h \\lvert i - j\\rvert$; the last query at the last key",
                "test_alibi.py::test_symmetric_bias_agrees_with_x_transformers",
            ),
        ),
    ),
    Convention(
        "rope",
        counts="turns by $+m\\theta$ and $+n\\theta$; the score by $n - m$, that is "
        "$j - i$",
        pairs="adjacent in the paper; half-split in GPT-NeoX and Hugging Face",
        base="10,000",
        scale="yes",
        alignment="`positions` of queries and of keys",
        peers=(
            Peer(
                f"{_HF}.llama.modeling_llama.apply_rotary_pos_emb",
                'apply_rotary(x, angles, layout="half")',
                "`cos` and `sin` repeat: `[cos, cos]`; base `rope_theta`",
                "test_rope.py::test_llama_pairs_the_halves",
            ),
            Peer(
                "rotary_embedding_torch.RotaryEmbedding.rotate_queries_or_keys",
                "apply_rotary(x, rotary_angles(positions, D))",
                "base `theta`; cached keys: `rotate_queries_with_cached_keys`",
                "test_rope.py::test_rotary_embedding_torch_pairs_neighbors",
            ),
            Peer(
                f"{_X}.apply_rotary_pos_emb",
                "apply_rotary(x, angles)",
                "turns the first features and leaves the others",
                "test_rope.py::"
                "test_x_transformers_pairs_neighbors_of_the_first_features",
            ),
        ),
    ),
    Convention(
        "convolutional",
        counts="frames $-64$ to $+63$ around each frame",
        pairs="–",
        base="–",
        scale="yes",
        alignment="before attention; needs all frames at once",
        peers=(
            Peer(
                f"{_HF}.wav2vec2.modeling_wav2vec2.Wav2Vec2PositionalConvEmbedding",
                "convolutional_encoding(x, weight, bias, groups=16)",
                "gives the encoding alone; the caller adds it",
                "test_convolutional.py::test_agrees_with_weight_normalization",
            ),
        ),
    ),
    Convention(
        "cape",
        counts="the position after the shifts, from the middle of the text",
        pairs="adjacent, as in the sinusoids",
        base="10,000",
        scale="yes",
        alignment="before attention; `positions` for a cache",
    ),
)
