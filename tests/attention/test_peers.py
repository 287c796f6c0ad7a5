"""Padding and packed documents in transformers, as the questions of the page tell."""

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]


@pytest.mark.parametrize(
    ("options", "apart"),
    [
        ({"use_cache": False}, True),
        ({"use_cache": False, "attention_mask": torch.ones(1, 5).long()}, False),
        ({"use_cache": True}, False),
    ],
)
def test_restarted_positions_keep_documents_apart_without_mask_and_cache(
    options, apart
):
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=20,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
    )
    model = LlamaForCausalLM(config).eval()
    restarted = torch.tensor([[0, 1, 2, 0, 1]])
    tokens = torch.tensor([[3, 7, 1, 5, 9]])
    other_first = torch.tensor([[4, 8, 2, 5, 9]])
    with torch.no_grad():
        one, other = (
            model(t, position_ids=restarted, **options).logits[0, 3:]
            for t in (tokens, other_first)
        )
    assert torch.allclose(one, other, rtol=0, atol=1e-6) == apart


def test_generate_counts_real_tokens_and_a_plain_call_of_gpt2_does_not():
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=20,
        n_positions=16,
        n_embd=32,
        n_layer=2,
        n_head=2,
        bos_token_id=0,
        eos_token_id=0,
    )
    model = GPT2LMHeadModel(config).eval()
    tokens = torch.tensor([[3, 7, 1]])
    padded, mask = torch.tensor([[0, 0, 3, 7, 1]]), torch.tensor([[0, 0, 1, 1, 1]])
    with torch.no_grad():
        alone = model(tokens).logits[0, -1]
        plain = model(padded, attention_mask=mask).logits[0, -1]
        made = model.generate(
            padded,
            attention_mask=mask,
            max_new_tokens=1,
            do_sample=False,
            pad_token_id=0,
            output_logits=True,
            return_dict_in_generate=True,
        )
    assert not torch.allclose(plain, alone, rtol=0, atol=1e-5)
    assert torch.allclose(made.logits[0][0], alone, rtol=0, atol=1e-5)
