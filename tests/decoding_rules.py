"""What holds for every module with a cache: a prompt, then the rest, is all."""

import torch


def parts_of(tokens, prompt):
    """A prompt, a token, two at once, and single tokens: slices of the sequence."""
    length = tokens[0].shape[-2]
    ends = [prompt, prompt + 1, *range(prompt + 3, length + 1)]
    ends = [end for end in ends if end < length] + [length]
    for first, last in zip([0, *ends], ends, strict=False):
        yield [x[..., first:last, :] for x in tokens], slice(first, last)


def assert_decodes(module, tokens, prompt, *, call=lambda rows: {}, whole=None):
    """Outputs of the parts, each with what the one before returned, are the whole's.

    `call` gives the other arguments for the rows of a part. The last cache is returned.
    """
    length = tokens[0].shape[-2]
    wanted = module(*tokens, **call(slice(0, length))) if whole is None else whole
    found, past = [], None
    for part, rows in parts_of(tokens, prompt):
        out, past = module(*part, **call(rows), past=past, use_cache=True)
        found.append(out)
    torch.testing.assert_close(torch.cat(found, dim=-2), wanted)
    assert wanted.abs().sum() > 0
    return past
