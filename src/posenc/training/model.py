"""One small causal Transformer, the same for every encoding but for the encoding."""

from typing import Any

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from .encodings import Changeable, Sizes, encoding_named


class Block(nn.Module):
    """Attention and a network of two layers, each behind a norm and beside a shortcut.

    Parameters
    ----------
    attention : Module
        From (batch, seq_len, d_model) to the same.
    d_model : int
        Features of a token.
    hidden : int
        Features between the two layers of the network; 4 d_model unless given.
    """

    def __init__(self, attention: nn.Module, d_model: int, hidden: int = 0) -> None:
        super().__init__()
        hidden = hidden or 4 * d_model
        self.attention = attention
        self.network = nn.Sequential(
            nn.Linear(d_model, hidden), nn.GELU(), nn.Linear(hidden, d_model)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2))

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Mix the tokens, then the features."""
        x = x + self.attention(self.norms[0](x))
        return x + self.network(self.norms[1](x))


class Transformer(nn.Module):
    """Decoder of a few blocks: names a token at every place.

    Parameters
    ----------
    vocab_size : int
        Number of different tokens.
    encoding : str
        Key of `posenc.training.encodings.ENCODINGS`.
    sizes : Sizes, optional
        Sizes of the blocks, and the length that learned tables are made for.
    """

    def __init__(self, vocab_size: int, encoding: str, sizes: Sizes = Sizes()) -> None:  # noqa: B008
        super().__init__()
        chosen = encoding_named(encoding)
        self.encoding, attentions = chosen.build(sizes)
        self.embedding = nn.Embedding(vocab_size, sizes.d_model)
        nn.init.normal_(self.embedding.weight, std=sizes.d_model**-0.5)
        hidden = int(chosen.network * sizes.d_model)
        self.blocks = nn.Sequential(
            *(Block(attention, sizes.d_model, hidden) for attention in attentions)
        )
        self.norm = nn.LayerNorm(sizes.d_model)
        self.output = nn.Linear(sizes.d_model, vocab_size)
        self.change_to(encoding)

    def forward(
        self, tokens: Int[Tensor, "batch seq_len"]
    ) -> Float[Tensor, "batch seq_len vocab_size"]:
        """Return the logits of the targets."""
        return self.output(self.norm(self.blocks(self.embed(tokens))))

    def embed(
        self, tokens: Int[Tensor, "batch seq_len"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Return the first block's input: tokens, and what the encoding adds."""
        # Sinusoids have components of size one; so have the embedded tokens then.
        x = self.embedding(tokens) * self.embedding.embedding_dim**0.5
        added: Tensor = self.encoding(x)
        return added

    def hide(self, columns: Bool[Tensor, "seq_len"] | None) -> None:
        """Hide these columns from other tokens from here on; None hides none."""
        for block in self.blocks:
            attention: Any = block.attention
            attention.hidden = columns

    def change_to(self, encoding: str) -> None:
        """Switch to `encoding`, which shares these weights."""
        for module in self.modules():
            if isinstance(module, Changeable):
                module.variant = encoding_named(encoding).variant
