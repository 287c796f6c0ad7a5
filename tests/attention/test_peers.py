"""Padding and packed documents in transformers, as the questions of the page tell."""

import pytest
import torch
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]


SIZES = {
    "vocab_size": 20,
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
}
GPT2_SIZES = {"vocab_size": 20, "n_positions": 16, "n_embd": 32, "n_layer": 2}


def make_gpt2():
    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(**GPT2_SIZES, n_head=2, bos_token_id=0, eos_token_id=0)
    )


def make_llama():
    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(**SIZES))


def make_bert():
    torch.manual_seed(0)
    return BertForMaskedLM(BertConfig(**SIZES))


def second_document_is_blind(model, **options):
    """Change the first of two packed documents; compare the outputs of the second."""
    restarted = torch.tensor([[0, 1, 2, 0, 1]])
    tokens = torch.tensor([[3, 7, 1, 5, 9]])
    other_first = torch.tensor([[4, 8, 2, 5, 9]])
    with torch.no_grad():
        first, second = (
            model(t, position_ids=restarted, **options).logits[0, 3:]
            for t in (tokens, other_first)
        )
    return torch.allclose(first, second, rtol=0, atol=1e-6)


ONES = torch.ones(1, 5).long()


@pytest.mark.parametrize("make_model", [make_gpt2, make_llama])
@pytest.mark.parametrize(
    ("options", "blind"),
    [
        ({}, False),
        ({"use_cache": False, "attention_mask": ONES}, False),
        ({"use_cache": False}, True),
    ],
)
def test_decoder_keeps_documents_apart_only_without_mask_and_cache(
    make_model, options, blind
):
    model = make_model().eval()
    assert second_document_is_blind(model, **options) == blind


@pytest.mark.parametrize("options", [{}, {"attention_mask": ONES}])
def test_bert_sees_the_other_document_whatever_the_positions(options):
    assert not second_document_is_blind(make_bert().eval(), **options)


def test_generate_counts_real_tokens_and_a_plain_call_of_gpt2_does_not():
    model = make_gpt2().eval()
    tokens = torch.tensor([[3, 7, 1]])
    padded, mask = torch.tensor([[0, 0, 3, 7, 1]]), torch.tensor([[0, 0, 1, 1, 1]])
    with torch.no_grad():
        alone = model(tokens).logits[0, -1]
        plain = model(padded, attention_mask=mask).logits[0, -1]
        with_mask, without = (
            model.generate(
                padded,
                **given,
                max_new_tokens=1,
                do_sample=False,
                pad_token_id=0,
                output_logits=True,
                return_dict_in_generate=True,
            ).logits[0][0]
            for given in ({"attention_mask": mask}, {})
        )
        by_column = model(padded, position_ids=torch.arange(5)[None]).logits[0, -1]
    assert not torch.allclose(plain, alone, rtol=0, atol=1e-5)
    assert torch.allclose(with_mask, alone, rtol=0, atol=1e-5)
    assert torch.allclose(without, by_column, rtol=0, atol=1e-5)
